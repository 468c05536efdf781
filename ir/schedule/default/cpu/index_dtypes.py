"""Indices of one dtype: vectors of indices that are converted from another one are gathers."""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.core import INT32, INT64, DType, nodes
from tvmscript.ir.tir import Buffer, For, IntImm, PrimFunc
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
    for node in nodes(func):
        if isinstance(node, For):
            yield node.loop_var.dtype
        elif isinstance(node, Buffer):
            yield from (size.dtype for size in node.shape if not isinstance(size, IntImm))
