"""Fuzz operators of `topi` over images, blocks and matrices that no graph reaches, in their layouts and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.topi import inventory
from tvmscript.testing.operator_references import convolution, normalization, pooling, regions, reordering, sampling

Array = npt.NDArray[Any]
#: inputs, the operator, what it computes
Drawn = tuple[list[Array], Callable[..., Any], list[Array]]
_TOPI: Final[Any] = inventory()
_NN, _IMAGE = _TOPI.nn, _TOPI.image


def _floats(rng: np.random.Generator, *shape: int) -> Array:
    return rng.integers(-5, 6, shape).astype("float32")


def _turned(array: Array, layout: str, wanted: str) -> Array:
    return np.ascontiguousarray(array.transpose([layout.index(letter) for letter in wanted]))


def convolutions(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Convolve in a layout, perhaps with groups."""
    rank, groups = 1 + pick(3), 1 + pick(2)
    space = ("W", "HW", "DHW")[rank - 1]
    is_last = pick(2) == 1
    layout, kernel_layout = (f"N{space}C", f"{space}IO") if is_last else (f"NC{space}", f"OI{space}")
    channels, filters = groups * (1 + pick(2)), groups * (1 + pick(2))
    kernel, stride, padding = 1 + pick(3), 1 + pick(2), pick(3)
    dilation = 1 if kernel > 2 else 1 + pick(2)
    x = _floats(rng, 1 + pick(2), channels, *[3 + pick(3) for _ in range(rank)])
    w = _floats(rng, filters, channels // groups, *[kernel] * rank)
    names = f"NC{space}", f"OI{space}"
    expected = convolution.convolve(x, w, stride, padding, dilation, groups, *names)
    inputs = [_turned(x, names[0], layout), _turned(w, names[1], kernel_layout)]
    wanted = [_turned(expected, names[0], layout)]
    name = f"conv{rank}d_{layout.lower()}"
    args: tuple[Any, ...] = (stride, padding, dilation)
    if rank == 3:
        args = (*args, groups)
    elif groups > 1:
        name, args = f"group_{name}", (*args, groups)
    elif pick(3) == 0:
        if rank == 1:
            args = (*args, groups)
        return inputs, lambda a, b: getattr(_NN, f"conv{rank}d")(a, b, *args, layout), wanted
    return inputs, lambda a, b: getattr(_NN, name)(a, b, *args), wanted


def transposed_convolutions(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Convolve by the transposed, perhaps with groups."""
    rank, groups = 1 + pick(3), 1 + pick(2)
    channels, filters = groups * (1 + pick(2)), 1 + pick(2)
    kernel, stride = 1 + pick(3), 1 + pick(2)
    padding, extra = pick(kernel), pick(stride)
    least = 3 if 2 * padding > kernel else 2  # padding takes away from the result, which must not be empty
    x = _floats(rng, 1 + pick(2), channels, *[least + pick(3) for _ in range(rank)])
    w = _floats(rng, channels, filters, *[kernel] * rank)
    expected = convolution.convolve_transposed(x, w, [stride] * rank, [padding] * rank, [extra] * rank, groups)
    layout = ("ncw", "nchw", "ncdhw")[rank - 1]
    name = f"conv{rank}d_transpose_{layout}"
    steps: Any = stride if rank == 1 else (stride,) * rank
    more: Any = extra if rank == 1 else (extra,) * rank
    args = (steps, (padding,) * (2 if rank == 1 else rank), "float32", more)
    if groups > 1:
        return [x, w], lambda a, b: getattr(_NN, f"group_{name}")(a, b, *args, groups), [expected]
    return [x, w], lambda a, b: getattr(_NN, name)(a, b, *args), [expected]


def depthwise(pick: Pick, rng: np.random.Generator) -> Drawn:
    channels, times = 1 + pick(3), 1 + pick(2)
    stride, padding, kernel = 1 + pick(2), pick(2), 1 + pick(3)
    x, w = _floats(rng, 1 + pick(2), channels, 4, 5), _floats(rng, channels, times, kernel, kernel)
    expected = convolution.depthwise_conv2d_python_nchw(x, w, stride, padding)
    if pick(2):
        return [x, w], lambda a, b: _NN.depthwise_conv2d_nchw(a, b, stride, padding, 1), [expected]
    inputs = [_turned(x, "NCHW", "NHWC"), _turned(w, "CMHW", "HWCM")]
    wanted = [_turned(expected, "NCHW", "NHWC")]
    return inputs, lambda a, b: _NN.depthwise_conv2d_nhwc(a, b, stride, padding, 1), wanted


def blocks(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Move blocks between space and channels or batches."""
    size, batch, channels = 1 + pick(3), 1 + pick(2), 1 + pick(2)
    kind = pick(5)
    if kind == 0:
        x = _floats(rng, batch, channels, size * (1 + pick(2)), size * (1 + pick(3)))
        if pick(2):
            wanted = _turned(reordering.space_to_depth_python(x, size), "NCHW", "NHWC")
            return [_turned(x, "NCHW", "NHWC")], lambda a: _NN.space_to_depth(a, size, "NHWC"), [wanted]
        return [x], lambda a: _NN.space_to_depth(a, size), [reordering.space_to_depth_python(x, size)]
    if kind == 1:
        x, mode = _floats(rng, batch, channels * size * size, 1 + pick(3), 1 + pick(3)), ("DCR", "CRD")[pick(2)]
        expected = reordering.depth_to_space_python(x, size, mode)
        return [x], lambda a: _NN.depth_to_space(a, size, mode=mode), [expected]
    sizes = (1 + pick(3), 1 + pick(2))
    if kind == 2:
        before = (pick(2), pick(2))
        shape = [sizes[0] * 2, sizes[1] * 2]
        after = tuple((-(extent + pad)) % block for extent, pad, block in zip(shape, before, sizes, strict=True))
        value = float(pick(2))
        x = _floats(rng, batch, *shape, channels)
        return (
            [x],
            lambda a: _NN.space_to_batch_nd(a, list(sizes), list(before), list(after), value),
            [reordering.space_to_batch_nd_python(x, sizes, before, after, value)],
        )
    if kind == 3:
        x = _floats(rng, batch * sizes[0] * sizes[1], 2, 3, channels)
        crops = [(pick(2), pick(2)) for _ in range(2)]
        begin, end = (
            tuple(crop[side] if size > 1 else 0 for crop, size in zip(crops, sizes, strict=True)) for side in (0, 1)
        )
        return (
            [x],
            lambda a: _NN.batch_to_space_nd(a, list(sizes), list(begin), list(end)),
            [reordering.batch_to_space_nd_python(x, sizes, begin, end)],
        )
    axis, length = pick(2), 1 + pick(2)
    shape = [2, 3]
    shape[axis] = length
    x = _floats(rng, *shape)
    shape[axis] = length + 1 + pick(3)
    buffer = _floats(rng, *shape)
    kept = np.concatenate([buffer, x], axis)
    wanted = np.take(kept, range(length, kept.shape[axis]), axis)
    return [x, buffer], lambda a, b: _NN.fifo_buffer(a, b, axis), [wanted]


def images(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Sample, crop, dilate and grow images."""
    kind, batch, channels = pick(5), 1 + pick(2), 1 + pick(2)
    x = _floats(rng, batch, channels, 3 + pick(3), 3 + pick(3))
    if kind == 0:
        method = ("nearest", "bilinear", "bicubic")[pick(3)]
        padding, is_aligned = ("zeros", "border", "reflection")[pick(3)], pick(2) == 1
        grid = rng.uniform(-1.4, 1.4, (batch, 2, 2, 3)).astype("float32")
        expected = sampling.grid_sample_python(x, grid, method, "NCHW", padding, is_aligned)
        return [x, grid], lambda a, b: _IMAGE.grid_sample(a, b, method, "NCHW", padding, is_aligned), [expected]
    if kind == 1:
        method, layout = ("bilinear", "nearest_neighbor")[pick(2)], ("NCHW", "NHWC")[pick(2)]
        count, value, size = 1 + pick(3), float(pick(3)), (2 + pick(3), 2 + pick(3))
        boxes = rng.uniform(-0.2, 1.2, (count, 4)).astype("float32")
        numbers = rng.integers(0, batch, count).astype("int32")
        image = _turned(x, "NCHW", layout)
        expected = sampling.crop_and_resize_python(image, boxes, numbers, size, layout, method, value)
        return (
            [image, boxes, numbers],
            lambda a, b, c: _IMAGE.crop_and_resize(a, b, c, list(size), layout, method, value),
            [expected],
        )
    if kind == 2:
        stride, width, dilation, kernel = 1 + pick(2), pick(2), 1 + pick(2), 1 + pick(2)
        w = _floats(rng, channels, kernel, kernel)
        padded = np.pad(x, [(0, 0), (0, 0), (width, width), (width, width)])
        view = convolution.windows_of(padded, [kernel] * 2, [stride] * 2, [dilation] * 2)
        wanted = (view + w[:, None, None]).max((-1, -2))
        if pick(2):
            return [x, w], lambda a, b: _IMAGE.dilation2d_nchw(a, b, stride, width, dilation), [wanted]
        inputs = [_turned(x, "NCHW", "NHWC"), _turned(w, "CHW", "HWC")]
        result = [_turned(wanted, "NCHW", "NHWC")]
        return inputs, lambda a, b: _IMAGE.dilation2d_nhwc(a, b, stride, width, dilation), result
    if kind == 3:
        rows, columns = 1 + pick(3), 1 + pick(3)
        wanted = np.repeat(np.repeat(x, rows, 2), columns, 3)
        return [x], lambda a: _NN.upsampling(a, rows, columns), [wanted]
    matrices, size = _floats(rng, batch, 2, 3), (2 + pick(3), 2 + pick(3))
    return [matrices], lambda a: _IMAGE.affine_grid(a, size), [sampling.affine_grid_python(matrices, size)]


def normalizations(pick: Pick, rng: np.random.Generator) -> Drawn:
    x = _floats(rng, 1 + pick(2), 2 + pick(3), 3, 2)
    kind, axis = pick(4), pick(4)
    if kind == 0:
        size, alpha, bias = 1 + 2 * pick(2), (1e-4, 0.5)[pick(2)], 1 + pick(2)
        expected = normalization.lrn_python(x, size, 1, bias, alpha, 0.75)
        return [x], lambda a: _NN.lrn(a, size, 1, alpha, 0.75, bias), [expected]
    if kind == 1:
        return (
            [x],
            lambda a: _NN.l2_normalize(a, 1e-3, [axis]),
            [normalization.l2_normalize_python(x, 1e-3, axis)],
        )
    if kind == 2:
        gamma, beta = _floats(rng, x.shape[1]), _floats(rng, x.shape[1])
        expected = normalization.instance_norm_python(x, gamma, beta, (2, 3))
        return [x, gamma, beta], lambda a, b, c: _NN.instance_norm(a, b, c, [2, 3]), [expected]
    name = ("avg", "max")[pick(2)]
    expected = (x.mean if name == "avg" else x.max)((2, 3), keepdims=True)
    return [x], lambda a: _NN.global_pool(a, name), [np.asarray(expected, "float32")]


def pooled_gradients(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Hand the gradient of pooled images back to their elements."""
    kernel, strides = (1 + pick(3), 1 + pick(3)), (1 + pick(2), 1 + pick(2))
    padding = tuple(pick(size) for size in kernel) * 2
    name, has_pad = ("max", "avg")[pick(2)], pick(2) == 1
    x = rng.permutation(2 * 6 * 7).reshape(1, 2, 6, 7).astype("float32")
    sizes = [
        (size + 2 * pad - window) // step + 1
        for size, pad, window, step in zip(x.shape[2:], padding, kernel, strides, strict=False)
    ]
    gradient = _floats(rng, 1, 2, *sizes)
    options = {"ceil_mode": False, "count_include_pad": has_pad}
    expected = pooling.pool_grad_nchw(x, gradient, list(kernel), list(strides), list(padding), name, **options)
    return (
        [gradient, x],
        lambda a, b: _NN.pool_grad(a, b, list(kernel), list(strides), list(padding), name, False, has_pad),
        [expected],
    )


def products(pick: Pick, rng: np.random.Generator) -> Drawn:
    n, k, m = 1 + pick(4), 1 + pick(4), 1 + pick(4)
    kind = pick(5)
    if kind == 0:
        turned = pick(2) == 1, pick(2) == 1
        a, b = _floats(rng, *((k, n) if turned[0] else (n, k))), _floats(rng, *((m, k) if turned[1] else (k, m)))
        wanted = (a.T if turned[0] else a) @ (b.T if turned[1] else b)
        call = (_TOPI.matmul, _NN.matmul)[pick(2)]
        options = {"transp_a": turned[0], "transp_b": turned[1]}
        if call is _NN.matmul:
            options = {"transpose_a": turned[0], "transpose_b": turned[1]}
        return [a, b], lambda x, y: call(x, y, **options), [wanted]
    if kind == 1:
        axes = [[1, 2], [1, 0]]
        a, b = _floats(rng, n, k, m), _floats(rng, m, k, 2)
        return [a, b], lambda x, y: _TOPI.tensordot(x, y, axes), [np.einsum("ijk,kjl->il", a, b)]
    if kind == 2:
        text = ("ij,jk->ik", "ij,jk", "i,j->ij", "ij->", "ij->ji", "ij,jk,kl->il", "...ij,...jk->...ik")[pick(7)]
        sizes = {"i": n, "j": k, "k": m, "l": 2, ".": 2}
        sides = text.partition("->")[0].replace("...", ".").split(",")
        operands = [_floats(rng, *[sizes[letter] for letter in side]) for side in sides]
        return operands, lambda *x: _TOPI.einsum(text, *x), [np.asarray(np.einsum(text, *operands), "float32")]
    bias: list[Array] = [_floats(rng, m)] if pick(2) else []
    a, b = _floats(rng, n, k), _floats(rng, m, k)
    wanted = a @ b.T + (bias[0] if bias else 0)
    return [a, b, *bias], lambda *x: _NN.dense(*x), [np.asarray(wanted, "float32")]


def slices(pick: Pick, rng: np.random.Generator) -> Drawn:
    """Roll, set, slide, unravel and scatter into rows."""
    kind, n = pick(5), 3 + pick(6)
    x = _floats(rng, 2, n)
    if kind == 0:
        width, step = 1 + pick(3), 1 + pick(3)
        view = np.lib.stride_tricks.sliding_window_view(x, width, 1)[:, ::step]
        return [x], lambda a: _TOPI.sliding_window(a, 1, [width], [step]), [view.copy()]
    if kind == 1:
        places, sizes = rng.integers(0, 12, n).astype("int32"), np.array([3, 4], "int32")
        wanted = np.stack(np.unravel_index(places, (3, 4))).astype("int32")
        return [places, sizes], _TOPI.unravel_index, [wanted]
    if kind == 2:
        axis = pick(2)
        shape = (2, 3, n) if axis == 0 else (2, n, 3)
        like = _floats(rng, *shape)
        wanted = np.broadcast_to(x[:, None] if axis == 0 else x[..., None], shape).copy()
        return [x, like], lambda a, b: _TOPI.expand_like(a, b, [1 if axis == 0 else 2]), [wanted]
    if kind == 3:
        times = 1 + pick(3)
        others = [_floats(rng, 2, n) for _ in range(times)]
        return [x, *others], lambda *a: _TOPI.elemwise_sum(list(a)), [np.sum([x, *others], 0)]
    boxes = np.concatenate([np.zeros((2, 1)), np.sort(rng.integers(0, 5, (2, 4)), 1)], 1).astype("float32")
    image = _floats(rng, 1, 2, 6, 6)
    expected = regions.roi_pool_nchw_python(image, boxes, (2, 2), 1.0)
    return [image, boxes], lambda a, b: _TOPI.vision.rcnn.roi_pool_nchw(a, b, (2, 2), 1.0), [expected]


FAMILIES: Final[dict[str, Callable[[Pick, np.random.Generator], Drawn]]] = {
    "convolutions": convolutions, "transposed convolutions": transposed_convolutions, "depthwise": depthwise,
    "blocks": blocks, "images": images, "normalizations": normalizations, "pooled gradients": pooled_gradients,
    "products": products, "slices": slices,
}  # fmt: skip
