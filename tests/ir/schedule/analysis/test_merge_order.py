"""Loops of a nest may change places where a block writes memory before another one reads it, in each iteration."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule

PROGRAM = """
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), D: T.Buffer((8, 8), "float32")):
    B = T.alloc_buffer((2,))
    for i, j in T.grid(8, 8):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[{place}])
            if {writes}:
                B[{place}] = A[vi, vj]
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(B[0])
            T.writes(D[vi, vj])
            if {reads}:
                D[vi, vj] = B[0]
"""
ALWAYS = "T.bool(True)"


@pytest.mark.parametrize("reads", [ALWAYS, "vi < 4", "vj < 4"])
@pytest.mark.parametrize(
    ("writes", "place", "is_taken"),
    [(ALWAYS, "0", True), ("vi < 4", "0", False), (ALWAYS, "1", True), ("vi < 4", "1", True)],
)
def test_what_is_written_first_in_each_iteration(writes: str, place: str, reads: str, is_taken: bool) -> None:
    """A read of what an iteration has not written sees another one's value; other elements make no difference."""
    text = PROGRAM.format(writes=writes, reads=reads, place=place)
    sch = Schedule(tvmscript.from_source(text, check_well_formed=False))
    i, j = sch.get_loops("P")
    if is_taken:
        sch.reorder(j, i)
        assert [sch.get(loop).loop_var.name for loop in sch.get_loops("P")] == ["j", "i"]
    else:
        with pytest.raises(ScheduleError, match="may change which values of B block P and block C share"):
            sch.reorder(j, i)
