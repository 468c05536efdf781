"""Converters of StableHLO operations: functions of the operation and its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import prod
from typing import Final

import numpy as np

from tvmscript.frontend.rounding import round_to_even
from tvmscript.frontend.stablehlo.indexed import INDEXED
from tvmscript.frontend.stablehlo.text import UNKNOWN_SIZE, Operation, dense, numbers
from tvmscript.frontend.stablehlo.values import LONGEST_AXIS, Converter, Results, constant, places_along
from tvmscript.frontend.tensor_info import Size, dtype_of, shape_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def _log1p(x: RelaxExpr) -> RelaxExpr:
    return R.log(R.add(x, constant(1, dtype_of(x))))


def _expm1(x: RelaxExpr) -> RelaxExpr:
    return R.subtract(R.exp(x), constant(1, dtype_of(x)))


def _not(x: RelaxExpr) -> RelaxExpr:
    return R.logical_not(x) if dtype_of(x) == "bool" else R.bitwise_not(x)


def _cbrt(x: RelaxExpr) -> RelaxExpr:
    return R.multiply(R.sign(x), R.power(R.abs(x), constant(1 / 3, dtype_of(x))))


_UNARY: Final[dict[str, Callable[[RelaxExpr], RelaxExpr]]] = {
    "abs": R.abs, "cbrt": _cbrt, "ceil": R.ceil, "cosine": R.cos, "exponential": R.exp, "exponential_minus_one": _expm1,
    "floor": R.floor, "is_finite": R.isfinite, "log": R.log, "log_plus_one": _log1p, "logistic": R.sigmoid,
    "negate": R.negative, "not": _not,
    "round_nearest_even": round_to_even, "round_nearest_afz": R.round, "rsqrt": R.rsqrt, "sign": R.sign,
    "sine": R.sin, "sqrt": R.sqrt, "tan": R.tan, "tanh": R.tanh, "chlo.erf": R.erf, "chlo.square": R.square,
    "chlo.sinh": R.sinh, "chlo.cosh": R.cosh, "chlo.asin": R.asin, "chlo.acos": R.acos, "chlo.atan": R.atan,
    "chlo.asinh": R.asinh, "chlo.acosh": R.acosh, "chlo.atanh": R.atanh, "optimization_barrier": lambda x: x,
}  # fmt: skip


def _remainder(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Return the remainder with the sign of the dividend."""
    if dtype_of(a).startswith("float"):
        return R.subtract(a, R.multiply(R.trunc(R.divide(a, b)), b))
    size = R.mod(R.abs(a), R.abs(b))
    return R.where(R.less(a, constant(0, dtype_of(a))), R.negative(size), size)


def _shift_right_logical(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
    """Shift in zeros, whatever the sign is."""
    dtype = dtype_of(a)
    if dtype.startswith("uint"):
        return R.right_shift(a, b)
    return R.astype(R.right_shift(R.astype(a, f"u{dtype}"), R.astype(b, f"u{dtype}")), dtype)


def _logical(of_bools: Callable[..., RelaxExpr], of_bits: Callable[..., RelaxExpr]) -> Callable[..., RelaxExpr]:
    return lambda a, b: (of_bools if dtype_of(a) == "bool" else of_bits)(a, b)


_BINARY: Final[dict[str, Callable[[RelaxExpr, RelaxExpr], RelaxExpr]]] = {
    "add": _logical(R.logical_or, R.add), "and": _logical(R.logical_and, R.bitwise_and), "atan2": R.atan2,
    "divide": R.divide, "maximum": _logical(R.logical_or, R.maximum), "minimum": _logical(R.logical_and, R.minimum),
    "multiply": _logical(R.logical_and, R.multiply), "or": _logical(R.logical_or, R.bitwise_or), "power": R.power,
    "remainder": _remainder, "shift_left": R.left_shift, "shift_right_arithmetic": R.right_shift,
    "shift_right_logical": _shift_right_logical,
    "subtract": R.subtract, "xor": _logical(R.logical_xor, R.bitwise_xor),
}  # fmt: skip
_COMPARISONS: Final[dict[str, Callable[[RelaxExpr, RelaxExpr], RelaxExpr]]] = {
    "EQ": R.equal, "NE": R.not_equal, "LT": R.less, "LE": R.less_equal, "GT": R.greater, "GE": R.greater_equal,
}  # fmt: skip
#: operation that a region applies -> the reduction over axes
_REDUCTIONS: Final[dict[str, Callable[..., RelaxExpr]]] = {
    "add": R.sum, "maximum": R.max, "minimum": R.min, "multiply": R.prod, "or": R.max, "and": R.min,
}  # fmt: skip


def _constant(operation: Operation, _: Sequence[RelaxExpr]) -> RelaxExpr:
    (kind,) = operation.types
    text = re.search(r"dense<(.*)>", operation.text)
    if text is None:
        operation.fail("a dense constant is expected")
    return constant(dense(operation, text[1], kind), kind.dtype)


def _compare(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    word = operation.text.split()[0].rstrip(",")
    name = operation.attrs.get("comparison_direction", word)
    if name not in _COMPARISONS:
        operation.fail(f"there is no comparison {name}")
    return _COMPARISONS[name](*operands)


def _iota(operation: Operation, _: Sequence[RelaxExpr]) -> RelaxExpr:
    (kind,) = operation.types
    axis = operation.integer(
        "dim", operation.integer("iota_dimension", 0) if "iota_dimension" in operation.attrs else None
    )
    shape = [size if place == axis else 1 for place, size in enumerate(kind.shape)]
    places = places_along(kind.shape[axis]).reshape(shape)
    if prod(kind.shape) > LONGEST_AXIS:
        return R.broadcast_to(constant(places, kind.dtype), R.shape(list(kind.shape)))
    return constant(np.broadcast_to(places, kind.shape), kind.dtype)


def _broadcast(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    (x,), (kind,) = operands, operation.types
    axes = (
        operation.integers("dims", []) if "dims" in operation.attrs else operation.integers("broadcast_dimensions", [])
    )
    shape = [1] * len(kind.shape)
    for axis, size in zip(axes, shape_of(x), strict=True):
        shape[axis] = size
    order = sorted(range(len(axes)), key=lambda place: axes[place])
    if order != list(range(len(axes))):
        x = R.permute_dims(x, order)
    if shape_of(x) != shape:
        x = R.reshape(x, R.shape(shape))
    return x if shape == list(kind.shape) else R.broadcast_to(x, R.shape(list(kind.shape)))


def _slice(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    text = re.search(r"\[([^\]]*)\]", operation.text)
    if "start_indices" in operation.attrs:
        bounds = [operation.integers(name) for name in ("start_indices", "limit_indices", "strides")]
        begins, ends, steps = bounds
    elif text is not None:
        parts = [[int(number) for number in part.split(":")] for part in text[1].split(",") if part.strip()]
        begins, ends = [part[0] for part in parts], [part[1] for part in parts]
        steps = [part[2] if len(part) > 2 else 1 for part in parts]
    else:
        operation.fail("it has no bounds")
    return R.strided_slice(operands[0], list(range(len(begins))), begins, ends, steps)


def _concatenate(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    return R.concat(
        tuple(operands), operation.integer("dim", 0) if "dim" in operation.attrs else operation.integer("dimension")
    )


def _pad(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Pad by scattering into a tensor of the value: low and high edges, and between elements; negative ones cut."""
    x, value = operands
    (kind,) = operation.types
    names = ("low", "interior") if "low" in operation.attrs else ("edge_padding_low", "interior_padding")
    low, interior = (operation.integers(name) for name in names)
    return _spread(x, value, low, interior, kind.shape)


def _spread(
    x: RelaxExpr, value: RelaxExpr, low: Sequence[int], interior: Sequence[int], shape: Sequence[int]
) -> RelaxExpr:
    """Return a tensor of a shape with the elements in equal steps from `low` on, and a value elsewhere."""
    for axis, (begin, step, size) in enumerate(zip(low, interior, shape, strict=True)):
        places = places_along(shape_of(x)[axis], size) * (step + 1) + begin
        kept = (places >= 0) & (places < size)
        source = np.full(size, -1)
        source[places[kept]] = np.flatnonzero(kept)
        if (source == np.arange(size)).all() and size == shape_of(x)[axis]:
            continue
        mask_shape = [size if place == axis else 1 for place in range(len(shape))]
        x = R.take(x, constant(np.maximum(source, 0), "int64"), axis)
        x = R.where(constant((source >= 0).reshape(mask_shape), "bool"), x, value)
    return x


def _reduce(operation: Operation, operands: Sequence[RelaxExpr]) -> Results:
    """Reduce by one operation, or find the place of the largest or smallest element, as JAX writes that."""
    axes = operation.integers("dimensions", [])
    applied = re.search(r"applies stablehlo\.(\w+)", operation.text)
    if applied is None and len(operands) == 4 and len(axes) == 1:
        return _place_of_extreme(operation, operands, axes[0])
    if applied is None or applied[1] not in _REDUCTIONS or len(operands) != 2:
        operation.fail("reductions by several operations are not supported")
    return _reduced(applied[1], operands[0], operands[1], axes)


def _reduced(name: str, x: RelaxExpr, initial: RelaxExpr, axes: list[int]) -> RelaxExpr:
    dtype = dtype_of(x)
    wide = R.astype(x, "int8") if dtype == "bool" else x
    result = _REDUCTIONS[name](wide, axes, keepdims=False)
    result = R.astype(result, "bool") if dtype == "bool" else result
    return _BINARY[name](result, initial)


def _place_of_extreme(operation: Operation, operands: Sequence[RelaxExpr], axis: int) -> list[RelaxExpr]:
    """Return the extreme elements and their places."""
    compared = [each for each in operation.regions[0].operations if each.name == "stablehlo.compare"]
    names = [each.text.split()[0].rstrip(",") for each in compared]
    if not {"GT", "LT"} & set(names[:1]) or len(operation.regions[0].operations) > 12:
        operation.fail("reductions of several tensors are not supported, but for argmax and argmin")
    is_largest = names[0] == "GT"
    x = operands[0]
    extreme = (R.max if is_largest else R.min)(x, [axis], keepdims=False)
    place = (R.argmax if is_largest else R.argmin)(x, axis, keepdims=False)
    return [extreme, R.astype(place, dtype_of(operands[2]))]


def _dot(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Return a product over contracted axes: batches first, then the axes of the left, then those of the right."""
    a, b = operands
    (kind,) = operation.types
    batch, contracted = (
        [numbers(text) for text in re.findall(r"\[([^\]]*)\]", operation.attrs.get(name, "[] x []"))[:2]]
        for name in ("batching_dims", "contracting_dims")
    )
    sides: list[RelaxExpr] = []
    free: list[Size] = []
    for place, side in enumerate((a, b)):
        sizes = shape_of(side)
        own = [axis for axis in range(len(sizes)) if axis not in (*batch[place], *contracted[place])]
        free += [sizes[axis] for axis in own]
        inner, outer = prod(sizes[axis] for axis in contracted[place]), prod(sizes[axis] for axis in own)
        order = [*batch[place], *(own + contracted[place] if place == 0 else contracted[place] + own)]
        turned = side if order == list(range(len(sizes))) else R.permute_dims(side, order)
        matrix = [outer, inner] if place == 0 else [inner, outer]
        sides.append(R.reshape(turned, R.shape([*[sizes[axis] for axis in batch[place]], *matrix])))
    product = R.matmul(sides[0], sides[1])
    product = R.astype(product, kind.dtype)
    return R.reshape(product, R.shape([*[shape_of(a)[axis] for axis in batch[0]], *free]))


def _convolution(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    numbers_of = re.search(r"dim_numbers = \[(.*?)\]x\[(.*?)\]->\[(.*?)\]", operation.text)
    if numbers_of is None:
        operation.fail("it has no dim_numbers")
    layouts = [[word.strip() for word in numbers_of[index].split(",")] for index in (1, 2, 3)]
    rank = len(layouts[0]) - 2
    if rank not in (1, 2, 3):
        operation.fail(f"convolutions of {rank} dimensions are not supported")
    window = {name: numbers(text) for name, text in re.findall(r"(\w+) = (\[\[.*?\]\]|\[[^\[\]]*\])", operation.text)}
    if "true" in operation.attrs.get("reverse", ""):
        operation.fail("convolutions of reversed kernels are not supported")
    if operation.integer("batch_group_count", 1) != 1:
        operation.fail("groups of batches are not supported")
    pads = window.get("pad", [0] * (2 * rank))
    spatial = [str(axis) for axis in range(rank)]
    orders = (["b", "f", *spatial], ["o", "i", *spatial])
    turned: list[RelaxExpr] = [
        R.permute_dims(operand, [layout.index(word) for word in order])
        for operand, layout, order in zip(operands, layouts, orders, strict=False)
    ]
    x, weight = turned
    steps = [0, 0, *[step - 1 for step in window.get("lhs_dilate", [1] * rank)]]
    if any(steps):
        shape = [(size - 1) * (step + 1) + 1 for size, step in zip(shape_of(x), steps, strict=True)]
        x = _spread(x, constant(0, dtype_of(x)), [0] * (rank + 2), steps, shape)
    convolve = (R.nn.conv1d, R.nn.conv2d, R.nn.conv3d)[rank - 1]
    result = convolve(
        x,
        weight,
        strides=window.get("stride", [1] * rank),
        padding=[*pads[::2], *pads[1::2]],
        dilation=window.get("rhs_dilate", [1] * rank),
        groups=operation.integer("feature_group_count", 1),
    )
    return R.permute_dims(result, [["b", "f", *spatial].index(word) for word in layouts[2]])


#: most places of a window along an axis, each of which is an operator of the graph
_LARGEST_WINDOW: Final = 4096


def _reduce_window(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Return a reduction of windows: the shifted tensors, one for each place of a window, combined."""
    x, initial = operands
    (kind,) = operation.types
    combining = [each.name.removeprefix("stablehlo.") for each in operation.regions[0].operations][:-1]
    if len(combining) != 1 or combining[0] not in _REDUCTIONS:
        operation.fail("windows are reduced by one operation")
    rank = len(kind.shape)
    window = operation.integers("window_dimensions")
    strides = operation.integers("window_strides", [1] * rank)
    dilation = operation.integers("window_dilations", [1] * rank)
    pads = numbers(operation.attrs.get("padding", "dense<0>").partition("<")[2])
    pads = pads * (2 * rank) if len(pads) == 1 else pads
    if any(step != 1 for step in operation.integers("base_dilations", [1] * rank)):
        operation.fail("dilated bases of windows are not supported")
    if max(window, default=1) > _LARGEST_WINDOW:
        operation.fail(f"windows of more than {_LARGEST_WINDOW:,} places along an axis are not supported")
    for axis in range(rank):
        if kind.shape[axis] == UNKNOWN_SIZE and (window[axis], strides[axis]) != (1, 1):
            operation.fail("windows along axes of symbolic sizes are not supported")
        low, high = pads[2 * axis : 2 * axis + 2]
        edges = [(size, side) for size, side in ((low, 0), (high, 1)) if size > 0]
        for size, side in edges:
            shape = [size if place == axis else extent for place, extent in enumerate(shape_of(x))]
            edge = R.broadcast_to(initial, R.shape(shape))
            x = R.concat((edge, x) if side == 0 else (x, edge), axis)
        x = _combined_along(combining[0], x, axis, window[axis], strides[axis], dilation[axis], kind.shape[axis])
    return _BINARY[combining[0]](x, initial) if combining[0] in ("add", "multiply") else x


def _combined_along(
    name: str, x: RelaxExpr, axis: int, window: int, stride: int, dilation: int, size: int
) -> RelaxExpr:
    if window == 1 and stride == 1:
        return x
    if window < 1:
        raise ValueError(f"a window has {window} places along an axis")
    if window >= size and window * size > 256 and stride == 1 and name == "add" and size == window:
        return R.strided_slice(R.cumsum(x, axis), [axis], [window - 1], [window - 1 + size])  # padded by zeros
    parts: list[RelaxExpr] = [
        R.strided_slice(x, [axis], [place * dilation], [place * dilation + (size - 1) * stride + 1], [stride])
        for place in range(window)
    ]
    return reduce(_BINARY[name], parts)


def _dynamic_slice(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    x, *begins = operands
    sizes = operation.integers("sizes", []) if "sizes" in operation.attrs else operation.integers("slice_sizes")
    for axis, (begin, size, extent) in enumerate(zip(begins, sizes, shape_of(x), strict=True)):
        if size == extent:
            continue
        first = R.clip(R.astype(begin, "int64"), 0, extent - size)
        x = R.take(x, R.add(constant(places_along(size), "int64"), first), axis)
    return x


def _dynamic_update_slice(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Return a tensor with a part replaced: each element is taken from the part where its place lies in it."""
    x, part, *begins = operands
    inside: RelaxExpr | None = None
    for axis, (begin, size, extent) in enumerate(zip(begins, shape_of(part), shape_of(x), strict=True)):
        first = R.clip(R.astype(begin, "int64"), 0, extent - size)
        places = R.subtract(constant(places_along(extent), "int64"), first)
        is_inside = R.logical_and(
            R.greater_equal(places, constant(0, "int64")), R.less(places, constant(size, "int64"))
        )
        part = R.take(part, R.clip(places, 0, size - 1), axis)
        shape = [extent if place == axis else 1 for place in range(len(begins))]
        mask = R.reshape(is_inside, R.shape(shape))
        inside = mask if inside is None else R.logical_and(inside, mask)
    return part if inside is None else R.where(inside, part, x)


def _select(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    return R.where(*operands)


def _clamp(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    low, x, high = operands
    return R.minimum(R.maximum(x, low), high)


def _unary(
    function: Callable[[RelaxExpr], RelaxExpr], operation: Operation, operands: Sequence[RelaxExpr]
) -> RelaxExpr:
    return function(operands[0])


def _binary(
    function: Callable[[RelaxExpr, RelaxExpr], RelaxExpr], operation: Operation, operands: Sequence[RelaxExpr]
) -> RelaxExpr:
    return function(operands[0], operands[1])


def _converted(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    (kind,) = operation.types
    x = operands[0]
    if kind.dtype == "bool":
        return R.not_equal(x, constant(0, dtype_of(x)))
    return R.astype(x, kind.dtype)


def _reshaped(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    return R.reshape(operands[0], R.shape(list(operation.types[0].shape)))


def _transposed(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    axes = operation.integers("dims", []) if "dims" in operation.attrs else operation.integers("permutation", [])
    return R.permute_dims(operands[0], axes)


def _reversed(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    x = operands[0]
    for axis in operation.integers("dims" if "dims" in operation.attrs else "dimensions"):
        x = R.flip(x, axis)
    return x


#: operation, without the name of its dialect unless that is another one -> converter
OPERATORS: Final[dict[str, Converter]] = {
    **{name: partial(_unary, function) for name, function in _UNARY.items()},
    **{name: partial(_binary, function) for name, function in _BINARY.items()},
    **INDEXED,
    "broadcast_in_dim": _broadcast, "clamp": _clamp, "compare": _compare, "concatenate": _concatenate,
    "constant": _constant, "convert": _converted, "convolution": _convolution, "dot_general": _dot,
    "dynamic_slice": _dynamic_slice, "dynamic_update_slice": _dynamic_update_slice,
    "iota": _iota, "pad": _pad, "reduce": _reduce, "reduce_window": _reduce_window, "reshape": _reshaped,
    "reverse": _reversed, "select": _select, "slice": _slice, "transpose": _transposed,
}  # fmt: skip
