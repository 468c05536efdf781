"""Asynchronous copies of TVM 0.27: `T.ptx.cp.async`, also in bulk.

They are executed when they are started. Bulk copies complete with a barrier; those of tiles are in `tensor_maps`.
Source: PTX ISA, sections "cp.async" and "cp.async.bulk".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.backends.interp.async_copies import copy_bytes, store_bytes
from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.mbarriers import arrive_with_bytes
from tvmscript.backends.interp.memory import Pointer
from tvmscript.backends.interp.ptx_barriers import barrier_at
from tvmscript.backends.interp.ptx_operands import Instruction, guarded, parse_call, shared_address
from tvmscript.backends.interp.tensor_maps import copy_box
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
    operands = instruction.operands
    if "tensor" in instruction.words:
        return copy_box(compiler, node, instruction)
    has_more = any(name in operands and operands[name] for name in ("cta_mask", "byte_mask", "ignore_bytes_left"))
    if has_more or "dst_mem" not in operands or "src_mem" not in operands:
        return unavailable(node)
    target = shared_address(compiler, operands["dst_mem"][0], node)
    source = shared_address(compiler, operands["src_mem"][0], node)
    size = compiler.code(operands["size"][0])
    barrier_of = barrier_at(compiler, operands["mbar"][0], node) if "mbar" in operands else None

    def copy(frame: Frame) -> int:
        copy_bytes(compiler, source(frame), target(frame), size(frame), node.span)
        if barrier_of is not None:
            arrive_with_bytes(compiler, barrier_of(frame), size(frame))
        return 0

    return guarded(compiler, instruction, copy)


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


_KINDS: Final[dict[str, Callable[[Compiler, Call, Instruction], Code]]] = {
    "bulk": _bulk_copy, "ca": _small_copy, "cg": _small_copy, "commit_group": _commit, "wait_group": _wait,
}  # fmt: skip
SPECIAL["tir.ptx.cp"] = _copy
