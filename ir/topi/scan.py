"""Running sums and products, as kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import BufferLoad, BufferStore, ForKind, Stmt, as_expr
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.topi.common import normalize_axis, product
from tvmscript.ir.topi.shape import reshape
from tvmscript.ir.topi.statements import kernel_of, loop, spread

Combine = Callable[[Any, Any], Any]


def scanop(
    data: Tensor,
    binop: Combine,
    identity_value: Any,
    op_name: str,
    axis: int | None = None,
    dtype: str | None = None,
    exclusive: bool | None = None,
) -> Any:
    """Return numpy.ufunc.accumulate along an axis, of the flattened tensor without one.

    With `exclusive` an element is left out of its own result.
    """
    if axis is None:
        data = reshape(data, [product(data.shape)])
    place = normalize_axis(axis or 0, data.ndim, op_name)
    kind = dtype or str(data.dtype)
    extent: Any = data.shape[place]
    inner = product(data.shape[place + 1 :])
    rows: Any = product([size for n, size in enumerate(data.shape) if n != place])
    is_simple = data.ndim == 1 or place == data.ndim - 1

    def kernel(ins: list[Any], outs: list[Any]) -> Stmt:
        source, target = ins[0], outs[0]

        def row(fused: Any) -> Stmt:
            base = fused * extent if is_simple else fused // inner * extent * inner + fused % inner

            def at(k: Any) -> tuple[Any, ...]:
                position = base + k if is_simple else base + k * inner
                return spread(position, data.shape)

            def load(k: Any) -> Any:
                return cast_expr(kind, BufferLoad(source, at(k)))

            first = cast_expr(kind, as_expr(identity_value)) if exclusive else load(as_expr(0))

            def step(k: Any) -> Stmt:
                now = k + 1
                value = binop(BufferLoad(target, at(now - 1)), load(now - 1 if exclusive else now))
                return BufferStore(target, value, at(now))

            return seq(BufferStore(target, first, at(as_expr(0))), loop("_k", extent - 1, step))

        return loop("fused", rows, row, ForKind.PARALLEL)

    return kernel_of(op_name, data.shape, kind, [data], kernel)


def cumsum(data: Tensor, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Any:
    """Return numpy.cumsum in the dtype of the elements."""
    return scanop(data, lambda a, b: a + b, 0, "cumsum_generic", axis, dtype, exclusive)


def cumprod(data: Tensor, axis: int | None = None, dtype: str | None = None, exclusive: bool | None = None) -> Any:
    """Return numpy.cumprod in the dtype of the elements."""
    return scanop(data, lambda a, b: a * b, 1, "cumprod_generic", axis, dtype, exclusive)
