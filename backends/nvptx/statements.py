"""Statements: launches, loops, memory of the storage scopes, groups of copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tvmscript.backends.c.statements import constant_count
from tvmscript.backends.llvm.codegen import statements as llvm
from tvmscript.backends.llvm.types import value_type
from tvmscript.backends.nvptx.codegen import VECTOR_BYTES, KernelCode, rule
from tvmscript.backends.nvptx.inline_assembly import emit_assembly
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Expr, Range, stmt
from tvmscript.ir.tir import expr as tir

#: thread axis -> special register
_REGISTERS: Final = {
    f"{kind}.{axis}": f"llvm.nvvm.read.ptx.sreg.{name}.{axis}"
    for kind, name in (("blockIdx", "ctaid"), ("threadIdx", "tid"), ("clusterCtaIdx", "cluster.ctaid"))
    for axis in "xyz"
}
#: iterations of a loop that is unrolled without being asked to
_MOST_UNROLLED: Final = 64
#: what the launch gives a block begins at a multiple of these bytes, for swizzled copies
_DYNAMIC_ALIGNMENT: Final = 1024


@rule(stmt.AttrStmt)
def emit_attribute(cg: KernelCode, node: stmt.AttrStmt) -> None:
    if node.attr_key in stmt.LAUNCHES and isinstance(node.node, tir.IterVar):
        _bind_axis(cg, node, node.node)
    elif node.attr_key == "async_commit_queue_scope":
        cg.statement(node.body)
        emit_assembly(cg, "cp.async.commit_group;")
        return
    elif node.attr_key == "async_wait_queue_scope" and isinstance(node.body, stmt.AttrStmt):
        pending = node.body.value
        if not isinstance(pending, tir.IntImm):
            cg.refuse("waiting for a number of copies that is no constant", node)
        emit_assembly(cg, f"cp.async.wait_group {pending.value};")
    cg.statement(node.body)


def _bind_axis(cg: KernelCode, node: stmt.AttrStmt, axis: tir.IterVar) -> None:
    register = _REGISTERS.get(axis.thread_tag)
    if register is None:
        cg.refuse(f"the thread axis {axis.thread_tag}", node)
    cg.bind_domain(axis.var, Range.from_extent(node.value))
    if axis.var in cg.env:
        return
    read = cg.program.text.declare(register, "i32 {}()")
    limit = f"range(i32 0, {node.value.value}) " if isinstance(node.value, tir.IntImm) and node.value.value > 0 else ""
    operand = cg.text.value(f"call {limit}i32 {read}()")
    kind = value_type(axis.var.dtype)
    cg.env[axis.var] = operand if kind == "i32" else cg.text.value(f"zext i32 {operand} to {kind}")


@rule(stmt.For)
def emit_loop(cg: KernelCode, node: stmt.For) -> None:
    """Write a loop of one thread, also where iterations are independent.

    Arrays of a thread are registers where their indices are constants: loops over their elements are unrolled.
    """
    cg.bind_domain(node.loop_var, Range.from_min_extent(node.min, node.extent))
    kind = stmt.ForKind.SERIAL if node.kind is stmt.ForKind.PARALLEL else node.kind
    if kind is stmt.ForKind.SERIAL and _selects_registers(cg, node):
        kind = stmt.ForKind.UNROLLED
    llvm.emit_for(cg, node if kind is node.kind else replace(node, kind=kind))


def _selects_registers(cg: KernelCode, loop: stmt.For) -> bool:
    """Return whether a short loop's variable says which element of an array of the thread is accessed."""
    if not isinstance(loop.extent, tir.IntImm) or loop.extent.value > _MOST_UNROLLED:
        return False
    for node in nodes(loop.body):
        places: tuple[Expr, ...] = ()
        if isinstance(node, (tir.BufferLoad, stmt.BufferStore)) and node.buffer.data in cg.private:
            places = node.indices
        elif isinstance(node, tir.Call) and any(arg in cg.private for arg in node.args if isinstance(arg, tir.Var)):
            places = node.args
        if any(part is loop.loop_var for place in places for part in nodes(place)):
            return True
    return False


# -- memory


@rule(stmt.Allocate)
def emit_allocate(cg: KernelCode, node: stmt.Allocate) -> None:
    scope = node.buffer_var.storage_scope
    allocate = _ALLOCATIONS.get(scope)
    if allocate is None:
        cg.refuse(f"memory of the scope {scope!r} in a kernel", node)
    count = constant_count(node)
    if count is None:
        cg.refuse(f"the array {node.buffer_var.name}, whose size is no constant", node)
    cg.exclusive.add(node.buffer_var)
    cg.aligned.add(node.buffer_var)
    cg.env[node.buffer_var] = allocate(cg, node.buffer_var, max(count * node.dtype.element.itemsize, 1))
    cg.statement(node.body)


def _allocate_local(cg: KernelCode, data: tir.Var, size: int) -> str:
    cg.private[data] = size
    return cg.text.slot(f"[{size} x i8], align {VECTOR_BYTES}")


def _allocate_shared(cg: KernelCode, data: tir.Var, size: int) -> str:
    name = cg.program.text.variable("shared", f"[{size} x i8] poison, align {VECTOR_BYTES * 8}", "addrspace(3) ")
    return f"addrspacecast (ptr addrspace(3) {name} to ptr)"


def _allocate_dynamic(cg: KernelCode, data: tir.Var, size: int) -> str:
    """Return the memory that the launch gives the block."""
    text = f"addrspace(3) global [0 x i8], align {_DYNAMIC_ALIGNMENT}"
    name = cg.program.text.external_variable("shared_memory", text)
    return f"addrspacecast (ptr addrspace(3) {name} to ptr)"


_ALLOCATIONS: Final[dict[str, Callable[[KernelCode, tir.Var, int], str]]] = {
    "": _allocate_local,
    "local": _allocate_local,
    "warp": _allocate_local,
    "shared": _allocate_shared,
    "shared.dyn": _allocate_dynamic,
}
