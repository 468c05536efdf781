"""Free variables of a part of a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tvmscript.ir.core import Node, Visitor, on
from tvmscript.ir.tir import Buffer, BufferLoad, IterVar, Let, Stmt, Var
from tvmscript.ir.tir.scopes import bodies, bound_vars, operands
from tvmscript.ir.tir.stmt import LAUNCHES, AttrStmt, Block, BufferStore, DeclBuffer


def undefined_vars(node: Node, defs: Iterable[Var] = ()) -> list[Var]:
    """Return the variables that a node uses and neither it nor `defs` defines, in the order of first use.

    An access uses the buffer's data and the variables of its shape, strides and offset.
    """
    walk = UseDef(defs)
    walk.visit(node)
    return walk.undefined


class UseDef(Visitor):
    """Count the uses of each variable and collect the free ones."""

    def __init__(self, defs: Iterable[Var] = ()) -> None:
        #: variable in scope or not -> its uses
        self.uses: dict[Var, int] = {}
        self.undefined: list[Var] = []
        self.scope: set[Var] = set(defs)

    def use(self, var: Var) -> None:
        if var not in self.scope and var not in self.uses:
            self.undefined.append(var)
        self.uses[var] = self.uses.get(var, 0) + 1

    def buffer(self, buffer: Buffer) -> None:
        """Count the variables of an accessed buffer."""
        self.use(buffer.data)
        for part in (*buffer.shape, *buffer.strides, buffer.elem_offset):
            self.visit(part)

    def scoped(self, names: Iterable[Var], *parts: Node | None) -> None:
        """Visit parts with some names in scope."""
        added = {name for name in names if name not in self.scope}
        self.scope |= added
        for part in parts:
            if part is not None:
                self.visit(part)
        self.scope -= added

    def define(self, name: object) -> None:
        """Definitions are looked at where they stand."""

    @on(Var)
    def variable(self, node: Var) -> None:
        self.use(node)

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        self.buffer(node)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.buffer(node.buffer)
        self.each(*node.indices, node.predicate)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.buffer(node.buffer)
        self.each(node.value, *node.indices, node.predicate)

    def each(self, *parts: Node | None) -> None:
        for part in parts:
            if part is not None:
                self.visit(part)

    @on(Let)
    def let(self, node: Let) -> None:
        self.visit(node.value)
        self.scoped((node.var,), node.body)

    @on(Stmt)
    def statement(self, node: Stmt) -> None:
        self.each(*operands(node))
        self.scoped(bound_vars(node), *(body for _, body in bodies(node)))

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.buffer(node.buffer)
        self.visit(node.body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about: Any = node.node
        self.visit(node.value)
        if node.attr_key in LAUNCHES and isinstance(about, IterVar):
            self.scoped((about.var,), node.body)
        else:
            if isinstance(about, Var):
                self.use(about)
            self.visit(node.body)

    @on(Block)
    def block(self, node: Block) -> None:
        for axis in node.iter_vars:
            if axis.dom is not None:
                self.each(axis.dom.min, axis.dom.extent)
        names = [axis.var for axis in node.iter_vars]
        names += [buffer.data for buffer in node.alloc_buffers]
        for match in node.match_buffers:
            matched = match.buffer
            parts = (matched.data, *matched.shape, *matched.strides, matched.elem_offset)
            names += [part for part in parts if isinstance(part, Var) and part not in self.scope]
        regions = [*(match.source for match in node.match_buffers), *node.reads, *node.writes]
        self.scoped(names, *(part for region in regions for part in region.region), node.init, node.body)
