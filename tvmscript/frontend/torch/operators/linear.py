"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.reduction import norm_of
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Operand
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.op import binary, linear_algebra, manipulate, statistical


def product_of(ctx: Context, a: RelaxExpr, b: RelaxExpr) -> Var:
    """Emit a product, of the dtype of its operands."""
    return ctx.call(linear_algebra.matmul, a, b, out_dtype=ctx.dtype(a))


@converts("matmul", "mm", "bmm", "mv", "dot", "vdot", "linalg_matmul", "_sparse_mm")
def _matmul(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return product_of(ctx, x, other)


@converts("linear")
def linear(ctx: Context, x: RelaxExpr, weight: RelaxExpr, bias: RelaxExpr | None = None) -> RelaxExpr:
    """Emit x times the transposed weight, plus the bias."""
    product = product_of(ctx, x, ctx.call(manipulate.permute_dims, weight, None))
    return product if bias is None else ctx.call(binary.add, product, bias)


@converts("bilinear")
def _bilinear(
    ctx: Context, x: RelaxExpr, other: RelaxExpr, weight: RelaxExpr, bias: RelaxExpr | None = None
) -> RelaxExpr:
    product = ctx.call(linear_algebra.einsum, [x, weight, other], "...i,oij,...j->...o")
    return product if bias is None else ctx.call(binary.add, product, bias)


@converts("_trilinear")
def _trilinear(
    ctx: Context,
    x: RelaxExpr,
    y: RelaxExpr,
    z: RelaxExpr,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> RelaxExpr:
    """Emit the sum over axes of a product of three tensors, which lack the axes that they are expanded by."""
    letters = "abcdefghijklmnopqrstuvwxyz"[: ctx.ndim(x) + len(expand1)]

    def without(axes: Sequence[int]) -> str:
        return "".join(letter for axis, letter in enumerate(letters) if axis not in axes)

    operands = ",".join(map(without, (expand1, expand2, expand3)))
    return ctx.call(linear_algebra.einsum, [x, y, z], f"{operands}->{without(sumdim)}")


@converts("cdist", "_cdist_forward")
def _cdist(
    ctx: Context, x: RelaxExpr, other: RelaxExpr, p: float = 2.0, compute_mode: str | int | None = None
) -> RelaxExpr:
    rows, columns = ctx.call(manipulate.expand_dims, x, -2), ctx.call(manipulate.expand_dims, other, -3)
    return norm_of(ctx, ctx.emit(rows - columns), p, -1)


@converts("addmm", "addmv", "_sparse_addmm")
def _addmm(
    ctx: Context, x: RelaxExpr, mat1: RelaxExpr, mat2: RelaxExpr, beta: Operand = 1, alpha: Operand = 1
) -> RelaxExpr:
    if alpha == 0:
        return ctx.scaled(x, beta)
    product = ctx.scaled(product_of(ctx, mat1, mat2), alpha)
    return product if beta == 0 else ctx.call(binary.add, ctx.scaled(x, beta), product)


@converts("baddbmm")
def _baddbmm(
    ctx: Context, x: RelaxExpr, batch1: RelaxExpr, batch2: RelaxExpr, beta: Operand = 1, alpha: Operand = 1
) -> RelaxExpr:
    if alpha == 0:
        return ctx.scaled(x, beta)
    product = ctx.scaled(ctx.call(linear_algebra.matmul, batch1, batch2), alpha)
    return product if beta == 0 else ctx.call(binary.add, product, ctx.scaled(x, beta))


@converts("addbmm")
def _addbmm(
    ctx: Context, x: RelaxExpr, batch1: RelaxExpr, batch2: RelaxExpr, beta: Operand = 1, alpha: Operand = 1
) -> RelaxExpr:
    product = ctx.call(statistical.sum, product_of(ctx, batch1, batch2), [0])
    return ctx.call(binary.add, ctx.scaled(x, beta), ctx.scaled(product, alpha))


@converts("outer", "ger")
def _outer(ctx: Context, x: RelaxExpr, vec2: RelaxExpr) -> RelaxExpr:
    return ctx.call(linear_algebra.outer, x, vec2)


@converts("einsum")
def _einsum(ctx: Context, equation: str, *operands: RelaxExpr | Sequence[RelaxExpr]) -> RelaxExpr:
    first = operands[0]
    tensors = list(first) if isinstance(first, (list, tuple)) else list(operands)
    return ctx.call(linear_algebra.einsum, tensors, equation.replace(" ", ""))
