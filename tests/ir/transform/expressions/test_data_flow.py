"""Passes that follow what elements of buffers are: random programs compute the same before and after."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tvmscript
from tests.ir.transform.expressions.flow_programs import SIZE, FlowPrograms
from tvmscript.ir.arith.errors import TooManySteps
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.registry import get_pass

PASSES = (
    get_pass("tir.RemoveNoOp", use_dataflow_analysis=True),
    get_pass("tir.ReduceBranchingThroughOvercompute", use_dataflow_analysis=True),
    get_pass("tir.Simplify", propagate_knowns_to_prove_conditional=True, propagate_knowns_to_simplify_expressions=True),
)
OVERWRITTEN = """
@T.prim_func
def main(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 10:
            A[i] = 100
    for i in range(16):
        if i // 4 < 3:
            A[i] = 42
"""


def results(program: PrimFunc) -> list[NDArray[np.int32]]:
    """What a program makes of some buffers, for several sizes."""
    kernel = tvmscript.build(program, target="interp")["main"]
    made: list[NDArray[np.int32]] = []
    for size in (0, 3, 5, 8):
        buffers = np.random.default_rng(size).integers(0, 2, (3, SIZE)).astype("int32")
        kernel(*buffers, size)
        made.append(buffers)
    return made


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.info.name)
def test_values_stay(each: Pass) -> None:
    changed = 0
    for seed in range(40):
        program = tvmscript.from_source(FlowPrograms(seed).text())
        assert isinstance(program, PrimFunc)
        made = each(program)
        if not structural_equal(made, program):
            changed += 1
            for before, after in zip(results(program), results(made), strict=True):
                np.testing.assert_array_equal(before, after, str(seed))
    assert changed > 5


def test_steps_are_limited() -> None:
    program = tvmscript.from_source(OVERWRITTEN)
    with pytest.raises(TooManySteps, match=r"TS4012.*more than 3 steps"):
        get_pass("tir.RemoveNoOp", use_dataflow_analysis=True, max_simplification_steps=3)(program)
    enough = get_pass("tir.RemoveNoOp", use_dataflow_analysis=True, max_simplification_steps=10_000)(program)
    assert structural_equal(enough, get_pass("tir.RemoveNoOp", use_dataflow_analysis=True)(program))
