"""Asynchronous copies (cp.async, DMA), executed at once, and guarded loads into registers."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.interp.calls import SPECIAL
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.raw_memory import byte_range, offset_pointer, write
from tvmscript.backends.runtime.errors import OutOfMemoryRange
from tvmscript.ir.core import Span
from tvmscript.ir.tir import AttrStmt, Call

_COMMIT: Final = "async_commit_queue_scope"
#: attributes of a group of copies, and of waiting for all but some of the groups
QUEUES: Final = (_COMMIT, "async_wait_queue_scope")


def copy_bytes(compiler: Compiler, source: Pointer, target: Pointer, size: int, span: Span | None) -> None:
    """Copy bytes from one address to another. Raises `OutOfMemoryRange`."""
    _check_range(target, size, span)
    store_bytes(compiler, target, load_bytes(compiler, source, size, span))


def load_bytes(compiler: Compiler, source: Pointer, size: int, span: Span | None) -> bytes:
    """Return the bytes that an asynchronous copy reads. Raises `OutOfMemoryRange`."""
    _check_range(source, size, span)
    if compiler.monitor is not None:
        compiler.monitor.read(source.memory, byte_range(source, size))
    return bytes(source.memory.raw[source.offset : source.offset + size])


def _check_range(place: Pointer, size: int, span: Span | None) -> None:
    memory, begin = place
    if begin < 0 or begin + size > len(memory.raw):
        last = begin + size - 1
        raise OutOfMemoryRange(buffer=memory.name, first=begin, last=last, size=len(memory.raw), span=span)


def store_bytes(compiler: Compiler, target: Pointer, values: bytes) -> None:
    """Set the bytes that an asynchronous copy writes."""
    if compiler.monitor is not None:
        compiler.monitor.start_copy(target.memory, byte_range(target, len(values)))
    target.memory.raw[target.offset : target.offset + len(values)] = values


def _cp_async(compiler: Compiler, node: Call) -> Code:
    """Copy, or write zeros where the predicate is false."""
    target_data, target_offset, source_data, source_offset, size, *predicate = node.args
    target = offset_pointer(compiler, target_data, target_offset, node.dtype)
    source = offset_pointer(compiler, source_data, source_offset, node.dtype)
    count = compiler.code(size)
    holds = compiler.code(predicate[0]) if predicate else lambda frame: True

    def copy(frame: Frame) -> int:
        length = count(frame)
        if holds(frame):
            copy_bytes(compiler, source(frame), target(frame), length, node.span)
        else:
            store_bytes(compiler, target(frame), bytes(length))
        return 0

    return copy


def _dma_copy(compiler: Compiler, node: Call) -> Code:
    target, source, size = [compiler.code(arg) for arg in node.args[1:4]]

    def copy(frame: Frame) -> int:
        copy_bytes(compiler, source(frame), target(frame), size(frame), node.span)
        return 0

    return copy


def _ldg32(compiler: Compiler, node: Call) -> Code:
    """Load only where the guard is true."""
    registers, guard, load, place = node.args
    target, holds, value = (
        offset_pointer(compiler, registers, place, load.dtype),
        compiler.code(guard),
        compiler.code(load),
    )
    dtype = load.dtype

    def run(frame: Frame) -> int:
        if holds(frame):
            write(compiler, target(frame), [value(frame)], dtype)
        return 0

    return run


def _commit(compiler: Compiler, node: Call) -> Code:
    """Close a group of copies."""

    def commit(frame: Frame) -> int:
        if compiler.monitor is not None:
            compiler.monitor.commit_copies()
        return 0

    return commit


def _wait(compiler: Compiler, node: Call) -> Code:
    """Wait until at most a number of groups are pending."""
    pending = compiler.code(node.args[0])

    def wait(frame: Frame) -> int:
        if compiler.monitor is not None:
            compiler.monitor.wait_copies(pending(frame))
        return 0

    return wait


def run_queue(compiler: Compiler, node: AttrStmt) -> Code:
    """Commit the copies of a statement, or wait before it until at most a number of groups are pending."""
    monitor, body = compiler.monitor, compiler.code(node.body)
    if monitor is None:
        return body
    if node.attr_key == _COMMIT:

        def commit(frame: Frame) -> None:
            body(frame)
            monitor.commit_copies()

        return commit
    inner = node.body
    pending = compiler.code(inner.value) if isinstance(inner, AttrStmt) else lambda frame: 0

    def wait(frame: Frame) -> None:
        monitor.wait_copies(pending(frame))
        body(frame)

    return wait


def _done(compiler: Compiler, node: Call) -> Code:
    """Do nothing: copies are complete when they are started."""
    return lambda frame: 0


SPECIAL["tir.ptx_cp_async"] = _cp_async
SPECIAL["tir.dma_copy"] = _dma_copy
SPECIAL["tir.ptx_ldg32"] = _ldg32
SPECIAL["tir.ptx_commit_group"] = _commit
SPECIAL["tir.ptx_wait_group"] = _wait
SPECIAL.update(dict.fromkeys(("tir.dma_wait", "tir.dma_start_group", "tir.dma_end_group"), _done))
