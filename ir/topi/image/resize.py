"""Resize images of 1, 2 and 3 dimensions: nearest, linear and cubic interpolation, in ONNX's coordinate modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvmscript.ir.core import FLOAT32, INT32
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Div, Expr, as_expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.base import fold
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.topi.common import INJECTIVE, Extents, Operator, as_list, function, known_int, named, sum_of
from tvmscript.ir.topi.errors import InvalidOperand

#: rounds coordinates; those that are almost integers count as these
_ROUNDING: Final[dict[str, Callable[[Expr], Expr]]] = {
    "round": lambda x: function("round")(x),
    "floor": lambda x: function("floor")(x + const(1e-5, FLOAT32)),
    "ceil": lambda x: function("ceil")(x - const(1e-5, FLOAT32)),
    "round_prefer_floor": lambda x: function("ceil")(x - const(0.5, FLOAT32)),
    "round_prefer_ceil": lambda x: function("floor")(x + const(0.5, FLOAT32)),
}


def _float(value: Operand) -> Expr:
    return function("cast")(as_expr(value), FLOAT32)


def _quotient(a: Extent, b: Extent) -> Expr:
    return fold(Div(_float(a), _float(b)))


def _coordinate(x: Expr, extent: Extent, target: Extent, mode: str, begin: Operand, end: Operand) -> Expr:
    """Return the place in the input of an index of the output."""
    place = _float(x)
    if mode in ("half_pixel", "pytorch_half_pixel", "tf_half_pixel_for_nn"):
        result = (place + const(0.5, FLOAT32)) * _quotient(extent, target)
        if mode == "tf_half_pixel_for_nn":
            return result
        result = result - const(0.5, FLOAT32)
        if mode == "half_pixel" or (known_int(target) or 0) > 1:
            return result
        if known_int(target) is not None:
            return const(0.0, FLOAT32)
        return function("if_then_else")(as_expr(target) > 1, result, const(0.0, FLOAT32))
    if mode == "align_corners":
        if known_int(target) == 1:
            return const(0.0, FLOAT32)
        return _quotient(extent - 1, target - 1) * place
    if mode == "asymmetric":
        return _quotient(extent, target) * place
    if mode == "tf_crop_and_resize":
        if known_int(target) == 1:
            return const(0.5, FLOAT32) * (as_expr(begin) + end) * _float(extent - 1)
        if isinstance(begin, (int, float)) and isinstance(end, (int, float)):
            width = const(end - begin, FLOAT32)
        else:
            width = fold(as_expr(end) - begin)
        return as_expr(begin) * _float(extent - 1) + place * width * _float(extent - 1) / _float(target - 1)
    raise InvalidOperand(where="image.resize", reason=f"there is no coordinate mode {mode!r}")


def _clamped(index: Expr, extent: Extent) -> Expr:
    return function("max")(function("min")(index, extent - 1), const(0, INT32))


def _cubic(t: Expr, alpha: float) -> list[Expr]:
    """Return the weights of four neighbours at a distance from the second."""
    square, cube = t * t, t * t * t
    return [
        _number(alpha) * (cube - _number(2) * square + t),
        _number(alpha + 2) * cube - _number(3 + alpha) * square + _number(1),
        _number(-(alpha + 2)) * cube + _number(3 + 2 * alpha) * square - _number(alpha) * t,
        _number(-alpha) * cube + _number(alpha) * square,
    ]


def _number(value: float) -> Expr:
    return const(float(value), FLOAT32)


def _resize(
    data: Tensor,
    roi: Sequence[Operand] | None,
    size: Extents,
    layout: str,
    method: str,
    mode: str,
    rounding: str,
    alpha: float,
    exclude: int,
    extrapolation: float,
    out_dtype: str | None,
    output_shape: Sequence[Extent] | None,
) -> Tensor:
    letters = [letter for letter in layout if letter.isalpha()]
    axes = [letters.index(letter) for letter in "DHW" if letter in letters]
    where = f"image.resize{len(axes)}d"
    if method not in ("nearest_neighbor", "linear", "cubic"):
        raise InvalidOperand(
            where=where, reason=f'the method {method!r} is none of "nearest_neighbor", "linear", "cubic"'
        )
    shape = list(data.shape)
    targets = as_list(size if output_shape is None else [output_shape[axis] for axis in axes])
    for axis, target in zip(axes, targets, strict=True):
        shape[axis] = as_expr(target)
    dtype = data.dtype if out_dtype in (None, "") else out_dtype
    rounding = rounding or ("round" if mode == "align_corners" else "floor")
    corners = [] if roi is None else list(roi)

    def taps(x: Expr, n: int) -> tuple[list[tuple[Expr, Expr | None]], Expr]:
        """Return the indices and the weights of what is read along a dimension, and the coordinate."""
        extent = data.shape[axes[n]]
        target = shape[axes[n]]
        begin, end = (corners[n], corners[n + len(axes)]) if mode == "tf_crop_and_resize" else (0, 0)
        place = _coordinate(x, extent, target, mode, begin, end)
        size, target_size = known_int(extent), known_int(target)
        is_whole = size is not None and target_size is not None and target_size % size == 0
        # as in TVM, `round`, its default, takes whole multiples as `floor` does
        if method == "nearest_neighbor" and mode == "asymmetric" and rounding in ("floor", "round") and is_whole:
            return [(_clamped(function("div")(x, (target_size or 1) // (size or 1)), extent), None)], place
        if method == "nearest_neighbor":
            if rounding not in _ROUNDING:
                raise InvalidOperand(where=where, reason=f"there is no rounding method {rounding!r}")
            return [(_clamped(cast_expr(INT32, _ROUNDING[rounding](place)), extent), None)], place
        below = function("floor")(place)
        first = cast_expr(INT32, below)
        if method == "linear":
            rest = place - cast_expr(FLOAT32, first)
            weights, begin_at = [const(1.0, FLOAT32) - rest, rest], 0
        else:
            weights, begin_at = _cubic(place - below, alpha), -1
        indices = [first + (k + begin_at) for k in range(len(weights))]
        if method == "cubic" and exclude:
            choose, zero = function("if_then_else"), const(0.0, FLOAT32)
            weights = [
                choose(function("any")(index < 0, index > extent - 1), zero, weight)
                for index, weight in zip(indices, weights, strict=True)
            ]
            total = sum_of(weights)
            weights = [weight / total for weight in weights]
        return [(_clamped(index, extent), weight) for index, weight in zip(indices, weights, strict=True)], place

    def value(*i: Expr) -> Expr:
        along = [taps(i[axis], n) for n, axis in enumerate(axes)]
        indices = list(i)

        def interpolate(n: int) -> Expr:
            if n == len(axes):
                element = data(*indices)
                # the nearest element of more bits is not rounded
                return element if method == "nearest_neighbor" and data.dtype.bits > 16 else cast_expr(FLOAT32, element)
            parts: list[Expr] = []
            for index, weight in along[n][0]:
                indices[axes[n]] = index
                part = interpolate(n + 1)
                parts.append(part if weight is None else part * weight)
            return sum_of(parts)

        result = interpolate(0)
        if mode == "tf_crop_and_resize":
            choose, outside = function("if_then_else"), const(extrapolation, result.dtype)
            for n in reversed(range(len(axes))):
                place = along[n][1]
                last = _float(data.shape[axes[n]] - 1)
                result = choose(place < const(0.0, FLOAT32), outside, choose(place > last, outside, result))
        return cast_expr(dtype, result)

    return compute(shape, value, name="resize", tag=INJECTIVE)


def _resizer(name: str, count: str, default_layout: str) -> Operator:
    @named(name, f"Return ONNX's Resize of {count}.")
    def resize(
        data: Tensor,
        roi: Sequence[Operand] | None,
        size: Extents,
        layout: str = default_layout,
        method: str = "linear",
        coordinate_transformation_mode: str = "half_pixel",
        rounding_method: str = "",
        bicubic_alpha: float = -0.5,
        bicubic_exclude: int = 0,
        extrapolation_value: float = 0.0,
        out_dtype: str | None = None,
        output_shape: Sequence[Extent] | None = None,
    ) -> Tensor:
        options = (layout, method, coordinate_transformation_mode, rounding_method, bicubic_alpha, bicubic_exclude)
        return _resize(data, roi, size, *options, extrapolation_value, out_dtype, output_shape)

    return resize


resize1d: Final = _resizer("resize1d", "one dimension", "NCW")
resize2d: Final = _resizer("resize2d", "two dimensions", "NCHW")
resize3d: Final = _resizer("resize3d", "three dimensions", "NCDHW")
