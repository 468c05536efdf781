"""Indices of one dtype: vectors of indices that are converted from another one are gathers."""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import INT32, INT64, DType
from tvmscript.ir.tir import Block, Buffer, DeclBuffer, For, IntImm, PrimFunc
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import override_index_dtype


def unify_index_dtypes(func: PrimFunc) -> PrimFunc:
    """Return the function with int64 indices if it has indices of int32 and of int64.

    Functions with sizes of int32 among their parameters stay as they are.
    """
    if not {INT32, INT64} <= {*_index_dtypes(func)}:
        return func
    widened = override_index_dtype(func, INT64)
    return widened if widened.params == func.params else func


def _index_dtypes(func: PrimFunc) -> Iterator[DType]:
    """Yield the dtypes of the loops of a function, and of its sizes that are known at run time."""
    buffers: list[Buffer] = [*func.buffer_map.values()]
    for stmt in statements(func.body):
        if isinstance(stmt, For):
            yield stmt.loop_var.dtype
        elif isinstance(stmt, Block):
            buffers += (*stmt.alloc_buffers, *[match.buffer for match in stmt.match_buffers])
        elif isinstance(stmt, DeclBuffer):
            buffers.append(stmt.buffer)
    for buffer in buffers:
        yield from (size.dtype for size in buffer.shape if not isinstance(size, IntImm))
