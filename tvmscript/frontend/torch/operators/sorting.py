"""Operators that sort."""

from __future__ import annotations

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, lifts_scalars
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import sort
from tvmscript.ir.relax.op.index import gather_elements


@converts("argsort")
@lifts_scalars
def _argsort(
    ctx: Context, x: RelaxExpr, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> RelaxExpr:
    if isinstance(dim, bool):  # the overload whose first argument says whether it is stable
        dim, descending = int(descending), bool(stable)
    return ctx.call(sort.argsort, x, ctx.axis(x, dim), descending, dtype="int64")


@converts("sort")
@lifts_scalars
def _sort(
    ctx: Context, x: RelaxExpr, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> tuple[RelaxExpr, RelaxExpr]:
    axis = ctx.axis(x, dim)
    places = ctx.call(sort.argsort, x, axis, descending, dtype="int64")
    return ctx.call(gather_elements, x, places, axis=axis), places


@converts("msort")
def _msort(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return _sort(ctx, x, 0)[0]


@converts("topk")
@lifts_scalars
def _topk(
    ctx: Context,
    x: RelaxExpr,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,  # torch's name
) -> RelaxExpr:
    return ctx.call(sort.topk, x, k=k, axis=dim, ret_type="both", largest=largest, dtype="int64")


@converts("kthvalue")
@lifts_scalars
def _kthvalue(ctx: Context, x: RelaxExpr, k: int, dim: int = -1, keepdim: bool = False) -> tuple[RelaxExpr, RelaxExpr]:
    axis = ctx.axis(x, dim)
    shape = ctx.shape(x)
    extents = shape[:axis] + ([1] if keepdim else []) + shape[axis + 1 :]
    values, places = (ctx.slice(rows, axis, k - 1, k) for rows in _sort(ctx, x, axis))
    return ctx.reshape(values, extents), ctx.reshape(places, extents)
