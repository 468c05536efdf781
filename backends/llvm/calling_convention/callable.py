"""Python callables of built functions: the native call, and adaptation of arrays that DLPack refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.llvm.calling_convention.signature import interface_of, is_packed
from tvmscript.backends.llvm.jit import as_dtype
from tvmscript.backends.runtime.array import dtype_of, storage_dtype
from tvmscript.backends.runtime.errors import (
    ExecutionError,
    KernelAssertion,
    ReadOnlyArray,
    WrongArrayDType,
    WrongScalar,
)
from tvmscript.ir.core import Span, nodes
from tvmscript.ir.tir import AssertStmt, Buffer, BufferStore, Call, PrimFunc, StringImm, Var
from tvmscript.ir.tir.intrin.memory import isnullptr
from tvmscript.ir.transform.calling_convention.runtime_fields import ffi_type_of

Array = npt.NDArray[Any]


def native_callable(native: Callable[..., Any], name: str, func: PrimFunc) -> Callable[..., Any]:
    """Wrap a tvm-ffi function to accept read-only arrays, arrays of ml_dtypes and NumPy's bools too.

    They are handed over as views of the same memory. Raises `ReadOnlyArray` where the program would write to one.
    """
    interface = interface_of(func)
    is_strict = is_packed(func)
    buffers = [interface.buffers.get(param) for param in interface.params]
    written: set[Var] = set()

    def call(*args: object) -> Any:
        try:
            return native(*args)
        except ExecutionError as error:
            _locate(error, func)
            if not isinstance(error, WrongScalar) or not _adapted(args):
                raise
        except BufferError:
            if not _adapted(args):
                raise
        try:
            return native(*_adapted(args))
        except ExecutionError as error:
            _locate(error, func)
            raise

    def _adapted(args: tuple[object, ...]) -> list[object]:
        """Return arguments that native code accepts; empty where it accepts them unchanged."""
        if not written:
            written.update(_written(func))
        try:
            adapted = [
                _as_float(arg) if param.dtype.is_floating else _adapt(arg, buffer, name, written, is_strict)
                for arg, param, buffer in zip(args, interface.params, buffers, strict=False)
            ]
        except ExecutionError as error:
            _locate(error, func)
            raise
        return (
            []
            if all(after is before for after, before in zip(adapted, args, strict=False))
            else [*adapted, *args[len(buffers) :]]
        )

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{name}({', '.join(param.name for param in interface.params)}), compiled."
    return call


def _locate(error: ExecutionError, func: PrimFunc) -> None:
    """Tell an error of compiled code where in the program's text it comes from."""
    if error.span is None:
        error.span = _assertion(error.text, func) if isinstance(error, KernelAssertion) else _parameter(error, func)


def _assertion(text: str, func: PrimFunc) -> Span | None:
    """Return the assertion with this message; None where several have it."""
    spans = [
        node.span
        for node in nodes(func.body)
        if isinstance(node, AssertStmt) and isinstance(node.message, StringImm) and node.message.value == text
    ]
    return spans[0] if len(spans) == 1 else None


def _parameter(error: ExecutionError, func: PrimFunc) -> Span | None:
    """Return the parameter that an error is about, the function where it names none."""
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if error.facts.get("name") == (param.name if buffer is None else buffer.name):
            return param.span if buffer is None else buffer.span
    return func.span


def _written(func: PrimFunc) -> set[Var]:
    """Data variables that the function may store to: those of stores, and those whose address is handed on."""
    written: set[Var] = set()
    for node in nodes(func.body):
        if isinstance(node, BufferStore):
            written.add(node.buffer.data)
        elif isinstance(node, Call) and node.op is not isnullptr:
            written.update(arg for arg in node.args if isinstance(arg, Var) and arg.dtype.is_handle)
    written.update(param for param in func.params if param.dtype.is_handle and param not in func.buffer_map)
    return written


def _adapt(arg: object, buffer: Buffer | None, name: str, written: set[Var], is_strict: bool) -> object:
    """Return an argument that native code accepts; `is_strict`: bit patterns must have their own dtype."""
    if isinstance(arg, np.bool_):
        return bool(arg)
    if buffer is None or not isinstance(arg, np.ndarray):
        return arg
    if not arg.flags.writeable:
        if buffer.data in written:
            raise ReadOnlyArray(function=name, name=buffer.name)
        arg = _writable_view(arg)
    kind = dtype_of(arg)
    stored = storage_dtype(kind)
    if arg.dtype == stored:
        return arg
    if kind is not buffer.dtype.element or not arg.dtype.isnative:
        raise WrongArrayDType(function=name, name=buffer.name, expected=buffer.dtype, got=arg.dtype)
    patterns = arg.view(stored)
    if not is_strict:
        return patterns
    code, bits, lanes = ffi_type_of(kind)
    return as_dtype(patterns, code | bits << 8 | lanes << 16)


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
