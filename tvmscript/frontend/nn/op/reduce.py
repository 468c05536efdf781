"""Reductions, sums along an axis, sorting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn.tensor import Tensor, emit, wrap_nested
from tvmscript.language import R

#: an axis, several, or all
Axes = int | Sequence[int] | None


def sum(x: Tensor, axis: Axes = None, keepdims: bool = False, name: str = "sum") -> Tensor:
    """Return the sum over axes."""
    return emit(R.sum(x.expr, axis, keepdims), name)


def max(x: Tensor, axis: Axes = None, keepdims: bool = False, name: str = "max") -> Tensor:
    """Return the largest element over axes."""
    return emit(R.max(x.expr, axis, keepdims), name)


def min(x: Tensor, axis: Axes = None, keepdims: bool = False, name: str = "min") -> Tensor:
    """Return the smallest element over axes."""
    return emit(R.min(x.expr, axis, keepdims), name)


def cumsum(
    data: Tensor, axis: int | None = None, dtype: str | None = None, exclusive: Any = None, name: str = "cumsum"
) -> Tensor:
    """Return the sums of all elements up to each, along an axis or flattened."""
    return emit(R.cumsum(data.expr, axis, dtype, exclusive), name)


def sort(x: Tensor, axis: int = -1, descending: bool = False, name: str = "sort") -> Tensor:
    """Return the elements in order along an axis."""
    return emit(R.sort(x.expr, axis, descending), name)


def argsort(
    data: Tensor, axis: int = -1, descending: bool = False, dtype: str = "int32", name: str = "argsort"
) -> Tensor:
    """Return the indices of the elements in order along an axis."""
    return emit(R.argsort(data.expr, axis, descending, dtype), name)


def topk(
    data: Tensor,
    k: int = 1,
    axis: int = -1,
    ret_type: str = "both",
    largest: bool = True,
    dtype: str = "int32",
    name: str = "topk",
) -> Any:
    """Return the k largest elements along an axis, their indices, or both."""
    return wrap_nested(R.topk(data.expr, k, axis, ret_type, largest, dtype), name)
