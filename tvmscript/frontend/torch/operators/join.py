"""Operators that join tensors."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import manipulate

Tensors = Sequence[RelaxExpr]


def _of_one_dtype(ctx: Context, tensors: Tensors) -> list[RelaxExpr]:
    common = ctx.common_dtype(*tensors)
    return [ctx.cast(x, common) for x in tensors]


@converts("cat", "concat", "concatenate")
def _cat(ctx: Context, tensors: Tensors, dim: int = 0) -> RelaxExpr:
    # torch skips tensors of shape (0,), whatever the others are
    parts = [x for x in tensors if ctx.shape(x) != [0]] or list(tensors)
    if len(parts) == 1:
        return parts[0]
    return ctx.call(manipulate.concat, _of_one_dtype(ctx, parts), axis=dim)


@converts("stack")
def _stack(ctx: Context, tensors: Tensors, dim: int = 0) -> RelaxExpr:
    return ctx.call(manipulate.stack, _of_one_dtype(ctx, tensors), axis=dim)


@converts("hstack")
def _hstack(ctx: Context, tensors: Tensors) -> RelaxExpr:
    return _cat(ctx, tensors, 0 if ctx.ndim(tensors[0]) <= 1 else 1)


@converts("vstack")
def _vstack(ctx: Context, tensors: Tensors) -> RelaxExpr:
    rows = [ctx.call(manipulate.expand_dims, x, 0) if ctx.ndim(x) == 1 else x for x in tensors]
    return _cat(ctx, rows, 0)


@converts("meshgrid")
def _meshgrid(ctx: Context, *tensors: RelaxExpr | Tensors, indexing: str = "ij") -> object:
    first = tensors[0]
    operands = list(first) if isinstance(first, (list, tuple)) else [x for x in tensors if isinstance(x, RelaxExpr)]
    if len(tensors) > 1 and isinstance(tensors[-1], str):
        indexing = tensors[-1]
    operands = [ctx.reshape(x, [1]) if ctx.ndim(x) == 0 else x for x in operands]
    if len(operands) == 1:
        return operands
    return ctx.call(manipulate.meshgrid, operands, indexing=indexing)
