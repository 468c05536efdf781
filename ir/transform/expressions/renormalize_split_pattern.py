"""Quotients of what loop splits leave are plain: no remainder is divided, sums are divided part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Any, ClassVar, Final, NamedTuple

from tvmscript.ir.arith.buffer_layout import broadcast
from tvmscript.ir.arith.fold import OPPOSITE, make
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import (
    GE,
    GT,
    LE,
    LT,
    Add,
    BinaryOp,
    Broadcast,
    CompareOp,
    FloorDiv,
    FloorMod,
    IntImm,
    Mul,
    Not,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.rewriters.with_analyzer import DecidingRewriter


def _constant(expr: Expr) -> int | None:
    """The value of a positive constant, or of a vector of it."""
    if isinstance(expr, Broadcast):
        expr = expr.value
    return expr.value if isinstance(expr, IntImm) and expr.value > 0 else None


class _Split(NamedTuple):
    """value * factor + rest"""

    value: Expr
    factor: int
    rest: Expr


def _split(expr: Expr) -> _Split | None:
    """What a loop split leaves: x * c + y, or x * c + y + z."""
    if not isinstance(expr, Add):
        return None
    first = expr.a
    product, rest = (first.a, make(Add, first.b, expr.b)) if isinstance(first, Add) else (first, expr.b)
    if not isinstance(product, Mul):
        return None
    factor = _constant(product.b)
    return None if factor is None else _Split(product.a, factor, rest)


def _made(cls: type[BinaryOp], expr: Expr, constant: int) -> Expr:
    """An operation with a constant, folded; one on vectors is written down, as TVM does."""
    if expr.dtype.lanes == 1:
        return make(cls, expr, IntImm(expr.dtype, constant))
    return cls(expr, broadcast(IntImm(expr.dtype.element, constant), expr.dtype.lanes))


class _Renormalization(DecidingRewriter):
    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        made: Any = self.binary(node)
        divisor = _constant(made.b)
        if divisor is None:
            return made  # type: ignore[no-any-return]  # rules return expressions
        inner: Expr = made.a
        again = self.of_remainder(inner, divisor) if isinstance(inner, FloorMod) else self.of_sum(inner, divisor)
        return made if again is None else self.rewrite(again)

    def of_remainder(self, expr: FloorMod, divisor: int) -> Expr | None:
        """x % c // d is x // d % (c // d), where d divides c."""
        modulus = _constant(expr.b)
        if modulus is None or modulus % divisor:
            return None
        return _made(FloorMod, _made(FloorDiv, expr.a, divisor), modulus // divisor)

    def of_sum(self, expr: Expr, divisor: int) -> Expr | None:
        """(x * c + y) // d is (x * (c // g) + y // g) // (d // g), where g divides c and d."""
        split = _split(expr)
        common = 1 if split is None else gcd(split.factor, divisor)
        if split is None or common == 1:
            return None
        total = make(Add, _made(Mul, split.value, split.factor // common), _made(FloorDiv, split.rest, common))
        return _made(FloorDiv, total, divisor // common)

    @on(LT)
    def less(self, node: LT) -> Expr:
        """x < c is x // c < 1: the quotient is in plainest form."""
        made = self.binary(node)
        if not isinstance(made, LT) or not isinstance(made.b, IntImm) or made.b.value <= 0:
            return made
        quotient = self.rewrite(make(FloorDiv, made.a, made.b))
        return make(LT, quotient, IntImm(quotient.dtype, 1), node.span)

    @on(GT)
    def greater(self, node: GT) -> Expr:
        return self.swapped(node.b, node.a, node)

    def swapped(self, a: Expr, b: Expr, node: CompareOp) -> Expr:
        """a < b, which is computed where both are constants."""
        made = make(LT, a, b, node.span)
        return self.less(made) if isinstance(made, LT) else made

    @on(LE)
    def at_most(self, node: LE) -> Expr:
        return _negated(self.swapped(node.b, node.a, node))

    @on(GE)
    def at_least(self, node: GE) -> Expr:
        return _negated(self.swapped(node.a, node.b, node))

    @on(Not)
    def negation(self, node: Not) -> Expr:
        inner = self.rewrite(node.a)
        if isinstance(inner, LT | LE) and inner.a.dtype.is_floating:  # neither need hold of nan; TVM does not see to it
            return node if inner is node.a else Not(inner, span=node.span)
        made = _negated(inner)
        return node if isinstance(made, Not) and inner is node.a else made


def _negated(expr: Expr) -> Expr:
    """The opposite, as a comparison by < or <= where that is possible."""
    if isinstance(expr, Not):
        return expr.a
    if not isinstance(expr, CompareOp):
        return Not(expr, span=expr.span)
    made = OPPOSITE[type(expr)](expr.a, expr.b, span=expr.span)
    mirrored = _MIRRORED.get(type(made))
    return made if mirrored is None else mirrored(made.b, made.a, span=made.span)


_MIRRORED: Final[dict[type[Expr], Callable[..., Expr]]] = {GE: LE, GT: LT}


@dataclass(frozen=True)
class RenormalizeSplitPattern(PrimFuncPass):
    """Quotients come apart at the places where loops were split, and comparisons with constants are quotients too.

    With the quotients in this form, parts of conditions are seen to depend on few loops: `tir.Simplify` afterwards
    finds what is left of them. Sums are taken not to overflow.

    rewrite:
        A[(i * 8 + k) // 32] = 0    -->     A[(i + k // 8) // 4] = 0
        if i * 8 + k < 64:          -->     if (i + k // 8) // 8 < 1:
    """

    name: ClassVar[str] = "tir.RenormalizeSplitPattern"
    #: a comparison of constants by <= is turned around by one run and back by the next, as in TVM
    is_idempotent: ClassVar[bool] = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Renormalization().rewrite(func.body))
