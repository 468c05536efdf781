"""Arguments of a call: conversion of Python values into frame slots, with checks against the signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tvmscript.backends.interp.calls import ArrayStruct
from tvmscript.backends.interp.compiler import Compiler, Frame
from tvmscript.backends.interp.layout import binder, constant_shape, matcher, shape_matcher
from tvmscript.backends.interp.memory import Memory, Pointer
from tvmscript.backends.interp.scalars import caster
from tvmscript.backends.interp.tensor_maps import TensorMap
from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.arguments import array_argument, describe_value, is_array, number_argument, row_major
from tvmscript.backends.runtime.array import NDArray, asarray
from tvmscript.ir.core import FLOAT64
from tvmscript.ir.tir import Buffer, Var

#: Puts an argument into the frame.
Setter = Callable[[Frame, Any], None]


def scalar_setter(compiler: Compiler, param: Var, function: str) -> Setter:
    """Return code that stores a number of the parameter's dtype. It raises `WrongScalar` for other values.

    A handle takes an address of the program or an array, whose memory it points to.
    """
    slot, dtype, name = compiler.slot(param), param.dtype, param.name

    def set_integer(frame: Frame, value: object) -> None:
        frame[slot] = number_argument(param, value, function)

    def set_float(frame: Frame, value: object) -> None:
        frame[slot] = round_to_dtype(number_argument(param, value, function))

    def set_handle(frame: Frame, value: object) -> None:
        if value is None or isinstance(value, (Pointer, ArrayStruct, TensorMap, str, tuple)):
            frame[slot] = value
        elif is_array(value):
            frame[slot] = pointer_of(asarray(value), name)
        else:
            got = describe_value(value)
            raise errors.WrongScalar(function=function, name=name, expected="an array", got=got, span=param.span)

    if dtype.is_handle:
        return set_handle
    if dtype.is_integer:
        return set_integer
    round_to_dtype = caster(FLOAT64, dtype)
    return set_float


def array_setter(compiler: Compiler, param: Var, buffer: Buffer, function: str, written: bool) -> Setter:
    """Return code that binds a buffer to an array, whose memory is used in place.

    Raises `NotAnArray`, `WrongArrayRank`, `WrongArrayDType`, `WrongArrayShape`, `WrongArrayStrides`, `ReadOnlyArray`.
    """
    param_slot, data_slot = compiler.slot(param), compiler.slot(buffer.data)
    check = shape_matcher(compiler, buffer, function, param.span or buffer.span, compact=True)
    set_offset = matcher(compiler, buffer.elem_offset, function)
    bind = binder(compiler, buffer)
    dtype, name, span = buffer.dtype, buffer.name, param.span or buffer.span
    rank = len(buffer.shape)
    constant_extents = constant_shape(buffer)

    def set_array(frame: Frame, value: object) -> None:
        frame[param_slot] = value  # for calls that pass it on
        if isinstance(value, ArrayStruct):
            set_struct(frame, value)
            return
        if isinstance(value, Pointer) and constant_extents is not None:
            # of another function of the module: to a compact array of the shape that is declared
            finish(frame, value, constant_extents, row_major(constant_extents), 0)
            return
        if isinstance(value, Pointer):
            raise errors.NotAnArray(function=function, name=name, got="a pointer", span=span)
        array, shape, strides = array_argument(param, buffer, value, function, written)
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
