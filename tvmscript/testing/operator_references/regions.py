"""Regions of images, correlation, convolutions at offsets."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.ir.topi.nn.utils import get_pad_tuple
from tvmscript.testing.operator_references.convolution import Array, Sizes, per_dimension
from tvmscript.testing.operator_references.sampling import interpolate


def roi_align_nchw_python(
    a_np: Array, rois_np: Array, pooled_size: Sizes, spatial_scale: float, sample_ratio: int, mode: Any = b"avg"
) -> Array:
    """Return the mean, or the maximum, of samples in the bins of regions (ONNX's RoiAlign without half pixels)."""
    size = per_dimension(pooled_size, 2)
    out = np.zeros((len(rois_np), a_np.shape[1], *size), a_np.dtype)
    for k, h, w in np.ndindex(len(rois_np), *size):
        planes, samples = a_np[int(rois_np[k, 0])], list[Array]()
        begins = [rois_np[k, 2 - n] * spatial_scale for n in range(2)]
        spans = [max(rois_np[k, 4 - n] * spatial_scale - begins[n], 1.0) for n in range(2)]
        counts = [sample_ratio if sample_ratio > 0 else int(np.ceil(spans[n] / size[n])) for n in range(2)]
        for spot in np.ndindex(*counts):
            place = [begins[n] + spans[n] / size[n] * (i + (spot[n] + 0.5) / counts[n]) for n, i in enumerate((h, w))]
            if any(c < -1 or c > extent for c, extent in zip(place, planes.shape[1:], strict=True)):
                samples.append(np.zeros(len(planes)))
                continue
            inside = [min(max(c, 0), extent - 1) for c, extent in zip(place, planes.shape[1:], strict=True)]
            samples.append(interpolate(planes, inside))
        out[k, :, h, w] = np.max(samples, 0) if mode in (b"max", "max", 1) else np.mean(samples, 0)
    return out


def roi_align_nhwc_python(
    a_np: Array, rois_np: Array, pooled_size: Sizes, spatial_scale: float, sample_ratio: int, mode: Any = b"avg"
) -> Array:
    channels_first = roi_align_nchw_python(
        a_np.transpose(0, 3, 1, 2), rois_np, pooled_size, spatial_scale, sample_ratio, mode
    )
    return channels_first.transpose(0, 2, 3, 1)


def roi_pool_nchw_python(a_np: Array, rois_np: Array, pooled_size: Sizes, spatial_scale: float) -> Array:
    """Return the maximum of each bin of regions (ONNX's MaxRoiPool)."""
    size = per_dimension(pooled_size, 2)
    out = np.zeros((len(rois_np), a_np.shape[1], *size), a_np.dtype)
    for k, h, w in np.ndindex(len(rois_np), *size):
        planes, area = a_np[int(rois_np[k, 0])], list[slice]()
        for n, i in enumerate((h, w)):
            begin, end = np.round(rois_np[k, 2 - n] * spatial_scale), np.round(rois_np[k, 4 - n] * spatial_scale)
            step = max(end - begin + 1, 1) / size[n]
            # bounds that are almost integers count as these
            bounds = (np.floor(i * step + 1e-5), np.ceil((i + 1) * step - 1e-5))
            area.append(slice(*(int(np.clip(bound + begin, 0, planes.shape[n + 1])) for bound in bounds)))
        part = planes[:, area[0], area[1]]
        out[k, :, h, w] = part.max((1, 2)) if part.size else 0
    return out


def correlation_nchw_python(
    data1: Array,
    data2: Array,
    kernel_size: int,
    max_displacement: int,
    stride1: int,
    stride2: int,
    padding: int,
    is_multiply: bool,
) -> Array:
    """Return the mean product, or distance, of patches of two images at all displacements."""
    widths = [(0, 0), (0, 0), (padding, padding), (padding, padding)]
    x, y = (np.pad(image, widths) for image in (data1, data2))
    border = max_displacement + (kernel_size - 1) // 2
    height, width = (-(-(extent - 2 * border) // stride1) for extent in x.shape[2:])
    reach = max_displacement // stride2
    steps = range(-reach, reach + 1)
    values: list[Array] = []
    for i, j in np.ndindex(height, width):
        top, left = i * stride1 + max_displacement, j * stride1 + max_displacement
        patch = x[:, :, top : top + kernel_size, left : left + kernel_size]
        for u in steps:
            for v in steps:
                other = y[:, :, top + u * stride2 :, left + v * stride2 :][:, :, :kernel_size, :kernel_size]
                values.append((patch * other if is_multiply else abs(patch - other)).mean((1, 2, 3)))
    return np.array(values).reshape(height, width, len(steps) ** 2, len(x)).transpose(3, 2, 0, 1)


def deformable_conv2d_nchw_python(
    a_np: Array,
    offset_np: Array,
    w_np: Array,
    stride: Sizes,
    padding: Any,
    dilation: Sizes,
    deformable_groups: int,
    groups: int,
) -> Array:
    """Return a convolution whose taps are moved by offsets (`torchvision.ops.deform_conv2d`)."""
    strides, dilations = per_dimension(stride, 2), per_dimension(dilation, 2)
    filters, inner, height, width = w_np.shape
    reach = [(size - 1) * step + 1 for size, step in zip((height, width), dilations, strict=True)]
    top, left, _, _ = get_pad_tuple(padding, reach)
    out = np.zeros((len(a_np), filters, *offset_np.shape[2:]), a_np.dtype)
    for n, f, y, x in np.ndindex(*out.shape):
        for k, i, j in np.ndindex(inner, height, width):
            channel = f // (filters // groups) * inner + k
            group = channel // (a_np.shape[1] // deformable_groups)
            first = 2 * (group * height * width + i * width + j)
            moved = offset_np[n, first : first + 2, y, x]
            place = [
                y * strides[0] + i * dilations[0] - top + moved[0],
                x * strides[1] + j * dilations[1] - left + moved[1],
            ]
            out[n, f, y, x] += interpolate(a_np[n, channel : channel + 1], place)[0] * w_np[f, k, i, j]
    return out


def deformable_conv2d_nhwc_python(
    a_np: Array,
    offset_np: Array,
    w_np: Array,
    stride: Sizes,
    padding: Any,
    dilation: Sizes,
    deformable_groups: int,
    groups: int,
) -> Array:
    channels_first = deformable_conv2d_nchw_python(
        a_np.transpose(0, 3, 1, 2),
        offset_np.transpose(0, 3, 1, 2),
        w_np.transpose(3, 2, 0, 1),
        stride,
        padding,
        dilation,
        deformable_groups,
        groups,
    )
    return channels_first.transpose(0, 2, 3, 1)
