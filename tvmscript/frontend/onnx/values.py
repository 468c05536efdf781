"""What a name of an ONNX graph stands for while it is imported: a tensor, few known numbers, a sequence, nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.ir.core import DType
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant, PrimValue, ShapeExpr
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_extent
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.language import R

#: largest array that is computed when the model is imported
FOLDED_ELEMENTS: Final = 4096
#: a size: a number, or an expression of symbolic sizes
Size = Any
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Known:
    """An array of integers, some of which are expressions of sizes: what a graph computes from shapes."""

    #: of dtype object: Python integers and expressions
    array: Array
    dtype: str = "int64"


@dataclass(frozen=True)
class TensorSequence:
    """A sequence whose length is known. `dtype` is that of its tensors."""

    tensors: tuple[Any, ...]
    dtype: str = "float32"


Value = RelaxExpr | Known | TensorSequence | None


def as_size(value: Any) -> Size:
    """Return a size as a Python integer where it is one, else as an expression in its simplest form."""
    if isinstance(value, PrimValue):
        value = value.value
    if isinstance(value, Expr):
        value = simplify_extent(value)
        return value.value if isinstance(value, IntImm) else value
    return int(value)


def is_symbolic(array: Array) -> bool:
    """Whether an array has expressions among its elements."""
    return bool(array.dtype == object)


def sizes_array(sizes: Iterable[Size]) -> Array:
    """Return sizes as a vector, of int64 where all are numbers."""
    values = [as_size(size) for size in sizes]
    if all(isinstance(value, int) for value in values):
        return np.array(values, "int64").reshape(len(values))
    vector = np.empty(len(values), object)
    vector[:] = values
    return vector


def known_value(array: Any, dtype: str | None = None) -> Constant | Known:
    """Return an array of numbers, or of numbers and expressions, as a value."""
    array = np.asarray(array)
    if array.dtype == object:
        vector = sizes_array(array.reshape(-1)).reshape(array.shape)
        if vector.dtype == object:
            return Known(vector, dtype or "int64")
        array = vector
    if dtype is not None:
        array = array.astype(dtype)
    return Constant(np.ascontiguousarray(array).reshape(array.shape), DType(str(array.dtype)))


def array_of(value: Value) -> Array | None:
    """Return the elements of a value that are known at import, None where they are not or are too many."""
    if isinstance(value, Known):
        return value.array
    if isinstance(value, Constant) and math.prod(value.data.shape) <= FOLDED_ELEMENTS:
        return stored_array(value)
    return None


def stored_array(constant: Constant) -> Array | None:
    """Return the elements of a constant, None where NumPy has no dtype for them."""
    data = constant.data
    if not isinstance(data, (np.ndarray, Data)) or str(data.dtype) != str(constant.dtype):
        return None
    return np.asarray(data)


def tensor_of(value: Value) -> RelaxExpr:
    """Return a value as a tensor of the graph. Raises `ValueError` for one that is no tensor."""
    if isinstance(value, Known):
        vector = R.shape_to_tensor(R.shape(list(value.array.reshape(-1))))
        shaped = vector if value.array.ndim == 1 else R.reshape(vector, R.shape(list(value.array.shape)))
        return shaped if value.dtype == "int64" else R.astype(shaped, value.dtype)
    if not isinstance(value, RelaxExpr):
        raise ValueError(f"{'a missing value' if value is None else 'a sequence'} is used as a tensor")
    return value


def info_of(tensor: RelaxExpr) -> TensorStructInfo:
    """Return the struct info of a tensor. Raises `ValueError` for a value that is no tensor."""
    info = tensor.struct_info
    if not isinstance(info, TensorStructInfo):
        raise ValueError("a value that is no tensor is used as one")
    return info


def dtype_of(value: Value) -> str:
    """Return the dtype of a tensor."""
    return value.dtype if isinstance(value, Known) else str(info_of(tensor_of(value)).dtype)


def rank_of(value: Value) -> int:
    """Return the number of dimensions of a tensor."""
    return value.array.ndim if isinstance(value, Known) else info_of(tensor_of(value)).ndim


def sizes_of(value: Value) -> list[Size]:
    """Return the extents of a tensor."""
    if isinstance(value, Known):
        return list(value.array.shape)
    extents = info_of(tensor_of(value)).extents
    if extents is None:
        raise ValueError("the shape of a tensor is not known")
    return [as_size(extent) for extent in extents]


def shape_expr(sizes: Sequence[Size]) -> ShapeExpr:
    """Return sizes as a shape."""
    return ShapeExpr(tuple(sizes))


def scalar(value: float | bool, like: Value | str) -> Constant:
    """Return a constant scalar of the dtype of a tensor."""
    dtype = like if isinstance(like, str) else dtype_of(like)
    constant: Any = R.const(value, dtype)
    assert isinstance(constant, Constant)
    return constant


def product(sizes: Iterable[Size]) -> Size:
    """Return the product of sizes."""
    result: Any = 1
    for size in sizes:
        result = result * size
    return as_size(result)
