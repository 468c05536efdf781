"""Tensors of constants, written as chains of `T.Select`: TVM's `topi.utils.const_matrix` and `const_vector`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tvmscript.ir.arith.fold import round_to_dtype
from tvmscript.ir.core import DType
from tvmscript.ir.te.construct import compute
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import EQ, Expr, Select, const
from tvmscript.ir.topi.common import function


class Numbers(Protocol):
    """Numbers, or rows of numbers: a list, or an array of NumPy's."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...


def const_matrix(
    matrix: Numbers, name: str = "const_matrix", attrs: Mapping[str, Any] | None = None, dtype: str | None = None
) -> Tensor:
    """Return a matrix of constants: a NumPy array, or rows of numbers and a dtype."""
    rows, columns = len(matrix), len(matrix[0])
    kind = str(getattr(matrix, "dtype", "float32")) if dtype is None else dtype
    remainder = function("indexmod")

    def value(i: Expr, j: Expr) -> Expr:
        chosen = const(0, kind)
        for row in range(rows):
            for column in range(columns):
                is_here = function("all")(
                    EQ(remainder(i, rows), const(row, i.dtype)), EQ(remainder(j, columns), const(column, j.dtype))
                )
                chosen = Select(is_here, _constant(matrix[row][column], kind), chosen)
        return chosen

    return compute((rows, columns), value, name=name, attrs={"schedule_rule": "None", **(attrs or {})})


def const_vector(vector: Numbers, name: str = "const_vector") -> Tensor:
    """Return a vector of constants: a NumPy array."""
    kind = str(getattr(vector, "dtype", "float32"))

    def value(i: Expr) -> Expr:
        chosen = const(0, kind)
        for place in range(len(vector)):
            is_here = EQ(function("indexmod")(i, len(vector)), const(place, i.dtype))
            chosen = Select(is_here, _constant(vector[place], kind), chosen)
        return chosen

    return compute((len(vector),), value, name=name)


def _constant(value: Any, dtype: str) -> Expr:
    """Return a number, of NumPy's or Python's, rounded to a dtype."""
    number = value.item() if hasattr(value, "item") else value
    rounded = round_to_dtype(number, DType(str(dtype)))
    return const(number if rounded is None else rounded, dtype)
