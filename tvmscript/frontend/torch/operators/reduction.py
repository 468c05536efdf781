"""Operators that reduce axes of a tensor, and scans along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import CONVERTERS, converts, lifts_scalars, register
from tvmscript.frontend.torch.values import Operand, Size, is_floating, product
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, datatype, manipulate, search, sort, statistical, unary
from tvmscript.ir.relax.op.index import gather_elements
from tvmscript.ir.relax.operator import Operator

#: one axis, several axes, or all of them
Axes = int | Sequence[int] | None


def axes_of(dim: Axes) -> list[int] | None:
    """Return axes as a list; None, and torch's empty list, mean all of them."""
    if dim is None:
        return None
    return [dim] if isinstance(dim, int) else list(dim) or None


def count_of(ctx: Context, x: RelaxExpr, dim: Axes) -> Size:
    """Return the number of elements that a reduction reads for each of its results."""
    shape = ctx.shape(x)
    axes = axes_of(dim)
    return product(shape if axes is None else [shape[axis] for axis in axes])


@converts("sum")
@lifts_scalars
def _sum(ctx: Context, x: RelaxExpr, dim: Axes = None, keepdim: bool = False, dtype: str | None = None) -> RelaxExpr:
    x = ctx.cast(x, dtype or _of_sum(ctx, x))
    return ctx.call(statistical.sum, x, axes_of(dim), keepdims=keepdim)


def _of_sum(ctx: Context, x: RelaxExpr) -> str:
    """Return the dtype of a sum: that of the elements, int64 for all integers and truth values."""
    dtype = ctx.dtype(x)
    return dtype if is_floating(dtype) else "int64"


@converts("mean")
@lifts_scalars
def _mean(ctx: Context, x: RelaxExpr, dim: Axes = None, keepdim: bool = False, dtype: str | None = None) -> RelaxExpr:
    x = ctx.cast(x, dtype) if dtype else x
    return ctx.call(statistical.mean, x, axes_of(dim), keepdims=keepdim)


@converts("prod")
@lifts_scalars
def _prod(ctx: Context, x: RelaxExpr, dim: Axes = None, keepdim: bool = False, dtype: str | None = None) -> RelaxExpr:
    x = ctx.cast(x, dtype or _of_sum(ctx, x))
    return ctx.call(statistical.prod, x, axes_of(dim), keepdims=keepdim)


def _extremum(ctx: Context, reduce: Operator, x: RelaxExpr, dim: Axes, keepdim: bool) -> RelaxExpr:
    """Return an extremum; one of truth values is computed in int8."""
    if ctx.dtype(x) == "bool":
        reduced = ctx.call(reduce, ctx.cast(x, "int8"), axes_of(dim), keepdims=keepdim)
        return ctx.call(datatype.astype, reduced, "bool")
    return ctx.call(reduce, x, axes_of(dim), keepdims=keepdim)


def _register_extremum(name: str, reduce: Operator, find: Operator, choose: Operator) -> None:
    def convert(
        ctx: Context, x: Operand, dim: Axes | RelaxExpr = None, keepdim: bool = False, other: Operand | None = None
    ) -> object:
        operand = other if other is not None else dim
        if isinstance(operand, RelaxExpr):
            return ctx.binary(choose, x, operand)
        if not isinstance(x, RelaxExpr):  # Python's function of numbers
            return CONVERTERS[f"{name}imum"].function(ctx, x, operand)
        axes = cast(Axes, dim)
        if axes is None:
            return _extremum(ctx, reduce, x, None, keepdim)
        return along(ctx, x, axes if isinstance(axes, int) else axes[0], keepdim)

    @lifts_scalars
    def along(ctx: Context, x: RelaxExpr, axis: int, keepdim: bool) -> object:
        return _extremum(ctx, reduce, x, axis, keepdim), ctx.call(find, x, axis, keepdims=keepdim)

    @lifts_scalars
    def extremum(ctx: Context, x: RelaxExpr, dim: Axes = (), keepdim: bool = False) -> RelaxExpr:
        return _extremum(ctx, reduce, x, dim, keepdim)

    register(convert, name)
    register(extremum, f"a{name}")


_register_extremum("max", statistical.max, search.argmax, binary.maximum)
_register_extremum("min", statistical.min, search.argmin, binary.minimum)


@converts("aminmax")
@lifts_scalars
def _aminmax(ctx: Context, x: RelaxExpr, dim: int | None = None, keepdim: bool = False) -> tuple[RelaxExpr, RelaxExpr]:
    return _extremum(ctx, statistical.min, x, dim, keepdim), _extremum(ctx, statistical.max, x, dim, keepdim)


@converts("argmax")
@lifts_scalars
def _argmax(ctx: Context, x: RelaxExpr, dim: int | None = None, keepdim: bool = False) -> RelaxExpr:
    return ctx.call(search.argmax, x, dim, keepdim)


@converts("argmin")
@lifts_scalars
def _argmin(ctx: Context, x: RelaxExpr, dim: int | None = None, keepdim: bool = False) -> RelaxExpr:
    return ctx.call(search.argmin, x, dim, keepdim)


@converts("any")
@lifts_scalars
def _any(ctx: Context, x: RelaxExpr, dim: Axes = None, keepdim: bool = False) -> RelaxExpr:
    return _extremum(ctx, statistical.max, ctx.truth(x), dim, keepdim)


@converts("all")
@lifts_scalars
def _all(ctx: Context, x: RelaxExpr, dim: Axes = None, keepdim: bool = False) -> RelaxExpr:
    return _extremum(ctx, statistical.min, ctx.truth(x), dim, keepdim)


@converts("count_nonzero")
@lifts_scalars
def _count_nonzero(ctx: Context, x: RelaxExpr, dim: Axes = None) -> RelaxExpr:
    return _sum(ctx, ctx.truth(x), dim)


@converts("var")
@lifts_scalars
def _var(
    ctx: Context,
    x: RelaxExpr,
    dim: Axes | bool = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: float | None = None,
) -> RelaxExpr:
    if isinstance(dim, bool):  # x.var(unbiased)
        return _var(ctx, x, None, dim, keepdim, correction)
    variance = ctx.call(statistical.variance, x, axes_of(dim), keepdims=keepdim)
    less = (1 if unbiased else 0) if correction is None else correction
    if not less:
        return variance
    count, dtype = count_of(ctx, x, dim), ctx.dtype(x)
    if isinstance(count, int):
        return ctx.scaled(variance, count / (count - less) if count > less else math.inf)
    number = ctx.tensor(count, dtype)
    return ctx.emit(variance * number / ctx.tensor(count - int(less), dtype))


@converts("std")
@lifts_scalars
def _std(
    ctx: Context,
    x: RelaxExpr,
    dim: Axes | bool = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: float | None = None,
) -> RelaxExpr:
    return ctx.call(unary.sqrt, _var(ctx, x, dim, unbiased, keepdim, correction))


@converts("var_mean")
@lifts_scalars
def _var_mean(
    ctx: Context,
    x: RelaxExpr,
    dim: Axes = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: float | None = None,
) -> tuple[RelaxExpr, RelaxExpr]:
    return _var(ctx, x, dim, unbiased, keepdim, correction), _mean(ctx, x, dim, keepdim)


@converts("std_mean")
@lifts_scalars
def _std_mean(
    ctx: Context,
    x: RelaxExpr,
    dim: Axes = None,
    unbiased: bool = True,
    keepdim: bool = False,
    correction: float | None = None,
) -> tuple[RelaxExpr, RelaxExpr]:
    return _std(ctx, x, dim, unbiased, keepdim, correction), _mean(ctx, x, dim, keepdim)


@converts("norm", "linalg_vector_norm", "frobenius_norm", "linalg_norm")
@lifts_scalars
def norm_of(
    ctx: Context,
    x: RelaxExpr,
    p: float | str | None = 2,
    dim: Axes = None,
    keepdim: bool = False,
    dtype: str | None = None,
) -> RelaxExpr:
    """Emit a norm of vectors."""
    x = ctx.cast(x, dtype) if dtype else x
    axes = axes_of(dim)
    order = 2.0 if p is None or isinstance(p, str) else float(p)
    size = x if order == 2 else ctx.call(unary.abs, x)
    if math.isinf(order):
        return ctx.call(statistical.max if order > 0 else statistical.min, size, axes, keepdims=keepdim)
    if order == 0:
        return ctx.call(statistical.sum, ctx.cast(ctx.truth(x), ctx.dtype(x)), axes, keepdims=keepdim)
    if order == 1:
        return ctx.call(statistical.sum, size, axes, keepdims=keepdim)
    if order == 2:
        return ctx.call(unary.sqrt, ctx.call(statistical.sum, x * x, axes, keepdims=keepdim))
    total = ctx.call(statistical.sum, ctx.binary(binary.power, size, order), axes, keepdims=keepdim)
    return ctx.binary(binary.power, total, 1 / order)


@converts("logsumexp", "special_logsumexp")
@lifts_scalars
def _logsumexp(ctx: Context, x: RelaxExpr, dim: Axes, keepdim: bool = False) -> RelaxExpr:
    axes, x = axes_of(dim), ctx.as_float(x)
    largest = ctx.call(statistical.max, x, axes, keepdims=True)
    largest = ctx.replace_where(ctx.call(unary.isinf, largest), 0, largest)
    total = ctx.call(statistical.sum, ctx.call(unary.exp, x - largest), axes, keepdims=keepdim)
    above = largest if keepdim else ctx.reshape(largest, ctx.shape(total))
    return ctx.emit(ctx.call(unary.log, total) + above)


@converts("median")
@lifts_scalars
def _median(ctx: Context, x: RelaxExpr, dim: int | None = None, keepdim: bool = False) -> object:
    """Return the median; NaN, where there is one, with its place."""
    medians = ctx.call(statistical.median, x, dim, keepdims=keepdim)
    if not is_floating(ctx.dtype(x)):
        return medians if dim is None else (ctx.item(medians, 0), ctx.item(medians, 1))
    is_nan = ctx.call(unary.isnan, x)
    has_nan = _any(ctx, is_nan, dim, keepdim)
    if dim is None:
        return ctx.replace_where(has_nan, math.nan, medians)
    first = ctx.call(search.argmax, ctx.cast(is_nan, "int8"), dim, keepdims=keepdim)
    values = ctx.replace_where(has_nan, math.nan, ctx.item(medians, 0))
    return values, ctx.select(has_nan, first, ctx.item(medians, 1))


@converts("nanmedian")
@lifts_scalars
def _nanmedian(ctx: Context, x: RelaxExpr, dim: int | None = None, keepdim: bool = False) -> object:
    """Return the median of the numbers, which precede NaN in order."""
    if not is_floating(ctx.dtype(x)):
        return _median(ctx, x, dim, keepdim)
    if dim is None:
        return _nanmedian_along(ctx, ctx.reshape(x, [-1]), 0, False)[0]
    return _nanmedian_along(ctx, x, dim, keepdim)


def _nanmedian_along(ctx: Context, x: RelaxExpr, dim: int, keepdim: bool) -> tuple[RelaxExpr, RelaxExpr]:
    counts = _count_nonzero(ctx, ctx.call(unary.logical_not, ctx.call(unary.isnan, x)), dim)
    places = ctx.binary(binary.maximum, ctx.binary(binary.floor_divide, counts - ctx.constant(1, "int64"), 2), 0)
    places = ctx.call(manipulate.expand_dims, places, dim)
    order = ctx.call(sort.argsort, x, dim, dtype="int64")
    place = ctx.call(gather_elements, order, places, axis=dim)
    value = ctx.call(gather_elements, x, place, axis=dim)
    if keepdim:
        return value, place
    return ctx.call(manipulate.squeeze, value, [dim]), ctx.call(manipulate.squeeze, place, [dim])


def _cumulative(ctx: Context, operator: Operator, x: RelaxExpr, dim: int, dtype: str | None) -> RelaxExpr:
    """Return a cumulative reduction, which converts numbers to its dtype itself."""
    if dtype is not None and ctx.dtype(x) != "bool":
        return ctx.call(operator, x, dim, dtype)
    return ctx.call(operator, ctx.cast(x, dtype or _of_sum(ctx, x)), dim)


@converts("cumsum")
@lifts_scalars
def _cumsum(ctx: Context, x: RelaxExpr, dim: int, dtype: str | None = None) -> RelaxExpr:
    return _cumulative(ctx, statistical.cumsum, x, dim, dtype)


@converts("cumprod")
@lifts_scalars
def _cumprod(ctx: Context, x: RelaxExpr, dim: int, dtype: str | None = None) -> RelaxExpr:
    return _cumulative(ctx, statistical.cumprod, x, dim, dtype)
