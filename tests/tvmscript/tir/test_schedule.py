"""TVM's places of the names of schedules; nothing of them is loaded with the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tvmscript as tvm
from tests.ir.schedule.test_schedule import MATMUL
from tests.ir.schedule.test_trace_kinds import SCRIPTS, program, scheduled
from tvmscript import tir
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.schedule.trace.to_json import BadTrace
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.tir import schedule
from tvmscript.tir.schedule.replay_lines import replay_lines
from tvmscript.tir.schedule.testing import verify_trace_roundtrip


def test_names() -> None:
    assert tir.schedule is schedule
    assert tvm.Schedule is tir.Schedule is schedule.Schedule
    assert tvm.Trace is tir.Trace is schedule.Trace
    assert tir.StmtSRef is StmtRef
    assert {"schedule", "Schedule", "ScheduleState", "StmtSRef"} <= {*dir(tir)}
    assert all(hasattr(schedule, name) for name in schedule.__all__)


def test_states() -> None:
    mod = tvm.from_source(MATMUL)
    sch = schedule.Schedule(mod, debug_mask=schedule.ScheduleDebugMask.VERIFY_SREF_TREE)
    sch.split(sch.get_loops("C")[0], [4, 4])
    place = sch.get_sref(sch.get_block("C"))
    assert place is not None
    assert sch.state.flags(place) == (True, True, True)
    state = schedule.ScheduleState(sch.mod)
    assert state.mod is sch.mod
    assert state.get_sref(sch.get(sch.get_block("C"))) is not None


def test_nothing_is_loaded_early() -> None:
    code = "import sys, tvmscript.tir; print('tvmscript.ir.schedule.schedule' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"


@pytest.mark.parametrize("name", SCRIPTS)
def test_traces_are_replayed_from_their_texts(name: str) -> None:
    sch = scheduled(name)
    assert structural_equal(verify_trace_roundtrip(sch, tvm.from_source(program(name))).mod, sch.mod)


@pytest.mark.parametrize(
    "line",
    ["import os", "sch.mod.foo()", "sch._trace.clear()", "sch.get_block(name=open('x'))", "x = 3", "sch.annotate(",
     "b0, b1 = sch.get_block(name='C')", "sch.get_block.__call__('C')", "sch.get_block(name=(lambda: T)())",
     "sch.get_block(name=unknown)", "sch.get_block(name='C'.upper())", "sch.get_block(name=T.__class__('C'))"],
)  # fmt: skip
def test_other_python_is_refused(line: str) -> None:
    sch = schedule.Schedule(tvm.from_source(MATMUL))
    with pytest.raises(BadTrace):
        replay_lines([line], sch, tvm.T)
