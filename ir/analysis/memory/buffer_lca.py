"""Lowest common ancestor of the accesses of each buffer."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.core import Node, Op, Visitor, on, structural_equal
from tvmscript.ir.tir import Buffer, Expr, For, PrimFunc, Stmt, Var, is_block_axis, substitute, uses
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, Call, IntImm, IterKind, IterVar
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.intrin.sync import allreduce_arguments
from tvmscript.ir.tir.stmt import AttrStmt, Block, BlockRealize, BufferStore, DeclBuffer, IfThenElse, LetStmt, While

#: stores of a buffer that loads are compared with
_LAST = 8


class Scope:
    """A loop's body or a block, or the function where `node` is None."""

    __slots__ = ("depth", "node", "parent")

    def __init__(self, node: For | Block | None, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1


def common_scope(a: Scope, b: Scope) -> Scope:
    """Return the innermost scope around both."""
    while a is not b:
        if a.depth >= b.depth and a.parent is not None:
            a = a.parent
        elif b.parent is not None:
            b = b.parent
    return a


def buffer_scopes(body: Stmt) -> dict[Buffer, For | Block | None]:
    """Return for each used buffer that a block allocates the innermost loop or block around its uses.

    The scope lies above loops that carry values of the buffer from one iteration to the next: those that a block
    which writes it reduces over, and those whose iterations read it before they write it. Axes tell which iterations
    are independent; in a block without axes, a load of what the same iteration has not certainly stored may read what
    any other one has. Memory of a block of threads, or of a thread, stays inside of the loops over them.
    """
    finder = _Finder()
    finder.visit(body)
    return finder.result()


def detect_buffer_access_lca(func: PrimFunc) -> dict[Buffer, For | Block | None]:
    """Return for each accessed buffer the innermost loop or block around its uses; None is the function.

    Parameters count, and so does memory that is allocated without a block.
    """
    finder = _EveryBuffer()
    for buffer in func.buffer_map.values():
        finder.owners[buffer.data] = buffer
    finder.visit(func.body)
    return finder.result()


class _Store(NamedTuple):
    """An access that writes, in a scope, under conditions."""

    indices: tuple[Expr, ...]
    scope: Scope
    conditions: tuple[object, ...]


class _Finder(Visitor):
    def __init__(self) -> None:
        self.scope = Scope(None, None)
        #: data -> allocated buffer, and the scope that allocates it
        self.allocated: dict[Var, tuple[Buffer, Scope]] = {}
        #: data of matched buffers -> data of what they stand for
        self.aliases: dict[Var, Var] = {}
        #: innermost scope around the uses so far
        self.ancestors: dict[Var, Scope] = {}
        #: scopes whose first access to a buffer is a load
        self.read_first: dict[tuple[Var, Scope], bool] = {}
        #: loop variable, block axis or variable of a let -> scope above all loops that it depends on
        self.above: dict[Var, Scope] = {}
        #: scope that what the block at hand writes must reach up to
        self.ceiling: Scope | None = None
        #: the block at hand
        self.inside: Block | None = None
        #: innermost scope around the uses, loops that carry values not regarded
        self.accessed: dict[Var, Scope] = {}
        #: bodies of the loops and launches that spread over blocks of threads
        self.grids: list[Scope] = []
        #: bodies of the loops that spread over the threads of a block
        self.threads: list[Scope] = []
        #: axes of which nothing is known but their loops -> scope above those
        self.opaque: dict[Var, Scope] = {}
        #: the conditions around the node at hand
        self.conditions: tuple[object, ...] = ()
        #: data -> the last stores to it
        self.stores: dict[Var, list[_Store]] = {}
        #: (dtype, minimum, extent) -> the variable that stands for inner loops of this range
        self.ranges: dict[object, Var] = {}

    def result(self) -> dict[Buffer, For | Block | None]:
        ancestors: dict[Buffer, For | Block | None] = {}
        for data, (buffer, home) in self.allocated.items():
            scope = self.ancestors.get(data)
            if scope is None:
                continue
            while scope is not home and scope.parent is not None and self.read_first.get((data, scope), False):
                scope = scope.parent
            if buffer.storage_scope == "global":
                # blocks of threads share it
                scope = reduce(common_scope, self.grids, scope)
            else:
                owners = [*self.grids, *(() if buffer.storage_scope.startswith("shared") else self.threads)]
                around = [owner for owner in owners if common_scope(owner, self.accessed[data]) is owner]
                scope = max(scope, *around, key=_depth) if around else scope
            ancestors[buffer] = scope.node
        return ancestors

    def use(self, data: Var, is_load: bool, scope: Scope) -> None:
        data = self.owner(data)
        if data not in self.allocated:
            return
        for scopes, place in ((self.ancestors, scope), (self.accessed, self.scope)):
            scopes[data] = common_scope(scopes[data], place) if data in scopes else place
        here: Scope | None = self.scope
        while here is not None and (data, here) not in self.read_first:
            self.read_first[data, here] = is_load
            here = here.parent

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.walk(node)
        scope = self.scope
        if self.opaque:
            # an iteration may read what any other one has written
            scopes = [self.opaque[var] for index in node.indices for var in uses(index) if var in self.opaque]
            scope = min(scopes, key=_depth, default=scope)
        data = node.buffer.data
        if (
            self.inside is not None
            and not self.inside.iter_vars
            and data in self.allocated
            and not self.is_stored(node)
        ):
            scope = min(scope, max(self.with_axes(), self.allocated[data][1], key=_depth), key=_depth)
        self.use(node.buffer.data, True, scope)

    def with_axes(self) -> Scope:
        """Return the innermost scope whose iterations axes describe."""
        scope = self.scope
        while scope.parent is not None and not (isinstance(scope.node, Block) and scope.node.iter_vars):
            scope = scope.parent
        return scope

    def is_stored(self, node: BufferLoad) -> bool:
        """Whether the same iteration of each common loop has certainly stored what a load reads."""
        for store in self.stores.get(node.buffer.data, ()):
            common = common_scope(store.scope, self.scope)
            if store.conditions == self.conditions[: len(store.conditions)]:
                stored = self.elements(store.indices, store.scope, common, is_each=True)
                loaded = self.elements(node.indices, self.scope, common, is_each=False)
                if stored is not None and loaded is not None and structural_equal(stored, loaded):
                    return True
        return False

    def elements(
        self, indices: tuple[Expr, ...], scope: Scope, common: Scope, *, is_each: bool
    ) -> tuple[Expr, ...] | None:
        """Return indices in which the variables of loops inside of a scope are those of their ranges.

        None where these have no constant ranges or, to access `is_each` of the elements, do not all vary alone.
        """
        values: dict[Any, Node] = {}
        while scope is not common and scope.parent is not None:
            loop = scope.node
            if isinstance(loop, For):
                if not isinstance(loop.min, IntImm) or not isinstance(loop.extent, IntImm):
                    return None
                key = loop.loop_var.dtype, loop.min.value, loop.extent.value
                values[loop.loop_var] = self.ranges.setdefault(key, Var("range", loop.loop_var.dtype))
                if is_each and (loop.extent.value < 1 or sum(loop.loop_var in uses(each) for each in indices) > 1):
                    return None
            scope = scope.parent
        if is_each and any(len(uses(each) & values.keys()) > (each in values) for each in indices):
            return None
        return tuple([substitute(each, values) for each in indices]) if values else indices

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is address_of and isinstance(node.args[0], BufferLoad):
            self.address(node.args[0])
            return
        if not isinstance(node.op, Op) or node.op.name != "tir.tvm_thread_allreduce":
            self.walk(node)
            return
        count = node.args[0]
        arguments = allreduce_arguments(node, count.value) if isinstance(count, IntImm) else None
        if arguments is None:
            self.walk(node)
            return
        for each in (*arguments.values, arguments.condition):
            self.visit(each)
        for result in arguments.results:  # behind the values: a buffer that has both is read first
            if isinstance(result, BufferLoad):
                self.use(result.buffer.data, False, self.scope)
            else:
                self.visit(result)
        for thread in arguments.threads:
            self.visit(thread)

    def address(self, element: BufferLoad) -> None:
        """Enter the address of an element: it is not loaded where the block says that it only writes the buffer."""
        if not self.is_overwritten(element.buffer.data):
            self.visit(element)
            return
        for index in element.indices:
            self.visit(index)
        self.use(element.buffer.data, False, self.scope)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.walk(node)
        self.use(node.buffer.data, False, self.scope if self.ceiling is None else self.ceiling)
        if node.predicate is None:
            stores = self.stores.setdefault(node.buffer.data, [])
            stores.append(_Store(node.indices, self.scope, self.conditions))
            del stores[:-_LAST]

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        self.visit(node.condition)
        for case in (node.then_case, node.else_case):
            if case is not None:
                self.under(case, case)

    @on(While)
    def while_loop(self, node: While) -> None:
        self.visit(node.condition)
        self.under(node, node.body)

    def under(self, condition: object, body: Stmt) -> None:
        """Visit what runs under a condition."""
        around, self.conditions = self.conditions, (*self.conditions, condition)
        self.visit(body)
        self.conditions = around

    @on(Var)
    def variable(self, node: Var) -> None:
        # an address: anything may be done with it, but what the block says that it only writes
        if node.dtype.is_handle:
            self.use(node, not self.is_overwritten(node), self.scope)

    def is_overwritten(self, data: Var) -> bool:
        """Whether the block at hand says that it only writes a buffer."""
        block, data = self.inside, self.owner(data)
        return block is not None and self.has(block.writes, data) and not self.has(block.reads, data)

    def has(self, regions: tuple[BufferRegion, ...], data: Var) -> bool:
        return any(self.owner(region.buffer.data) is data for region in regions)

    def owner(self, data: Var) -> Var:
        """Return the data of what a matched buffer stands for, of others their own."""
        while data in self.aliases:
            data = self.aliases[data]
        return data

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        """A buffer where it is used is not entered: its data is not an address here."""

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> None:
        """Ignore the regions of a block: they are no accesses."""

    def define(self, name: object) -> None:
        """Definitions use nothing that is allocated."""

    @on(For)
    def loop(self, node: For) -> None:
        self.visit(node.min)
        self.visit(node.extent)
        self.above[node.loop_var] = self.scope
        outer, self.scope = self.scope, Scope(node, self.scope)
        if node.thread_binding is not None:
            (self.grids if _is_grid(node.thread_binding) else self.threads).append(self.scope)
        self.visit(node.body)
        self.scope = outer

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        """A variable depends on the loops that its value depends on."""
        self.visit(node.value)
        for known in (self.above, self.opaque):
            scopes = [known[var] for var in uses(node.value) if var in known]
            if scopes:
                known[node.var] = min(scopes, key=_depth)
        self.visit(node.body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about: Any = node.node
        if node.attr_key == "thread_extent" and isinstance(about, IterVar) and _is_grid(about):
            self.grids.append(self.scope)
        elif isinstance(about, Var):
            self.visit(about)
        self.visit(node.value)
        self.visit(node.body)

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
            if axis.iter_type not in (IterKind.DATA_PAR, IterKind.COMM_REDUCE):
                self.opaque[axis.var] = highest
            if axis.iter_type is not IterKind.DATA_PAR and (self.ceiling is None or highest.depth < self.ceiling.depth):
                self.ceiling = highest
        outer, self.scope = self.scope, Scope(block, self.scope)
        around, self.inside, conditions = self.inside, block, self.conditions
        if not is_true(node.predicate):
            self.conditions = (*conditions, block)
        for buffer in block.alloc_buffers:
            self.allocated[buffer.data] = buffer, self.scope
        for match in block.match_buffers:
            self.aliases[match.buffer.data] = match.source.buffer.data
        if block.init is not None:
            self.visit(block.init)
        self.visit(block.body)
        self.scope, self.ceiling, self.inside, self.conditions = outer, outer_ceiling, around, conditions


class _EveryBuffer(_Finder):
    """Find the scopes of all accessed buffers, whatever the kind of access."""

    def __init__(self) -> None:
        super().__init__()
        self.scopes: dict[Buffer, Scope] = {}
        #: data variable -> the buffer that its address stands for
        self.owners: dict[Var, Buffer] = {}

    def result(self) -> dict[Buffer, For | Block | None]:
        # what is global is shared by blocks of threads
        return {
            buffer: (reduce(common_scope, self.grids, scope) if _is_global(buffer) else scope).node
            for buffer, scope in self.scopes.items()
        }

    def touch(self, buffer: Buffer) -> None:
        old_scope = self.scopes.get(buffer)
        self.scopes[buffer] = self.scope if old_scope is None else common_scope(old_scope, self.scope)

    def use(self, data: Var, is_load: bool, scope: Scope) -> None:
        if data in self.owners:
            self.touch(self.owners[data])

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if isinstance(node.node, Var):  # a fact about memory is no access
            self.visit(node.value)
            self.visit(node.body)
        else:
            super().attribute(node)

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        self.walk(node)
        if node.buffer.data not in self.aliases:  # the region that it stands for counts
            self.owners.setdefault(node.buffer.data, node.buffer)
            self.touch(node.buffer)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        for part in (node.predicate, *node.iter_values):
            self.visit(part)
        outer, self.scope = self.scope, Scope(node.block, self.scope)
        block = node.block
        for buffer in block.alloc_buffers:
            self.owners[buffer.data] = buffer
        for match in block.match_buffers:
            self.aliases[match.buffer.data] = match.source.buffer.data
            self.touch(match.source.buffer)
        if block.init is not None:
            self.visit(block.init)
        self.visit(block.body)
        self.scope = outer


def _is_grid(axis: IterVar) -> bool:
    return is_block_axis(axis.thread_tag)


def _depth(scope: Scope) -> int:
    return scope.depth


def _is_global(buffer: Buffer) -> bool:
    return buffer.storage_scope.startswith("global")
