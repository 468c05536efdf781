"""Allocations that are not in use at the same time share memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.distance import distance
from tvmscript.ir.tir.expr import Add, BufferLoad, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter, flattened
from tvmscript.ir.tir.stmt import Allocate, BufferStore, DeclBuffer, For, ForKind, SeqStmt
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass

#: What memory must have in common to be shared: dtype, scope, number of elements.
Kind = tuple[DType, str, int]


class _Sharing(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: allocations of scopes that were looked at from their beginning
        self.seen: set[Allocate] = set()

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        if node in self.seen:
            return self.descend(node)
        allocations, declarations, body = _scope(node)
        self.seen.update(allocations)
        if not isinstance(body, SeqStmt) or len(allocations) < 2:
            return self.descend(node)
        shared = _shared(allocations, body)
        if not shared:
            return self.descend(node)
        for old, new in shared.items():
            self.renamed[old] = new
        buffers = [self.define(each.buffer) for each in declarations]
        made = flattened(tuple([self.rewrite(part) for part in body.seq]), body)
        for each in reversed([each for each in allocations if each.buffer_var not in shared]):
            made = each.replace(body=_declared([buffer for buffer in buffers if buffer.data is each.buffer_var], made))
        owners = {each.buffer_var for each in allocations}
        return _declared([buffer for buffer in buffers if buffer.data not in owners], made)


def _declared(buffers: list[Buffer], body: Stmt) -> Stmt:
    """The statement with buffers declared around it."""
    for buffer in reversed(buffers):
        body = DeclBuffer(buffer, body, span=buffer.span)
    return body


def _scope(node: Stmt) -> tuple[list[Allocate], list[DeclBuffer], Stmt]:
    """The allocations and declarations that a statement begins with, and what they are for."""
    allocations: list[Allocate] = []
    declarations: list[DeclBuffer] = []
    while isinstance(node, Allocate | DeclBuffer):
        if isinstance(node, Allocate):
            allocations.append(node)
        else:
            declarations.append(node)
        node = node.body
    return allocations, declarations, node


def _shared(allocations: list[Allocate], body: SeqStmt) -> dict[Var, Var]:
    """Later memory -> earlier memory of the same kind that is free by then."""
    lives = _lives(body)
    kinds = {each.buffer_var: kind for each in allocations if (kind := _kind(each)) is not None}
    order = sorted([var for var in kinds if var in lives], key=lambda var: lives[var][0])
    until: dict[Var, int] = {}
    shared: dict[Var, Var] = {}
    for var in order:
        first, last = lives[var]
        free = (
            old
            for old, end in until.items()
            if kinds[old] == kinds[var]
            and (end < first or (end == first and _in_place(body.seq[first], old, var, shared)))
        )
        owner = next(free, var)
        until[owner] = last
        if owner is not var:
            shared[var] = owner
    return shared


def _in_place(stmt: Stmt, old: Var, new: Var, shared: dict[Var, Var]) -> bool:
    """Whether a statement computes each element of new memory from the same element of old memory, once."""
    loops: list[For] = []
    while isinstance(stmt, For) and _is_plain(stmt):
        loops.append(stmt)
        stmt = stmt.body
    if not isinstance(stmt, BufferStore) or stmt.buffer.data is not new or stmt.predicate is not None:
        return False
    loads = [each for each in nodes(stmt.value) if isinstance(each, BufferLoad)]
    touched = [each for each in loads if shared.get(each.buffer.data, each.buffer.data) in (old, new)]
    return _is_visited_once(stmt.indices, loops) and all(
        each.predicate is None
        and each.buffer.dtype is stmt.buffer.dtype
        and len(each.indices) == len(stmt.indices) == 1
        and structural_equal(each.indices[0], stmt.indices[0])
        and structural_equal(each.buffer.elem_offset, stmt.buffer.elem_offset)
        for each in touched
    )


def _is_plain(loop: For) -> bool:
    is_counted = isinstance(loop.extent, IntImm) and isinstance(loop.min, IntImm)
    return is_counted and loop.kind in (ForKind.SERIAL, ForKind.PARALLEL)


def _is_visited_once(indices: tuple[Expr, ...], loops: list[For]) -> bool:
    """Whether no two iterations have the same index: each step is larger than all smaller steps together reach."""
    if len(indices) != 1 or indices[0].dtype.lanes != 1:
        return False
    steps: list[tuple[int, int]] = []
    for loop in loops:
        var, extent = loop.loop_var, loop.extent
        step = distance(indices[0], substitute(indices[0], {var: Add(var, IntImm(var.dtype, 1))}))
        if step is None or not isinstance(extent, IntImm):
            return False
        if extent.value > 1:
            steps.append((abs(step), extent.value))
    reach = 0
    for step, count in sorted(steps):
        if step <= reach:
            return False
        reach += step * (count - 1)
    return True


def _kind(node: Allocate) -> Kind | None:
    """None for memory whose size is not known, or that something else is said about."""
    total = 1
    for extent in node.extents:
        if not isinstance(extent, IntImm):
            return None
        total *= extent.value
    is_plain = isinstance(node.condition, IntImm) and node.condition.value != 0 and not node.annotations
    return (node.dtype, node.buffer_var.storage_scope, total) if is_plain else None


def _lives(body: SeqStmt) -> dict[Var, tuple[int, int]]:
    """First and last statement that accesses memory; without memory whose address is handed on."""
    lives: dict[Var, tuple[int, int]] = {}
    handed_on: set[Var] = set()
    for position, part in enumerate(body.seq):
        for each in nodes(part):
            if isinstance(each, Buffer):
                lives[each.data] = (lives.get(each.data, (position, 0))[0], position)
            elif isinstance(each, Var) and each.dtype.is_handle:
                handed_on.add(each)
    return {var: life for var, life in lives.items() if var not in handed_on}


@dataclass(frozen=True)
class StorageRewrite(PrimFuncPass):
    """Memory of the same kind and size is allocated once for buffers that are used one after the other.

    What counts is the statements of the sequence that the allocations stand before: a buffer lives from the first
    that accesses it to the last. The statement where one ends and another begins may work in place, if it computes
    each element once and from the same element. Memory whose address goes elsewhere, or whose size is not constant,
    is left alone.

    rewrite:
        a = T.decl_buffer((64,))                   a = T.decl_buffer((64,))
        b = T.decl_buffer((64,))             -->   b = T.decl_buffer((64,), data=a.data)
        for i in range(64): a[i] = A[i] + 1        for i in range(64): a[i] = A[i] + 1
        for i in range(64): b[i] = a[i] * 2        for i in range(64): b[i] = a[i] * 2
        for i in range(64): B[i] = b[63 - i]       for i in range(64): B[i] = b[63 - i]
    """

    name: ClassVar[str] = "tir.StorageRewrite"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Sharing().rewrite(func.body))
