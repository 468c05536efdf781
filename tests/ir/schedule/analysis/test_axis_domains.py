"""Domains of axes: intervals are simplified, and the one that the other one implies is left out."""

from __future__ import annotations

import pytest

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import NEG_INF, POS_INF, IntervalSet, IntSet
from tvmscript.ir.schedule.analysis.axis_domains import AxisDomain
from tvmscript.ir.tir import Expr, IntImm, IterKind, IterVar, Range, Var

N = Var("n", "int32")
ENDS: dict[str, Expr] = {"-inf": NEG_INF, "inf": POS_INF, "n": N, "n+0": N + 1 - 1, "n+1": N + 1, "n-1": N - 1}


def interval(text: str) -> IntervalSet:
    """Return an interval `low..high`, nothing for an empty text."""
    if not text:
        return IntSet.nothing()
    low, high = [ENDS[end] if end in ENDS else IntImm("int32", int(end)) for end in text.split("..")]
    return IntSet.interval(low, high)


def shown(found: IntervalSet) -> str:
    if found.is_nothing():
        return ""
    names: dict[Expr, str] = {NEG_INF: "-inf", POS_INF: "inf"}
    return "..".join([names.get(end) or end.script() for end in (found.min_value, found.max_value)])


@pytest.mark.parametrize(
    ("run", "bound", "extent", "expected"),
    [
        # what is required, the limit of a predicate, the extent of the axis, both afterwards
        ("2..5", "", 16, ("2..5", "")),
        ("2..5", "0..9", 16, ("2..5", "")),
        ("0..15", "2..5", 16, ("2..5", "")),
        ("0..9", "2..15", 16, ("0..9", "2..15")),
        ("", "2..5", 16, ("2..5", "")),
        ("", "", 16, ("0..15", "")),
        ("0..20", "", 16, ("0..15", "")),
        ("-inf..5", "", 16, ("-inf..5", "0..15")),
        ("2..inf", "", 16, ("2..inf", "0..15")),
        ("n..n+0", "", 16, ("n..n", "0..15")),
        ("n+0..inf", "", 16, ("n..inf", "0..15")),
        ("-inf..n+0", "", 16, ("-inf..n", "0..15")),
        ("0..20", "0..n+0", 16, ("0..T.min(n, 15)", "")),
        ("n+0..n+1", "n..n+1", 16, ("T.max(n, 0)..T.min(n + 1, 15)", "")),
    ],
)
def test_normal_form(run: str, bound: str, extent: int, expected: tuple[str, str]) -> None:
    axis = IterVar(Range.from_min_extent(IntImm("int32", 0), extent), Var("v", "int32"), IterKind.DATA_PAR)
    domain = AxisDomain(interval(run), interval(bound))
    domain.normalize(axis, Analyzer())
    assert (shown(domain.run), shown(domain.bound)) == expected
