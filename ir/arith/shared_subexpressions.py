"""Which parts of expressions are there more than once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.op import CallEffect
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import FloatImm, IntImm, StringImm
from tvmscript.ir.tir.side_effect import effect_of


class Repeated(NamedTuple):
    """An expression, and how often it is written."""

    expr: Expr
    times: int


def find_repeated(exprs: Iterable[Expr], threshold: int = 2) -> list[Repeated]:
    """Sub-expressions that are written `threshold` times or more, in the order in which their first ones end.

    Inner ones come before those that they are in. Names and constants do not count, nor does what may do
    something or have another value the second time.
    """
    counts: dict[Hashable, int] = {}
    firsts: dict[Hashable, Expr] = {}
    for expr in exprs:
        for part in _parts(expr):
            key = structural_key(part)
            counts[key] = counts.get(key, 0) + 1
            firsts.setdefault(key, part)
    return [Repeated(firsts[key], count) for key, count in counts.items() if count >= threshold]


def _parts(expr: Expr) -> Iterable[Expr]:
    """The computed parts of an expression, each behind its own parts, itself the last."""
    order: list[Expr] = []
    waiting: list[object] = [expr]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple | list):
            waiting += item
        elif isinstance(item, Node) and not item.is_name and not isinstance(item, IntImm | FloatImm | StringImm):
            if isinstance(item, Expr):
                order.append(item)
            waiting += [getattr(item, name) for name in item.schema.children]
    return [part for part in reversed(order) if effect_of(part) <= CallEffect.PURE]


def detect_common_subexpr(expr: Expr, threshold: int) -> dict[Expr, int]:
    """The outermost sub-expressions that are written `threshold` times or more in an expression, and how often."""
    counts = {structural_key(repeated.expr): repeated for repeated in find_repeated((expr,), threshold)}
    outermost: dict[Expr, int] = {}
    waiting: list[object] = [expr]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple | list):
            waiting += reversed(item)
        elif isinstance(item, Node) and not item.is_name:
            repeated = counts.get(structural_key(item))
            if repeated is None:
                waiting += [getattr(item, name) for name in reversed(item.schema.children)]
            else:
                outermost[repeated.expr] = repeated.times
    return outermost
