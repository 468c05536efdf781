"""Simplification of expressions: index arithmetic through sums, everything else through tables of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd
from typing import Any, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.assumptions import Assumptions
from tvmscript.ir.arith.bounds import EVERYTHING
from tvmscript.ir.arith.canonical_sum import Sums
from tvmscript.ir.arith.fold import FALSE, TRUE
from tvmscript.ir.arith.linear_form import ZERO, Linear, constant, is_index_dtype
from tvmscript.ir.arith.rewrite_compare import compared, decided
from tvmscript.ir.arith.rewrite_logical import ConnectiveRule, simplify_in_order
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.arith.vector_index import RAMPS
from tvmscript.ir.core.dtype import BOOL, DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
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
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.side_effect import can_drop
from tvmscript.ir.tir.var import Var


class Simplifier(TirRewriter):
    """`simplify(expr)` has the value of `expr` wherever that is defined, under the facts.

    Arithmetic of loop variables, sizes and other parameters is taken not to overflow. What is computed from data
    (loads, calls, conversions, variables that stand for them) wraps around, and `is_exact` says whether that is
    respected: in values it must be; in the indices of an access it need not, as there is no memory behind an
    index that overflows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_exact = False
        #: how conjunctions and disjunctions are simplified
        self.connectives: ConnectiveRule = simplify_in_order
        self.facts = Assumptions(self)
        self.sums = self.facts.sums

    # -- entries

    def simplify(self, expr: Expr) -> Expr:
        """The expression in its simplest known form; the same object where that is how it is written."""
        caches = self.sums.caches
        known = caches.exact_simplified if self.is_exact else caches.simplified
        made = known.get(expr)
        if made is None:
            made = self.table[type(expr)](self, expr)
            if made.dtype is BOOL and self.facts.literals:
                holds = self.facts.literal(made)
                made = made if holds is None else TRUE if holds else FALSE
            known[expr] = made
        return made

    def can_prove(self, condition: Expr) -> bool:
        """Whether a condition is known to hold."""
        made = self.simplify(condition)
        return isinstance(made, IntImm) and made.value != 0

    def can_prove_equal(self, a: Expr, b: Expr) -> bool:
        """Whether two expressions of one dtype are known to be equal."""
        return a is b or self.can_prove(EQ(a, b))

    def rewrite(self, node: Any) -> Any:
        return self.simplify(node) if isinstance(node, Expr) else super().rewrite(node)

    def value(self, value: Any) -> Any:
        return self.simplify(value) if isinstance(value, Expr) else super().value(value)

    def linear(self, expr: Expr) -> Linear:
        """An index expression as a sum."""
        if type(expr) is IntImm:
            return constant(expr.value)
        if isinstance(expr, Var):
            return self.facts.variable(expr)
        caches = self.sums.caches
        known = caches.exact_nodes if self.is_exact else caches.nodes
        made = known.get(expr)
        if made is None:
            rule = LINEAR.get(type(expr))
            made = self._opaque(expr) if rule is None else rule(self, expr)
            if self.is_exact and isinstance(expr, BinaryOp) and self._may_wrap(made, expr.dtype):
                made = self._whole(expr)
            known[expr] = made
        return made

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        before, self.is_exact = self.is_exact, False
        made = super().indices(indices)
        self.is_exact = before
        return made

    def _may_wrap(self, value: Linear, dtype: DType) -> bool:
        """Whether a sum of data can leave its dtype."""
        if not any(self.sums.is_data(atom) for atom in value.terms):
            return False
        return not self.sums.bounds(value).within(dtype.min_value, dtype.max_value)

    def _whole(self, expr: BinaryOp) -> Linear:
        """An operation that may wrap around, as one atom."""
        made = self.folded(expr)
        if type(made) is not type(expr):
            return self.linear(made)
        return Linear({self.sums.atom(structural_key(made), made): 1}, 0)

    def _opaque(self, expr: Expr) -> Linear:
        made = self.simplify(expr)
        if type(made) in LINEAR or isinstance(made, IntImm | Var):
            return self.linear(made)
        return Linear({self.sums.atom(structural_key(made), made): 1}, 0)

    # -- rules

    @on(Var)
    def variable(self, node: Var) -> Expr:
        if is_index_dtype(node.dtype):
            return self.arithmetic(node)
        made = self.renamed.get(node)
        return made if isinstance(made, Expr) else node

    @on(Add, Sub, Mul, FloorDiv, FloorMod, Div, Mod, Min, Max)
    def arithmetic(self, node: Any) -> Expr:
        if is_index_dtype(node.dtype):
            return self._written(node)
        if node.dtype.lanes > 1 and is_index_dtype(node.dtype.element):
            made_vector = self.vector(node)
            if made_vector is not None:
                return made_vector
        return self.folded(node)

    def _written(self, node: Expr) -> Expr:
        made = self.sums.write(self.linear(node), node.dtype)
        return node if expr_deep_equal(node, made) else made

    def folded(self, node: BinaryOp) -> Expr:
        """The operation on simplified operands, folded."""
        a, b = self.simplify(node.a), self.simplify(node.b)
        made = fold.try_fold(type(node), a, b, node.span)
        if made is not None:
            return made
        return node if a is node.a and b is node.b else type(node)(a, b, span=node.span)

    def vector(self, node: Expr) -> Expr | None:
        """base + lane * stride as a Ramp or Broadcast, None where the vector is not one."""
        found = self.ramp(node)
        if found is None:
            return None
        base, stride = found
        element, lanes = node.dtype.element, node.dtype.lanes
        start = self.sums.write(base, element)
        if stride is ZERO or (stride.is_const and stride.const == 0):
            made: Expr = Broadcast(start, lanes)
        else:
            made = Ramp(start, self.sums.write(stride, element), lanes)
        return node if expr_deep_equal(node, made) else made

    def ramp(self, node: Expr) -> tuple[Linear, Linear] | None:
        """First value and stride of a vector of indices."""
        rule = RAMPS.get(type(node))
        return None if rule is None else rule(self, node)

    @on(GT)
    def greater(self, node: GT) -> Expr:
        return self._comparison(node, LT, node.b, node.a)

    @on(GE)
    def greater_equal(self, node: GE) -> Expr:
        return self._comparison(node, LE, node.b, node.a)

    @on(LT, LE, EQ, NE)
    def comparison(self, node: CompareOp) -> Expr:
        return self._comparison(node, type(node), node.a, node.b)

    def _comparison(self, node: CompareOp, cls: type[CompareOp], a: Expr, b: Expr) -> Expr:
        if not is_index_dtype(a.dtype):
            plain = self.folded(node)
            return cls(plain.b, plain.a, span=plain.span) if isinstance(plain, GT | GE) else plain
        left, right = self.linear(a), self.linear(b)
        found = decided(self.sums, cls, left, right)
        if found is not None:
            return TRUE if found else FALSE
        if self.is_exact and any(self.sums.is_data(atom) for atom in left.plus(right, -1).terms):
            # what moves to the other side may wrap there
            made: Expr = cls(self.sums.write(left, a.dtype), self.sums.write(right, a.dtype))
        else:
            made = compared(self.sums, cls, left, right, a.dtype)
        return node if expr_deep_equal(node, made) else made

    @on(And, Or)
    def connective(self, node: And | Or) -> Expr:
        made = self.connectives(self, node)
        # what is true or false of every lane is found as one value
        return made if made.dtype.lanes == node.dtype.lanes else Broadcast(made, node.dtype.lanes)

    @on(Not)
    def negation(self, node: Not) -> Expr:
        inner = self.simplify(node.a)
        if isinstance(inner, And | Or):
            dual = Or if isinstance(inner, And) else And
            return self.simplify(dual(Not(inner.a), Not(inner.b), span=node.span))
        made = fold.logical_not(inner, node.span)
        if isinstance(made, Not):
            return node if inner is node.a else made
        return self.simplify(made)

    @on(Select)
    def select(self, node: Select) -> Expr:
        condition = self.simplify(node.condition)
        chosen = self.choose(condition, node.true_value, node.false_value, is_lazy=False)
        if isinstance(chosen, Expr):
            return chosen
        true_value, false_value = chosen
        if condition is node.condition and true_value is node.true_value and false_value is node.false_value:
            return node
        return Select(condition, true_value, false_value, span=node.span)

    def choose(
        self, condition: Expr, true_value: Expr, false_value: Expr, *, is_lazy: bool
    ) -> Expr | tuple[Expr, Expr]:
        """The value that a condition chooses, or both values simplified."""
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
            # evaluated where it is not chosen too: there it must not divide by zero because of the condition
            true_value, false_value = self.simplify(true_value), self.simplify(false_value)
        if expr_deep_equal(true_value, false_value) and can_drop(condition):
            return true_value
        return true_value, false_value

    @on(Cast)
    def cast(self, node: Cast) -> Expr:
        value = self.simplify(node.value)
        dtype = node.dtype
        made = fold.cast_float(dtype, value, node.span) if isinstance(value, FloatImm) else None
        if made is None:
            made = fold.cast(dtype, value, node.span)
        return node if isinstance(made, Cast) and value is node.value else made

    @on(Let)
    def let(self, node: Let) -> Expr:
        value = self.simplify(node.value)
        if isinstance(value, IntImm | Var):
            self.facts.bind_value(node.var, value)
            return self.simplify(node.body)
        self.facts.bind_data(node.var)
        body = self.simplify(node.body)
        return node if value is node.value and body is node.body else Let(node.var, value, body, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        rule = CALLS.get(node.op.name) if isinstance(node.op, Op) else None
        return self.descend(node) if rule is None else rule(self, node)


# -- index expressions as sums

LinearRule = Callable[[Simplifier, Any], Linear]


def _wrapped(value: Linear, dtype: DType) -> Linear:
    """Operations on constants wrap around; anything with a variable does not overflow."""
    if value.terms or dtype.min_value <= value.const <= dtype.max_value:
        return value
    return constant(wrap(value.const, dtype))


def _add(simplifier: Simplifier, node: Add) -> Linear:
    made = simplifier.linear(node.a).plus(simplifier.linear(node.b))
    if not made.terms:
        return _wrapped(made, node.dtype)
    return simplifier.sums.joined(made) if simplifier.sums.remainders else made


def _sub(simplifier: Simplifier, node: Sub) -> Linear:
    return _wrapped(simplifier.linear(node.a).plus(simplifier.linear(node.b), -1), node.dtype)


def multiply(simplifier: Simplifier, a: Linear, b: Linear, dtype: DType) -> Linear:
    """The product of two sums; a product of two variables is an atom."""
    if not b.terms or not a.terms:
        value, by = (b, a) if b.terms else (a, b)
        return _wrapped(value.times(by.const), dtype)
    sums = simplifier.sums
    (left, x), (right, y) = sums.factor(a), sums.factor(b)
    return Linear({sums.product((x, y)): left * right}, 0)


def _mul(simplifier: Simplifier, node: Mul) -> Linear:
    if type(node.b) is IntImm:
        return _wrapped(simplifier.linear(node.a).times(node.b.value), node.dtype)
    return multiply(simplifier, simplifier.linear(node.a), simplifier.linear(node.b), node.dtype)


def _floordiv(simplifier: Simplifier, node: FloorDiv) -> Linear:
    if type(node.b) is IntImm and node.b.value > 0:
        return simplifier.sums.floordiv(simplifier.linear(node.a), node.b.value)
    return _divided(simplifier, node)


def _floormod(simplifier: Simplifier, node: FloorMod) -> Linear:
    if type(node.b) is IntImm and node.b.value > 0:
        return simplifier.sums.floormod(simplifier.linear(node.a), node.b.value)
    return _divided(simplifier, node)


def _divided(simplifier: Simplifier, node: BinaryOp) -> Linear:
    return divide(simplifier, type(node), simplifier.linear(node.a), simplifier.linear(node.b), node.dtype)


def divide(simplifier: Simplifier, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    """The quotient or remainder of two sums, as `cls` (FloorDiv, FloorMod, Div, Mod) defines it."""
    return DIVISIONS[cls](simplifier, cls, a, b, dtype)


def _floored(simplifier: Simplifier, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    """Multiples of a divisor that is not constant come out, what is smaller than it vanishes."""
    sums, is_quotient = simplifier.sums, cls is FloorDiv
    if _is_plain_divisor(a, b, dtype):
        return sums.floordiv(a, b.const) if is_quotient else sums.floormod(a, b.const)
    if b.is_const:
        return _atom(simplifier, cls, a, b, dtype)
    quotient, rest = sums.divide_exactly(a, b)
    if rest.is_const and rest.const == 0:
        return quotient if is_quotient else ZERO
    if sums.is_at_most_zero(rest.times(-1)) and sums.is_at_most_zero(rest.plus(b, -1).shifted(1)):
        return quotient if is_quotient else rest
    left = _atom(simplifier, cls, rest, b, dtype)
    if (quotient.terms or quotient.const) and not (is_quotient and _comes_out(sums, quotient, b)):
        sums.remember_division(left, quotient if is_quotient else ZERO, cls(sums.write(a, dtype), sums.write(b, dtype)))
    if is_quotient:
        return quotient.plus(left)
    return _remainder(simplifier, left, FloorDiv, rest, b, dtype)


def _comes_out(sums: Sums, quotient: Linear, divisor: Linear) -> bool:
    """Whether TVM takes multiples of a variable out of a quotient by it: where it is not negative."""
    variable = divisor.single
    if variable is None or variable.factors or not sums.bounds(divisor).within(0, None):
        return False
    return all(abs(factor) == 1 and not atom.factors for atom, factor in quotient.terms.items())


def _is_plain_divisor(a: Linear, b: Linear, dtype: DType) -> bool:
    """Whether b is a constant that sums can be divided by: not zero, and negative only where a is a constant too."""
    if not b.is_const or not b.const:
        return False
    return b.const > 0 or (a.is_const and not (b.const == -1 and a.const == dtype.min_value))


def _atom(simplifier: Simplifier, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    sums = simplifier.sums
    return Linear({sums.atom((cls, a.key, b.key), cls(sums.write(a, dtype), sums.write(b, dtype))): 1}, 0)


def _truncated(simplifier: Simplifier, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    sums, is_quotient = simplifier.sums, cls is Div
    if b.is_const and b.const and not (a.is_const and b.const == -1 and a.const == dtype.min_value):
        if a.is_const:
            return constant((fold.truncdiv if is_quotient else fold.truncmod)(a.const, b.const))
        exact = sums.residues(a).is_multiple_of(b.const)
        if exact or (b.const > 0 and sums.bounds(a).within(0, None)):
            return sums.floordiv(a, b.const) if is_quotient else sums.floormod(a, b.const)
    left = _atom(simplifier, cls, a, b, dtype)
    return left if is_quotient else _remainder(simplifier, left, Div, a, b, dtype)


def _remainder(
    simplifier: Simplifier, made: Linear, quotient: type[BinaryOp], a: Linear, b: Linear, dtype: DType
) -> Linear:
    """The remainder, known to be what a quotient leaves."""
    whole = multiply(simplifier, _atom(simplifier, quotient, a, b, dtype), b, dtype)
    simplifier.sums.remainders[next(iter(made.terms))] = whole, a
    return made


DIVISIONS: Final[dict[type[BinaryOp], Callable[[Simplifier, type[BinaryOp], Linear, Linear, DType], Linear]]] = {
    FloorDiv: _floored,
    FloorMod: _floored,
    Div: _truncated,
    Mod: _truncated,
}


def _extreme(simplifier: Simplifier, node: Min | Max) -> Linear:
    operands = (simplifier.linear(node.a), simplifier.linear(node.b))
    return simplify_extremum(simplifier.sums, type(node), operands, node.dtype, is_node=True)


def simplify_extremum(
    sums: Sums, cls: type[Min] | type[Max], operands: Iterable[Linear], dtype: DType, *, is_node: bool = False
) -> Linear:
    """The smallest (or largest) of all operands of nested minima, without those that never are.

    In an expression, a minimum on the right stays one operand, as in TVM.
    """
    beaten = 1 if cls is Min else -1
    kept: list[Linear] = []
    for operand in operands:
        for value in (operand,) if is_node and kept else sums.choices(operand, cls):
            sides = [sums.side_of_zero(value.plus(other, -1)) for other in kept]
            if beaten in sides:
                continue
            kept = [other for other, side in zip(kept, sides, strict=True) if side is None]
            kept.append(value)
    if len(kept) > 2:
        kept.sort(key=_is_constant)
    common = _common_factor(kept)
    if common == 1:
        return sums.choice(cls, kept, dtype)
    parts = [Linear({atom: f // common for atom, f in one.terms.items()}, one.const // common) for one in kept]
    made = sums.choice(cls, parts, dtype)
    if not _is_factor(common, kept):
        sums.remember_choice(made, common, kept, cls)
    return made.times(common)


def _is_constant(value: Linear) -> bool:
    return value.is_const


def _common_factor(values: Sequence[Linear]) -> int:
    """What multiples of atoms, and constants, are all multiples of; 1 where there are sums."""
    if len(values) < 2 or any(len(value.terms) > 1 or (value.terms and value.const) for value in values):
        return 1
    return gcd(*[value.const for value in values], *[factor for value in values for factor in value.terms.values()])


def _is_factor(common: int, operands: Sequence[Linear]) -> bool:
    """Whether TVM takes a factor out of a minimum: that of a product whose other operand is a constant behind it."""
    return len(operands) == 2 and operands[1].is_const and common in operands[0].terms.values()


LINEAR: Final[dict[type[Expr], LinearRule]] = {
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Div: _divided,
    Mod: _divided,
    FloorDiv: _floordiv,
    FloorMod: _floormod,
    Min: _extreme,
    Max: _extreme,
}


def _fold_call(simplifier: Simplifier, node: Call) -> Expr:
    made = simplifier.descend(node)
    a, b = made.args
    is_shift = made.op.name.startswith("tir.shift") if isinstance(made.op, Op) else False
    if not isinstance(a, IntImm) or not isinstance(b, IntImm) or not isinstance(made.op, Op):
        return made
    if is_shift and not 0 <= b.value < made.dtype.bits:
        return made
    return IntImm(made.dtype, wrap(fold.BITWISE[made.op.name](a.value, b.value), made.dtype), made.span)


def _likely(simplifier: Simplifier, node: Call) -> Expr:
    condition = simplifier.simplify(node.args[0])
    if isinstance(condition, IntImm):
        return condition
    return node if condition is node.args[0] else Call(node.dtype, node.op, (condition,), node.span)


def _if_then_else(simplifier: Simplifier, node: Call) -> Expr:
    condition = simplifier.simplify(node.args[0])
    chosen = simplifier.choose(condition, node.args[1], node.args[2], is_lazy=True)
    if isinstance(chosen, Expr):
        return chosen
    args = (condition, *chosen)
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return node
    return Call(node.dtype, node.op, args, node.span)


def _ceil(simplifier: Simplifier, node: Call) -> Expr:
    """The number of bits of an integer: ceil(log2(x)) for an x between two powers of two."""
    made = simplifier.descend(node)
    log = made.args[0]
    if not isinstance(log, Call) or getattr(log.op, "name", "") != "tir.log2":
        return made
    value = log.args[0].value if isinstance(log.args[0], Cast) else log.args[0]
    if isinstance(value, FloatImm) and value.value >= 1 and value.value.is_integer():
        low = high = int(value.value)
    else:
        known = simplifier.facts.bounds_of(value) if value.dtype.is_integer and value.dtype.lanes == 1 else EVERYTHING
        if known.low is None or known.high is None or known.low < 1:
            return made
        low, high = known.low, known.high
    bits = (low - 1).bit_length()
    return FloatImm(made.dtype, bits, node.span) if bits == (high - 1).bit_length() else made


CALLS: Final[dict[str, Callable[[Simplifier, Call], Expr]]] = {
    "tir.ceil": _ceil,
    "tir.likely": _likely,
    "tir.if_then_else": _if_then_else,
    **dict.fromkeys(fold.BITWISE, _fold_call),
}
