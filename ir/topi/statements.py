"""Statements of kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.te.construct import extern
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import For, ForKind, Stmt, Var, as_expr, const, make_buffer
from tvmscript.ir.topi.common import function


def loop(name: str, extent: Any, body: Callable[[Any], Stmt], kind: ForKind = ForKind.SERIAL) -> Stmt:
    """Return a loop over a count."""
    count = as_expr(extent)
    var = Var(name, count.dtype)
    return For(var, const(0, count.dtype), count, kind, body(var))


def spread(position: Any, shape: Any) -> tuple[Any, ...]:
    """Return the indices of an element at a position in row-major order, which is inside."""
    indices: list[Any] = []
    for n in reversed(range(len(shape))):
        indices.append(function("floormod")(position, shape[n]) if n else position)
        position = function("floordiv")(position, shape[n])
    return tuple(indices[::-1])


def kernel_of(
    name: str, shape: Any, dtype: Any, inputs: list[Tensor], kernel: Callable[[list[Any], list[Any]], Stmt]
) -> Any:
    """Return the tensor that a kernel writes, to a buffer of the name that TVM gives it."""
    output = make_buffer(shape, dtype, "out_buf")
    return extern([shape], inputs, kernel, name=name, dtype=[str(dtype)], out_buffers=[output])
