"""Liveness of allocations in the linearized statements of a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, IntImm, IterVar, Let, Stmt, Var, uses
from tvmscript.ir.tir.stmt import LAUNCHES, Allocate, AttrStmt, BufferStore, DeclBuffer, Evaluate, For, ForKind

#: A thread axis and its extent are in the attribute that launches it.
Threads = tuple[AttrStmt, ...]


@dataclass(slots=True)
class Step:
    """A leaf statement, or the begin or end of a statement with a body.

    A use is attributed to the outermost statement inside the allocation.
    """

    stmt: Stmt
    #: distance from the begin to the end of a statement, and back; 0 for a leaf
    other: int = 0
    #: used memory, in order; for a statement with a body at its end
    touched: tuple[Var, ...] = ()
    #: enclosing thread axes
    threads: Threads = ()


@dataclass(slots=True)
class Allocation:
    """An allocation and its position."""

    node: Allocate
    #: how many scopes are around it
    level: int
    #: the outermost statement around it that starts threads or a parallel loop: the memory can move to its body
    place: Stmt | None
    #: its size is computed from variables that are not known there
    is_fixed: bool
    #: a buffer over it that is declared with it, and can move with it
    declared: DeclBuffer | None


def bits_of(node: Allocate) -> int:
    """Return the size of an allocation in bits; 0 if it is not constant."""
    total = node.dtype.bits * node.dtype.lanes
    for extent in node.extents:
        if not isinstance(extent, IntImm):
            return 0
        total *= extent.value
    return total


@dataclass(slots=True)
class Lifetime:
    """Allocations whose lifetime begins or ends at a step."""

    born: list[Var] = field(default_factory=list)
    dies: list[Var] = field(default_factory=list)


class MemoryOrder(Visitor):
    """`steps` in order, `allocations` by variable, and the buffers that are `accessed`.

    `declares` and `binds_pointers` tell whether there are declarations of buffers, and let bindings of pointers.
    """

    def __init__(self, body: Stmt) -> None:
        self.steps: list[Step] = []
        self.allocations: dict[Var, Allocation] = {}
        self.accessed: set[Buffer] = set()
        self.declares = self.binds_pointers = False
        self._scopes: list[dict[Var, None]] = []
        self._place: Stmt | None = None
        self._threads: Threads = ()
        #: variables bound inside the hoisting target
        self._bound: set[Var] = set()
        self.visit(body)

    def touch(self, var: Var) -> None:
        """Record a use of memory by the current statement."""
        allocation = self.allocations.get(var)
        if allocation is not None and allocation.level < len(self._scopes):
            self._scopes[allocation.level][var] = None

    def access(self, buffer: Buffer) -> None:
        self.accessed.add(buffer)
        self.touch(buffer.data)

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        is_fixed = self.is_local((*node.extents, node.condition))
        inner, declared = node.body, None
        if isinstance(inner, DeclBuffer) and inner.buffer.data is node.buffer_var:
            buffer = inner.buffer
            declared = None if self.is_local((*buffer.shape, *buffer.strides, buffer.elem_offset)) else inner
        self.allocations[node.buffer_var] = Allocation(node, len(self._scopes), self._place, is_fixed, declared)
        for each in (*node.extents, node.condition, node.body):
            self.visit(each)

    def is_local(self, parts: tuple[Expr, ...]) -> bool:
        """Return whether expressions use variables that are not in scope where the allocation is hoisted to."""
        return bool(self._bound) and not self._bound.isdisjoint(uses(parts))

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.declares = True
        self.visit(node.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self._scopes.append({})
        for each in (node.value, *node.indices):
            self.visit(each)
        if node.predicate is not None:
            self.visit(node.predicate)
        self.access(node.buffer)
        self.leave(node)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> None:
        self._scopes.append({})
        self.visit(node.value)
        self.leave(node)

    def leave(self, node: Stmt) -> None:
        touched = self._scopes.pop()
        if touched:
            self.steps.append(Step(node, 0, tuple(touched), self._threads))

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.walk(node)
        self.access(node.buffer)

    @on(Let)
    def let(self, node: Let) -> None:
        self.binds_pointers |= node.var.dtype.is_handle
        self.walk(node)

    @on(Var)
    def var(self, node: Var) -> None:
        self.touch(node)

    @on(Stmt)
    def statement(self, node: Stmt) -> None:
        schema = node.schema
        if schema.definitions or schema.guards or schema.repeats:
            self.scope(node)
        else:
            self.walk(node)

    def scope(self, node: Stmt) -> None:
        for name in node.schema.definitions:
            var: Var = getattr(node, name)
            self._bound.add(var)
            self.binds_pointers |= var.dtype.is_handle
        self.around(node, node.schema.parts_of(node))

    def around(self, node: Stmt, parts: tuple[object, ...]) -> None:
        """Record the begin of a statement, visit its parts, record its end."""
        begin = len(self.steps)
        self.steps.append(Step(node, threads=self._threads))
        self._scopes.append({})
        self._value(parts)
        touched = tuple(self._scopes.pop())
        end = len(self.steps)
        self.steps[begin].other = end - begin
        self.steps.append(Step(node, begin - end, touched, self._threads))

    @on(For)
    def loop(self, node: For) -> None:
        if node.kind is ForKind.PARALLEL and self._place is None:
            self.placed(node, self.scope)
        else:
            self._bound.add(node.loop_var)
            self.scope(node)

    def placed(self, node: Any, look: Any) -> None:
        """Visit a statement that allocations are not hoisted out of."""
        bound, self._bound, self._place = self._bound, set(), node
        look(node)
        self._bound, self._place = bound, None

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        key = node.attr_key
        if key not in LAUNCHES:
            if key == "extern_scope":
                self.attribute_scope(node)
            else:
                self.visit(node.value)
                self.visit(node.body)
            return
        threads = self._threads
        self._threads = (*threads, node)
        if self._place is None:
            self.placed(node, self.attribute_scope)
        else:
            if isinstance(node.node, IterVar):
                self._bound.add(node.node.var)
            if key == "virtual_thread":
                self.attribute_scope(node)
            else:
                self.visit(node.value)
                self.visit(node.body)
        self._threads = threads

    def attribute_scope(self, node: AttrStmt) -> None:
        self.around(node, (node.value, node.body))


def lifetimes(steps: list[Step]) -> list[Lifetime | None]:
    """Return for each step the allocations whose lifetime begins or ends there."""
    lives_at: list[Lifetime | None] = [None] * len(steps)

    def life(position: int) -> Lifetime:
        lifetime = lives_at[position]
        if lifetime is None:
            lifetime = lives_at[position] = Lifetime()
        return lifetime

    touched: set[Var] = set()
    for position in range(len(steps) - 1, -1, -1):
        for var in steps[position].touched:
            if var not in touched:
                touched.add(var)
                life(position).dies.append(var)
    touched.clear()
    for position, step in enumerate(steps):
        if step.other >= 0:
            for var in steps[position + step.other].touched:
                if var not in touched:
                    touched.add(var)
                    life(position).born.append(var)
    return lives_at
