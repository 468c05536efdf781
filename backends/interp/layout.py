"""Layout of buffers: binding a buffer to memory, shapes and strides of a bound buffer.

A *plain* buffer (constant shape, row-major, offset 0) is bound to a memory view of exactly its elements. Any other
buffer is bound to a `Strided`. Shapes count elements of the buffer's dtype; the lanes of a vector dtype are contiguous.
Flat buffers over allocations that were merged into bytes have other dtypes and begin inside of the allocation; their
accesses are checked against the bounds of the whole memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from tvmscript.backends.interp.compiler import Compiler, Frame
from tvmscript.backends.interp.memory import Codec, Pointer, codec
from tvmscript.backends.runtime.arguments import check_strides, row_major
from tvmscript.backends.runtime.errors import (
    OutOfMemoryRange,
    UndecidedShape,
    Unsupported,
    WrongArrayShape,
)
from tvmscript.ir.core import Span, nodes
from tvmscript.ir.tir import Buffer, Expr, IntImm, Var


class Strided(NamedTuple):
    """A buffer in memory: the view's element `base` is its first; strides count elements."""

    view: memoryview
    base: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def static_shape(buffer: Buffer) -> tuple[int, ...] | None:
    """Return the shape of a plain buffer, None for any other."""
    if buffer.strides or not (isinstance(buffer.elem_offset, IntImm) and buffer.elem_offset.value == 0):
        return None
    return constant_shape(buffer)


def constant_shape(buffer: Buffer) -> tuple[int, ...] | None:
    """Return the shape of a buffer, None unless its extents are constants."""
    extents = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
    return tuple(extents) if len(extents) == len(buffer.shape) else None


class Layout:
    """Layout of a buffer; `slot` of the frame holds its view or its `Strided`."""

    def __init__(self, compiler: Compiler, buffer: Buffer) -> None:
        if buffer.layout is not None or buffer.allocated_addr:
            what = f"the {'layout' if buffer.layout is not None else 'fixed address'} of {buffer.name}"
            raise Unsupported(what=what, where="the interpreter", span=buffer.span)
        self.buffer = buffer
        self.slot = compiler.slot(buffer)
        self.codec: Codec = codec(buffer.dtype.element)
        self.lanes = buffer.dtype.lanes
        #: None where the buffer is not plain
        is_plain = buffer not in compiler.matched and buffer not in compiler.in_arena
        self.plain = static_shape(buffer) if is_plain else None


def binder(compiler: Compiler, buffer: Buffer) -> Callable[[Frame], None]:
    """Return code that binds a buffer to the memory that its data variable points to.

    Its shape, strides and offset are evaluated then. Raises `OutOfMemoryRange` where the memory is too small.
    """
    layout = Layout(compiler, buffer)
    slot, lanes, form, name, span = layout.slot, layout.lanes, layout.codec, buffer.name, buffer.span
    data_slot = compiler.slot(buffer.data)
    if layout.plain is not None:
        count = math.prod(layout.plain) * lanes

        def bind_plain(frame: Frame) -> None:
            view, first = locate(frame[data_slot], form)
            check_range(first, first + count - 1, count, view, name, span)
            frame[slot] = view[first : first + count]

        return bind_plain
    if buffer in compiler.in_arena:

        def bind_in_arena(frame: Frame) -> None:
            view, first = locate(frame[data_slot], form)
            frame[slot] = Strided(view, first, ((len(view) - first) // lanes,), (lanes,))

        return bind_in_arena
    shape = vector_of(compiler, buffer.shape)
    strides = vector_of(compiler, buffer.strides) if buffer.strides else None
    offset = compiler.code(buffer.elem_offset)

    def bind(frame: Frame) -> None:
        extents = shape(frame)
        steps = row_major(extents) if strides is None else strides(frame)
        view, first = locate(frame[data_slot], form)
        if lanes != 1:
            steps = tuple(step * lanes for step in steps)
        frame[slot] = make_strided(view, first + offset(frame) * lanes, extents, steps, lanes, name, span)

    return bind


def make_strided(
    view: memoryview,
    base: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    lanes: int,
    name: str,
    span: Span | None,
) -> Strided:
    """Bind a buffer to memory. Raises `OutOfMemoryRange` unless every element is inside."""
    reach = [(extent - 1) * step for extent, step in zip(shape, strides, strict=True)]
    low = base + sum(step for step in reach if step < 0)
    high = base + sum(step for step in reach if step > 0) + lanes - 1
    check_range(low, high, math.prod(shape), view, name, span)
    return Strided(view, base, shape, strides)


def check_range(low: int, high: int, count: int, view: memoryview, name: str, span: Span | None) -> None:
    """Raise `OutOfMemoryRange` unless the elements low to high are in the view; nothing is needed where count is 0."""
    if count > 0 and not (low >= 0 and high < len(view)):
        raise OutOfMemoryRange(buffer=name, first=low, last=high, size=len(view), span=span)


def locate(pointer: Pointer, form: Codec) -> tuple[memoryview, int]:
    """Return a view of the pointer's memory in a storage format, and the index of the element that it points to."""
    memory, offset = pointer
    first, phase = divmod(offset, form.size)
    return memory.view(form.code, form.size, phase), first


def vector_of(compiler: Compiler, values: tuple[Any, ...]) -> Callable[[Frame], tuple[int, ...]]:
    """Return code for several integers."""
    codes = [compiler.code(value) for value in values]
    return lambda frame: tuple([code(frame) for code in codes])


def strided_of(compiler: Compiler, buffer: Buffer) -> Callable[[Frame], Strided]:
    """Return code for a bound buffer as a `Strided` over the view that `locate` gives for its data, plain ones too."""
    layout = Layout(compiler, buffer)
    slot, form = layout.slot, layout.codec
    if layout.plain is None:
        return lambda frame: frame[slot]
    shape, data_slot = layout.plain, compiler.slot(buffer.data)
    strides = tuple(step * layout.lanes for step in row_major(shape))
    return lambda frame: Strided(*locate(frame[data_slot], form), shape, strides)


#: Takes a value that an expression must have: sets the variable that it is, or gives the value that it has.
Matcher = Callable[[Frame, int], int]


def matcher(compiler: Compiler, value: Expr, function: str) -> Matcher:
    """Return code that matches an expression with a value: a variable that is not defined yet takes it.

    Raises `UndecidedShape` for an expression of variables that are not defined.
    """
    if isinstance(value, Var) and compiler.is_free(value):
        slot = compiler.define(value)

        def assign(frame: Frame, actual: int) -> int:
            frame[slot] = actual
            return actual

        return assign
    for var in nodes(value):
        if isinstance(var, Var) and compiler.is_free(var):
            raise UndecidedShape(function=function, name=var.name, span=value.span)
    evaluate = compiler.code(value)
    return lambda frame, actual: evaluate(frame)


def shape_matcher(
    compiler: Compiler, buffer: Buffer, function: str, span: Span | None, *, compact: bool
) -> Callable[[Frame, tuple[int, ...], tuple[int, ...]], None]:
    """Return code that matches a buffer's shape and strides with actual ones, of which extra leading extents are 1.

    Variables alone are matched before expressions of them. Raises `WrongArrayShape`; `WrongArrayStrides` where strides
    differ, or where the buffer has none, must be `compact` and its elements do not follow each other.
    """
    name = buffer.name
    order = sorted(range(len(buffer.shape)), key=lambda axis: not isinstance(buffer.shape[axis], Var))
    shape = [(axis, matcher(compiler, buffer.shape[axis], function)) for axis in order]
    strides = [matcher(compiler, stride, function) for stride in buffer.strides]
    rank = len(shape)

    def check(frame: Frame, extents: tuple[int, ...], steps: tuple[int, ...]) -> None:
        left_out = len(extents) - rank
        for axis, extent in enumerate(extents[:left_out]):
            if extent != 1:
                raise WrongArrayShape(function=function, name=name, axis=axis, expected=1, got=extent, span=span)
        extents, steps = extents[left_out:], steps[left_out:]
        for axis, match in shape:
            expected = match(frame, extents[axis])
            if expected != extents[axis]:
                raise WrongArrayShape(
                    function=function, name=name, axis=axis, expected=expected, got=extents[axis], span=span
                )
        wanted = tuple([match(frame, step) for match, step in zip(strides, steps, strict=True)]) if strides else None
        if wanted is None and not compact:
            return
        check_strides(function, name, extents, steps, wanted, span)

    return check
