"""Running sums and products, as kernels."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, as_expr
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import known_int, normalize_axis, product
from tvmscript.ir.topi.kernels import kernel
from tvmscript.ir.topi.shape import reshape

Combine = Callable[[Expr, Expr], Expr]


def scanop(
    data: Tensor,
    binop: Combine,
    identity_value: Operand,
    op_name: str,
    axis: int | None = None,
    dtype: str | None = None,
    exclusive: bool | None = None,
) -> Tensor:
    """Return numpy.ufunc.accumulate along an axis, of the flattened tensor without one.

    With `exclusive` an element is left out of its own result.
    """
    if axis is None:
        data = reshape(data, [product(data.shape)])
    place = normalize_axis(axis or 0, data.ndim, op_name)
    kind = dtype or str(data.dtype)
    extent = data.shape[place]
    inner = product(data.shape[place + 1 :])
    rows = product([size for n, size in enumerate(data.shape) if n != place])
    is_simple = data.ndim == 1 or place == data.ndim - 1

    def body(ib: IRBuilder, source: BufferVar, target: BufferVar) -> None:
        if any(known_int(size) == 0 for size in data.shape):
            return
        with ib.for_range(0, rows, "fused", kind="parallel") as row:
            base = row * extent if is_simple else row // inner * extent * inner + row % inner

            def at(k: Expr) -> Expr:
                return base + k if is_simple else base + k * inner

            def load(k: Expr) -> Expr:
                return cast_expr(kind, source[at(k)])

            # a row of an unknown length may have no element
            with nullcontext() if known_int(extent) is not None else ib.if_scope(extent > 0):
                target[at(as_expr(0))] = cast_expr(kind, as_expr(identity_value)) if exclusive else load(as_expr(0))
            with ib.for_range(0, extent - 1, "_k") as k:
                now = k + 1
                target[at(now)] = binop(target[at(now - 1)], load(now - 1 if exclusive else now))

    return kernel(op_name, data.shape, kind, [data], body)


def cumsum(data: Tensor, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Tensor:
    """Return numpy.cumsum in the dtype of the elements."""
    return scanop(data, lambda a, b: a + b, 0, "cumsum_generic", axis, dtype, exclusive)


def cumprod(data: Tensor, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Tensor:
    """Return numpy.cumprod in the dtype of the elements."""
    return scanop(data, lambda a, b: a * b, 1, "cumprod_generic", axis, dtype, exclusive)
