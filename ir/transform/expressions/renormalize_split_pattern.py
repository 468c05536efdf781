"""Renormalize quotients of split loop indices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Final, NamedTuple

from tvmscript.ir.arith.buffer_layout import broadcast
from tvmscript.ir.arith.fold import OPPOSITE, make
from tvmscript.ir.core import on
from tvmscript.ir.tir import Expr, IntImm, PrimFunc
from tvmscript.ir.tir.expr import GE, GT, LE, LT, Add, BinaryOp, Broadcast, CompareOp, FloorDiv, FloorMod, Mul, Not
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.rewriters.with_analyzer import ConditionFolder


def _constant(expr: Expr) -> int | None:
    """Return the value of a positive constant or of its broadcast."""
    if isinstance(expr, Broadcast):
        expr = expr.value
    return expr.value if isinstance(expr, IntImm) and expr.value > 0 else None


class _Split(NamedTuple):
    """value * factor + rest"""

    value: Expr
    factor: int
    rest: Expr


def _split(expr: Expr) -> _Split | None:
    """Match `x * c + y` or `x * c + y + z`, the index of a split loop."""
    if not isinstance(expr, Add):
        return None
    first = expr.a
    product, rest = (first.a, make(Add, first.b, expr.b)) if isinstance(first, Add) else (first, expr.b)
    if not isinstance(product, Mul):
        return None
    factor = _constant(product.b)
    return None if factor is None else _Split(product.a, factor, rest)


def _make_constant_op(cls: type[BinaryOp], expr: Expr, constant: int) -> Expr:
    """Return an operation with a constant: folded for scalars, not folded for vectors, as in TVM."""
    if expr.dtype.lanes == 1:
        return make(cls, expr, IntImm(expr.dtype, constant))
    return cls(expr, broadcast(IntImm(expr.dtype.element, constant), expr.dtype.lanes))


class _SplitRenormalizer(ConditionFolder):
    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        new_node = self.binary(node)
        divisor = _constant(new_node.b) if isinstance(new_node, FloorDiv) else None
        if not isinstance(new_node, FloorDiv) or divisor is None:
            return new_node
        dividend = new_node.a
        if isinstance(dividend, FloorMod):
            quotient = self.divide_remainder(dividend, divisor)
        else:
            quotient = self.divide_sum(dividend, divisor)
        return new_node if quotient is None else self.rewrite(quotient)

    def divide_remainder(self, expr: FloorMod, divisor: int) -> Expr | None:
        """Rewrite `x % c // d` to `x // d % (c // d)` if d divides c."""
        modulus = _constant(expr.b)
        if modulus is None or modulus % divisor:
            return None
        return _make_constant_op(FloorMod, _make_constant_op(FloorDiv, expr.a, divisor), modulus // divisor)

    def divide_sum(self, expr: Expr, divisor: int) -> Expr | None:
        """Rewrite `(x * c + y) // d` to `(x * (c // g) + y // g) // (d // g)` with g = gcd(c, d)."""
        split = _split(expr)
        common = 1 if split is None else gcd(split.factor, divisor)
        if split is None or common == 1:
            return None
        total = make(
            Add,
            _make_constant_op(Mul, split.value, split.factor // common),
            _make_constant_op(FloorDiv, split.rest, common),
        )
        return _make_constant_op(FloorDiv, total, divisor // common)

    @on(LT)
    def less(self, node: LT) -> Expr:
        """Rewrite `x < c` to `x // c < 1`, with a renormalized quotient."""
        new_node = self.binary(node)
        if not isinstance(new_node, LT) or not isinstance(new_node.b, IntImm) or new_node.b.value <= 0:
            return new_node
        quotient = self.rewrite(make(FloorDiv, new_node.a, new_node.b))
        return make(LT, quotient, IntImm(quotient.dtype, 1), node.span)

    @on(GT)
    def greater(self, node: GT) -> Expr:
        return self.less_than(node.b, node.a, node)

    def less_than(self, a: Expr, b: Expr, node: CompareOp) -> Expr:
        """Return `a < b`, folded if both are constants."""
        compare = make(LT, a, b, node.span)
        return self.less(compare) if isinstance(compare, LT) else compare

    @on(LE)
    def at_most(self, node: LE) -> Expr:
        return _negate(self.less_than(node.b, node.a, node))

    @on(GE)
    def at_least(self, node: GE) -> Expr:
        return _negate(self.less_than(node.a, node.b, node))

    @on(Not)
    def negation(self, node: Not) -> Expr:
        inner = self.rewrite(node.a)
        if isinstance(inner, (LT, LE)) and inner.a.dtype.is_floating:  # both are false for NaN; TVM negates them
            return node.rebuild(a=inner)
        negated = _negate(inner)
        return node if isinstance(negated, Not) and inner is node.a else negated


def _negate(expr: Expr) -> Expr:
    """Return the negation, as a comparison by < or <= if possible."""
    if isinstance(expr, Not):
        return expr.a
    if not isinstance(expr, CompareOp):
        return Not(expr, span=expr.span)
    opposite = OPPOSITE[type(expr)](expr.a, expr.b, span=expr.span)
    mirrored = _MIRRORED.get(type(opposite))
    return opposite if mirrored is None else mirrored(opposite.b, opposite.a, span=opposite.span)


_MIRRORED: Final[dict[type[Expr], Callable[..., Expr]]] = {GE: LE, GT: LT}


@dataclass(frozen=True)
class RenormalizeSplitPattern(PrimFuncPass):
    """Distribute quotients over the terms of split loop indices, and rewrite comparisons with constants to quotients.

    In this form, `tir.Simplify` can prove more conditions. Sums are assumed not to overflow.

    rewrite:
        A[(i * 8 + k) // 32] = 0    -->     A[(i + k // 8) // 4] = 0
        if i * 8 + k < 64:          -->     if (i + k // 8) // 8 < 1:
    """

    name = "tir.RenormalizeSplitPattern"
    #: a second run turns a comparison of constants by <= around again, as in TVM
    is_idempotent = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_SplitRenormalizer().rewrite(func.body))
