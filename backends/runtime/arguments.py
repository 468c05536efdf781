"""Checks of the arguments of a call that Python does: numbers, arrays, and their layout."""

from __future__ import annotations

import operator
import reprlib
from typing import Any, NamedTuple

import numpy as np

from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.array import NDArray, asarray, storage_dtype
from tvmscript.backends.runtime.ffi import core
from tvmscript.ir.core import DType, Span, nodes
from tvmscript.ir.tir import Buffer, BufferLoad, Call, Expr, PrimFunc, Var, uses
from tvmscript.ir.tir.intrin.memory import isnullptr
from tvmscript.ir.tir.stmt import BufferStore, LetStmt, MatchBufferRegion


class ArrayArgument(NamedTuple):
    """An array and its layout in elements of the buffer, which may be vectors."""

    array: NDArray
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def matching_order(func: PrimFunc) -> list[tuple[int, Var]]:
    """Return parameters with their positions: scalars, then arrays behind those that define the sizes they use."""

    def extents(item: tuple[int, Var]) -> list[Expr]:
        buffer = func.buffer_map.get(item[1])
        return [] if buffer is None else [*buffer.shape, *buffer.strides]

    def used(item: tuple[int, Var]) -> set[Var]:
        return {var for extent in extents(item) if not isinstance(extent, Var) for var in uses(extent)}

    order = [item for item in enumerate(func.params) if item[1] not in func.buffer_map]
    arrays = [item for item in enumerate(func.params) if item[1] in func.buffer_map]
    defined = {param for _, param in order}
    while arrays:
        defined_with = [defined.union(extent for extent in extents(item) if isinstance(extent, Var)) for item in arrays]
        ready = (place for place, item in enumerate(arrays) if used(item) <= defined_with[place])
        place = next(ready, 0)
        defined = defined_with[place]
        order.append(arrays.pop(place))
    return order


def number_argument(param: Var, value: object, function: str) -> int | float:
    """Return a number for a parameter, an integer in the range of its dtype. Raises `WrongScalar`."""
    dtype = param.dtype
    plain: Any = bool(value) if isinstance(value, np.bool_) else value

    def refuse(expected: str) -> errors.WrongScalar:
        return errors.WrongScalar(
            function=function, name=param.name, expected=expected, got=describe_value(value), span=param.span
        )

    if not dtype.is_integer:
        if not isinstance(plain, (int, float, np.integer, np.floating)):
            raise refuse(f"a number ({dtype})")
        try:
            return float(plain)
        except OverflowError:
            raise refuse(f"a number ({dtype})") from None
    try:
        number = operator.index(plain)
    except TypeError:
        number = None
    if number is None or is_array(value):
        raise refuse(f"an integer ({dtype})")
    if not dtype.min_value <= number <= dtype.max_value:
        raise refuse(f"{dtype.min_value} to {dtype.max_value} ({dtype})")
    return bool(number) if dtype.is_bool else number


def array_argument(param: Var, buffer: Buffer, value: object, function: str, written: bool) -> ArrayArgument:
    """Return an array for a buffer, whose memory is used in place; its extents are not checked.

    Raises `NotAnArray`, `WrongArrayRank`, `WrongArrayDType`, `WrongArrayStrides`, and `ReadOnlyArray` where elements
    are `written`.
    """
    dtype, name, span = buffer.dtype, buffer.name, param.span or buffer.span
    # dtypes that NumPy lacks may come as what they are stored in: bit patterns, or a byte for each narrow integer
    accepted = (dtype.element, DType(storage_dtype(dtype).name))
    if not is_array(value):
        raise errors.NotAnArray(function=function, name=name, got=describe_value(value), span=span)
    array = asarray(value)
    if any(step % array.storage.itemsize for step in array.storage.strides):
        raise errors.WrongArrayStrides(
            function=function,
            name=name,
            expected="must have strides of whole elements",
            got=array.storage.strides,
            span=span,
        )
    shape, strides = _vectors(array, dtype.lanes)
    if array.dtype not in accepted or (dtype.lanes != 1 and (not array.shape or array.shape[-1] != dtype.lanes)):
        raise errors.WrongArrayDType(function=function, name=name, expected=dtype, got=array.dtype, span=span)
    if dtype.lanes != 1 and not _has_whole_vectors(array, dtype.lanes):
        expected = f"must have vectors of {dtype.lanes} neighbouring elements"
        raise errors.WrongArrayStrides(function=function, name=name, expected=expected, got=array.strides, span=span)
    if len(shape) != len(buffer.shape):
        raise errors.WrongArrayRank(function=function, name=name, expected=len(buffer.shape), got=len(shape), span=span)
    if written and not array.storage.flags.writeable:
        raise errors.ReadOnlyArray(function=function, name=name, span=span)
    return ArrayArgument(array, shape, strides)


def check_strides(
    function: str,
    name: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    expected: tuple[int, ...] | None,
    span: Span | None,
) -> None:
    """Raise `WrongArrayStrides` unless an array has the expected strides; None: those of a compact array."""
    # the distance between elements along a dimension of one element (or of none) means nothing
    compared = row_major(shape) if expected is None else expected
    if 0 not in shape and any(extent > 1 and a != b for extent, a, b in zip(shape, strides, compared, strict=True)):
        wanted = (
            "must be compact (row-major, without gaps)" if expected is None else f"must have the strides {expected}"
        )
        raise errors.WrongArrayStrides(function=function, name=name, expected=wanted, got=strides, span=span)


def written_data(func: PrimFunc) -> set[Var]:
    """Return data variables that may be written: by stores, through matched regions, or through their address."""
    written: set[Var] = set()
    matches: list[MatchBufferRegion] = []
    for node in nodes(func.body):
        if isinstance(node, BufferStore):
            written.add(node.buffer.data)
        elif isinstance(node, MatchBufferRegion):
            matches.append(node)
        elif isinstance(node, Call):
            for arg in node.args if node.op is not isnullptr else ():
                if isinstance(arg, Var) and arg.dtype.is_handle:
                    written.add(arg)
                elif isinstance(arg, BufferLoad) and node.dtype.is_handle:
                    written.add(arg.buffer.data)
        elif isinstance(node, LetStmt) and isinstance(node.value, Var) and node.value.dtype.is_handle:
            written.add(node.value)
    # regions of regions: inner matches come later than the outer ones they read from
    for match in reversed(matches):
        if match.buffer.data in written:
            written.add(match.source.buffer.data)
    return written


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a compact array."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _vectors(array: NDArray, lanes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return shape and strides in vectors: the last dimension of an array holds the lanes."""
    if lanes == 1:
        return array.shape, array.strides
    return array.shape[:-1], tuple(step // lanes for step in array.strides[:-1])


def _has_whole_vectors(array: NDArray, lanes: int) -> bool:
    """Return whether lanes are neighbours, and whole vectors lie between vectors."""
    outer = zip(array.shape[:-1], array.strides[:-1], strict=True)
    return 0 in array.shape or (
        array.strides[-1] == 1 and all(extent == 1 or step % lanes == 0 for extent, step in outer)
    )


def is_array(value: object) -> bool:
    """Return whether a value is an array that functions take."""
    return isinstance(value, (np.ndarray, NDArray, core.Tensor)) or (
        hasattr(value, "__dlpack__") and not isinstance(value, np.generic)
    )


def describe_value(value: object) -> str:
    """Return a value and its type for a message."""
    return f"{reprlib.repr(value)} ({type(value).__name__})"
