"""Blocks whose axes or regions contradict their bodies, and blocks that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tvmscript import from_source
from tvmscript.ir.analysis.verify.block_statements import check_blocks
from tvmscript.ir.analysis.verify.lossy_stores import check_stores
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing.kernels import kernels

HEAD = """
@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), N: T.Buffer((16,), "int32")):
    for i, j in T.grid(16, 16):
        with T.block("b"):
"""
SPATIAL, MIXED = 'vi, vj = T.axis.remap("SS", [i, j])', 'vi, vj = T.axis.remap("SR", [i, j])'
SUM = "with T.init():\n    B[vi] = T.float32(0)\nB[vi] = B[vi] + A[vi, vj]"
#: body of the block -> codes of the errors
BODIES = {
    # kinds of axes
    f"{SPATIAL}\nB[vi] = B[vi] + A[vi, vj]": ["TS4085"],
    f"{SPATIAL}\nB[vi] = A[vi, vj]": ["TS4085"],
    f'{SPATIAL}\nx: T.int32 = vj\nB[vi] = T.Cast("float32", x)': ["TS4085"],
    f"{SPATIAL}\n{SUM}": ["TS4085"],
    f"{MIXED}\n{SUM}": [],
    f"{SPATIAL}\nB[vi] = T.float32(0)": [],
    f"{SPATIAL}\nB[vi] = A[vi, 0]": [],
    f"{SPATIAL}\nif vj == 3:\n    B[vi] = A[vi, vj]": [],
    f"{SPATIAL}\nT.where(j == 3)\nB[vi] = A[vi, vj]": [],
    f"{SPATIAL}\nB[N[vj]] = A[vi, vj]": ["TS4085"],
    f"{SPATIAL}\nB[vi + N[vj]] = A[vi, vj]": [],
    f"{SPATIAL}\nx: T.int32 = vj\nB[(vi + x) % 16] = A[vi, vj]": [],
    # regions
    f"{SPATIAL}\nT.reads()\nT.writes(A[vi, vj])\nA[vi, vj] = B[vi]": ["TS4086"],
    f"{SPATIAL}\nT.reads(B[vi])\nT.writes()\nA[vi, vj] = B[vi]": ["TS4086"],
    f"{SPATIAL}\nT.reads(B[vj])\nT.writes(A[vi, vj])\nA[vi, vj] = B[vj + 1]": ["TS4086"],
    f"{SPATIAL}\nT.reads(B[vj:vj + 2])\nT.writes(A[vi, vj])\nA[vi, vj] = B[vj + 1]": [],
    f"{SPATIAL}\nT.reads(B[0:16])\nT.writes(A[vi, vj])\nA[vi, vj] = B[(vj * 7) % 16]": [],
    f"{SPATIAL}\nT.reads()\nT.writes(A[vi, vj])\nA[vi, vj] = A[vi, vj] + T.float32(1)": [],
    # conversions
    f"{SPATIAL}\nN[(vi + vj) % 16] = A[vi, vj]": ["TS4087"],
    f"{SPATIAL}\nN[(vi + vj) % 16] = 2.5": ["TS4087"],
    f'{SPATIAL}\nN[(vi + vj) % 16] = T.Cast("int32", A[vi, vj])': [],
    f"{SPATIAL}\nA[vi, vj] = N[vi]": [],
}


@pytest.mark.parametrize("body", BODIES)
def test_codes(body: str) -> None:
    func = from_source(HEAD + "".join(f"            {line}\n" for line in body.splitlines()))
    errors = check_blocks(func) + check_stores(func)
    assert [error.code for error in errors] == BODIES[body]
    assert all(error.span is not None for error in errors)


def test_memory_of_a_thread_is_its_own() -> None:
    func = from_source(
        """
@T.prim_func
def f(A: T.Buffer((16, 16), "float32")):
    L = T.alloc_buffer((1,), "float32", scope="local")
    for i in T.thread_binding(16, thread="threadIdx.x"):
        for j in range(16):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                L[0] = A[vi, vj]
"""
    )
    assert check_blocks(func) == []


def test_message() -> None:
    func = from_source(
        HEAD + '            vi, vj = T.axis.remap("SS", [i, j])\n            B[vi] = B[vi] + A[vi, vj]\n'
    )
    (error,) = check_blocks(func)
    assert "axis vj of block b is spatial, but its iterations store to the same element of B" in str(error)
    assert "T.axis.reduce" in str(error)


@settings(max_examples=300)
@given(kernels())
def test_random_kernels_state_what_they_do(func: PrimFunc) -> None:
    """Regions of random kernels are inferred, and their axes are what the bodies need."""
    assert check_blocks(func) == []
