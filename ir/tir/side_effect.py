"""Side effects of expressions."""

from __future__ import annotations

from tvmscript.ir.core import CallEffect, Op, nodes
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BufferLoad, Call


def effect_of(expr: Expr) -> CallEffect:
    """Return the strongest effect of any part: PURE, READ_STATE for loads, UPDATE_STATE for unknown functions."""
    strongest = CallEffect.PURE
    for part in nodes(expr):
        if isinstance(part, Call):
            effect = part.op.effect if isinstance(part.op, Op) else CallEffect.UPDATE_STATE
            strongest = max(strongest, effect)
        elif isinstance(part, BufferLoad):
            strongest = max(strongest, CallEffect.READ_STATE)
    return strongest


def can_drop(expr: Expr) -> bool:
    """Return whether the expression has no side effect and may be dropped."""
    return effect_of(expr) <= CallEffect.READ_STATE
