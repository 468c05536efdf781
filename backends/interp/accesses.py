"""Loads and stores. Every index is checked against the buffer's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tvmscript.backends.interp.compiler import Code, Compiler, Frame, rule
from tvmscript.backends.interp.expressions import raw
from tvmscript.backends.interp.layout import Layout, Strided, binder, strided_of
from tvmscript.backends.interp.memory import codec
from tvmscript.backends.runtime.arguments import row_major
from tvmscript.backends.runtime.errors import OutOfBounds
from tvmscript.ir.core import FLOAT32, Span
from tvmscript.ir.tir import Buffer, BufferLoad, BufferStore, Expr

Indices = tuple[Expr, ...]
#: From the frame to the place of an element in its view.
Place = Callable[[Frame], int]
#: From the frame to the places of several lanes; None for a lane that the predicate switches off.
Places = Callable[[Frame], list[int | None]]


@rule(BufferLoad)
def load(compiler: Compiler, node: BufferLoad) -> Code:
    layout = Layout(compiler, node.buffer)
    if node.dtype.lanes != 1:
        return ready(compiler, node.buffer, _load_lanes(compiler, layout, node))
    slot, plain, decode = layout.slot, layout.plain is not None, layout.codec.decode
    place = _observed(compiler, node, element_place(compiler, node.buffer, node.indices, "reading", node.span))

    def read_plain(frame: Frame) -> Any:
        return frame[slot][place(frame)]

    def read_strided(frame: Frame) -> Any:
        return frame[slot][0][place(frame)]

    read = read_plain if plain else read_strided
    if decode is None:
        return ready(compiler, node.buffer, read)
    values = decode
    return ready(compiler, node.buffer, lambda frame: values[read(frame)])


@rule(BufferStore)
def store(compiler: Compiler, node: BufferStore) -> Code:
    layout = Layout(compiler, node.buffer)
    if node.value.dtype.lanes != 1:
        return ready(compiler, node.buffer, _settled(compiler, _store_lanes(compiler, layout, node)))
    slot, encode = layout.slot, layout.codec.encode
    place = _observed(compiler, node, element_place(compiler, node.buffer, node.indices, "writing", node.span))
    if encode is not None:
        pattern_of, decoded = encode, compiler.code(node.value)
        value: Code = lambda frame: pattern_of(decoded(frame))  # noqa: E731  # one of three ways to a value
    elif node.value.dtype is FLOAT32:
        value = raw(compiler, node.value)  # the view rounds
    else:
        value = compiler.code(node.value)

    def write_plain(frame: Frame) -> None:
        stored = value(frame)
        frame[slot][place(frame)] = stored

    def write_strided(frame: Frame) -> None:
        stored = value(frame)
        frame[slot][0][place(frame)] = stored

    return ready(compiler, node.buffer, _settled(compiler, write_strided if layout.plain is None else write_plain))


def ready(compiler: Compiler, buffer: Buffer, access: Code) -> Code:
    """Return an access that first binds a buffer without a declaration, whose shape may have changed."""
    if buffer not in compiler.bound_late:
        return access
    bind = binder(compiler, buffer)

    def bind_and_access(frame: Frame) -> Any:
        bind(frame)
        return access(frame)

    return bind_and_access


def element_place(compiler: Compiler, buffer: Buffer, indices: Indices, access: str, span: Span | None) -> Place:
    """Return code for the position of an element (its first lane) in the view. It raises `OutOfBounds`."""
    layout = Layout(compiler, buffer)
    codes = [compiler.code(index) for index in indices]
    fail = _failure(compiler, buffer, codes, access, span)
    if layout.plain is None:
        return _strided_place(layout, codes, fail)
    if layout.lanes == 1 and len(indices) == 1:
        return _place_of_one(layout.plain[0], codes[0], compiler.slot_of(indices[0]), fail)
    if layout.lanes == 1 and len(indices) == 2:
        slots = compiler.slot_of(indices[0]), compiler.slot_of(indices[1])
        return _place_of_two(layout.plain, codes, slots, fail)
    steps = [step * layout.lanes for step in row_major(layout.plain)]
    axes = list(zip(codes, layout.plain, steps, strict=True))

    def place(frame: Frame) -> int:
        offset = 0
        for code, extent, step in axes:
            index = code(frame)
            if not 0 <= index < extent:
                fail(frame)
            offset += index * step
        return offset

    return place


def _place_of_one(extent: int, code: Code, slot: int | None, fail: Callable[[Frame], NoReturn]) -> Place:
    def place(frame: Frame) -> int:
        index: int = code(frame)
        if 0 <= index < extent:
            return index
        return fail(frame)

    if slot is None:
        return place
    variable = slot

    def place_of_variable(frame: Frame) -> int:
        index: int = frame[variable]
        if 0 <= index < extent:
            return index
        return fail(frame)

    return place_of_variable


def _place_of_two(
    shape: tuple[int, ...], codes: list[Code], slots: tuple[int | None, int | None], fail: Callable[[Frame], NoReturn]
) -> Place:
    rows, columns = shape
    first, second = codes
    row_slot, column_slot = slots

    def place(frame: Frame) -> int:
        i: int = first(frame)
        j: int = second(frame)
        if 0 <= i < rows and 0 <= j < columns:
            return i * columns + j
        return fail(frame)

    if row_slot is None or column_slot is None:
        return place
    row, column = row_slot, column_slot

    def place_of_variables(frame: Frame) -> int:
        i: int = frame[row]
        j: int = frame[column]
        if 0 <= i < rows and 0 <= j < columns:
            return i * columns + j
        return fail(frame)

    return place_of_variables


def _strided_place(layout: Layout, codes: list[Code], fail: Callable[[Frame], NoReturn]) -> Place:
    slot = layout.slot
    if len(codes) == 2:
        return _strided_place_of_two(slot, codes[0], codes[1], fail)

    def place(frame: Frame) -> int:
        offset: int
        _, offset, shape, strides = frame[slot]
        for code, extent, step in zip(codes, shape, strides, strict=True):
            index = code(frame)
            if not 0 <= index < extent:
                fail(frame)
            offset += index * step
        return offset

    return place


def _strided_place_of_two(slot: int, first: Code, second: Code, fail: Callable[[Frame], NoReturn]) -> Place:
    def place(frame: Frame) -> int:
        bound: Strided = frame[slot]
        _, offset, (rows, columns), (row_step, column_step) = bound
        i: int = first(frame)
        j: int = second(frame)
        if 0 <= i < rows and 0 <= j < columns:
            return offset + i * row_step + j * column_step
        return fail(frame)

    return place


def _failure(
    compiler: Compiler, buffer: Buffer, codes: list[Code], access: str, span: Span | None
) -> Callable[[Frame], NoReturn]:
    """Return code that raises `OutOfBounds` with the values of the indices and the shape."""
    bound = strided_of(compiler, buffer)

    def fail(frame: Frame) -> NoReturn:
        indices = [code(frame) for code in codes]
        raise OutOfBounds(
            access=access,
            buffer=buffer.name,
            indices=", ".join(str(list(index)) if isinstance(index, tuple) else str(index) for index in indices),
            shape=", ".join(map(str, bound(frame).shape)),
            span=span,
        )

    return fail


def _lane_places(compiler: Compiler, node: BufferLoad | BufferStore, access: str) -> Places:
    """Return code for the positions of all lanes of an access: those of a vector index, and of a buffer of vectors."""
    layout = Layout(compiler, node.buffer)
    bound = strided_of(compiler, node.buffer)
    codes = [compiler.code(index) for index in node.indices]
    fail = _failure(compiler, node.buffer, codes, access, node.span)
    scalar = not node.indices or node.indices[-1].dtype.lanes == 1
    mask = None if node.predicate is None else compiler.code(node.predicate)
    within = range(layout.lanes)

    def places(frame: Frame) -> list[int | None]:
        _, base, shape, strides = bound(frame)
        if not shape:
            return [base + lane for lane in within]
        *leading, last = [code(frame) for code in codes]
        for index, extent, step in zip(leading, shape, strides, strict=False):
            if not 0 <= index < extent:
                fail(frame)
            base += index * step
        extent, step = shape[-1], strides[-1]
        result: list[int | None] = []
        for number, index in enumerate((last,) if scalar else last):
            if mask is not None and not mask(frame)[number]:
                result += [None] * len(within)
                continue
            if not 0 <= index < extent:
                fail(frame)
            result += [base + index * step + lane for lane in within]
        return result

    return _observed_lanes(compiler, node, places)


def _observed(compiler: Compiler, node: BufferLoad | BufferStore, place: Place) -> Place:
    """Return a place of an element that the monitor is told."""
    if compiler.monitor is None:
        return place
    layout, bound = Layout(compiler, node.buffer), strided_of(compiler, node.buffer)
    data = compiler.slot(node.buffer.data)
    item, is_plain = layout.codec.size, layout.plain is not None
    observe = compiler.monitor.observer(node, item)

    def observed(frame: Frame) -> int:
        position = place(frame)
        memory, offset = frame[data]
        first = position + (bound(frame).base if is_plain else 0)
        observe(memory, (offset % item + first * item,))
        return position

    return observed


def _observed_lanes(compiler: Compiler, node: BufferLoad | BufferStore, places: Places) -> Places:
    """Return places of lanes that the monitor is told."""
    if compiler.monitor is None:
        return places
    item, data = codec(node.buffer.dtype.element).size, compiler.slot(node.buffer.data)
    observe = compiler.monitor.observer(node, item)

    def observed(frame: Frame) -> list[int | None]:
        positions = places(frame)
        memory, offset = frame[data]
        observe(memory, [offset % item + position * item for position in positions if position is not None])
        return positions

    return observed


def _settled(compiler: Compiler, write: Callable[[Frame], None]) -> Callable[[Frame], None]:
    """Return a write after which the monitor is told that it has ended."""
    monitor = compiler.monitor
    if monitor is None:
        return write

    def run(frame: Frame) -> None:
        write(frame)
        monitor.settle()

    return run


def _view(layout: Layout) -> Code:
    slot = layout.slot
    if layout.plain is None:
        return lambda frame: frame[slot][0]
    return lambda frame: frame[slot]


def _load_lanes(compiler: Compiler, layout: Layout, node: BufferLoad) -> Code:
    """Return code that loads a vector; lanes that the predicate masks off are 0."""
    places, view, decode = _lane_places(compiler, node, "reading"), _view(layout), layout.codec.decode

    def read(frame: Frame) -> tuple[Any, ...]:
        memory = view(frame)
        lanes = [0 if place is None else memory[place] for place in places(frame)]
        return tuple(lanes) if decode is None else tuple([decode[lane] for lane in lanes])

    return read


def _store_lanes(compiler: Compiler, layout: Layout, node: BufferStore) -> Code:
    places, view, encode = _lane_places(compiler, node, "writing"), _view(layout), layout.codec.encode
    value = compiler.code(node.value)

    def write(frame: Frame) -> None:
        lanes = value(frame)
        memory = view(frame)
        for place, lane in zip(places(frame), lanes, strict=True):
            if place is not None:
                memory[place] = lane if encode is None else encode(lane)

    return write
