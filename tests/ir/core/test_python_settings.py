"""What the collector of garbage has to do for programs: nothing, since it pauses while they are built."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

import tvmscript
from tvmscript import relax
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm, Range, Var

KERNEL = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1.0
"""


def _analyzer() -> list[weakref.ref[object]]:
    analyzer, x = Analyzer(), Var("x", "int32")
    analyzer.bind(x, Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 64)))
    assert analyzer.can_prove_equal(x % 4 + x // 4 * 4, x)
    return [weakref.ref(analyzer), weakref.ref(analyzer.simplifier), weakref.ref(analyzer.simplifier.facts)]


def _schedule() -> list[weakref.ref[object]]:
    sch = Schedule(tvmscript.from_source(KERNEL))
    sch.fuse(*sch.get_loops(sch.get_block("B")))
    (loop,) = sch.get_loops(sch.get_block("B"))
    sch.copy().split(loop, [4, 64])
    return [weakref.ref(sch), weakref.ref(sch.state.tree("main"))]


def _builder() -> list[weakref.ref[object]]:
    builder = BlockBuilder()
    x = relax.Var("x", relax.TensorStructInfo((4,), "float32"))
    with builder.function("main", [x]):
        builder.emit_func_output(builder.emit(relax.op.add(x, relax.op.add(x, x))))
    return [weakref.ref(builder)]


@pytest.mark.parametrize("make", [_analyzer, _schedule, _builder])
def test_tools_are_freed_without_the_collector(make: Callable[[], list[weakref.ref[object]]]) -> None:
    """They were cycles: the collector took a tenth of the time of a build to find them."""
    gc.disable()
    try:
        tools = make()
        assert tools
        assert [tool() for tool in tools] == [None] * len(tools)
    finally:
        gc.enable()
