"""`ApplyDefaultSchedule`: which functions rules are asked about, and which rule decides."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule, ScheduleRule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.errors import NoTargetForSchedule
from tvmscript.ir.transform.function_attributes import SCHEDULED, is_scheduled

MODULE: IRModule = tvmscript.from_source("""
@I.ir_module
class Module:
    @T.prim_func
    def first(A: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.block("A"):
                vi = T.axis.spatial(8, i)
                A[vi] = 1.0

    @T.prim_func
    def second(A: T.Buffer((9,), "float32")):
        T.func_attr({"tir.is_scheduled": 1})
        for i in range(9):
            with T.block("A"):
                vi = T.axis.spatial(9, i)
                A[vi] = 1.0

    @T.prim_func
    def third(A: T.Buffer((10,), "float32")):
        T.func_attr({"tir.is_scheduled": False})
        for i in range(10):
            with T.block("A"):
                vi = T.axis.spatial(10, i)
                A[vi] = 1.0

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return x
""")


class _Rule(ScheduleRule):
    """Split the loop of functions of one size."""

    def __init__(self, size: int, factor: int) -> None:
        self.seen: list[int] = []
        self._size, self._factor = size, factor

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | list[Schedule] | None:
        sch = Schedule(func)
        (loop,) = sch.get_loops("A")
        extent: Any = sch.get(loop).extent
        self.seen.append(extent.value)
        if extent.value != self._size:
            return None
        sch.split(loop, [None, self._factor])
        return [sch, Schedule(func)] if self._size == 8 else sch


def _loops(func: Any) -> list[int]:
    sch = Schedule(func)
    loops: list[Any] = [sch.get(loop) for loop in sch.get_loops("A")]
    return [loop.extent.value for loop in loops]


def test_the_first_rule_that_fits_decides() -> None:
    rules = _Rule(8, 2), _Rule(8, 4)
    with Target("llvm"):
        module = ApplyDefaultSchedule(*rules)(MODULE)
    # functions that are scheduled are left out, and so are graph functions
    assert [rule.seen for rule in rules] == [[8, 10], [10]]
    assert [_loops(module[name]) for name in ("first", "second", "third")] == [[4, 2], [9], [10]]
    assert [is_scheduled(module[name]) for name in ("first", "second", "third")] == [True, True, False]
    assert module["main"] is MODULE["main"]
    assert module["third"] is MODULE["third"]


def test_a_module_that_no_rule_changes_is_itself() -> None:
    with Target("llvm"):
        assert ApplyDefaultSchedule(_Rule(7, 2))(MODULE) is MODULE


def test_a_target_is_needed_where_something_is_scheduled() -> None:
    with pytest.raises(NoTargetForSchedule, match="first"):
        ApplyDefaultSchedule(_Rule(8, 2))(MODULE)
    scheduled = IRModule({"second": MODULE["second"], "main": MODULE["main"]})
    assert ApplyDefaultSchedule(_Rule(8, 2))(scheduled) is scheduled


def test_the_target_of_a_function_comes_first() -> None:
    targets: list[str] = []

    @ScheduleRule.from_callable("note")
    def note(func: PrimFunc, target: Target, tunable: bool) -> None:
        """Note the target."""
        targets.append(str(target.kind))

    first: Any = MODULE["first"]
    with Target("llvm"):
        ApplyDefaultSchedule(note)(IRModule({"a": first, "b": first.with_attr("target", Target("c"))}))
    assert targets == ["llvm", "c"]
    assert (type(note).__name__, note.__doc__) == ("note", "Note the target.")
    assert SCHEDULED not in first.attrs
