"""Scopes of assumed conditions."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.tir.expr import LT, IntImm, Range, Var


def test_bound_anew_under_a_condition() -> None:
    """A variable that a condition says something of may be bound before the condition ends."""
    analyzer, i = Analyzer(), Var("i", "int32")
    with analyzer.constraint(LT(i, IntImm("int32", 3))):
        analyzer.bind(i, Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 2)), allow_override=True)
        assert analyzer.can_prove_less(i, 2)
    assert not analyzer.can_prove_less(i, 0)
