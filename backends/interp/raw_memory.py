"""Memory accesses through pointers, for instructions with pointer operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.layout import locate
from tvmscript.backends.interp.memory import Pointer, codec
from tvmscript.backends.runtime.errors import OutOfMemoryRange
from tvmscript.ir.core import DType, PointerType, PrimType
from tvmscript.ir.tir import Expr, Var


def read(compiler: Compiler, pointer: Pointer, count: int, dtype: DType) -> list[Any]:
    """Read `count` elements from a pointer on. Raises `OutOfMemoryRange`."""
    form = codec(dtype)
    view, first = locate(pointer, form)
    _check(pointer, view, first, count)
    if compiler.monitor is not None:
        compiler.monitor.read(pointer.memory, byte_range(pointer, count * form.size))
    elements: list[Any] = list(view[first : first + count])
    return elements if form.decode is None else [form.decode[pattern] for pattern in elements]


def write(compiler: Compiler, pointer: Pointer, values: Sequence[Any], dtype: DType) -> None:
    """Set elements, the first one at the pointer. Raises `OutOfMemoryRange`."""
    form = codec(dtype)
    view, first = locate(pointer, form)
    _check(pointer, view, first, len(values))
    if compiler.monitor is not None:
        compiler.monitor.write(pointer.memory, byte_range(pointer, len(values) * form.size))
    for place, value in enumerate(values, first):
        view[place] = value if form.encode is None else form.encode(value)
    if compiler.monitor is not None:
        compiler.monitor.settle()


def byte_range(pointer: Pointer, size: int) -> range:
    """Return the places in memory of `size` bytes from a pointer on."""
    return range(pointer.offset, pointer.offset + size)


def _check(pointer: Pointer, view: Any, first: int, count: int) -> None:
    if first < 0 or first + count > len(view):
        raise OutOfMemoryRange(buffer=pointer.memory.name, first=first, last=first + count - 1, size=len(view))


def pointee_dtype(pointer: Expr, default: DType) -> DType:
    """Return the dtype of a pointer's declared element type."""
    kind = pointer.pointer_type if isinstance(pointer, Var) else None
    return (
        kind.element_type.dtype
        if isinstance(kind, PointerType) and isinstance(kind.element_type, PrimType)
        else default
    )


def offset_pointer(compiler: Compiler, pointer: Expr, offset: Expr, element: DType) -> Code:
    """Return code for a pointer plus an offset in elements."""
    start, count = compiler.code(pointer), compiler.code(offset)
    stored = pointee_dtype(pointer, element)
    size = codec(stored.element).size * stored.lanes

    def address(frame: Frame) -> Pointer:
        memory, begin = start(frame)
        return Pointer(memory, begin + count(frame) * size)

    return address
