"""Index maps applied to arrays: the elements of weights in another layout."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import NDArray, Storage, asarray
from tvmscript.ir.arith.fold import INTEGERS
from tvmscript.ir.core import WrongType
from tvmscript.ir.tir import Add, Cast, Expr, FloorDiv, FloorMod, IntImm, Mul, Sub, Var
from tvmscript.ir.tir.expr import BinaryOp
from tvmscript.ir.tir.index_map import IndexMap, map_ndarray

#: operators that Python computes for whole arrays
_OPERATORS = (Add, Sub, Mul, FloorDiv, FloorMod)


def _map_ndarray(index_map: IndexMap, array: Any) -> NDArray:
    source = asarray(array)
    shape = tuple([extent.value for extent in index_map.map_shape(source.shape) if isinstance(extent, IntImm)])
    if math.prod(shape) != source.storage.size:
        expected = f"a map with {source.storage.size} places"
        raise WrongType(where="map_ndarray", expected=expected, got=f"one to the shape {shape}", span=index_map.span)
    places: dict[Var, Storage] = dict(zip(index_map.initial_indices, np.indices(source.shape), strict=True))
    target = np.empty(shape, source.storage.dtype)
    target[tuple([_places(index, places) for index in index_map.final_indices])] = source.storage
    return NDArray(target, source.dtype, source.device)


def _places(expr: Expr, places: dict[Var, Storage]) -> Any:
    """Return the values of an index at all places. Raises `WrongType` for operators that are no index arithmetic."""
    if isinstance(expr, IntImm):
        return expr.value
    if isinstance(expr, Var):
        return places[expr]
    if isinstance(expr, Cast):
        return _places(expr.value, places)
    if isinstance(expr, BinaryOp) and isinstance(expr, _OPERATORS):
        return INTEGERS[type(expr)](_places(expr.a, places), _places(expr.b, places))
    raise WrongType(where="map_ndarray", expected="sums, products and quotients of indices", got=expr, span=expr.span)


map_ndarray.fill(_map_ndarray)
