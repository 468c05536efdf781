"""Operators that TVM folds when it reads them, and that are therefore written as `T.Add(i, 0)`.

The rules were measured on TVM 0.17, for each operator and constant. Operators without a constant operand are never
folded.
"""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as E

Constant = E.IntImm | E.FloatImm
#: operands, and their values where they are constants
Rule = Callable[[Expr, Expr, "float | None", "float | None"], bool]


def _value(operand: Expr) -> float | None:
    return operand.value if isinstance(operand, Constant) else None


def _both(a: Expr, b: Expr) -> bool:
    """Whether TVM computes with both constants: integers, and floats of 32 and 64 bits."""
    return isinstance(a, E.IntImm) or a.dtype.bits in (32, 64)


def _add(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return left == 0 or right == 0 or (left is not None and right is not None and _both(a, b))


def _sub(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return right == 0 or (left is not None and right is not None and _both(a, b))


def _mul(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return left in (0, 1) or right in (0, 1) or (left is not None and right is not None and _both(a, b))


def _div(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return left == 0 or right in (0, 1) or (left is not None and right is not None and _both(a, b))


def _mod(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    """Whether TVM folds a remainder: only of index types, and not for a divisor 0."""
    return is_index_dtype(a.dtype) and (left == 0 or right in (0, 1) or (left is not None and right is not None))


def _compare(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return left is not None and right is not None


def _logical(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return True


def _extreme(a: Expr, b: Expr, left: float | None, right: float | None) -> bool:
    return a is b or (left is not None and right is not None)


RULES: dict[type[Expr], Rule] = {
    E.Add: _add,
    E.Sub: _sub,
    E.Mul: _mul,
    E.Div: _div,
    E.Mod: _mod,
    E.FloorDiv: _div,
    E.FloorMod: _mod,
    E.Min: _extreme,
    E.Max: _extreme,
    E.And: _logical,
    E.Or: _logical,
    **dict.fromkeys((E.EQ, E.NE, E.LT, E.LE, E.GT, E.GE), _compare),
}


def would_fold(op: type[Expr], a: Expr, b: Expr) -> bool:
    """Whether TVM reads the text of this operator as something else; one of the operands is a constant."""
    return RULES[op](a, b, _value(a), _value(b))
