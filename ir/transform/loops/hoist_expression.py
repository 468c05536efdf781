"""Hoist loop-invariant conditions and let bindings out of loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any, Final

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import CallEffect, Op, Visitor, nodes, on
from tvmscript.ir.tir import Expr, PrimFunc, Stmt, TirRewriter, Var, effect_of, rename_definitions, uses
from tvmscript.ir.tir.expr import And, BufferLoad, Call, Div, FloorDiv, FloorMod, IntImm, IterVar, Let, Mod, Or
from tvmscript.ir.tir.stmt import AttrStmt, Block, BlockRealize, BufferStore, For, IfThenElse, LetStmt, SeqStmt
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import RemoveNoOp
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.function_features import features


class HoistedConditionals(IntFlag):
    """The conditions to hoist."""

    #: none
    Never = 0
    #: conditions of `if`
    IfElseStmt = 1
    #: conditions of `T.if_then_else`
    IfElseExpr = 2
    #: operands of `and` and `or`
    BooleanExpression = 4
    #: conditions on thread indices and other variables of attributes; also hoist out of attributes
    UsingBlockVar = 8
    All = 15


class HoistedLetBindings(IntFlag):
    """The let bindings to hoist."""

    #: none
    Never = 0
    #: bindings that a hoisted condition uses
    RequiredByCondition = 1
    #: the name in TVM's Python API
    RequiredByConditional = 1
    #: bindings of statements
    LetStmt = 2
    #: bindings of expressions
    LetExpr = 4
    All = 7


@dataclass
class _Condition:
    """A condition to hoist."""

    value: Expr
    kind: HoistedConditionals
    uses_thread: bool
    required: frozenset[Var]
    #: whether something runs where it does not hold
    has_else: bool


@dataclass
class _Binding:
    """A let binding to hoist."""

    var: Var
    value: Expr
    kind: HoistedLetBindings


@dataclass
class _Scope:
    """A loop, or an attribute that defines a variable, with the conditions and bindings to hoist out of it."""

    var: Var
    definition: For | AttrStmt
    conditions: list[_Condition] = field(default_factory=list)
    bindings: list[_Binding] = field(default_factory=list)
    #: whether it contains a statement sequence, out of which nothing is hoisted
    has_sequence: bool = False
    _written: set[Var] | None = None

    @property
    def written(self) -> set[Var]:
        """Data variables of written buffers; the variable of the scope stands for all memory."""
        if self._written is None:
            self._written = set()
            for node in nodes(self.definition):
                if isinstance(node, BufferStore):
                    self._written.add(node.buffer.data)
                elif isinstance(node, Call) and (not isinstance(node.op, Op) or node.op.effect > CallEffect.READ_STATE):
                    self._written.add(self.var)
        return self._written


class _Collector(Visitor):
    """Collect what can be hoisted, and how far."""

    def __init__(self, conditionals: HoistedConditionals, bindings: HoistedLetBindings) -> None:
        self.conditionals = conditionals
        self.bindings = bindings
        #: enclosing scopes, outermost first, and all scopes by their statements
        self.active: list[_Scope] = []
        self.scopes: dict[Stmt, _Scope] = {}
        self.threads: set[Var] = set()
        #: variable -> the loop variables and let variables that its value depends on
        self.needs_loops: dict[Var, set[Var]] = {}
        self.needs_lets: dict[Var, set[Var]] = {}
        self.kinds: dict[Var, HoistedLetBindings] = {}
        #: number of scopes around bindings that are not hoisted
        self.depths: dict[Var, int] = {}
        #: number of scopes around each enclosing `if` with an else branch
        self.forks: list[int] = []
        #: number of scopes around each enclosing condition
        self.guards: list[int] = [0]
        #: block axes: expressions of them are not hoisted
        self.axes: set[Var] = set()

    # -- destinations

    def destination(self, value: Expr) -> _Scope | None:
        """Return the outermost scope that an expression can be hoisted out of; None if it cannot be.

        What may fail is not hoisted out of a condition, nor out of a loop that may have no iteration.
        """
        names = uses(value)
        if not self.axes.isdisjoint(names):
            return None
        needed = set(names)
        for name in names:
            needed |= self.needs_loops.get(name, set())
        required = set[Var]().union(*[self.needs_lets[name] for name in names if name in self.needs_lets])
        floor = max((self.depths.get(name, 0) for name in required), default=0)
        fails = _may_fail(value)
        if fails:
            floor = max(floor, self.guards[-1])
        outermost: _Scope | None = None
        crosses_threads = HoistedConditionals.UsingBlockVar in self.conditionals
        for depth, scope in reversed(list(enumerate(self.active))):
            is_thread = isinstance(scope.definition, AttrStmt)
            if scope.has_sequence or scope.var in needed or depth < floor or (is_thread and not crosses_threads):
                return outermost
            if fails and not _iterates(scope.definition):
                return outermost
            outermost = scope
        return outermost

    def add_condition(self, value: Expr, kind: HoistedConditionals, *, has_else: bool = True) -> None:
        if kind not in self.conditionals or effect_of(value) > CallEffect.PURE:
            return
        names = uses(value)
        required = frozenset[Var]().union(*[self.needs_lets[name] for name in names if name in self.needs_lets])
        uses_thread = not self.threads.isdisjoint(names)
        if uses_thread and HoistedConditionals.UsingBlockVar not in self.conditionals:
            return
        takes_all = HoistedLetBindings.RequiredByCondition in self.bindings
        if not takes_all and any(self.kinds[var] not in self.bindings for var in required):
            return
        scope = self.destination(value)
        if scope is not None and not any(expr_deep_equal(other.value, value) for other in scope.conditions):
            # the other branch of an enclosing `if` runs whether the condition holds or not
            depth = next(depth for depth, enclosing in enumerate(self.active) if enclosing is scope)
            has_else = has_else or any(fork > depth for fork in self.forks)
            scope.conditions.append(_Condition(value, kind, uses_thread, required, has_else))

    def add_binding(self, var: Var, value: Expr, kind: HoistedLetBindings) -> None:
        scope = self.destination(value)
        if scope is not None and self.is_invariant(value, scope):
            scope.bindings.append(_Binding(var, value, kind))
        else:
            self.depths[var] = len(self.active)
        names = uses(value)
        loops = {scope.var for scope in self.active} & names
        lets = {var}
        for name in names:
            loops |= self.needs_loops.get(name, set())
            lets |= self.needs_lets.get(name, set())
        self.needs_loops[var], self.needs_lets[var], self.kinds[var] = loops, lets, kind

    def is_invariant(self, value: Expr, scope: _Scope) -> bool:
        """Return whether an expression has the same value before a scope and everywhere inside."""
        effect = effect_of(value)
        if effect <= CallEffect.PURE:
            return True
        if effect > CallEffect.READ_STATE or any(isinstance(node, Call) for node in nodes(value)):
            return False
        read = {node.buffer.data for node in nodes(value) if isinstance(node, BufferLoad)}
        return read.isdisjoint(scope.written) and scope.var not in scope.written

    # -- the walk

    def enter_scope(self, var: Var, node: For | AttrStmt) -> None:
        scope = _Scope(var, node)
        self.scopes[node] = scope
        self.active.append(scope)
        self.walk(node)
        self.active.pop()

    @on(For)
    def loop(self, node: For) -> None:
        self.enter_scope(node.loop_var, node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        target = node.node
        var = target.var if isinstance(target, IterVar) else target
        if not isinstance(var, Var):
            self.walk(node)
            return
        is_new = var not in self.threads
        self.threads.add(var)
        self.enter_scope(var, node)
        if is_new:
            self.threads.discard(var)

    @on(Block)
    def block(self, node: Block) -> None:
        axes = {axis.var for axis in node.iter_vars}
        self.axes |= axes
        self.walk(node)
        self.axes -= axes

    @on(LetStmt)
    def let_statement(self, node: LetStmt) -> None:
        self.add_binding(node.var, node.value, HoistedLetBindings.LetStmt)
        self.walk(node)

    @on(Let)
    def let(self, node: Let) -> None:
        self.add_binding(node.var, node.value, HoistedLetBindings.LetExpr)
        self.walk(node)

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> None:
        if self.active:
            self.active[-1].has_sequence = True
        self.walk(node)

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        self.add_condition(node.condition, HoistedConditionals.IfElseStmt, has_else=node.else_case is not None)
        if node.else_case is None:
            self.guarded(node)
            return
        self.forks.append(len(self.active))
        self.guarded(node)
        self.forks.pop()

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        if is_true(node.predicate):
            self.walk(node)
        else:
            self.guarded(node)

    @on(Call)
    def call(self, node: Call) -> None:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else":
            self.add_condition(node.args[0], HoistedConditionals.IfElseExpr)
            self.guarded(node)
        else:
            self.walk(node)

    @on(And, Or)
    def connective(self, node: And | Or) -> None:
        self.add_condition(node.a, HoistedConditionals.BooleanExpression)
        self.guards.append(len(self.active))
        self.add_condition(node.b, HoistedConditionals.BooleanExpression)
        self.walk(node)
        self.guards.pop()

    def guarded(self, node: Stmt | Call) -> None:
        """Visit the parts of a node that run under a condition."""
        self.guards.append(len(self.active))
        self.walk(node)
        self.guards.pop()


def _may_fail(value: Expr) -> bool:
    """Return whether an expression reads memory, or divides by what may be 0."""
    return any(
        isinstance(part, BufferLoad)
        or (isinstance(part, (Div, Mod, FloorDiv, FloorMod)) and not (isinstance(part.b, IntImm) and part.b.value))
        for part in nodes(value)
    )


def _iterates(definition: For | AttrStmt) -> bool:
    """Return whether a scope is known to run its body at least once."""
    extent = definition.extent if isinstance(definition, For) else definition.value
    return isinstance(extent, IntImm) and extent.value > 0


class _Hoister(TirRewriter):
    """Insert hoisted conditions and bindings around their scopes."""

    def __init__(self, collector: _Collector) -> None:
        super().__init__()
        self.scopes = collector.scopes
        required: set[Var] = set()
        for scope in collector.scopes.values():
            for condition in scope.conditions:
                required |= condition.required
        takes_required = HoistedLetBindings.RequiredByCondition in collector.bindings
        self.hoisted = {
            binding.var
            for scope in collector.scopes.values()
            for binding in scope.bindings
            if binding.kind in collector.bindings or (takes_required and binding.var in required)
        }

    def wrap(self, stmt: Stmt, scope: _Scope) -> Stmt:
        """Wrap the statement of a scope in the conditions and bindings that are hoisted out of it."""
        for condition in reversed(scope.conditions):
            otherwise = rename_definitions(stmt) if condition.has_else else None
            stmt = IfThenElse(self.rewrite(condition.value), stmt, otherwise, span=condition.value.span)
        for binding in reversed(scope.bindings):
            if binding.var in self.hoisted:
                stmt = LetStmt(binding.var, binding.value, stmt, span=binding.value.span)
        return stmt

    @on(For, AttrStmt)
    def scope(self, node: For | AttrStmt) -> Stmt:
        new_stmt = self.descend(node)
        scope = self.scopes.get(node)
        return new_stmt if scope is None else self.wrap(new_stmt, scope)

    @on(LetStmt, Let)
    def let(self, node: Any) -> Any:
        return self.rewrite(node.body) if node.var in self.hoisted else self.descend(node)


#: classes of nodes with something to hoist
_CANDIDATES: Final = (IfThenElse, Call, And, Or, Let, LetStmt)


def hoist(func: PrimFunc, conditionals: HoistedConditionals, bindings: HoistedLetBindings) -> PrimFunc:
    """Hoist conditions and bindings, then run `tir.Simplify` and `tir.RemoveNoOp`."""
    body = func.body
    if not features(func).isdisjoint(_CANDIDATES):
        collector = _Collector(conditionals, bindings)
        collector.visit(body)
        if any(scope.conditions or scope.bindings for scope in collector.scopes.values()):
            body = _Hoister(collector).rewrite(body)
    return RemoveNoOp().transform(Simplify().transform(func.with_body(body)))


@dataclass(frozen=True)
class HoistExpression(PrimFuncPass):
    """Hoist conditions and let bindings out of loops that they do not depend on, if the loop body is one statement.

    `hoisted_conditionals` and `hoisted_let_bindings` select them (sums of `HoistedConditionals` and
    `HoistedLetBindings`). If something also runs where a condition does not hold, the loop is copied to an `else`.
    `tir.Simplify` and `tir.RemoveNoOp` run afterwards. A binding that reads memory is not hoisted out of a loop that
    may write it. What reads memory or divides by a variable stays under its conditions.

    rewrite:
        for i in range(n):              for i in range(n):
            for j in range(n):              if i < 3:
                if i < 3:           -->         for j in range(n):
                    A[i * 8 + j] = 1                A[i * 8 + j] = 1
    """

    name = "tir.HoistExpression"
    #: it runs tir.Simplify, which is not idempotent
    is_idempotent = False
    hoisted_conditionals: int = 7
    hoisted_let_bindings: int = 7

    def transform(self, func: PrimFunc) -> PrimFunc:
        conditionals = HoistedConditionals(self.hoisted_conditionals)
        return hoist(func, conditionals, HoistedLetBindings(self.hoisted_let_bindings))
