"""Constant differences of index expressions."""

from __future__ import annotations

from tvmscript.ir.core import structural_equal
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, IntImm, Mul, Sub
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var

#: Parts of a sum that are not sums, with their coefficients.
Terms = list[tuple[Expr, int]]


def distance(low: Expr, high: Expr) -> int | None:
    """Return `high - low` if it is constant, None otherwise."""
    terms: Terms = []
    const = _collect(high, 1, terms) + _collect(low, -1, terms)
    return const if all(factor == 0 for _, factor in terms) else None


def step_of(index: Expr, var: Var) -> int | None:
    """Return the coefficient of a variable in an index; None if the index is not linear in it."""
    terms: Terms = []
    _collect(index, 1, terms)
    step = 0
    for term, factor in terms:
        if term is var:
            step = factor
        elif factor and not term.is_name and var in uses(term):
            return None
    return step


def _collect(expr: Expr, factor: int, terms: Terms) -> int:
    """Add the terms of a sum to `terms` and return the constant term."""
    if isinstance(expr, IntImm):
        return factor * expr.value
    if isinstance(expr, Add):
        return _collect(expr.a, factor, terms) + _collect(expr.b, factor, terms)
    if isinstance(expr, Sub):
        return _collect(expr.a, factor, terms) + _collect(expr.b, -factor, terms)
    if isinstance(expr, Mul):
        for part, scale in ((expr.a, expr.b), (expr.b, expr.a)):
            if isinstance(scale, IntImm):
                return _collect(part, factor * scale.value, terms)
    for position, (term, before) in enumerate(terms):
        if term is expr or (type(term) is type(expr) and not expr.is_name and structural_equal(term, expr)):
            terms[position] = (term, before + factor)
            return 0
    terms.append((expr, factor))
    return 0
