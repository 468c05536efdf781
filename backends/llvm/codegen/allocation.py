"""Buffers of a function: on the stack where they are small, otherwise on the heap until the end of their scope."""

from __future__ import annotations

from typing import Final

import numpy as np

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, emit_int64
from tvmscript.backends.llvm.codegen.codegen import Codegen, Owned, call_rule, rule
from tvmscript.backends.llvm.kept_memory import ALIGNMENT, SIGNATURES
from tvmscript.backends.llvm.types import container_bits, integer_constant
from tvmscript.backends.runtime.errors import KernelOutOfMemory
from tvmscript.ir.core import INT64
from tvmscript.ir.tir import Stmt, stmt
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.storage_scope import MemoryRank, storage_scope

#: Bytes of a constant-sized buffer that may lie on the stack, and of all of them in one function.
STACK_BUFFER_BYTES = 8 * 1024
STACK_FRAME_BYTES = 64 * 1024
#: DLPack's type of the CPU.
DEVICE_CPU: Final = 1


@rule(stmt.Allocate)
def emit_allocate(cg: Codegen, node: stmt.Allocate) -> None:
    if storage_scope(node.buffer_var.storage_scope).rank is MemoryRank.AMX_TILE:
        cg.statement(node.body)  # tile registers
        return
    cg.exclusive.add(node.buffer_var)
    size = _constant_bytes(node)
    if size is not None and isinstance(node.condition, tir.IntImm):
        cg.allocated[node.buffer_var] = size
    if size is not None and size <= STACK_BUFFER_BYTES and cg.stack_bytes + size <= STACK_FRAME_BYTES:
        cg.stack_bytes += size
        cg.private[node.buffer_var] = size
        cg.env[node.buffer_var] = cg.text.slot(f"[{max(size, 1)} x i8], align {ALIGNMENT}")
        cg.statement(node.body)
        return
    pointer = _allocate_heap(cg, node, size)
    cg.env[node.buffer_var] = pointer
    memory = Owned(cg.text.label("freed"))
    cg.owned.append(memory)
    cg.statement(node.body)
    cg.owned.pop()
    free(cg, pointer)
    _free_on_exit(cg, pointer, memory)


def _free_on_exit(cg: Codegen, pointer: str, memory: Owned) -> None:
    """Write what frees memory where an exit leaves its body early."""
    if memory.is_left:
        after = cg.text.label("after")
        cg.text.jump(after)
        cg.text.place(memory.way_out)
        free(cg, pointer)
        cg.unwind()
        cg.text.place(after)


def _allocate_heap(cg: Codegen, node: stmt.Allocate, size: int | None) -> str:
    if size is not None:
        amount = str(-(-max(size, 1) // ALIGNMENT) * ALIGNMENT)
    else:
        amount = _padded_bytes(cg, node)
    if not isinstance(node.condition, tir.IntImm):
        amount = cg.text.value(f"select i1 {cg.expr(node.condition)}, i64 {amount}, i64 {ALIGNMENT}")
    return allocate_bytes(cg, amount, node.buffer_var)


def allocate_bytes(cg: Codegen, amount: str, data: tir.Var) -> str:
    """Allocate heap memory, a multiple of the alignment; leave the function with an error on failure."""
    text = cg.text
    symbol = cg.program.text.declare("tvmscript_allocate", SIGNATURES["tvmscript_allocate"])
    pointer = text.value(f"call noalias align {ALIGNMENT} ptr {symbol}(i64 {amount})")
    good, bad = text.label("memory"), text.label("nomemory")
    text.branch_likely(text.value(f"icmp ne ptr {pointer}, null"), good, bad)
    text.place(bad)
    cg.fail(KernelOutOfMemory, function=cg.name, name=data.name)
    text.place(good)
    return pointer


def _padded_bytes(cg: Codegen, node: stmt.Allocate) -> str:
    """Return the bytes of a buffer, rounded up to the alignment; the largest number on overflow."""
    text = cg.text
    multiply = cg.program.text.declare("llvm.umul.with.overflow.i64", "{{ i64, i1 }} {}(i64, i64)")
    amount, wrapped = str(_element_bytes(node)), "false"
    for extent in node.extents:
        pair = text.value(f"call {{ i64, i1 }} {multiply}(i64 {amount}, i64 {emit_int64(cg, extent)})")
        amount = text.value(f"extractvalue {{ i64, i1 }} {pair}, 0")
        wrapped = text.value(f"or i1 {wrapped}, {text.value(f'extractvalue {{ i64, i1 }} {pair}, 1')}")
    rounded = text.value(f"and i64 {text.value(f'add i64 {amount}, {ALIGNMENT}')}, {-ALIGNMENT}")
    return text.value(f"select i1 {wrapped}, i64 {(1 << 63) - ALIGNMENT}, i64 {rounded}")


def free(cg: Codegen, pointer: str) -> None:
    """Free heap memory."""
    symbol = cg.program.text.declare("tvmscript_free", SIGNATURES["tvmscript_free"])
    cg.text.do(f"call void {symbol}(ptr {pointer})")


@rule(stmt.AllocateConst)
def emit_allocate_const(cg: Codegen, node: stmt.AllocateConst) -> None:
    data = np.ascontiguousarray(node.data)
    width = container_bits(node.dtype.bits) // 8
    if data.dtype.itemsize != width:
        data = data.astype(np.dtype(f"{'i' if node.dtype.is_signed else 'u'}{width}"))
    raw = data.tobytes()
    cg.env[node.buffer_var] = cg.program.text.data(raw, ALIGNMENT)
    cg.statement(node.body)


def is_workspace(value: tir.Call) -> bool:
    """Return whether a call allocates memory that `TVMBackendFreeWorkspace` frees."""
    return getattr(value.op, "name", "") == "tir.TVMBackendAllocWorkspace"


def emit_workspace(cg: Codegen, data: tir.Var, node: tir.Call, body: Stmt) -> None:
    """Write a workspace and its body; exits before `TVMBackendFreeWorkspace` free it, too."""
    _require_cpu(cg, node)
    size = cg.convert.cast(cg.expr(node.args[2]), node.args[2].dtype, INT64)
    padded = cg.text.value(f"add i64 {call_overloaded(cg, 'llvm.umax', INT64, [size, '1'])}, {ALIGNMENT - 1}")
    cg.env[data] = pointer = allocate_bytes(cg, cg.text.value(f"and i64 {padded}, {-ALIGNMENT}"), data)
    cg.exclusive.add(data)
    memory = Owned(cg.text.label("freed"))
    cg.owned.append(memory)
    cg.workspaces[data] = memory
    cg.statement(body)
    if memory in cg.owned:
        cg.refuse(f"the workspace {data.name}, which is not freed where it is last used", node)
    _free_on_exit(cg, pointer, memory)


@call_rule("TVMBackendFreeWorkspace")
def emit_free_workspace(cg: Codegen, node: tir.Call) -> str:
    _require_cpu(cg, node)
    data = node.args[2]
    memory = cg.workspaces.get(data) if isinstance(data, tir.Var) else None
    if memory is None or not cg.owned or cg.owned[-1] is not memory:
        cg.refuse("freeing something else than the workspace that was allocated last", node)
    cg.owned.pop()
    free(cg, cg.expr(data))
    return integer_constant(node.dtype, 0)


def _require_cpu(cg: Codegen, node: tir.Call) -> None:
    kind = node.args[0]
    if not isinstance(kind, tir.IntImm) or kind.value != DEVICE_CPU:
        cg.refuse("memory of another device than the CPU", node)


def _element_bytes(node: stmt.Allocate) -> int:
    return container_bits(node.dtype.bits) // 8 * node.dtype.lanes


def _constant_bytes(node: stmt.Allocate) -> int | None:
    size = _element_bytes(node)
    for extent in node.extents:
        if not isinstance(extent, tir.IntImm):
            return None
        size *= extent.value
    return size
