"""Threads wait for each other wherever one may use what another one left in memory of a scope."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, IntImm, IterVar, StringImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr
from tvmscript.ir.tir.intrin.sync import tvm_storage_sync
from tvmscript.ir.tir.rewrite import StatementRewriter
from tvmscript.ir.tir.stmt import (
    AssertStmt,
    AttrStmt,
    BufferStore,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    SeqStmt,
    While,
    seq,
)
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import SharedCondition
from tvmscript.ir.transform.function_features import features
from tvmscript.ir.transform.threads.common.barriers import barrier
from tvmscript.ir.transform.threads.thread_sync.global_barrier import with_global_barriers


class _Kind(Enum):
    READ = auto()
    WRITE = auto()
    SYNC = auto()


class _Access(NamedTuple):
    """What a statement does to memory of the scope."""

    kind: _Kind
    buffer: Var | None = None
    #: index of each dimension; None where it is more than one element
    indices: tuple[Expr | None, ...] = ()
    thread: Var | None = None
    #: bits of an element: memory may be seen as elements of several dtypes
    width: int = 0
    #: it fills the half of a double buffer that is read in the next iteration
    is_next_half: bool = False
    #: of `indices`; None where there is no one element
    key: Hashable = None
    #: each thread has an element of its own
    is_private: bool = False

    def located(self, indices: tuple[Expr | None, ...]) -> _Access:
        """The same access at these indices."""
        if None in indices:
            return self._replace(indices=indices, key=None, is_private=False)
        thread = self.thread
        own = thread is None or all(index is not None and _mentions(index, thread) for index in indices)
        return self._replace(indices=indices, key=(self.width, structural_key(indices)), is_private=own)


def _mentions(expr: Expr, var: Var) -> bool:
    """Whether the variable is used in the expression."""
    if isinstance(expr, BinaryOp):
        return _mentions(expr.a, var) or _mentions(expr.b, var)
    return expr is var or (not isinstance(expr, Var | IntImm) and var in uses(expr))


_BARRIER = _Access(_Kind.SYNC)


class _Earlier:
    """Accesses since the last barrier, by buffer: the keys of their elements."""

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
        """Whether another thread may have used the element, one of both writing it."""
        if access.kind is _Kind.WRITE:
            return _differ(self.reads, access)
        if _differ(self.writes, access):
            return True
        return is_next_iteration and _differ(self.next_halves, access)

    def meets(self, accesses: Iterable[_Access], is_next_iteration: bool = False) -> bool:
        """Whether a barrier must stand before a statement with these accesses."""
        for access in accesses:
            if access.kind is _Kind.SYNC:
                self.clear()
            elif self.conflicts(access, is_next_iteration):
                return True
        return False


def _differ(earlier: dict[Var | None, set[Hashable]], access: _Access) -> bool:
    keys = earlier.get(access.buffer)
    if not keys:
        return False
    return not access.is_private or keys != {access.key}


@dataclass(slots=True)
class _Entry:
    """A statement and what it does."""

    stmt: Stmt
    accesses: list[_Access]


class _Planner(Visitor):
    """Finds the statements that a barrier must stand before."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.places: set[Stmt] = set()
        self.threads: list[Var] = []
        self.blocks: list[list[_Entry]] = [[]]
        #: what the statement at hand does; None between statements
        self.found: list[_Access] | None = None

    # statements

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        with self.statement(node):
            self.access(_Kind.WRITE, node.buffer.data, node.buffer.dtype, node.indices)
            self.visit(node.value)
            for index in node.indices:
                self.visit(index)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> None:
        with self.statement(node):
            self.walk(node)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        with self.statement(node):
            self.visit(node.value)
        self.visit(node.body)

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> None:
        with self.statement(node):
            self.visit(node.condition)
        self.visit(node.body)

    @on(For)
    def loop(self, node: For) -> None:
        before = self.of_expressions(node.min, node.extent)
        entries = self.block(node.body)
        inside = [_over(access, node) for access in self.summary(entries, is_loop=True)]
        self.blocks[-1].append(_Entry(node, before + inside))

    @on(While)
    def repetition(self, node: While) -> None:
        if self.of_expressions(node.condition):
            raise SharedCondition(scope=self.scope, span=node.condition.span or node.span)
        self.blocks[-1].append(_Entry(node, self.summary(self.block(node.body), is_loop=False)))

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        accesses = self.of_expressions(node.condition)
        cases = [node.then_case] if node.else_case is None else [node.then_case, node.else_case]
        inside = [self.summary(self.block(case), is_loop=False) for case in cases]
        if len(cases) == 2 and all(_BARRIER in each for each in inside):
            first, last = zip(*map(_around_barrier, inside), strict=True)
            self.blocks[-1].append(_Entry(node, [*accesses, *chain(*first), _BARRIER, *chain(*last)]))
            return
        # a barrier that may not be reached separates nothing for those who come after
        accesses += [access for each in inside for access in each if access.kind is not _Kind.SYNC]
        self.blocks[-1].append(_Entry(node, accesses))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key == "double_buffer_write":
            accesses = self.summary(self.block(node.body), is_loop=False)
            marked = [
                each._replace(is_next_half=True) if each.kind is _Kind.WRITE and each.buffer is node.node else each
                for each in accesses
            ]
            self.blocks[-1].append(_Entry(node, marked))
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
    def operands(self, node: BinaryOp) -> None:
        table = self.table
        table[type(node.a)](self, node.a)
        table[type(node.b)](self, node.b)

    @on(Var, IntImm)
    def leaf(self, node: Expr) -> None:
        """Nothing is done to memory."""

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.access(_Kind.READ, node.buffer.data, node.buffer.dtype, node.indices)
        for index in node.indices:
            self.visit(index)

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is tvm_storage_sync:
            scope = node.args[0]
            if self.found is not None and not (isinstance(scope, StringImm) and scope.value == "warp"):
                self.found.append(_BARRIER)
            return
        if node.op is tvm_access_ptr:
            element, data, offset, extent, mask = node.args
            touched = offset if is_const(extent, 1) else None
            for bit, kind in ((1, _Kind.READ), (2, _Kind.WRITE)):
                if isinstance(mask, IntImm) and isinstance(data, Var) and mask.value & bit:
                    self.access(kind, data, element.dtype, (touched,))
        self.walk(node)

    # what they share

    @contextmanager
    def statement(self, node: Stmt) -> Generator[None]:
        self.found = []
        yield
        if self.found:
            self.blocks[-1].append(_Entry(node, self.found))
        self.found = None

    def of_expressions(self, *parts: Expr) -> list[_Access]:
        """Accesses of the parts of a statement with a body."""
        made = self.found = []
        for part in parts:
            self.visit(part)
        self.found = None
        return made

    def block(self, body: Stmt) -> list[_Entry]:
        self.blocks.append([])
        self.visit(body)
        return self.blocks.pop()

    def access(self, kind: _Kind, data: Var, dtype: DType, indices: Iterable[Expr | None]) -> None:
        if self.found is not None and self.threads and data.storage_scope == self.scope:
            points = tuple([None if index is None else _point(index) for index in indices])
            made = _Access(kind, data, thread=self.threads[-1], width=dtype.bits * dtype.lanes)
            self.found.append(made.located(points))

    def summary(self, entries: list[_Entry], *, is_loop: bool) -> list[_Access]:
        """Place barriers between the statements; what others see of them: accesses before the first, after the last."""
        if not entries:
            return []
        earlier = _Earlier()
        for entry in entries:
            needed = entry.stmt in self.places
            if needed:
                earlier.clear()
            if earlier.meets(entry.accesses):
                needed = True
                earlier.clear()
            for access in entry.accesses:
                earlier.add(access)
            if needed:
                self.places.add(entry.stmt)
        if is_loop:
            for entry in entries:
                if entry.stmt in self.places or not earlier:
                    break
                if earlier.meets(entry.accesses, is_next_iteration=True):
                    self.places.add(entry.stmt)
                    break
        made = self.exposed(entries)
        if is_loop:
            return [access._replace(is_next_half=False) if access.is_next_half else access for access in made]
        return made

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


def _around_barrier(accesses: list[_Access]) -> tuple[list[_Access], list[_Access]]:
    """What is accessed before and after the barrier of a branch, which has one."""
    place = accesses.index(_BARRIER)
    return accesses[:place], accesses[place + 1 :]


def _point(index: Expr) -> Expr | None:
    """The one element along a dimension, None where there are several."""
    if isinstance(index, Broadcast):
        return index.value
    return index if index.dtype.lanes == 1 else None


def _over(access: _Access, loop: For) -> _Access:
    """The access for all iterations of a loop."""
    var = loop.loop_var
    if not any(index is not None and _mentions(index, var) for index in access.indices):
        return access
    once = is_const(loop.extent, 1)

    def whole(index: Expr | None) -> Expr | None:
        if index is None or not _mentions(index, var):
            return index
        return substitute(index, {var: loop.min}) if once else None

    return access.located(tuple([whole(index) for index in access.indices]))


class _Inserter(StatementRewriter):
    """Puts barriers before the statements of `places`."""

    def __init__(self, scope: str, places: set[Stmt]) -> None:
        super().__init__()
        self.scope = scope
        self.places = places

    def rewrite(self, node: Node) -> Any:
        made = super().rewrite(node)
        return seq(barrier(self.scope), made) if node in self.places else made


class _AfterWaits(StatementRewriter):
    """Puts a barrier after each wait for asynchronous copies: what a thread waits for are its own ones."""

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        inner = node.body
        if node.attr_key != "async_wait_queue_scope" or not isinstance(inner, AttrStmt) or _begins(inner.body):
            return self.descend(node)
        body = seq(barrier("shared"), self.rewrite(inner.body))
        return node.replace(body=inner.replace(body=body))


def _begins(body: Stmt) -> bool:
    """Whether a barrier stands first."""
    first = body.seq[0] if isinstance(body, SeqStmt) else body
    return isinstance(first, Evaluate) and isinstance(first.value, Call) and first.value.op is tvm_storage_sync


@dataclass(frozen=True)
class ThreadSync(PrimFuncPass):
    """Barriers between conflicting accesses to memory of a scope: `shared`, `shared.dyn`, `warp` or `global`.

    Two accesses conflict where one writes and they may be to one element from different threads: the indices differ,
    or do not depend on the innermost thread, or the elements have other sizes. A barrier stands before the later
    statement, inside of a loop also where an iteration conflicts with the one before it. A barrier in a branch
    separates nothing for those who come after the branch, unless both branches have one. What `hand_threaded` marks is
    left alone. For `global`, the barrier is one of all blocks, and the function sets it up. Raises `SharedCondition`.

        S[tx] = A[tx]                     S[tx] = A[tx]
        B[tx] = S[127 - tx]        ->     T.tvm_storage_sync("shared")
                                          B[tx] = S[127 - tx]
    """

    name: ClassVar[str] = "tir.ThreadSync"
    looks_for: ClassVar[frozenset[Hashable] | None] = frozenset({"thread_extent", "async_wait_queue_scope"})
    storage_scope: str = "shared"

    def transform(self, func: PrimFunc) -> PrimFunc:
        found, body = features(func), func.body
        if self.storage_scope == "shared" and "async_wait_queue_scope" in found:
            body = _AfterWaits().rewrite(body)
        if self.storage_scope not in found and self.storage_scope != "global":
            return func.with_body(body)
        planner = _Planner(self.storage_scope)
        planner.visit(body)
        if planner.places and self.storage_scope == "global":
            body = with_global_barriers(body, planner.places)
        elif planner.places:
            body = _Inserter(self.storage_scope, planner.places).rewrite(body)
        return func.with_body(body)
