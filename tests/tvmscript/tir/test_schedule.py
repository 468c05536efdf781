"""TVM's places of the names of schedules; nothing of them is loaded with the package."""

from __future__ import annotations

import subprocess
import sys

import tvmscript as tvm
from tests.ir.schedule.test_schedule import MATMUL
from tvmscript import tir
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.tir import schedule


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
