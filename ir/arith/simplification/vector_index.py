"""Operators on index vectors of the form base + lane * stride."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.arith.engine import Engine
from tvmscript.ir.arith.sums.linear_form import ZERO, Linear
from tvmscript.ir.tir import Add, Broadcast, Expr, FloorDiv, FloorMod, Mul, Ramp, Sub

#: Base and stride.
Steps = tuple[Linear, Linear]


def _ramp(engine: Engine, node: Ramp) -> Steps:
    return engine.linear(node.base), engine.linear(node.stride)


def _broadcast(engine: Engine, node: Broadcast) -> Steps:
    return engine.linear(node.value), ZERO


def _sum_rule(factor: int) -> Callable[[Engine, Add | Sub], Steps | None]:
    def rule(engine: Engine, node: Add | Sub) -> Steps | None:
        a, b = engine.ramp(node.a), engine.ramp(node.b)
        if a is None or b is None:
            return None
        return a[0].plus(b[0], factor), a[1].plus(b[1], factor)

    return rule


def _mul(engine: Engine, node: Mul) -> Steps | None:
    a, b = engine.ramp(node.a), engine.ramp(node.b)
    if a is None or b is None:
        return None
    steps, by = (a, b) if b[0].is_const else (b, a)
    if not by[0].is_const or by[1].key != ZERO.key:
        return None
    return steps[0].times(by[0].const), steps[1].times(by[0].const)


def _divide_lanes(engine: Engine, node: FloorDiv | FloorMod) -> tuple[Steps, int, bool] | None:
    """Return dividend, constant divisor, and whether all lanes have the same quotient."""
    a, b = engine.ramp(node.a), engine.ramp(node.b)
    if a is None or b is None or not b[0].is_const or b[0].const <= 0 or b[1].key != ZERO.key or not a[1].is_const:
        return None
    divisor, stride = b[0].const, a[1].const
    start = engine.sums.bounds(engine.sums.floormod(a[0], divisor))
    reach = stride * (node.dtype.lanes - 1)
    return a, divisor, start.within(max(0, -reach), divisor - 1 - max(0, reach))


def _floordiv(engine: Engine, node: FloorDiv) -> Steps | None:
    """(base + stride * lane) // c"""
    division = _divide_lanes(engine, node)
    if division is None:
        return None
    (base, stride), divisor, is_one_quotient = division
    if is_one_quotient:
        return engine.sums.floordiv(base, divisor), ZERO
    if stride.const % divisor == 0:
        return engine.sums.floordiv(base, divisor), stride.times(0).shifted(stride.const // divisor)
    return None


def _floormod(engine: Engine, node: FloorMod) -> Steps | None:
    """(base + stride * lane) % c"""
    division = _divide_lanes(engine, node)
    if division is None:
        return None
    (base, stride), divisor, is_one_quotient = division
    if is_one_quotient:
        return engine.sums.floormod(base, divisor), stride
    return (engine.sums.floormod(base, divisor), ZERO) if stride.const % divisor == 0 else None


RAMPS: Final[dict[type[Expr], Callable[[Engine, Any], Steps | None]]] = {
    Ramp: _ramp,
    Broadcast: _broadcast,
    Add: _sum_rule(1),
    Sub: _sum_rule(-1),
    Mul: _mul,
    FloorDiv: _floordiv,
    FloorMod: _floormod,
}
