"""Sizes as TVM writes them: `(n * 128 + 255) // 256` stays what it is, and does not become `(n + 1) // 2`.

The simplifier divides dividend and divisor of a quotient by what they have in common; TVM does so where the dividend
is a product, not where it is a sum. Nor does TVM take common factors out of a sum. Extents of loops are compared with
TVM's, so these are put aside, as variables, while other things are simplified.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.keys import key_of
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, FloorDiv, IntImm, Mul, Sub
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var


def stays(quotient: Expr, analyzer: Analyzer) -> bool:
    """Whether TVM leaves a quotient as it is, which the simplifier does not."""
    if not isinstance(quotient, FloorDiv) or not isinstance(quotient.b, IntImm):
        return False
    if not isinstance(quotient.a, Add | Sub):
        return False
    made = analyzer.simplify(quotient)
    return isinstance(made, FloorDiv) and isinstance(made.b, IntImm) and made.b.value < quotient.b.value


class Aside(TirRewriter):
    """Puts quotients without any of these variables aside; `back` puts them in again."""

    def __init__(self, loops: Collection[Var] = ()) -> None:
        super().__init__()
        self.loops = loops
        self.analyzer = Analyzer()
        self.kept: dict[Hashable, Var] = {}
        self.values: dict[Var, Expr] = {}

    @on(FloorDiv)
    def quotient(self, node: FloorDiv) -> Expr:
        if not uses(node).isdisjoint(self.loops) or not stays(node, self.analyzer):
            made: Expr = self.descend(node)
            return made
        return self.put(node)

    @on(Add, Sub)
    def total(self, node: Add | Sub) -> Expr:
        found = self.kept.get(key_of(node)) if self.kept else None
        made: Expr = self.descend(node) if found is None else found
        return made

    @on(Mul)
    def product(self, node: Mul) -> Expr:
        is_known = isinstance(node.a, IntImm) or isinstance(node.b, IntImm)
        a, b = (self.rewrite(part) if is_known else self.factor(part) for part in (node.a, node.b))
        return node if a is node.a and b is node.b else Mul(a, b, span=node.span)

    def factor(self, node: Expr) -> Expr:
        """A sum that is multiplied with something unknown stays whole, even where its terms have a common factor."""
        if isinstance(node, Add | Sub) and uses(node).isdisjoint(self.loops):
            return self.put(node)
        made: Expr = self.rewrite(node)
        return made

    def put(self, node: Expr) -> Expr:
        """The variable in the place of an expression."""
        key = key_of(node)
        if key not in self.kept:
            variable = self.kept[key] = Var(f"q{len(self.kept)}", node.dtype)
            self.values[variable] = node
        return self.kept[key]

    def back(self, expr: Expr) -> Expr:
        """The expression with the quotients in it."""
        return substitute(expr, self.values) if self.values else expr


def simplified_size(expr: Expr) -> Expr:
    """A size, simplified, but for the quotients that TVM leaves as they are."""
    if isinstance(expr, IntImm):
        return expr
    aside = Aside()
    return aside.back(aside.analyzer.simplify(aside.rewrite(expr)))


def ceildiv(size: Expr, by: Expr) -> Expr:
    """A size divided by another, rounded up."""
    if isinstance(size, IntImm) and isinstance(by, IntImm):
        return IntImm(size.dtype, -(-size.value // by.value))
    aside = Aside()
    if isinstance(size, FloorDiv) and isinstance(by, IntImm) and stays(size, aside.analyzer):
        # (x // c + d - 1) // d = (x + c * (d - 1)) // (c * d)
        above = fold.add(size.a, fold.mul(size.b, fold.sub(by, IntImm(by.dtype, 1))))
        by = fold.mul(size.b, by)
    else:
        above = fold.sub(fold.add(aside.rewrite(size), aside.rewrite(by)), IntImm(size.dtype, 1))
    quotient = fold.make(FloorDiv, aside.analyzer.simplify(above), aside.rewrite(by))
    made = quotient if stays(quotient, aside.analyzer) else aside.analyzer.simplify(quotient)
    return aside.back(made)
