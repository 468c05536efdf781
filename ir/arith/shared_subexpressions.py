"""Common subexpressions: parts of expressions that occur more than once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core import CallEffect, Node
from tvmscript.ir.tir import Expr, FloatImm, IntImm, StringImm, effect_of


class Repeated(NamedTuple):
    """An expression, and the number of its occurrences."""

    expr: Expr
    times: int


def find_repeated(exprs: Iterable[Expr], threshold: int = 2) -> list[Repeated]:
    """Return subexpressions that occur at least `threshold` times, in the order in which their first occurrences end.

    Inner ones come before outer ones. Names, constants and expressions with side effects or that read state are left
    out.
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
    """Return the pure computed parts of an expression in post-order."""
    order: list[Expr] = []
    waiting: list[object] = [expr]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (tuple, list)):
            waiting += item
        elif isinstance(item, Node) and not item.is_name and not isinstance(item, (IntImm, FloatImm, StringImm)):
            if isinstance(item, Expr):
                order.append(item)
            waiting += [getattr(item, name) for name in item.schema.children]
    return [part for part in reversed(order) if effect_of(part) <= CallEffect.PURE]


def detect_common_subexpr(expr: Expr, threshold: int) -> dict[Expr, int]:
    """Return the outermost subexpressions that occur at least `threshold` times, with their counts."""
    counts = {structural_key(repeated.expr): repeated for repeated in find_repeated((expr,), threshold)}
    outermost: dict[Expr, int] = {}
    waiting: list[object] = [expr]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (tuple, list)):
            waiting += reversed(item)
        elif isinstance(item, Node) and not item.is_name:
            repeated = counts.get(structural_key(item))
            if repeated is None:
                waiting += [getattr(item, name) for name in reversed(item.schema.children)]
            else:
                outermost[repeated.expr] = repeated.times
    return outermost
