"""Simplify expressions under the enclosing loops and conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.analysis.memory.known_contents import Contents
from tvmscript.ir.arith.simplification.rewrite_logical import (
    convert_to_and_of_ors,
    simplify_branches,
    simplify_pairwise,
)
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import BOOL, CallEffect, nodes, on
from tvmscript.ir.core.visit import has_nodes, on_every
from tvmscript.ir.tir import NOOP, Buffer, BufferLoad, Expr, FloatImm, IntImm, PrimFunc, Stmt, Var, can_drop, effect_of
from tvmscript.ir.tir.expr import (
    Call,
    CompareOp,
    Div,
    FloorDiv,
    FloorMod,
    LogicalOp,
    Max,
    Min,
    Mod,
    Select,
)
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, LetStmt, While
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.fixed_points import FixedPoints
from tvmscript.ir.transform.function_features import statement_features
from tvmscript.ir.transform.rewriters.with_analyzer import AnalyzedRewriter
from tvmscript.ir.transform.rewriters.with_contents import ContentsRewriter


class _Simplifier(AnalyzedRewriter):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__(is_exact=True)
        #: variables of shapes, strides and offsets of buffers
        self.in_buffers = _layout_variables(func)
        #: bool variable -> its value
        self.conditions: dict[Var, Expr] = {}
        self.enter(func)

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return self._tuple(indices, self.analyzer.simplify_index)

    @on_every(Expr)
    def expression(self, node: Expr) -> Expr:
        return self.analyzer.simplify(node)

    def define(self, name: object) -> Any:
        # declarations of buffers are not simplified
        return name

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        condition = self.simplify_condition(node.condition)
        if isinstance(condition, IntImm):
            taken = node.then_case if condition.value else node.else_case
            return NOOP if taken is None else self.rewrite(taken)
        return self.branches(node, condition)

    def simplify_condition(self, condition: Expr) -> Expr:
        """Simplify a condition. It becomes a constant if that follows from the values of its bool variables."""
        simplified: Expr = self.rewrite(condition)
        if isinstance(simplified, IntImm) or self.conditions.keys().isdisjoint(uses(simplified)):
            return simplified
        substituted = self.analyzer.simplify(substitute(simplified, self.conditions))
        return substituted if isinstance(substituted, IntImm) else simplified

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        value: Expr = self.rewrite(node.value)
        is_inlined = isinstance(value, (IntImm, FloatImm, Var)) or (
            value.dtype.is_signed and effect_of(value) <= CallEffect.PURE
        )
        if is_inlined and value.dtype.lanes == 1:
            self.analyzer.bind(node.var, value, allow_override=True)
            body: Stmt = self.rewrite(node.body)
            if node.var not in self.in_buffers:
                return body
            return node.rebuild(value=value, body=body)
        self.analyzer.bind_data(node.var)
        if value.dtype is BOOL and effect_of(value) <= CallEffect.PURE:
            self.conditions[node.var] = value
        body = self.rewrite(node.body)
        return node.rebuild(value=value, body=body)

    @on(While)
    def loop_while(self, node: While) -> Stmt:
        condition: Expr = self.rewrite(node.condition)
        if isinstance(condition, IntImm) and not condition.value:
            return NOOP
        with self.analyzer.constraint(condition):
            body = self.rewrite(node.body)
        return node.rebuild(condition=condition, body=body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        store = super().store(node)
        value = store.value if isinstance(store, BufferStore) else None
        if not isinstance(store, BufferStore) or not isinstance(value, BufferLoad):
            return store
        if value.buffer is not store.buffer or not can_drop(value):
            return store
        is_same = value.predicate is store.predicate and all(map(expr_deep_equal, value.indices, store.indices))
        return NOOP if is_same else store


#: what conditions may decide; sums and products stay as they are
_DECIDED: Final = (Call, CompareOp, LogicalOp, Select, FloorDiv, FloorMod, Div, Mod, Min, Max)


class _ConditionSimplifier(_Simplifier):
    """Leave stores alone in which a condition decides nothing."""

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        return super().store(node) if has_nodes(node, _DECIDED) else node


def simplify_conditions(func: PrimFunc) -> PrimFunc:
    """Simplify the conditions of a function that is simplified but for them, and what they decide."""
    rewriter = _ConditionSimplifier(func)
    rewriter.analyzer.extend(connectives=simplify_pairwise)
    return func.with_body(rewriter.rewrite(func.body))


def _layout_variables(func: PrimFunc) -> set[Any]:
    if LetStmt not in statement_features(func):
        return set()
    buffers = {node for node in nodes(func.body) if isinstance(node, Buffer)}
    return uses([(buffer.shape, buffer.strides, buffer.elem_offset) for buffer in buffers])


class _ContentsSimplifier(ContentsRewriter, _Simplifier):
    """Replace loads by known contents, in conditions only or in all expressions."""

    def __init__(self, func: PrimFunc, *, in_expressions: bool) -> None:
        super().__init__(func)
        self.in_expressions = in_expressions
        self.contents = Contents(self.analyzer)

    @on_every(Expr)
    def expression(self, node: Expr) -> Expr:
        return self.analyzer.simplify(self.contents.looked_up(node) if self.in_expressions else node)

    def simplify_condition(self, condition: Expr) -> Expr:
        simplified = super().simplify_condition(condition)
        if isinstance(simplified, IntImm):
            return simplified
        looked_up = self.contents.looked_up(simplified)
        if looked_up is not simplified:
            looked_up = self.analyzer.simplify(looked_up)
        return looked_up if isinstance(looked_up, IntImm) else simplified


@dataclass(frozen=True)
class Simplify(PrimFuncPass):
    """Simplify expressions under the enclosing loops and conditions.

    Branches with a constant condition are folded, integer `let`s are inlined, and stores of an element to itself are
    removed.

    rewrite:
        for i in range(16):
            if i < 20:                                  for i in range(16):
                A[(i * 4 + 8) // 4 - 2] = B[i + 0]  -->     A[i] = B[i]
    """

    name = "tir.Simplify"
    #: rules are applied once to each expression, as in TVM: a second run may simplify further
    is_idempotent = False
    transitively_prove_inequalities: bool = False
    propagate_knowns_to_prove_conditional: bool = False
    propagate_knowns_to_simplify_expressions: bool = False
    convert_boolean_to_and_of_ors: bool = False
    apply_constraints_to_boolean_branches: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return _FIXED_POINTS.apply(self.simplified, func) if self == _PLAIN else self.simplified(func)

    def simplified(self, func: PrimFunc) -> PrimFunc:
        uses_contents = self.propagate_knowns_to_prove_conditional or self.propagate_knowns_to_simplify_expressions
        rewriter = _Simplifier(func)
        if uses_contents:
            rewriter = _ContentsSimplifier(func, in_expressions=self.propagate_knowns_to_simplify_expressions)
        connectives = simplify_branches if self.apply_constraints_to_boolean_branches else simplify_pairwise
        rewriter.analyzer.extend(
            connectives=convert_to_and_of_ors(connectives) if self.convert_boolean_to_and_of_ors else connectives,
            is_transitive=self.transitively_prove_inequalities,
        )
        return func.with_body(rewriter.rewrite(func.body))


_PLAIN: Final = Simplify()
#: of the pass without options
_FIXED_POINTS: Final = FixedPoints()
