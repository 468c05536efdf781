"""Conditions that a moved block loses: tested at corners of its new domains, for some values of symbolic sizes."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.arith.int_set import IntervalSet, IntSet
from tvmscript.ir.schedule.analysis.axis_domains import AxisDomain
from tvmscript.ir.schedule.analysis.predicate_loss import find_lost_conditions
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm, Range

PROGRAM = """
@T.prim_func
def main(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,))
    for i in range(16):
        with T.block("A"):
            vi = T.axis.spatial({extent}, i)
            T.where({condition})
            A[vi] = T.float32(0)
"""


def number(value: int) -> IntImm:
    return IntImm("int32", value)


def interval(first: int, last: int) -> IntervalSet:
    return IntSet.interval(number(first), number(last))


@pytest.mark.parametrize(
    ("extent", "condition", "run", "lost"),
    [
        # an axis of n values, n at least 2, runs from 0 to n - 1 where the loop runs at least as far
        ("n", "i < n", (0, 7), []),
        ("n", "i < n - 1", (0, 7), ["vi < n - 1"]),
        ("n", "i <= n - 1", (0, 7), []),
        ("n", "i < n - 1", (0, 0), []),
        # an axis of 16 values
        ("16", "i < 8", (0, 7), []),
        ("16", "i < 8", (0, 8), ["vi < 8"]),
        ("16", "i >= 1", (0, 7), ["vi >= 1"]),
        ("16", "i >= 1", (1, 7), []),
        ("16", "i != 7", (0, 7), ["vi != 7"]),
        ("16", "i != 8", (0, 7), []),
        ("16", "i > 0 and i < 7", (0, 7), ["vi > 0", "vi < 7"]),
        ("16", "n < 3", (0, 7), []),
    ],
)
def test_conditions(extent: str, condition: str, run: tuple[int, int], lost: list[str]) -> None:
    sch = Schedule(tvmscript.from_source(PROGRAM.format(extent=extent, condition=condition), check_well_formed=False))
    block = sch.block("A")
    domain = AxisDomain(interval(*run), IntSet.nothing())
    texts = [each.script() for each in find_lost_conditions(block, [domain], {})]
    assert texts == lost


def test_corners_of_outer_loops() -> None:
    """The new domain depends on a loop: 4 iterations from 4 * k, k below 4."""
    sch = Schedule(tvmscript.from_source(PROGRAM.format(extent="16", condition="i < 13"), check_well_formed=False))
    block = sch.block("A")
    loop = tvmscript.tir.Var("k", "int32")
    domain = AxisDomain(IntSet.interval(loop * 4, loop * 4 + 3), IntSet.nothing())
    for extent, lost in ((3, 0), (4, 1)):
        outer = {loop: Range.from_extent(number(extent))}
        assert len(find_lost_conditions(block, [domain], outer)) == lost


@pytest.mark.parametrize(("run", "lost"), [((0, 7), ["vi < 4"]), ((7, 7), ["vi < 4"]), ((5, 4), []), ((15, 0), [])])
def test_a_block_does_not_run_where_an_axis_takes_no_value(run: tuple[int, int], lost: list[str]) -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((16, 16))):
    for i, j in T.grid(16, 16):
        with T.block("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(i < 4)
            A[vi, vj] = T.float32(0)
"""
    block = Schedule(tvmscript.from_source(text)).block("A")
    domains = [AxisDomain(interval(*ends), IntSet.nothing()) for ends in ((0, 7), run)]
    assert [each.script() for each in find_lost_conditions(block, domains, {})] == lost
