"""Arguments of a call: conversion of Python values into frame slots, with checks against the signature."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np
import tvm_ffi

from tvmscript.backends.interp.calls import ArrayStruct
from tvmscript.backends.interp.compiler import Compiler, Frame
from tvmscript.backends.interp.layout import binder, constant_shape, matcher, row_major, shape_matcher
from tvmscript.backends.interp.memory import Memory, Pointer
from tvmscript.backends.interp.scalars import caster
from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.array import NDArray, asarray, storage_dtype
from tvmscript.ir.core import FLOAT64, DType
from tvmscript.ir.tir import Buffer, Var

#: Puts an argument into the frame.
Setter = Callable[[Frame, Any], None]


def scalar_setter(compiler: Compiler, param: Var, function: str) -> Setter:
    """Return code that stores a number of the parameter's dtype. It raises `WrongScalar` for other values.

    A handle takes an address of the program or an array, whose memory it points to.
    """
    slot, dtype, name, span = compiler.slot(param), param.dtype, param.name, param.span

    def refuse(expected: str, value: object) -> errors.WrongScalar:
        return errors.WrongScalar(
            function=function, name=name, expected=expected, got=_describe_value(value), span=span
        )

    def set_integer(frame: Frame, value: object) -> None:
        try:
            number = operator.index(_plain(value))
        except TypeError:
            number = None
        if number is None or _is_array(value):
            raise refuse(f"an integer ({dtype})", value)
        if not dtype.min_value <= number <= dtype.max_value:
            raise refuse(f"{dtype.min_value} to {dtype.max_value} ({dtype})", value)
        frame[slot] = bool(number) if dtype.is_bool else number

    def set_float(frame: Frame, value: object) -> None:
        value = _plain(value)
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise refuse(f"a number ({dtype})", value)
        try:
            number = float(value)
        except OverflowError:
            raise refuse(f"a number ({dtype})", value) from None
        frame[slot] = caster(FLOAT64, dtype)(number)

    def set_handle(frame: Frame, value: object) -> None:
        if value is None or isinstance(value, (Pointer, ArrayStruct, str, tuple)):
            frame[slot] = value
        elif _is_array(value):
            frame[slot] = pointer_of(asarray(value), name)
        else:
            raise refuse("an array", value)

    if dtype.is_handle:
        return set_handle
    return set_integer if dtype.is_integer else set_float


def array_setter(compiler: Compiler, param: Var, buffer: Buffer, function: str, written: bool) -> Setter:
    """Return code that binds a buffer to an array, whose memory is used in place.

    Raises `NotAnArray`, `WrongArrayRank`, `WrongArrayDType`, `WrongArrayShape`, `WrongArrayStrides`, `ReadOnlyArray`.
    """
    data_slot = compiler.slot(buffer.data)
    check = shape_matcher(compiler, buffer, function, param.span or buffer.span, compact=True)
    set_offset = matcher(compiler, buffer.elem_offset, function)
    bind = binder(compiler, buffer)
    dtype, name, span = buffer.dtype, buffer.name, param.span or buffer.span
    rank, lanes = len(buffer.shape), buffer.dtype.lanes
    # dtypes that NumPy lacks may come as what they are stored in: bit patterns, or a byte for each narrow integer
    accepted = (dtype.element, DType(storage_dtype(dtype).name))
    constant_extents = constant_shape(buffer)

    def set_array(frame: Frame, value: object) -> None:
        if isinstance(value, ArrayStruct):
            set_struct(frame, value)
            return
        if isinstance(value, Pointer) and constant_extents is not None:
            # of another function of the module: to a compact array of the shape that is declared
            finish(frame, value, constant_extents, row_major(constant_extents), 0)
            return
        if not _is_array(value):
            raise errors.NotAnArray(function=function, name=name, got=_describe_value(value), span=span)
        array = asarray(value)
        if any(step % array.storage.itemsize for step in array.storage.strides):
            raise errors.WrongArrayStrides(
                function=function,
                name=name,
                expected="must have strides of whole elements",
                got=array.storage.strides,
                span=span,
            )
        shape, strides = _vectors(array, lanes)
        if array.dtype not in accepted or (lanes != 1 and (not array.shape or array.shape[-1] != lanes)):
            raise errors.WrongArrayDType(function=function, name=name, expected=dtype, got=array.dtype, span=span)
        if len(shape) != rank:
            raise errors.WrongArrayRank(function=function, name=name, expected=rank, got=len(shape), span=span)
        if written and not array.storage.flags.writeable:
            raise errors.ReadOnlyArray(function=function, name=name, span=span)
        finish(frame, pointer_of(array, name), shape, strides, 0)

    def set_struct(frame: Frame, value: ArrayStruct) -> None:
        if value.dtype is not dtype:
            raise errors.WrongArrayDType(function=function, name=name, expected=dtype, got=value.dtype, span=span)
        if len(value.shape) != rank:
            raise errors.WrongArrayRank(function=function, name=name, expected=rank, got=len(value.shape), span=span)
        finish(frame, value.pointer, value.shape, value.strides or row_major(value.shape), value.elem_offset)

    def finish(
        frame: Frame, pointer: Pointer, shape: tuple[int, ...], strides: tuple[int, ...], elem_offset: int
    ) -> None:
        check(frame, shape, strides)
        expected = set_offset(frame, elem_offset)
        if expected != elem_offset:
            raise errors.WrongArrayStrides(
                function=function, name=name, expected=f"must begin at element {expected}", got=strides, span=span
            )
        frame[data_slot] = pointer
        bind(frame)

    return set_array


def _vectors(array: NDArray, lanes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return shape and strides in vectors: the last dimension of an array holds the lanes."""
    if lanes == 1:
        return array.shape, array.strides
    return array.shape[:-1], tuple(step // lanes for step in array.strides[:-1])


def _plain(value: object) -> Any:
    """Convert NumPy's bools to those of Python, which are numbers."""
    return bool(value) if isinstance(value, np.bool_) else value


def _is_array(value: object) -> bool:
    return isinstance(value, (np.ndarray, NDArray, tvm_ffi.Tensor)) or (
        hasattr(value, "__dlpack__") and not isinstance(value, np.generic)
    )


def _describe_value(value: object) -> str:
    if isinstance(value, Pointer):
        return "a pointer"
    return f"{reprlib.repr(value)} ({type(value).__name__})"


def pointer_of(array: NDArray, name: str) -> Pointer:
    """Return the address of an array's first element, in memory that covers all its elements."""
    storage = array.storage
    if storage.flags.c_contiguous:
        return Pointer(Memory(_bytes(storage.reshape(-1)), name, array))
    reach = [(extent - 1) * step for extent, step in zip(storage.shape, storage.strides, strict=True)]
    before = -sum(step for step in reach if step < 0)
    size = before + sum(step for step in reach if step > 0) + storage.itemsize
    ascending = storage[tuple(slice(None, None, -1) if step < 0 else slice(None) for step in storage.strides)]
    covered = np.lib.stride_tricks.as_strided(
        ascending, (size // storage.itemsize,), (storage.itemsize,), writeable=storage.flags.writeable
    )
    return Pointer(Memory(_bytes(covered), name, array), before)


def _bytes(flat: Any) -> memoryview:
    return memoryview(flat.view(np.uint8))
