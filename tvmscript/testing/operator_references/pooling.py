"""Pooling and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tvmscript.testing.operator_references.convolution import Array, per_dimension, windows_of


def _neutral(dtype: Any) -> Any:
    """Return the least value of a dtype."""
    return np.finfo(dtype).min if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).min


def poolnd_python(
    np_data: Array,
    kernel: Sequence[int],
    strides: Sequence[int],
    dilation: Sequence[int],
    padding_before: Sequence[int],
    padding_after: Sequence[int],
    pool_type: str,
    count_include_pad: bool = True,
    ceil_mode: bool = False,
    dtype: str = "float32",
    layout: str | None = None,
) -> Array:
    """Return what pooling makes of images; an average counts padding, but never what rounding up adds."""
    channels_first = "NC" + "DHW"[3 - len(kernel) :]
    order = [*range(np_data.ndim)] if layout is None else [layout.index(letter) for letter in channels_first]
    x = np_data.transpose(order)
    extra = [0] * len(kernel)
    if ceil_mode:
        reach = [(size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True)]
        spans = zip(x.shape[2:], padding_before, padding_after, reach, strict=True)
        extra = [
            -(size + before + after - width) % step
            for (size, before, after, width), step in zip(spans, strides, strict=True)
        ]
    pads = [(0, 0), (0, 0), *zip(padding_before, padding_after, strict=True)]
    ends = [(0, 0), (0, 0), *((0, more) for more in extra)]
    fill = _neutral(x.dtype) if pool_type == "max" else 0
    counted = np.pad(np.pad(np.ones(x.shape), pads, constant_values=int(count_include_pad)), ends)
    x = np.pad(np.pad(x, pads, constant_values=fill), ends, constant_values=fill)
    windows, inside = (windows_of(part, kernel, strides, dilation) for part in (x, counted))
    axes = tuple(range(windows.ndim - len(kernel), windows.ndim))
    pooled = windows.max(axes) if pool_type == "max" else windows.sum(axes) / np.maximum(inside.sum(axes), 1)
    return np.asarray(pooled, dtype).transpose(np.argsort(order))


def adaptive_pool(np_data: Array, out_size: Any, pool_type: str, layout: str) -> Array:
    """Return images of a size: each element is pooled from its part of the input."""
    result = np_data
    axes = [place for place, letter in enumerate(layout) if letter in "DHW"]
    for axis, size in zip(axes, per_dimension(out_size, len(axes)), strict=True):
        extent = np_data.shape[axis]
        parts = [result.take(range(i * extent // size, -(-(i + 1) * extent // size)), axis) for i in range(size)]
        result = np.stack([part.max(axis) if pool_type == "max" else part.mean(axis) for part in parts], axis)
    return result.astype(np_data.dtype)


def pool_grad_nchw(
    a_np: Array,
    out_grad_np: Array,
    pool_size: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    pool_type: str,
    ceil_mode: bool,
    count_include_pad: bool = True,
) -> Array:
    """Return the gradient of pooling, window by window; that of a maximum goes to its first element."""
    top, left, bottom, right = padding
    (kernel_height, kernel_width), (step_y, step_x) = pool_size, strides
    if ceil_mode:
        bottom, right = bottom + step_y - 1, right + step_x - 1
    widths = [(top, bottom), (left, right)]
    fill = _neutral(a_np.dtype) if pool_type == "max" else 0
    wide = np.pad(a_np, [(0, 0), (0, 0), *widths], constant_values=fill)
    inside = np.pad(np.ones(a_np.shape[2:]), widths)
    result = np.zeros(wide.shape, a_np.dtype)
    for n, c, h, w in np.ndindex(*out_grad_np.shape):
        rows, columns = (
            slice(h * step_y, h * step_y + kernel_height),
            slice(w * step_x, w * step_x + kernel_width),
        )
        gradient, window = out_grad_np[n, c, h, w], wide[n, c, rows, columns]
        if pool_type == "max":
            y, x = np.unravel_index(window.argmax(), window.shape)
            result[n, c, rows.start + y, columns.start + x] += gradient
        else:
            count = kernel_height * kernel_width if count_include_pad else max(inside[rows, columns].sum(), 1)
            result[n, c, rows, columns] += gradient / count
    return result[:, :, top : top + a_np.shape[2], left : left + a_np.shape[3]]
