"""Products of a matrix and a few vectors: values, faults; which programs the rule takes."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.gpu.test_rules import program
from tests.ir.schedule.default.gpu.test_tensor_cores import FOUR_BIT_WEIGHTS, TARGET, arguments, product, reference
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.schedule.default import gpu

WITH_EPILOGUE = """
@T.prim_func
def main(A: T.Buffer((5, 64), "float32"), B: T.Buffer((2, 64), "float32"), D: T.Buffer((5, 2), "float32")):
    C = T.alloc_buffer((5, 2), "float32")
    for i, j, k in T.grid(5, 2, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
    for i, j in T.grid(5, 2):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj], T.float32(0))
"""
FEW_OF_FOUR_BITS = FOUR_BIT_WEIGHTS.replace("32, ", "4, ").replace("C: T.Buffer((4, 32)", "C: T.Buffer((4, 4)")
CASES = {
    "three vectors": product(3, 5, 160, "float16", "float32", "nt"),
    "vectors on the right, an epilogue": WITH_EPILOGUE,
    "weights of four bits": FEW_OF_FOUR_BITS,
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_faults(name: str) -> None:
    func = program(CASES[name])
    sch = gpu.LowBatchGEMV().apply(func, TARGET, False)
    assert sch is not None
    expected, actual = reference(func), arguments(func)
    report = run_sanitized(tvmscript.lower(sch.mod, TARGET), "main", actual)
    assert report.errors == ()
    assert report.notes == ()
    np.testing.assert_allclose(actual[-1], expected[-1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "text",
    [
        product(5, 10, 64, "float16", "float32", "nt"),
        product(1, 10, 64, "float16", "float32", "nt"),
        product(4, 10, 64, "float16", "float32", "nn"),
    ],
    ids=["five vectors", "one vector", "neighbours are of other rows"],
)
def test_it_is_not_for(text: str) -> None:
    assert gpu.LowBatchGEMV().apply(program(text), TARGET, False) is None
