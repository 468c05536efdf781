"""The first element that differs, also of buffers without dimensions (a planted bug was found as a ValueError)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.parser import from_source
from tvmscript.schedule import Schedule
from tvmscript.testing.schedule_values import difference

FUNC = from_source(
    '@T.prim_func\ndef main(A: T.Buffer((), "int32"), B: T.Buffer((2, 3), "int32")):\n    T.evaluate(0)\n'
)


@pytest.mark.parametrize(("buffer", "index"), [("A", []), ("B", [1, 2])])
def test_names_the_element(buffer: str, index: list[int]) -> None:
    before: dict[str, Any] = {"A": np.array(1), "B": np.ones((2, 3), "int32")}
    after = {name: value.copy() for name, value in before.items()}
    after[buffer][tuple(index)] = 7
    found = difference(FUNC, [*before.values()], [*after.values()])
    assert found == {"buffer": buffer, "index": index, "before": 1, "after": 7}
    assert difference(FUNC, [*before.values()], [*before.values()]) is None


def test_large_programs_stay_inside_of_their_memory() -> None:
    """They are compiled: what leaves a buffer is an error, as in the interpreter."""
    schedule = Schedule(from_source(LARGE), check="values", seed=1)
    with pytest.raises(KernelAssertion, match="A of shape"):
        schedule.parallel(schedule.get_loops("B")[0])


LARGE = """
@T.prim_func
def main(A: T.Buffer((400, 400), "int32"), I: T.Buffer((400,), "int32"), B: T.Buffer((400, 400), "int32")):
    for i, j in T.grid(400, 400):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[I[vi] * 1000000, vj]
"""
