"""Loops whose bounds depend on loops around them (found by tvmscript fuzz)."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.schedule.primitive.blockize import SubspaceNotDivisibleError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.verify import verify

TRIANGLE = """\
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(4):
        for j in range(i + 1):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                vj = T.axis.spatial(4, j)
                B[vi, vj] = A[vj, vi]
"""


def test_copies_have_the_loops_that_bounds_depend_on() -> None:
    schedule = Schedule(tvmscript.from_source(TRIANGLE))
    schedule.split(schedule.get_loops("B")[0], [None, 2])
    schedule.reindex_cache_read("B", 0, "global", lambda i, j: (j, i))
    verify(schedule.mod)
    given, made = np.arange(16, dtype="int32").reshape(4, 4), np.zeros((4, 4), "int32")
    tvmscript.build(schedule.mod, target="interp")["main"](given, made)
    np.testing.assert_array_equal(made, np.tril(given.T))


def test_no_block_around_loops_that_depend_on_others() -> None:
    schedule = Schedule(tvmscript.from_source(TRIANGLE))
    with pytest.raises(SubspaceNotDivisibleError, match="the bounds of the inner loops depend on outer loops"):
        schedule.blockize(schedule.get_loops("B")[1])
    schedule.blockize(schedule.get_loops("B")[0])
    verify(schedule.mod)
