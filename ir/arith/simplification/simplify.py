"""Expression simplifier: index arithmetic through canonical sums, other expressions through rewrite rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.engine import ConnectiveRule
from tvmscript.ir.arith.fold import FALSE, TRUE
from tvmscript.ir.arith.intervals.bounds import EVERYTHING
from tvmscript.ir.arith.simplification.assumptions import Assumptions
from tvmscript.ir.arith.simplification.expr_to_sum import LINEAR, convert
from tvmscript.ir.arith.simplification.result_forms import keep_truncations
from tvmscript.ir.arith.simplification.rewrite_compare import decide_compare, remove_quotient, simplify_compare
from tvmscript.ir.arith.simplification.rewrite_logical import simplify_in_order
from tvmscript.ir.arith.simplification.vector_index import RAMPS
from tvmscript.ir.arith.sums.linear_form import ZERO, Linear, constant, is_index_dtype
from tvmscript.ir.arith.sums.sum_to_expr import SumWriter
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.core import BOOL, DType, Op, on
from tvmscript.ir.tir import Expr, TirRewriter, Var, can_drop
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    BinaryOp,
    Broadcast,
    Call,
    Cast,
    CompareOp,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    Let,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Ramp,
    Select,
    Sub,
)
from tvmscript.ir.tir.operators import wrap


class Simplifier(TirRewriter):
    """Rewriter whose `simplify(expr)` has the value of `expr` wherever that is defined, under the assumptions.

    Arithmetic of loop variables, sizes and other parameters does not overflow. Values computed from data (loads,
    calls, conversions, variables bound to them) wrap around. `is_exact` respects that, as it must in values. Indices of
    accesses are simplified without it: an index that overflows is out of bounds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_exact = False
        #: the rule for conjunctions and disjunctions
        self.connectives: ConnectiveRule = simplify_in_order
        self.facts = Assumptions(self)
        self.sums = self.facts.sums
        self.writer = SumWriter(self.sums)

    # -- entries

    def simplify(self, expr: Expr) -> Expr:
        """Return the expression in its simplest known form, the same object if nothing changes."""
        caches = self.sums.caches
        cache = caches.exact_simplified if self.is_exact else caches.simplified
        result = cache.get(expr)
        if result is None:
            result = self.table[type(expr)](self, expr)
            if result.dtype is BOOL and self.facts.literals:
                holds = self.facts.truth_of(result)
                result = result if holds is None else TRUE if holds else FALSE
            cache[expr] = result
        return result

    def can_prove(self, condition: Expr) -> bool:
        """Whether a condition provably holds."""
        simplified = self.simplify(condition)
        return isinstance(simplified, IntImm) and simplified.value != 0

    def can_prove_equal(self, a: Expr, b: Expr) -> bool:
        """Whether two expressions of one dtype are provably equal."""
        return a is b or self.can_prove(EQ(a, b))

    def rewrite(self, node: Any) -> Any:
        return self.simplify(node) if isinstance(node, Expr) else super().rewrite(node)

    def value(self, value: object) -> Any:
        return self.simplify(value) if isinstance(value, Expr) else super().value(value)

    def linear(self, expr: Expr) -> Linear:
        """Return an index expression as a canonical sum."""
        if type(expr) is IntImm:
            return constant(expr.value)
        if isinstance(expr, Var):
            return self.facts.variable(expr)
        caches = self.sums.caches
        cache = caches.exact_nodes if self.is_exact else caches.nodes
        value = cache.get(expr)
        if value is None:
            rule = LINEAR.get(type(expr))
            value = self._linearize_opaque(expr) if rule is None else rule(self, expr)
            if self.is_exact and isinstance(expr, BinaryOp) and self._may_wrap(value, expr.dtype):
                value = self._linearize_as_atom(expr)
            cache[expr] = value
        return value

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        before, self.is_exact = self.is_exact, False
        simplified = super().indices(indices)
        self.is_exact = before
        return simplified

    def _may_wrap(self, value: Linear, dtype: DType) -> bool:
        """Whether a sum of data may leave its dtype."""
        if not any(self.sums.atoms.is_data(atom) for atom in value.terms):
            return False
        return not self.sums.bounds(value).within(dtype.min_value, dtype.max_value)

    def _linearize_as_atom(self, expr: BinaryOp) -> Linear:
        """Return an operation that may wrap around as one atom."""
        simplified = self.fold_operands(expr)
        if type(simplified) is not type(expr):
            return self.linear(simplified)
        return Linear({self.sums.atoms.atom(structural_key(simplified), simplified): 1}, 0)

    def _linearize_opaque(self, expr: Expr) -> Linear:
        converted = convert(self, expr) if isinstance(expr, Cast) else None
        if converted is not None:
            return converted
        simplified = self.simplify(expr)
        if type(simplified) in LINEAR or isinstance(simplified, (IntImm, Var)):
            return self.linear(simplified)
        return Linear({self.sums.atoms.atom(structural_key(simplified), simplified): 1}, 0)

    # -- rules

    @on(Var)
    def variable(self, node: Var) -> Expr:
        if is_index_dtype(node.dtype):
            value = self.facts.values.get(node)
            return node if value is None else self.writer.write(value, node.dtype)
        replacement = self.renamed.get(node)
        return replacement if isinstance(replacement, Expr) else node

    @on(Add, Sub, Mul, FloorDiv, FloorMod, Div, Mod, Min, Max)
    def arithmetic(self, node: BinaryOp) -> Expr:
        if is_index_dtype(node.dtype):
            return self._simplify_index(node)
        if node.dtype.lanes > 1 and is_index_dtype(node.dtype.element):
            made_vector = self.vector(node)
            if made_vector is not None:
                return made_vector
        return self.fold_operands(node)

    def _simplify_index(self, node: Expr) -> Expr:
        if self._is_written_sum(node):
            return node
        result = self.writer.write(self.linear(node), node.dtype)
        if self.sums.atoms.has_truncations:
            result = keep_truncations(self.facts, node, result)
        return node if expr_deep_equal(node, result) else result

    def _is_written_sum(self, expr: Expr) -> bool:
        """Whether an expression is what `SumWriter` makes of it: a sum of different variables that have no values.

        Coefficients decrease, and a constant is positive and last: most indices were simplified before.
        """
        values, data = self.facts.values, self.sums.atoms.data
        if isinstance(expr, Add) and isinstance(expr.b, IntImm) and expr.b.value > 0:
            expr = expr.a
        variables: list[Var] = []
        last = 0
        while True:
            outer, term = (expr.a, expr.b) if isinstance(expr, Add) else (None, expr)
            factor = 1
            if isinstance(term, Mul) and isinstance(term.b, IntImm):
                factor, term = term.b.value, term.a
                if factor == 1:
                    return False
            if factor <= last or not isinstance(term, Var) or term in values or term in data or term in variables:
                return False
            if outer is None:
                return True
            variables.append(term)
            last, expr = factor, outer

    def fold_operands(self, node: BinaryOp) -> Expr:
        """Simplify the operands, then fold constants."""
        a, b = self.simplify(node.a), self.simplify(node.b)
        if isinstance(a, Broadcast) and isinstance(b, Broadcast):
            return Broadcast(self.simplify(type(node)(a.value, b.value, span=node.span)), node.dtype.lanes)
        result = fold.try_fold(type(node), a, b, node.span)
        if result is not None:
            return result
        return node if a is node.a and b is node.b else type(node)(a, b, span=node.span)

    def vector(self, node: Expr) -> Expr | None:
        """Return base + lane * stride as a Ramp or Broadcast, None if the vector has another form."""
        steps = self.ramp(node)
        if steps is None:
            return None
        base, stride = steps
        element, lanes = node.dtype.element, node.dtype.lanes
        start = self.writer.write(base, element)
        if stride is ZERO or (stride.is_const and stride.const == 0):
            result: Expr = Broadcast(start, lanes)
        else:
            result = Ramp(start, self.writer.write(stride, element), lanes)
        return node if expr_deep_equal(node, result) else result

    def ramp(self, node: Expr) -> tuple[Linear, Linear] | None:
        """Return base and stride of a vector of indices, None if it has another form."""
        rule = RAMPS.get(type(node))
        return None if rule is None else rule(self, node)

    @on(GT)
    def greater(self, node: GT) -> Expr:
        return self._simplify_compare(node, LT, node.b, node.a)

    @on(GE)
    def greater_equal(self, node: GE) -> Expr:
        return self._simplify_compare(node, LE, node.b, node.a)

    @on(LT, LE, EQ, NE)
    def comparison(self, node: CompareOp) -> Expr:
        return self._simplify_compare(node, type(node), node.a, node.b)

    def _simplify_compare(self, node: CompareOp, cls: type[CompareOp], a: Expr, b: Expr) -> Expr:
        if not is_index_dtype(a.dtype):
            plain = self.fold_operands(node)
            return cls(plain.b, plain.a, span=plain.span) if isinstance(plain, (GT, GE)) else plain
        left, right = self.linear(a), self.linear(b)
        value = decide_compare(self.sums, cls, left, right)
        if value is not None:
            return TRUE if value else FALSE
        if self.is_exact and any(self.sums.atoms.is_data(atom) for atom in left.plus(right, -1).terms):
            # moving a term to the other side may wrap
            if cls is LT or cls is LE:
                left, right = remove_quotient(self.sums, cls, left, right)
            result: Expr = cls(self.writer.write(left, a.dtype), self.writer.write(right, a.dtype))
        else:
            result = simplify_compare(self.writer, cls, left, right, a.dtype)
        return node if expr_deep_equal(node, result) else result

    @on(And, Or)
    def connective(self, node: And | Or) -> Expr:
        result = self.connectives(self, node)
        # a rule may return one bool for all lanes
        return result if result.dtype.lanes == node.dtype.lanes else Broadcast(result, node.dtype.lanes)

    @on(Not)
    def negation(self, node: Not) -> Expr:
        inner = self.simplify(node.a)
        if isinstance(inner, (And, Or)):
            dual = Or if isinstance(inner, And) else And
            return self.simplify(dual(Not(inner.a), Not(inner.b), span=node.span))
        negated = fold.logical_not(inner, node.span)
        if isinstance(negated, Not):
            return node if inner is node.a else negated
        return self.simplify(negated)

    @on(Select)
    def select(self, node: Select) -> Expr:
        condition = self.simplify(node.condition)
        chosen = self.simplify_choice(condition, node.true_value, node.false_value, is_lazy=False)
        if isinstance(chosen, Expr):
            return chosen
        true_value, false_value = chosen
        if condition is node.condition and true_value is node.true_value and false_value is node.false_value:
            return node
        return Select(condition, true_value, false_value, span=node.span)

    def simplify_choice(
        self, condition: Expr, true_value: Expr, false_value: Expr, *, is_lazy: bool
    ) -> Expr | tuple[Expr, Expr]:
        """Return the value that a constant condition selects, or both values simplified."""
        if isinstance(condition, IntImm):
            return self.simplify(true_value if condition.value else false_value)
        if isinstance(condition, Broadcast) and isinstance(condition.value, IntImm):
            return self.simplify(true_value if condition.value.value else false_value)
        if is_lazy:
            with self.facts.assuming(condition):
                true_value = self.simplify(true_value)
            with self.facts.assuming(condition, False):
                false_value = self.simplify(false_value)
        else:
            # both values are evaluated: the condition must not be used, as it may guard a division by zero
            true_value, false_value = self.simplify(true_value), self.simplify(false_value)
        if expr_deep_equal(true_value, false_value) and can_drop(condition):
            return true_value
        return true_value, false_value

    @on(Cast)
    def cast(self, node: Cast) -> Expr:
        if convert(self, node) is not None:
            return self._simplify_index(node)
        value = self.simplify(node.value)
        dtype = node.dtype
        if isinstance(value, Broadcast) and value.dtype is not dtype:
            return Broadcast(self.simplify(Cast(dtype.element, value.value, span=node.span)), dtype.lanes)
        result = fold.cast_float(dtype, value, node.span) if isinstance(value, FloatImm) else None
        if result is None:
            result = fold.cast(dtype, value, node.span)
        return node if isinstance(result, Cast) and result.value is node.value else result

    @on(Let)
    def let(self, node: Let) -> Expr:
        value = self.simplify(node.value)
        if isinstance(value, (IntImm, Var)):
            self.facts.bind_value(node.var, value)
            return self.simplify(node.body)
        var = node.var
        if value is not node.value:
            # other copies of the expression keep the value that they have
            var = node.var.replace()
            self.facts.bind_value(node.var, var)
        self.facts.bind_data(var)
        body = self.simplify(node.body)
        return node if value is node.value and body is node.body else Let(var, value, body, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        rule = CALLS.get(node.op.name) if isinstance(node.op, Op) else None
        return self.descend(node) if rule is None else rule(self, node)


def _fold_call(simplifier: Simplifier, node: Call) -> Expr:
    call = simplifier.descend(node)
    a, b = call.args
    is_shift = call.op.name.startswith("tir.shift") if isinstance(call.op, Op) else False
    if not isinstance(a, IntImm) or not isinstance(b, IntImm) or not isinstance(call.op, Op):
        return call
    if is_shift and not 0 <= b.value < call.dtype.bits:
        return call
    return IntImm(call.dtype, wrap(fold.BITWISE[call.op.name](a.value, b.value), call.dtype), call.span)


def _likely(simplifier: Simplifier, node: Call) -> Expr:
    condition = simplifier.simplify(node.args[0])
    if isinstance(condition, IntImm):
        return condition
    return node if condition is node.args[0] else Call(node.dtype, node.op, (condition,), node.span)


def _if_then_else(simplifier: Simplifier, node: Call) -> Expr:
    condition = simplifier.simplify(node.args[0])
    chosen = simplifier.simplify_choice(condition, node.args[1], node.args[2], is_lazy=True)
    if isinstance(chosen, Expr):
        return chosen
    args = (condition, *chosen)
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return node
    return Call(node.dtype, node.op, args, node.span)


def _ceil(simplifier: Simplifier, node: Call) -> Expr:
    """Fold ceil(log2(x)) if the bounds of x are between two powers of two."""
    call = simplifier.descend(node)
    log = call.args[0]
    if not isinstance(log, Call) or getattr(log.op, "name", "") != "tir.log2":
        return call
    value = log.args[0].value if isinstance(log.args[0], Cast) else log.args[0]
    if isinstance(value, FloatImm) and value.value >= 1 and value.value.is_integer():
        low = high = int(value.value)
    else:
        bounds = simplifier.facts.bounds_of(value) if value.dtype.is_integer and value.dtype.lanes == 1 else EVERYTHING
        if bounds.low is None or bounds.high is None or bounds.low < 1:
            return call
        low, high = bounds.low, bounds.high
    bits = (low - 1).bit_length()
    return FloatImm(call.dtype, bits, node.span) if bits == (high - 1).bit_length() else call


def _count_leading_zeros(simplifier: Simplifier, node: Call) -> Expr:
    call = simplifier.descend(node)
    value = call.args[0]
    if not isinstance(value, IntImm) or value.value < 0 or not call.dtype.is_integer or call.dtype.lanes != 1:
        return call
    return IntImm(call.dtype, value.dtype.bits - value.value.bit_length(), call.span)


CALLS: Final[dict[str, Callable[[Simplifier, Call], Expr]]] = {
    "tir.clz": _count_leading_zeros,
    "tir.ceil": _ceil,
    "tir.likely": _likely,
    "tir.if_then_else": _if_then_else,
    **dict.fromkeys(fold.BITWISE, _fold_call),
}
