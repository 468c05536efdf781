"""Asynchronous copies of TVM 0.27: `T.ptx.cp.async`, also in bulk.

They are executed when they are started. Bulk copies complete with a barrier; those of tiles are in `tensor_maps`.
Source: PTX ISA, sections "cp.async" and "cp.async.bulk".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.backends.interp.async_copies import copy_bytes, load_bytes, store_bytes
from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.multicast import delivery
from tvmscript.backends.interp.product_operands import MemoryRange
from tvmscript.backends.interp.ptx_operands import Instruction, guarded, parse_call, shared_address
from tvmscript.backends.interp.tensor_maps import checked_range, copy_box, store_box
from tvmscript.ir.tir import Call


def _copy(compiler: Compiler, node: Call) -> Code:
    """Copy, commit a group, wait for groups, or let copies arrive at a barrier."""
    instruction = parse_call(node, "cp")
    if instruction is None or instruction.words[0] != "async":
        return unavailable(node)
    kind = _KINDS.get(instruction.words[1])
    return unavailable(node) if kind is None else kind(compiler, node, instruction)


def _small_copy(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Copy 4, 8 or 16 bytes, of which the last ones may be zeros."""
    operands = instruction.operands
    target = shared_address(compiler, operands["dst_mem"][0], node)
    source = shared_address(compiler, operands["src_mem"][0], node)
    size = compiler.code(operands["cp_size"][0])
    source_size = compiler.code(operands["src_size"][0]) if "src_size" in operands else size
    ignores = compiler.code(operands["ignore_src"][0]) if "ignore_src" in operands else lambda frame: False

    def copy(frame: Frame) -> int:
        length = 0 if ignores(frame) else source_size(frame)
        memory, begin = target(frame)
        if length:
            copy_bytes(compiler, source(frame), Pointer(memory, begin), length, node.span)
        if rest := size(frame) - length:
            store_bytes(compiler, Pointer(memory, begin + length), bytes(rest))
        return 0

    return guarded(compiler, instruction, copy)


def _bulk_copy(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Copy bytes, which arrive at a barrier if the instruction names one."""
    operands, words = instruction.operands, instruction.words
    if words[2] in _GROUPS:
        return _GROUPS[words[2]](compiler, node, instruction)
    if "tensor" in words:
        return (store_box if "bulk_group" in words else copy_box)(compiler, node, instruction)
    if "bulk_group" in words:
        return _bulk_store(compiler, node, instruction)
    has_more = any(name in operands and operands[name] for name in ("byte_mask", "ignore_bytes_left"))
    if has_more or "dst_mem" not in operands or "src_mem" not in operands:
        return unavailable(node)
    target = shared_address(compiler, operands["dst_mem"][0], node)
    source = shared_address(compiler, operands["src_mem"][0], node)
    size = compiler.code(operands["size"][0])
    deliver = delivery(compiler, node, instruction)

    def copy(frame: Frame) -> int:
        place = target(frame)
        checked_range(place, size(frame), node)
        deliver(frame, place, load_bytes(compiler, source(frame), size(frame), node.span))
        return 0

    return guarded(compiler, instruction, copy)


def _bulk_store(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Copy bytes from shared memory, in the group of bulk copies of the thread."""
    operands, monitor = instruction.operands, compiler.monitor
    if operands.get("byte_mask"):
        return unavailable(node)
    target = shared_address(compiler, operands["dst_mem"][0], node)
    source = shared_address(compiler, operands["src_mem"][0], node)
    size = compiler.code(operands["size"][0])

    def store(frame: Frame) -> int:
        begin, end, count = source(frame), target(frame), size(frame)
        tile, places = checked_range(begin, count, node), checked_range(end, count, node)
        if monitor is not None:
            monitor.start_store(MemoryRange(begin.memory, tile), [MemoryRange(end.memory, places)])
        end.memory.raw[places.start : places.stop] = bytes(begin.memory.raw[tile.start : tile.stop])
        return 0

    return guarded(compiler, instruction, store)


def _commit_stores(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Close a group of bulk copies from shared memory."""
    monitor = compiler.monitor

    def commit(frame: Frame) -> int:
        if monitor is not None:
            monitor.commit_stores()
        return 0

    return guarded(compiler, instruction, commit)


def _wait_for_stores(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Wait until at most a number of groups of bulk copies are pending, or have yet to read their tiles."""
    monitor, has_written = compiler.monitor, "read" not in instruction.words
    pending = compiler.code(instruction.operands["group"][0])

    def wait(frame: Frame) -> int:
        if monitor is not None:
            monitor.wait_stores(pending(frame), has_written=has_written)
        return 0

    return wait


def _commit(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Close a group of copies."""
    monitor = compiler.monitor

    def commit(frame: Frame) -> int:
        if monitor is not None:
            monitor.commit_copies()
        return 0

    return guarded(compiler, instruction, commit)


def _wait(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Wait until at most a number of groups are pending."""
    monitor = compiler.monitor
    pending = compiler.code(instruction.operands["group"][0])

    def wait(frame: Frame) -> int:
        if monitor is not None:
            monitor.wait_copies(pending(frame))
        return 0

    return wait


_GROUPS: Final = {"commit_group": _commit_stores, "wait_group": _wait_for_stores}
_KINDS: Final[dict[str, Callable[[Compiler, Call, Instruction], Code]]] = {
    "bulk": _bulk_copy, "ca": _small_copy, "cg": _small_copy, "commit_group": _commit, "wait_group": _wait,
}  # fmt: skip
SPECIAL["tir.ptx.cp"] = _copy
