"""Detection of linear functions, and of bounds of single variables in conditions."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, conjuncts, make, mul, sub
from tvmscript.ir.tir import Expr, Var, match_types, uses
from tvmscript.ir.tir.expr import EQ, GE, GT, LE, LT, Add, CompareOp, IntImm, Max, Min, Mul, Sub


class _Linear(NamedTuple):
    """coefficient * variable + base; None stands for zero."""

    coefficient: Expr | None
    base: Expr | None


def detect_linear_equation(expr: Expr, var_list: Sequence[Var]) -> list[Expr]:
    """Return the coefficients of the variables, then the constant term; an empty list if the expression is not linear.

    rewrite: i * 4 + j * n + 3, [i, j]  -->  [4, n, 3]
    """
    coefficients: list[Expr] = []
    rest = expr
    for var in var_list:
        linear = _linear(rest, var)
        if linear is None:
            return []
        coefficients.append(_value(linear.coefficient, var))
        rest = _value(linear.base, expr)
    for place, coefficient in enumerate(coefficients):
        if not uses(coefficient).isdisjoint(var_list[place + 1 :]):
            return []
    return [*coefficients, rest]


def _value(part: Expr | None, like: Expr) -> Expr:
    return IntImm(like.dtype, 0) if part is None else part


def _linear(expr: Expr, var: Var) -> _Linear | None:
    """Return the expression as a linear function of the variable, None if it is not linear."""
    if expr is var:
        return _Linear(IntImm(var.dtype, 1), None)
    if isinstance(expr, (Add, Sub, Mul)):
        a, b = _linear(expr.a, var), _linear(expr.b, var)
        return None if a is None or b is None else _COMBINED[type(expr)](a, b)
    return None if var in uses(expr) else _Linear(None, expr)


def _sum(a: _Linear, b: _Linear) -> _Linear:
    return _Linear(_plus(a.coefficient, b.coefficient), _plus(a.base, b.base))


def _difference(a: _Linear, b: _Linear) -> _Linear:
    return _Linear(_minus(a.coefficient, b.coefficient), _minus(a.base, b.base))


def _product(a: _Linear, b: _Linear) -> _Linear | None:
    if a.coefficient is not None:
        a, b = b, a
    if a.coefficient is not None:
        return None
    return _Linear(_times(a.base, b.coefficient), _times(a.base, b.base))


def _plus(a: Expr | None, b: Expr | None) -> Expr | None:
    return b if a is None else a if b is None else add(*match_types(a, b))


def _minus(a: Expr | None, b: Expr | None) -> Expr | None:
    if b is None:
        return a
    return sub(*match_types(IntImm(b.dtype, 0) if a is None else a, b))


def _times(a: Expr | None, b: Expr | None) -> Expr | None:
    return None if a is None or b is None else mul(*match_types(a, b))


_COMBINED: Final[dict[type[Expr], Callable[[_Linear, _Linear], _Linear | None]]] = {
    Add: _sum,
    Sub: _difference,
    Mul: _product,
}


def detect_clip_bound(expr: Expr, var_list: Sequence[Var]) -> list[Expr | None]:
    """Return the least and the greatest value of each variable for which a conjunction holds; None is "no limit".

    The list is empty if a condition does not bound a single variable with a coefficient of 1 or -1.

    rewrite: 3 <= i and i < n, [i]  -->  [3, n - 1]
    """
    analyzer = Analyzer()
    ends: dict[Var, tuple[Expr | None, Expr | None]] = dict.fromkeys(var_list, (None, None))
    for condition in conjuncts(analyzer.simplify(expr)):
        clip = _clip_by(condition, ends, analyzer)
        if clip is None:
            return []
        var, low, high = clip
        known_low, known_high = ends[var]
        ends[var] = _tighten(Max, known_low, low), _tighten(Min, known_high, high)
    return [None if end is None else analyzer.simplify(end) for var in var_list for end in ends[var]]


def _tighten(cls: type[Min | Max], a: Expr | None, b: Expr | None) -> Expr | None:
    return b if a is None else a if b is None else make(cls, *match_types(a, b))


def _clip_by(
    condition: Expr, variables: Container[Var], analyzer: Analyzer
) -> tuple[Var, Expr | None, Expr | None] | None:
    """Return the only variable in a condition, and its bounds."""
    used = {var for var in uses(condition) if var in variables}
    if len(used) != 1 or not isinstance(condition, (LT, LE, GT, GE, EQ)):
        return None
    (var,) = used
    linear = _linear(_difference_of_sides(condition), var)
    coefficient = None if linear is None else analyzer.simplify(_value(linear.coefficient, var))
    if linear is None or not isinstance(coefficient, IntImm) or coefficient.value not in (1, -1):
        return None
    base = _value(linear.base, var)
    if coefficient.value == 1:
        low = sub(IntImm(base.dtype, 0), base)
        return var, low, low if isinstance(condition, EQ) else None
    return var, base if isinstance(condition, EQ) else None, base


def _difference_of_sides(condition: CompareOp) -> Expr:
    """Return an expression that is not negative if the comparison holds; for an equation, zero."""
    a, b = condition.a, condition.b
    if isinstance(condition, (LT, LE)):
        a, b = b, a
    difference = sub(a, b)
    return sub(difference, IntImm(a.dtype, 1)) if isinstance(condition, (LT, GT)) else difference
