"""Arguments that DLPack or the calling convention refuse, as others of the same memory; places of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.llvm.calling_convention import numpy_layout
from tvmscript.backends.llvm.calling_convention.signature import interface_of, is_packed
from tvmscript.backends.llvm.linked_code import as_dtype
from tvmscript.backends.runtime.arguments import written_data
from tvmscript.backends.runtime.array import dtype_of, storage_dtype
from tvmscript.backends.runtime.error_places import locate
from tvmscript.backends.runtime.errors import (
    ExecutionError,
    ReadOnlyArray,
    WrongArrayDType,
)
from tvmscript.ir.tir import Buffer, PrimFunc
from tvmscript.ir.transform.calling_convention.runtime_fields import ffi_type_of

Array = npt.NDArray[Any]


class ArgumentAdapter:
    """Convert read-only arrays, arrays of ml_dtypes and NumPy's bools to views of the same memory."""

    def __init__(self, func: PrimFunc, name: str) -> None:
        self.func, self.name = func, name
        self._interface = interface_of(func)
        self._is_strict = is_packed(func)
        handles = {param for param in func.params if param.dtype.is_handle and param not in func.buffer_map}
        self._written = written_data(func) | handles

    def adapt(self, args: tuple[object, ...]) -> tuple[object, ...]:
        """Return arguments that native code accepts; empty where it accepts them unchanged.

        Raises `ReadOnlyArray` where the program would write to a read-only array, and `WrongArrayDType`.
        """
        params = self._interface.params
        try:
            adapted = [
                _as_float(arg) if param.dtype.is_floating else self._adapt(arg, self._interface.buffers.get(param))
                for arg, param in zip(args, params, strict=False)
            ]
        except ExecutionError as error:
            locate(error, self.func)
            raise
        if all(after is before for after, before in zip(adapted, args, strict=False)):
            return ()
        return (*adapted, *args[len(params) :])

    def _adapt(self, arg: object, buffer: Buffer | None) -> object:
        if isinstance(arg, np.bool_):
            return bool(arg)
        if buffer is None or not isinstance(arg, np.ndarray):
            return arg
        if not arg.flags.writeable:
            if buffer.data in self._written:
                raise ReadOnlyArray(function=self.name, name=buffer.name)
            arg = _writable_view(arg)
        kind = dtype_of(arg)
        stored = storage_dtype(kind)
        if arg.dtype == stored:
            return arg
        if kind is not buffer.dtype.element or not arg.dtype.isnative:
            raise WrongArrayDType(function=self.name, name=buffer.name, expected=buffer.dtype, got=arg.dtype)
        patterns = arg.view(stored)
        code, bits, lanes = ffi_type_of(kind)
        word = code | bits << 8 | lanes << 16
        if bits == arg.itemsize * 8:  # the next calls need no view
            numpy_layout.describe_dtype(arg.dtype, word)
        # bit patterns must have their own dtype
        return as_dtype(patterns, word) if self._is_strict else patterns


def _as_float(arg: object) -> object:
    """Return a number for a float; the calling convention has no integers of more than 64 bits, nor unsigned ones."""
    if isinstance(arg, np.bool_):
        return bool(arg)
    if isinstance(arg, (int, np.integer)):
        try:
            return float(arg)
        except OverflowError:
            return arg
    return arg


class _Memory:
    """Memory of an array without its read-only flag, by NumPy's array interface."""

    def __init__(self, array: Array) -> None:
        self._array = array
        stored = array.view(storage_dtype(dtype_of(array)))
        self.dtype = array.dtype
        interface = dict(stored.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface


def _writable_view(array: Array) -> Array:
    memory = _Memory(array)
    return np.asarray(memory).view(memory.dtype)
