"""`Schedule(check="races")`."""

from __future__ import annotations

import pytest

from tvmscript import Schedule, from_source
from tvmscript.ir.core import WrongType
from tvmscript.testing.schedule_races import StepRaces

#: each iteration adds to one of 16 elements, which data decides; the axis is not the spatial one that it claims to be
HISTOGRAM = """
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(64):
        with T.block("count"):
            v = T.axis.spatial(64, i)
            T.reads(A[v], B[0:16])
            T.writes(B[0:16])
            B[A[v] + 8] = B[A[v] + 8] + 1
"""
#: rows through shared memory
REVERSE = """
@T.prim_func
def main(A: T.Buffer((2, 32), "float32"), B: T.Buffer((2, 32), "float32")):
    for i, j in T.grid(2, 32):
        with T.block("reverse"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, 31 - vj]
"""


def test_observed_race() -> None:
    """Nothing proves that iterations meet; a run shows it."""
    sch = Schedule(from_source(HISTOGRAM), check="races", enable_check=False)
    (loop,) = sch.get_loops(sch.get_block("count"))
    with pytest.raises(StepRaces, match=r"after parallel, main races: iteration i = \d+ and iteration i = \d+"):
        sch.parallel(loop)


def test_no_race() -> None:
    """Threads that read what others have written are ordered by the barriers that lowering inserts."""
    sch = Schedule(from_source(REVERSE), check="races")
    block = sch.get_block("reverse")
    rows, columns = sch.get_loops(block)
    sch.bind(rows, "blockIdx.x")
    sch.bind(columns, "threadIdx.x")
    cache = sch.cache_read(block, 0, "shared")
    sch.compute_at(cache, rows)
    sch.bind(sch.get_loops(cache)[-1], "threadIdx.x")
    assert "shared" in sch.mod.script()


def test_race_before_the_step() -> None:
    """A step is not blamed for what the program did before."""
    text = HISTOGRAM.replace("range(64)", "T.parallel(64)")
    sch = Schedule(from_source(text), check="races")
    sch.annotate(sch.get_block("count"), "note", 1)
    assert '"note"' in sch.mod.script()


def test_unknown_check() -> None:
    with pytest.raises(WrongType, match=r'check takes "values", "races" or None'):
        Schedule(from_source(REVERSE), check="speed")  # type: ignore[arg-type]
