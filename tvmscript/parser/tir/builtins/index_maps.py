"""Index maps, for attributes."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import INT64, DType, Span, WrongType
from tvmscript.parser.builtins.table import value


@value("index_map")
def index_map(mapping: Any, *, inverse_index_map: Any = None, span: Span | None = None) -> IndexMap:
    """An index map with int64 indices: `T.index_map(lambda i, j: (j, i))`."""
    return checked_index_map(mapping, inverse_index_map, INT64, span)


def checked_index_map(mapping: Any, inverse_index_map: Any, dtype: DType, span: Span | None) -> IndexMap:
    """Return an index map with indices of a dtype. Raises `WrongType` for what is not called."""
    for function in (mapping, inverse_index_map):
        if not callable(function) and (function is mapping or not isinstance(function, (IndexMap, type(None)))):
            raise WrongType(where="T.index_map", expected="a lambda over indices", got=repr(function), span=span)
    return IndexMap.from_func(mapping, inverse_index_map=inverse_index_map, index_dtype=dtype, span=span)
