"""Insert barriers between conflicting accesses of threads."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Any, NamedTuple

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core import DType, Node, Visitor, on
from tvmscript.ir.tir import Expr, For, PrimFunc, StatementRewriter, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, IntImm, IterVar, StringImm
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.tir.scopes import bodies, operands
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, BufferStore, Evaluate, IfThenElse, LetStmt, SeqStmt, While, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import SharedCondition
from tvmscript.ir.transform.function_features import features
from tvmscript.ir.transform.threads.common.barriers import barrier
from tvmscript.ir.transform.threads.thread_sync.global_barrier import insert_global_barriers


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    SYNC = auto()


class _Access(NamedTuple):
    """An access of memory of the scope, or a barrier."""

    kind: _Kind
    buffer: Var | None = None
    #: index of each dimension; None for several elements
    indices: tuple[Expr | None, ...] = ()
    thread: Var | None = None
    #: bits of an element: memory may be accessed with several dtypes
    width: int = 0
    #: whether it writes the half of a double buffer that the next iteration reads
    is_next_half: bool = False
    #: key of `indices`; None for several elements
    key: Hashable = None
    #: whether each thread accesses a different element
    is_private: bool = False

    def at_indices(self, indices: tuple[Expr | None, ...]) -> _Access:
        """Return the same access at other indices."""
        if None in indices:
            return self._replace(indices=indices, key=None, is_private=False)
        thread = self.thread
        own = thread is None or all(index is not None and _uses_var(index, thread) for index in indices)
        return self._replace(indices=indices, key=(self.width, structural_key(indices)), is_private=own)


def _uses_var(expr: Expr, var: Var) -> bool:
    """Return whether an expression uses a variable."""
    if isinstance(expr, BinaryOp):
        return _uses_var(expr.a, var) or _uses_var(expr.b, var)
    return expr is var or (not isinstance(expr, (Var, IntImm)) and var in uses(expr))


_BARRIER = _Access(_Kind.SYNC)


class _PendingAccesses:
    """Accesses since the last barrier: buffer -> keys of elements."""

    def __init__(self) -> None:
        self.reads: dict[Var | None, set[Hashable]] = {}
        self.writes: dict[Var | None, set[Hashable]] = {}
        self.next_halves: dict[Var | None, set[Hashable]] = {}

    def __bool__(self) -> bool:
        return bool(self.reads or self.writes or self.next_halves)

    def clear(self) -> None:
        self.reads.clear()
        self.writes.clear()
        self.next_halves.clear()

    def add(self, access: _Access) -> None:
        if access.kind is _Kind.SYNC:
            self.clear()
            return
        kept = self.reads if access.kind is _Kind.READ else self.next_halves if access.is_next_half else self.writes
        kept.setdefault(access.buffer, set()).add(access.key)

    def conflicts(self, access: _Access, is_next_iteration: bool) -> bool:
        """Return whether another thread may have accessed the element, with at least one write."""
        if access.kind is _Kind.WRITE:
            return _conflicts_with_any(self.reads, access)
        if _conflicts_with_any(self.writes, access):
            return True
        return is_next_iteration and _conflicts_with_any(self.next_halves, access)

    def needs_barrier(self, accesses: Iterable[_Access], is_next_iteration: bool = False) -> bool:
        """Return whether a statement with these accesses needs a barrier before it."""
        for access in accesses:
            if access.kind is _Kind.SYNC:
                self.clear()
            elif self.conflicts(access, is_next_iteration):
                return True
        return False


def _conflicts_with_any(earlier: dict[Var | None, set[Hashable]], access: _Access) -> bool:
    keys = earlier.get(access.buffer)
    if not keys:
        return False
    return not access.is_private or keys != {access.key}


@dataclass(slots=True)
class _Entry:
    """A statement with its accesses."""

    stmt: Stmt
    accesses: list[_Access]


class _BarrierPlanner(Visitor):
    """Find the statements that need a barrier before them."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.places: set[Stmt] = set()
        self.threads: list[Var] = []
        self.blocks: list[list[_Entry]] = [[]]
        #: accesses of the current statement; None between statements
        self.accesses: list[_Access] | None = None

    # statements

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        with self.statement(node):
            self.access(_Kind.WRITE, node.buffer.data, node.buffer.dtype, node.indices)
            self.visit(node.value)
            for index in node.indices:
                self.visit(index)

    @on(Evaluate, LetStmt, AssertStmt)
    def values_and_body(self, node: Stmt) -> None:
        with self.statement(node):
            for value in operands(node):
                self.visit(value)
        for _, body in bodies(node):
            self.visit(body)

    @on(For)
    def loop(self, node: For) -> None:
        before = self.accesses_of(node.min, node.extent)
        entries = self.block(node.body)
        inside = [_widen_over_loop(access, node) for access in self.summary(entries, is_loop=True)]
        self.blocks[-1].append(_Entry(node, before + inside))

    @on(While)
    def repetition(self, node: While) -> None:
        if self.accesses_of(node.condition):
            raise SharedCondition(scope=self.scope, span=node.condition.span or node.span)
        self.blocks[-1].append(_Entry(node, self.summary(self.block(node.body), is_loop=False)))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        accesses = self.accesses_of(node.condition)
        cases = [node.then_case] if node.else_case is None else [node.then_case, node.else_case]
        summaries = [self.summary(self.block(case), is_loop=False) for case in cases]
        if len(cases) == 2 and all(_BARRIER in case_accesses for case_accesses in summaries):
            first, last = zip(*map(_split_at_barrier, summaries), strict=True)
            self.blocks[-1].append(_Entry(node, [*accesses, *chain(*first), _BARRIER, *chain(*last)]))
            return
        # a barrier on one path only does not separate later accesses
        accesses += [access for case_accesses in summaries for access in case_accesses if access.kind is not _Kind.SYNC]
        self.blocks[-1].append(_Entry(node, accesses))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key == "double_buffer_write":
            accesses = self.summary(self.block(node.body), is_loop=False)
            for place, access in enumerate(accesses):
                if access.kind is _Kind.WRITE and access.buffer is node.node:
                    accesses[place] = access._replace(is_next_half=True)
            self.blocks[-1].append(_Entry(node, accesses))
        elif node.attr_key == "thread_extent" and isinstance(node.node, IterVar):
            self.threads.append(node.node.var)
            if len(self.threads) == 1:
                self.summary(self.block(node.body), is_loop=False)
            else:
                self.visit(node.body)
            self.threads.pop()
        elif node.attr_key != "hand_threaded":
            self.visit(node.body)

    # expressions

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> None:
        table = self.table
        table[type(node.a)](self, node.a)
        table[type(node.b)](self, node.b)

    @on(Var, IntImm)
    def leaf(self, node: Expr) -> None:
        """Skip leaves: they access no memory."""

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.access(_Kind.READ, node.buffer.data, node.buffer.dtype, node.indices)
        for index in node.indices:
            self.visit(index)

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is tvm_storage_sync:
            scope = node.args[0]
            if self.accesses is not None and not (isinstance(scope, StringImm) and scope.value == "warp"):
                self.accesses.append(_BARRIER)
            return
        if node.op is tvm_access_ptr:
            element, data, offset, extent, mask = node.args
            index = offset if is_const(extent, 1) else None
            for bit, kind in ((1, _Kind.READ), (2, _Kind.WRITE)):
                if isinstance(mask, IntImm) and isinstance(data, Var) and mask.value & bit:
                    self.access(kind, data, element.dtype, (index,))
        self.walk(node)

    # helpers

    @contextmanager
    def statement(self, node: Stmt) -> Generator[None]:
        self.accesses = []
        yield
        if self.accesses:
            self.blocks[-1].append(_Entry(node, self.accesses))
        self.accesses = None

    def accesses_of(self, *exprs: Expr) -> list[_Access]:
        """Return the accesses of expressions of a compound statement."""
        accesses = self.accesses = []
        for expr in exprs:
            self.visit(expr)
        self.accesses = None
        return accesses

    def block(self, body: Stmt) -> list[_Entry]:
        self.blocks.append([])
        self.visit(body)
        return self.blocks.pop()

    def access(self, kind: _Kind, data: Var, dtype: DType, indices: Iterable[Expr | None]) -> None:
        if self.accesses is not None and self.threads and data.storage_scope == self.scope:
            points = tuple([None if index is None else _single_element(index) for index in indices])
            access = _Access(kind, data, thread=self.threads[-1], width=dtype.bits * dtype.lanes)
            self.accesses.append(access.at_indices(points))

    def summary(self, entries: list[_Entry], *, is_loop: bool) -> list[_Access]:
        """Place barriers between statements. Return the accesses before the first and after the last barrier."""
        if not entries:
            return []
        pending = _PendingAccesses()
        for entry in entries:
            needs_barrier = entry.stmt in self.places
            if needs_barrier:
                pending.clear()
            if pending.needs_barrier(entry.accesses):
                needs_barrier = True
                pending.clear()
            for access in entry.accesses:
                pending.add(access)
            if needs_barrier:
                self.places.add(entry.stmt)
        if is_loop:
            for entry in entries:
                if entry.stmt in self.places or not pending:
                    break
                if pending.needs_barrier(entry.accesses, is_next_iteration=True):
                    self.places.add(entry.stmt)
                    break
        exposed = self.exposed(entries)
        if is_loop:
            return [access._replace(is_next_half=False) if access.is_next_half else access for access in exposed]
        return exposed

    def exposed(self, entries: list[_Entry]) -> list[_Access]:
        head: list[_Access] = []
        tail: list[_Access] = []
        part = head
        for entry in entries:
            for access in (_BARRIER, *entry.accesses) if entry.stmt in self.places else entry.accesses:
                if access.kind is not _Kind.SYNC:
                    part.append(access)
                elif part is head:
                    head.append(_BARRIER)
                    part = tail
                else:
                    tail.clear()
        return head + tail


def _split_at_barrier(accesses: list[_Access]) -> tuple[list[_Access], list[_Access]]:
    """Return the accesses before and after the barrier of a branch."""
    index = accesses.index(_BARRIER)
    return accesses[:index], accesses[index + 1 :]


def _single_element(index: Expr) -> Expr | None:
    """Return the index of a single element; None for several elements."""
    if isinstance(index, Broadcast):
        return index.value
    return index if index.dtype.lanes == 1 else None


def _widen_over_loop(access: _Access, loop: For) -> _Access:
    """Return the access over all iterations of a loop."""
    var = loop.loop_var
    if not any(index is not None and _uses_var(index, var) for index in access.indices):
        return access
    once = is_const(loop.extent, 1)

    def whole(index: Expr | None) -> Expr | None:
        if index is None or not _uses_var(index, var):
            return index
        return substitute(index, {var: loop.min}) if once else None

    return access.at_indices(tuple([whole(index) for index in access.indices]))


class _BarrierInserter(StatementRewriter):
    """Insert barriers before the statements of `places`."""

    def __init__(self, scope: str, places: set[Stmt]) -> None:
        super().__init__()
        self.scope = scope
        self.places = places

    def value(self, value: object) -> Any:
        return self.rewrite(value) if isinstance(value, Stmt) else super().value(value)

    def rewrite(self, node: Node) -> Any:
        stmt = super().rewrite(node)
        return seq(barrier(self.scope), stmt) if node in self.places else stmt


class _WaitBarrierInserter(StatementRewriter):
    """Insert a barrier after each wait for asynchronous copies; a thread waits only for its own copies."""

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        inner = node.body
        if node.attr_key != "async_wait_queue_scope" or not isinstance(inner, AttrStmt):
            return self.descend(node)
        if _begins_with_barrier(inner.body):
            return self.descend(node)
        body = seq(barrier("shared"), self.rewrite(inner.body))
        return node.replace(body=inner.replace(body=body))


def _begins_with_barrier(body: Stmt) -> bool:
    """Return whether a statement begins with a barrier."""
    first = body.seq[0] if isinstance(body, SeqStmt) else body
    return isinstance(first, Evaluate) and isinstance(first.value, Call) and first.value.op is tvm_storage_sync


@dataclass(frozen=True)
class ThreadSync(PrimFuncPass):
    """Insert barriers between conflicting accesses to memory of a scope: `shared`, `shared.dyn`, `warp` or `global`.

    Two accesses conflict if one of them is a write and different threads may access the same element: the indices
    differ, do not depend on the innermost thread, or have different element sizes. The barrier precedes the later
    statement; in a loop, also if an iteration conflicts with the previous one. A barrier in a branch does not separate
    later accesses, unless both branches have one. Statements under `hand_threaded` are skipped. For `global`, the
    barrier is one of all thread blocks, which the function initializes. Raises `SharedCondition`.

    rewrite:
        S[tx] = A[tx]                     S[tx] = A[tx]
        B[tx] = S[127 - tx]        -->    T.tvm_storage_sync("shared")
                                          B[tx] = S[127 - tx]
    """

    name = "tir.ThreadSync"
    is_idempotent = True
    looks_for = frozenset({"thread_extent", "async_wait_queue_scope"})
    storage_scope: str = "shared"

    def transform(self, func: PrimFunc) -> PrimFunc:
        all_features, body = features(func), func.body
        if self.storage_scope == "shared" and "async_wait_queue_scope" in all_features:
            body = _WaitBarrierInserter().rewrite(body)
        if self.storage_scope not in all_features and self.storage_scope != "global":
            return func.with_body(body)
        planner = _BarrierPlanner(self.storage_scope)
        planner.visit(body)
        if planner.places and self.storage_scope == "global":
            body = insert_global_barriers(body, planner.places)
        elif planner.places:
            body = _BarrierInserter(self.storage_scope, planner.places).rewrite(body)
        return func.with_body(body)
