"""Operators about how often elements occur, whose results have extents that depend on values."""

from __future__ import annotations

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.extents import item
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import manipulate, scatter, set, statistical
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Var


@converts("_unique2")
def _unique2(
    ctx: Context, x: RelaxExpr, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[RelaxExpr | None, ...]:
    return _distinct(ctx, x, None, return_inverse, return_counts)


@converts("unique_dim")
def _unique_dim(
    ctx: Context, x: RelaxExpr, dim: int, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[RelaxExpr | None, ...]:
    return _distinct(ctx, x, ctx.axis(x, dim), return_inverse, return_counts)


@converts("unique")
def _unique(
    ctx: Context,
    x: RelaxExpr,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> object:
    results = _distinct(ctx, x, None if dim is None else ctx.axis(x, dim), return_inverse, return_counts)
    asked = tuple([result for result in results if result is not None])
    return asked if len(asked) > 1 else results[0]


def _distinct(
    ctx: Context, x: RelaxExpr, axis: int | None, return_inverse: bool, return_counts: bool
) -> tuple[RelaxExpr | None, ...]:
    """Emit the distinct elements in order, where each element is among them, and their counts: None if not asked."""
    flags = (True, False, return_inverse, return_counts)
    results = ctx.call(set.unique, x, *flags) if axis is None else ctx.call(set.unique, x, *flags, axis)
    given = iter(
        [ctx.item(results, place) for place in range(1 + return_inverse + return_counts)]
        if any(flags[2:])
        else [results]
    )
    count = Var(ctx.fresh("distinct"), "int64")
    extents: list[Size] = (
        [count] if axis is None else [count if place == axis else extent for place, extent in enumerate(ctx.shape(x))]
    )
    values = ctx.builder.match_cast(next(given), TensorStructInfo(tuple(extents), ctx.dtype(x)))
    inverse = counts = None
    if return_inverse:
        shape = ctx.shape(x) if axis is None else [ctx.shape(x)[axis]]
        inverse = ctx.reshape(next(given), shape)
    if return_counts:
        counts = ctx.builder.match_cast(next(given), TensorStructInfo((count,), "int64"))
    return values, inverse, counts


@converts("bincount")
def _bincount(ctx: Context, x: RelaxExpr, weights: RelaxExpr | None = None, minlength: int = 0) -> RelaxExpr:
    places = ctx.cast(x, "int64")
    largest = ctx.call(
        statistical.max, ctx.call(manipulate.concat, [places, ctx.constant([minlength - 1], "int64")], axis=0)
    )
    length = item(ctx, ctx.emit(largest + ctx.constant(1, "int64")))
    assert not isinstance(length, (RelaxExpr, float))
    dtype = "int64" if weights is None else "float32" if ctx.dtype(weights) == "float32" else "float64"
    updates = ctx.full(ctx.shape(x), 1, dtype) if weights is None else ctx.cast(weights, dtype)
    return ctx.call(scatter.scatter_elements, ctx.full([length], 0, dtype), places, updates, 0, "add")
