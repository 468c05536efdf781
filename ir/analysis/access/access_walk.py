"""Base class of walks over all accesses of a function, with the loops, values and conditions around each."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.core import CallEffect, Node, Visitor, nodes, on
from tvmscript.ir.tir import Block, BufferStore, Expr, For, ForKind, PrimFunc, Stmt, Var, While, uses
from tvmscript.ir.tir.expr import LT, And, BufferLoad, Call, IterVar, Let, Not, Or, Range, Select
from tvmscript.ir.tir.scopes import bodies, operands
from tvmscript.ir.tir.stmt import (
    LAUNCHES,
    AttrStmt,
    BlockRealize,
    Evaluate,
    LetStmt,
    MatchBufferRegion,
    SeqStmt,
    is_block_axis,
)


@dataclass(frozen=True, eq=False)
class Loop:
    """A variable that runs over a range. `thread` is the thread tag, such as threadIdx.x; empty for loops.

    There is no `node` for the lanes of a vector.
    """

    var: Var
    domain: Range
    node: For | AttrStmt | None
    thread: str = ""
    kind: ForKind = ForKind.SERIAL


@dataclass(frozen=True, eq=False)
class Value:
    """A variable with a value: a let, or the axis of a block. If `domain` is given, the value is known to lie in it."""

    var: Var
    value: Expr
    domain: Range | None = None


@dataclass(frozen=True, eq=False)
class Guard:
    """A condition under which the rest of the path runs. `is_lazy` is False for T.Select, which computes both values.

    None as the condition stands for one that depends on what the program did before: `written` is that one, if it can
    be evaluated at all.
    """

    condition: Expr | None
    is_lazy: bool = True
    written: Expr | None = None


Step: TypeAlias = Loop | Value | Guard
Path: TypeAlias = tuple[Step, ...]

#: calls that compute with a pointer and do not access its memory
_HARMLESS = ("tir.address_of", "tir.isnullptr", "tir.tvm_struct_get")


class AccessWalk(Visitor):
    """Call `access` for each load and store and `region` for each matched region, in program order."""

    def __init__(self, func: PrimFunc) -> None:
        self.func = func
        self.path: list[Step] = []
        #: the current statement, and the length of the path to it
        self.stmt: Stmt = func.body
        self.depth = 0

    @cached_property
    def changing(self) -> set[Var]:
        """Data variables of memory that changes while the function runs."""
        return changing_memory(self.func)

    # overridden by subclasses

    def access(self, node: BufferLoad | BufferStore) -> None:
        """A load or a store; `path` tells when it runs."""

    def enter(self, block: Block) -> None:
        """A block begins; its axes have values."""

    def region(self, node: MatchBufferRegion) -> None:
        """A buffer stands for a region of another one."""

    def axis(self, axis: IterVar, value: Expr) -> bool:
        """An axis of a block has a value; True where what follows may rely on its domain instead."""
        return False

    @contextmanager
    def facts(self, step: Step) -> Generator[None, None, None]:
        """Override to enter the facts of a step for the rest of the path."""
        yield

    # steps

    @contextmanager
    def inside(self, step: Step) -> Generator[None, None, None]:
        """Add a step to the path."""
        self.path.append(step)
        with self.facts(step):
            yield
        self.path.pop()

    @contextmanager
    def statement(self, node: Stmt) -> Generator[None, None, None]:
        """Make `node` the current statement."""
        outer = self.stmt, self.depth
        self.stmt, self.depth = node, len(self.path)
        yield
        self.stmt, self.depth = outer

    def is_stable(self, expr: Node) -> bool:
        """Return whether an expression keeps its value: no loads of changing memory, no unknown calls."""
        for part in nodes(expr):
            if isinstance(part, BufferLoad) and part.buffer.data in self.changing:
                return False
            if isinstance(part, Call) and not is_pure_call(part):
                return False
        return True

    def guard(self, condition: Expr, holds: bool = True, *, is_lazy: bool = True) -> Guard:
        """Return the guard of a condition; None as its condition if that is not stable."""
        written = condition if holds else Not(condition)
        return Guard(written if self.is_stable(condition) else None, is_lazy, written)

    def each(self, parts: Iterable[Node]) -> None:
        for part in parts:
            self.visit(part)

    def define(self, name: object) -> None:
        """Definitions access nothing."""

    # statements

    @on(For)
    def loop(self, node: For) -> None:
        with self.statement(node):
            self.each((node.min, node.extent))
            tag = node.thread_binding.thread_tag if node.thread_binding is not None else ""
            self.iterations(
                Loop(node.loop_var, Range.from_min_extent(node.min, node.extent), node, tag, node.kind), node.body
            )

    def iterations(self, loop: Loop, body: Stmt) -> None:
        """Visit the body of a loop. An axis of a thread that is launched already equals the outer one."""
        outer = next((step for step in self.path if isinstance(step, Loop) and _is_same_thread(step, loop)), None)
        if outer is None:
            with self.inside(loop):
                self.visit(body)
        else:
            same_dtype = outer.var.dtype is loop.var.dtype
            within = self.guard(LT(outer.var, loop.domain.extent)) if same_dtype else Guard(None)
            with self.inside(Value(loop.var, outer.var)), self.inside(within):
                self.visit(body)

    @on(Stmt)
    def scope(self, node: Stmt) -> None:
        """A statement by its schema: what it evaluates, then its bodies where its condition holds."""
        schema = node.schema
        with self.statement(node), self.inside(Guard(None)) if schema.repeats else nullcontext():
            self.each(operands(node))
            for field, body in bodies(node):
                with ExitStack() as around:
                    for name, value in schema.definitions.items():
                        around.enter_context(self.inside(Value(getattr(node, name), getattr(node, value))))
                    if field in schema.guards:
                        condition, holds = schema.guards[field]
                        around.enter_context(self.inside(self.guard(getattr(node, condition), holds)))
                    self.visit(body)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> None:
        self.each(node.seq)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about: Any = node.node
        if node.attr_key not in LAUNCHES or not isinstance(about, IterVar):
            self.visit(node.body)
            return
        domain = Range.from_extent(node.value)
        tag = about.thread_tag if node.attr_key == "thread_extent" else "vthread"
        self.iterations(Loop(about.var, domain, node, tag, ForKind.THREAD_BINDING), node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        with self.statement(node):
            self.each(node.iter_values)
            self.visit(node.predicate)
            with self.inside(self.guard(node.predicate)):
                pairs = zip(node.block.iter_vars, node.iter_values, strict=True)
                axes = [Value(axis.var, value, axis.dom if self.axis(axis, value) else None) for axis, value in pairs]
                with ExitStack() as around:
                    for value in axes:
                        around.enter_context(self.inside(value))
                    self.inside_axes(node.block)

    def inside_axes(self, block: Block) -> None:
        """Visit a block inside the values of its axes."""
        self.enter(block)
        for match in block.match_buffers:
            self.region(match)
        if block.init is not None:
            with self.inside(Guard(None)):  # where a reduction begins
                self.visit(block.init)
        self.visit(block.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        with self.statement(node):
            self.each((*node.indices, node.value))
            self.access(node)

    # expressions

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        self.each(node.indices)
        self.access(node)

    @on(And, Or)
    def logic(self, node: And | Or) -> None:
        self.visit(node.a)
        if node.dtype.lanes == 1:
            with self.inside(self.guard(node.a, isinstance(node, And))):
                self.visit(node.b)
        else:
            self.visit(node.b)

    @on(Select)
    def select(self, node: Select) -> None:
        self.visit(node.condition)
        self.choice(node.condition, node.true_value, node.false_value, is_lazy=False)

    @on(Call)
    def call(self, node: Call) -> None:
        name = getattr(node.op, "name", "")
        if name == "tir.if_then_else":
            self.visit(node.args[0])
            self.choice(*node.args, is_lazy=True)
        elif name == "tir.address_of" and isinstance(node.args[0], BufferLoad):
            self.each(node.args[0].indices)  # an address is no access
        else:
            self.walk(node)

    def is_harmless(self, node: Call) -> bool:
        """Return whether a call accesses no memory behind its pointer arguments."""
        return is_pure_call(node) or getattr(node.op, "name", "") in _HARMLESS

    def choice(self, condition: Expr, chosen: Expr, other: Expr, *, is_lazy: bool) -> None:
        if condition.dtype.lanes != 1:
            with self.inside(Guard(None)):
                self.each((chosen, other))
            return
        for holds, value in ((True, chosen), (False, other)):
            with self.inside(self.guard(condition, holds, is_lazy=is_lazy)):
                self.visit(value)

    @on(Let)
    def let(self, node: Let) -> None:
        self.visit(node.value)
        with self.inside(Value(node.var, node.value)):
            self.visit(node.body)


def _is_same_thread(a: Loop, b: Loop) -> bool:
    return a.thread == b.thread and (a.thread.startswith("threadIdx") or is_block_axis(a.thread))


def is_pure_call(call: Call) -> bool:
    """Return whether a call depends on its arguments alone and has no side effect."""
    effect = getattr(call.op, "effect", None)
    return effect is not None and effect <= CallEffect.PURE


def changing_memory(func: PrimFunc) -> set[Var]:
    """Return the data variables of memory that a function writes or whose address escapes."""
    changing: set[Var] = set()
    aliases: list[tuple[Var, Var]] = []
    for node in nodes(func.body):
        if isinstance(node, BufferStore):
            changing.add(node.buffer.data)
        elif isinstance(node, Block):
            aliases += [(match.buffer.data, match.source.buffer.data) for match in node.match_buffers]
        elif isinstance(node, Call) and getattr(node.op, "name", "") not in _HARMLESS:
            changing.update(*(_pointers(arg) for arg in node.args if arg.dtype.is_handle))
        elif isinstance(node, LetStmt) and node.var.dtype.is_handle:
            aliases += [(node.var, var) for var in _pointers(node.value)]
    before = -1
    while before != len(changing):
        before = len(changing)
        for a, b in aliases:
            if a in changing or b in changing:
                changing |= {a, b}
    return changing


def _pointers(expr: Expr) -> list[Var]:
    return [var for var in uses(expr) if isinstance(var, Var) and var.dtype.is_handle]


def leaves_early(func: PrimFunc) -> bool:
    """Return whether a function may return, or leave a loop, before its last statement."""
    last = func.body
    while not isinstance(last, Evaluate):
        inner = last.seq[-1] if isinstance(last, SeqStmt) else getattr(last, "body", None)
        if isinstance(last, (For, While)) or not isinstance(inner, Stmt):
            break
        last = inner
    return any(
        isinstance(node, Evaluate)
        and node is not last
        and isinstance(node.value, Call)
        and getattr(node.value.op, "effect", None) is CallEffect.CONTROL_JUMP
        for node in statements(func.body)
    )
