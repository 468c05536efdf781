"""Conditions as what they join."""

from __future__ import annotations

from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import And


def conjuncts(condition: Expr) -> list[Expr]:
    """The conditions that have to hold for a condition to hold: the operands of nested `and`, from left to right."""
    return [*conjuncts(condition.a), *conjuncts(condition.b)] if isinstance(condition, And) else [condition]
