"""Functions that a few passes of LLVM make as fast as many do."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.codegen.loop_accesses import SHORT_PIPELINE

PROGRAM = """
@T.prim_func
def main(A: T.Buffer((64, 16), "float32"), B: T.Buffer((64, 16), "float32"), C: T.Buffer((64, 16), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    S = T.decl_buffer((32,), "float32", scope="local")
    S[0:16] = T.Broadcast(T.float32(0), 16)
    S[16:32] = T.Broadcast(T.float32(1), 16)
    for i in range(64):
        {body}
    C[0, 0:16] = S[0:16] + S[16:32]
"""
OTHER_PLACE = "C[1, 0:16] = C[1, 0:16] + A[i, 0:16] * C[2, 0:16]"
BODIES = {
    "B[i, 0:16] = A[i, 0:16] * T.Broadcast(T.float32(2), 16)": True,
    "S[0:16] = S[0:16] + A[i, 0:16]": True,  # an accumulator at a constant place
    "S[i // 4:i // 4 + 16] = S[i // 4:i // 4 + 16] + A[i, 0:16]": True,  # at another place in each iteration
    "C[1, 0:16] = C[1, 0:16] + A[i, 0:16]": True,  # promoted to one
    OTHER_PLACE: False,  # memory of an argument that does not change
    "B[i, 0:16] = A[i, 0:16] / S[0:16]": True,  # an element that does not change
    "B[i, 0:16] = A[i, 0:16] / (S[0:16] + S[16:32])": False,  # a value that does not change
    "S[0:16] = S[0:16] + T.if_then_else(i < 60, A[i, 0:16], B[i, 0:16])": False,  # accumulates under a condition
}


@pytest.mark.parametrize("body", BODIES)
def test_attribute(body: str) -> None:
    source = tvmscript.build(tvmscript.from_source(PROGRAM.format(body=body))).get_source("input")
    assert (f'"{SHORT_PIPELINE}"' in source) == BODIES[body]


@pytest.mark.parametrize("body", BODIES)
def test_values(body: str) -> None:
    program = tvmscript.from_source(PROGRAM.format(body=body))
    results = []
    for target in ("llvm", "interp"):
        a = np.random.default_rng(0).uniform(1, 2, (64, 16)).astype("float32")
        b, c = np.zeros((64, 16), "float32"), np.zeros((64, 16), "float32")
        tvmscript.build(program, target=target)["main"](a, b, c)
        results.append((b, c))
    for ours, defined in zip(*results, strict=True):
        np.testing.assert_allclose(ours, defined, rtol=1e-5)
