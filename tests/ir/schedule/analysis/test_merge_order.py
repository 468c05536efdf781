"""Loops of a nest may change places where a block writes memory before another one reads it, in each iteration."""

from __future__ import annotations

import pytest

import tvmscript
from tests.ir.schedule.values import same_values
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


STAGES = """
@T.prim_func
def main(A: T.Buffer((8, 8)), D: T.Buffer((8, 8))):
    B = T.alloc_buffer((8, 8))
    for i, j in T.grid({rows}, {columns}):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid({rows}, {columns}):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[{place}]
"""
ROW, COLUMN = {"7 - vi, vj", "vi + 1, vj"}, {"vi, 7 - vj", "vi, vj + 1"}


@pytest.mark.parametrize(
    ("rows", "columns", "refused"), [(1, 1, set()), (1, 8, COLUMN), (8, 1, ROW), (8, 8, ROW | COLUMN)]
)
@pytest.mark.parametrize("place", ["vi, vj", "vi, 0", *sorted(ROW | COLUMN)])
def test_merged_loops_read_what_is_written_before(rows: int, columns: int, refused: set[str], place: str) -> None:
    """Loops of one iteration are in order whatever is read."""
    sch = Schedule(tvmscript.from_source(STAGES.format(rows=rows, columns=columns, place=place)))
    loops = sch.get_loops("P")[1], sch.get_loops("C")[1]
    if place in refused:
        with pytest.raises(ScheduleError, match="accesses of B would change their order"):
            sch.merge(*loops)
    else:
        sch.merge(*loops)


@pytest.mark.parametrize(
    ("statement", "is_taken"),
    [
        ("T.evaluate(T.exp(B[0]))", True),
        ("T.evaluate(T.exp(B[1]))", False),
        ("T.evaluate(T.call_extern('int32', 'f', B[0]))", False),
        ("T.evaluate(T.call_extern('int32', 'f', D[0, 0], B.data))", False),
        ("T.evaluate(T.call_extern('int32', 'f', A[0, 0]))", True),
        ("T.evaluate(T.address_of(B[0]))", False),
        ("T.evaluate(T.address_of(A[0, 0]))", True),
        ("p: T.handle = B.data", False),
        ("p: T.float32 = B[0]", True),
    ],
)
def test_an_address_that_is_handed_on_may_be_kept(statement: str, is_taken: bool) -> None:
    text = PROGRAM.format(writes=ALWAYS, reads="vi < 4", place="0").replace(
        "T.writes(D[vi, vj])", f"T.writes(D[vi, vj])\n            {statement}"
    )
    sch = Schedule(tvmscript.from_source(text, check_well_formed=False))
    i, j = sch.get_loops("P")
    if is_taken:
        sch.reorder(j, i)
    else:
        with pytest.raises(ScheduleError, match="may change which values of B block P and block C share"):
            sch.reorder(j, i)


def test_what_may_be_written_in_between_is_of_the_same_iteration() -> None:
    """A store to an element that depends on memory changes nothing about it."""
    text = (
        PROGRAM.format(writes=ALWAYS, reads="vi < 4", place="0")
        .replace("T.reads(B[0])", "T.reads(B[0], D[vi, vj])\n            T.writes(B[0:2])")
        .replace("            T.writes(D[vi, vj])\n", "            B[T.Cast('int32', D[vi, vj]) % 2] = 3.0\n")
    )
    sch = Schedule(tvmscript.from_source(text, check_well_formed=False))
    sch.reorder(*sch.get_loops("P")[::-1])
    same_values(tvmscript.from_source(text, check_well_formed=False), sch.mod)
