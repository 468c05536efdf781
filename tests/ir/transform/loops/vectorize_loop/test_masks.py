"""Conditions on lanes as masks: what compiled code and the interpreter make of them."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.errors import CannotVectorize
from tvmscript.ir.transform.registry import get_pass

PROGRAM = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        for j in T.vectorized(4):
            if i * 4 + j < n:
                B[i * 4 + j] = A[i * 4 + j] / A[4 * i + j]
"""


def masked() -> PrimFunc:
    with PassContext(config={"tir.enable_buffer_level_predication": True}):
        made = get_pass("tir.VectorizeLoop")(tvmscript.from_source(PROGRAM))
    assert isinstance(made, PrimFunc)
    assert "T.get_active_lane_mask" in made.script()
    return made


def test_only_where_it_is_asked_for() -> None:
    made = get_pass("tir.VectorizeLoop")(tvmscript.from_source(PROGRAM))
    assert "T.get_active_lane_mask" not in made.script()


@pytest.mark.parametrize("target", ["interp", "llvm"])
@pytest.mark.parametrize("n", [-(2**31), -1, 0, 1, 6, 16, 2**31 - 1])
def test_lanes_behind_the_limit_are_left_alone(target: str, n: int) -> None:
    kernel = tvmscript.build(masked(), target=target)["main"]
    given, made = np.arange(1, 17, dtype="float32"), np.zeros(16, "float32")
    kernel(given, made, n)
    np.testing.assert_array_equal(made, np.arange(16) < n)


def test_target_of_the_context() -> None:
    """A function without a target of its own has that of the context, as in TVM."""
    program = tvmscript.from_source(
        "@T.prim_func\n"
        'def main(A: T.Buffer((64,), "float32")):\n'
        "    for i in T.vectorized(T.vscale() * 4):\n"
        "        A[i] = T.float32(1)\n"
    )
    with tvmscript.target.Target("llvm -mtriple=aarch64-linux-gnu -mattr=+sve"):
        assert "A[0:T.vscale() * 4] = " in get_pass("tir.VectorizeLoop")(program).script()


@pytest.mark.parametrize(
    ("target", "is_scalable"),
    [
        ("aarch64-linux-gnu -mattr=+sve", True),
        ("aarch64-linux-gnu -mattr=+neon", False),
        ("riscv64-linux-gnu -mattr=+v", True),
        ("riscv64-linux-gnu -mattr=+m,+v", True),
        ("riscv64-linux-gnu -mattr=+zvl128b", False),
        ("riscv64-linux-gnu", False),
        ("x86_64-linux-gnu -mattr=+v", False),
    ],
)
def test_targets_with_scalable_vectors(target: str, is_scalable: bool) -> None:
    program = tvmscript.from_source(
        "@T.prim_func\n"
        'def main(A: T.Buffer((64,), "float32")):\n'
        "    for i in T.vectorized(T.vscale() * 4):\n"
        "        A[i] = T.float32(1)\n"
    )
    with tvmscript.target.Target(f"llvm -mtriple={target}"):
        if is_scalable:
            assert "A[0:T.vscale() * 4] = " in get_pass("tir.VectorizeLoop")(program).script()
        else:
            with pytest.raises(CannotVectorize):
                get_pass("tir.VectorizeLoop")(program)
