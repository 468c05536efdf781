"""Strategies of what is done to programs, and of the parts of programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.fuzz.passes.programs import FORMS, make
from tvmscript.fuzz.schedule.transformations import passes_with_programs, pipelines, schedules
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.expr import IntImm, Var
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.registry import pass_class
from tvmscript.testing import roundtrip
from tvmscript.testing.strategies import buffers, dtypes, modules, regions

PROGRAM = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((7, 16), "float32"), B: T.Buffer((7, 16), "float32")):
    for i, j in T.grid(7, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
""")


def test_schedules_are_legal() -> None:
    steps: Counter[str] = Counter()

    @settings(max_examples=30)
    @given(schedules(PROGRAM, only=("split", "fuse", "reorder", "cache_read")))
    def check(schedule: Schedule) -> None:
        again = Schedule(PROGRAM)
        schedule.trace.apply_to_schedule(again)
        assert_structural_equal(again.mod, schedule.mod)
        steps.update(each.kind.name for each in schedule.trace.insts)

    check()
    assert steps["Split"] > 5
    assert steps["CacheRead"] > 2


@settings(max_examples=50)
@given(pipelines(Form.LOOPS))
def test_pipelines_begin_with_what_takes_the_form(names: tuple[str, ...]) -> None:
    if names:
        assert FORMS.index(pass_class(names[0]).takes) <= FORMS.index(Form.LOOPS)


@settings(max_examples=40)
@given(modules(), dtypes())
def test_modules_read_back(module: IRModule, dtype: Any) -> None:
    roundtrip(module)
    assert dtype.element.lanes == 1


@settings(max_examples=60)
@given(st.data())
def test_regions_are_inside(data: st.DataObject) -> None:
    buffer = data.draw(buffers())
    region = data.draw(regions(buffer, data.draw(st.sampled_from([(), (Var("i", "int32"),)]))))
    assert len(region.region) == len(buffer.shape)
    for part, extent in zip(region.region, buffer.shape, strict=True):
        if isinstance(part.min, IntImm) and isinstance(part.extent, IntImm) and isinstance(extent, IntImm):
            assert part.extent.value <= extent.value or part.extent.value == 1


def test_passes_have_options_and_programs() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(passes_with_programs())
    def check(drawn: tuple[str, str]) -> None:
        name, text = drawn
        each = make(name)
        assert each.name == name.partition("{")[0]
        assert isinstance(tvmscript.from_source(text), IRModule)
        seen[each.name] += 1
        seen["options"] += "{" in name

    check()
    assert len(seen) > 30
    assert seen["options"] > 3
