"""Where buffers live: the smallest loop or block around all accesses of each."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IterKind
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, DeclBuffer, For
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


class Scope:
    """A loop's body or a block, or the function where `node` is None."""

    __slots__ = ("depth", "node", "parent")

    def __init__(self, node: For | Block | None, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1


def common_scope(a: Scope, b: Scope) -> Scope:
    """The innermost scope around both."""
    while a is not b:
        if a.depth >= b.depth and a.parent is not None:
            a = a.parent
        elif b.parent is not None:
            b = b.parent
    return a


def buffer_scopes(body: Stmt) -> dict[Buffer, For | Block | None]:
    """For each buffer that a block allocates and that is used: the innermost loop or block around its uses.

    The scope lies above loops that carry values of the buffer from one iteration to the next: those that a block
    which writes it reduces over, and those whose iterations read it before they write it.
    """
    finder = _Finder()
    finder.visit(body)
    return finder.result()


class _Finder(Visitor):
    def __init__(self) -> None:
        self.scope = Scope(None, None)
        #: data -> allocated buffer, and the scope that allocates it
        self.allocated: dict[Var, tuple[Buffer, Scope]] = {}
        #: data of matched buffers -> data of what they stand for
        self.aliases: dict[Var, Var] = {}
        #: innermost scope around the uses so far
        self.found: dict[Var, Scope] = {}
        #: scopes whose first access to a buffer is a load
        self.read_first: dict[tuple[Var, Scope], bool] = {}
        #: loop variable or block axis -> scope above all loops that it depends on
        self.above: dict[Var, Scope] = {}
        #: scope that what the block at hand writes must reach up to
        self.ceiling: Scope | None = None

    def result(self) -> dict[Buffer, For | Block | None]:
        made: dict[Buffer, For | Block | None] = {}
        for data, (buffer, home) in self.allocated.items():
            scope = self.found.get(data)
            if scope is None:
                continue
            while scope is not home and scope.parent is not None and self.read_first.get((data, scope), False):
                scope = scope.parent
            made[buffer] = scope.node
        return made

    def use(self, data: Var, is_load: bool, scope: Scope) -> None:
        while data in self.aliases:
            data = self.aliases[data]
        if data not in self.allocated:
            return
        known = self.found.get(data)
        self.found[data] = scope if known is None else common_scope(known, scope)
        here: Scope | None = self.scope
        while here is not None and (data, here) not in self.read_first:
            self.read_first[data, here] = is_load
            here = here.parent

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.walk(node)
        self.use(node.buffer.data, True, self.scope)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.walk(node)
        self.use(node.buffer.data, False, self.scope if self.ceiling is None else self.ceiling)

    @on(Var)
    def variable(self, node: Var) -> None:
        # an address: anything may be done with it
        if node.dtype.is_handle:
            self.use(node, True, self.scope)

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        """A buffer where it is used is not entered: its data is not an address here."""

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> None:
        """What a block states about its accesses is no access."""

    def define(self, name: Any) -> None:
        """Definitions use nothing that is allocated."""

    @on(For)
    def loop(self, node: For) -> None:
        self.visit(node.min)
        self.visit(node.extent)
        self.above[node.loop_var] = self.scope
        outer, self.scope = self.scope, Scope(node, self.scope)
        self.visit(node.body)
        self.scope = outer

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> None:
        self.use(node.buffer.data, True, self.scope)
        self.visit(node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block, outer_ceiling = node.block, self.ceiling
        self.visit(node.predicate)
        for axis, value in zip(block.iter_vars, node.iter_values, strict=True):
            self.visit(value)
            scopes = [self.above[var] for var in uses(value) if var in self.above]
            if not scopes:
                continue
            highest = min(scopes, key=_depth)
            self.above[axis.var] = highest
            if axis.iter_type is not IterKind.DATA_PAR and (self.ceiling is None or highest.depth < self.ceiling.depth):
                self.ceiling = highest
        outer, self.scope = self.scope, Scope(block, self.scope)
        for buffer in block.alloc_buffers:
            self.allocated[buffer.data] = buffer, self.scope
        for match in block.match_buffers:
            self.aliases[match.buffer.data] = match.source.buffer.data
        if block.init is not None:
            self.visit(block.init)
        self.visit(block.body)
        self.scope, self.ceiling = outer, outer_ceiling


def _depth(scope: Scope) -> int:
    return scope.depth
