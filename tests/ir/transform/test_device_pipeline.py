"""`lower` for a device: host functions and kernels, beside TVM's, and with the same values in the interpreter."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Call, FloorDiv, FloorMod
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, DeclBuffer
from tvmscript.ir.transform.pipeline import is_kernel
from tvmscript.testing.schedule_values import difference

HEAD = """
@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
"""
PROGRAMS = {
    "shared memory": HEAD
    + """
    S = T.alloc_buffer((64, 64), "float32", scope="shared")
    for b in T.thread_binding(64, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("S"):
                vi, vj = T.axis.remap("SS", [b, t])
                S[vi, vj] = A[vi, vj] * T.float32(2)
        for t in T.thread_binding(64, thread="threadIdx.x"):
            for k in range(64):
                with T.block("C"):
                    vi, vj, vk = T.axis.remap("SSR", [b, t, k])
                    with T.init():
                        C[vi, vj] = T.float32(0)
                    C[vi, vj] = C[vi, vj] + S[vi, vk] * B[vk, vj]
""",
    "two kernels": HEAD
    + """
    S = T.alloc_buffer((64, 64), "float32")
    for b in T.thread_binding(32, thread="blockIdx.x"):
        for t in T.thread_binding(128, thread="threadIdx.x"):
            with T.block("S"):
                vi = T.axis.spatial(64, b * 2 + t // 64)
                vj = T.axis.spatial(64, t % 64)
                S[vi, vj] = A[vi, vj] + B[vi, vj]
    for b in T.thread_binding(64, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [b, t])
                C[vi, vj] = S[vj, vi]
""",
    "guarded": HEAD
    + """
    for b in T.thread_binding(5, thread="blockIdx.x"):
        for t in T.thread_binding(1024, thread="threadIdx.x"):
            with T.block("C"):
                T.where(b * 1024 + t < 4096)
                vi = T.axis.spatial(64, (b * 1024 + t) // 64)
                vj = T.axis.spatial(64, (b * 1024 + t) % 64)
                C[vi, vj] = T.max(A[vi, vj], B[vi, vj])
""",
    "reduction over threads": """
@T.prim_func
def main(A: T.Buffer((8, 128), "float32"), B: T.Buffer((8,), "float32")):
    for b in T.thread_binding(8, thread="blockIdx.x"):
        for t in T.thread_binding(128, thread="threadIdx.x"):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [b, t])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
""",
}

every_program = pytest.mark.parametrize("name", PROGRAMS)


def lowered(name: str) -> IRModule:
    return tvmscript.lower(tvmscript.from_source(PROGRAMS[name]), "cuda")


@every_program
def test_host_functions_and_kernels(name: str) -> None:
    module = lowered(name)
    kernels = {var.name_hint: func for var, func in module.items() if is_kernel(func)}
    assert set(kernels) == {f"main_kernel{suffix}" for suffix in ("", "_1")[: 2 if name == "two kernels" else 1]}
    assert all(str(func.attrs["target"].kind) == "cuda" for func in kernels.values() if isinstance(func, PrimFunc))
    assert module["main"].attrs["target"].kind == "llvm"
    calls = [getattr(node.args[0], "value", "") for node in nodes(module["main"]) if isinstance(node, Call)]
    assert [call for call in calls if call in kernels] == list(kernels)
    for node in nodes(module):
        assert not isinstance(node, Block | FloorDiv | FloorMod), "targets have no such"
    tvmscript.testing.roundtrip(module)


@every_program
def test_values(name: str) -> None:
    """The host function launches the kernels, threads and barriers included."""
    program = tvmscript.from_source(PROGRAMS[name])
    results: list[list[Any]] = []
    for each in (program, lowered(name)):
        values = [given.value for given in random_inputs(program, 1)]
        tvmscript.build(each, target="interp")["main"](*values)
        results.append([np.array(value) for value in values])
    assert difference(program, *results) is None


class _WithoutDeclarations(TirRewriter):
    """TVM declares what a kernel allocates in front of the allocation."""

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        made: Stmt = self.rewrite(node.body)
        return made


@pytest.mark.oracle
@every_program
def test_tvm_makes_the_same_kernels(name: str, oracle: Any) -> None:
    """The last text of TVM's build for the device; its attributes say once more how many threads there are."""
    steps = oracle.lower(PROGRAMS[name], target="cuda -arch=sm_80")
    texts = [step["text"] for step in steps if "def main_kernel" in step["text"]]
    theirs = tvmscript.from_source(texts[-1], check_well_formed=False)
    for var, func in tvmscript.lower(tvmscript.from_source(PROGRAMS[name]), "cuda -arch=sm_80").items():
        if isinstance(func, PrimFunc) and is_kernel(func):
            ours, other = (_WithoutDeclarations().rewrite(each.body) for each in (func, theirs[var.name_hint]))
            assert_structural_equal(ours, other, map_free_vars=True)


BFLOAT_SUMS = """
@T.prim_func
def main(A: T.Buffer((4, 512), "bfloat16"), B: T.Buffer((4,), "bfloat16")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i in T.thread_binding(4, thread="blockIdx.x"):
        for k_0 in range(16):
            for k_1 in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("B"):
                    vi, vk = T.axis.spatial(4, i), T.axis.reduce(512, k_0 * 32 + k_1)
                    with T.init():
                        B[vi] = T.bfloat16(0)
                    B[vi] = B[vi] + A[vi, vk]
"""


@pytest.mark.parametrize(("arch", "converts"), [("sm_80", True), ("sm_75", False)])
def test_sums_of_bfloat16_are_float32(arch: str, converts: bool) -> None:
    """Sums among threads are rounded once; devices that compute bfloat16 convert by instructions, others by bits."""
    lowered = tvmscript.lower(tvmscript.from_source(BFLOAT_SUMS), f"cuda -arch={arch}")
    assert ('T.reinterpret("float32"' in lowered.script()) is not converts
    assert ('T.Cast("bfloat16"' in lowered.script()) is converts
    if not converts:
        return  # its kernel holds bits
    a = np.full((4, 512), 1 + 2**-7).astype(ml_dtypes.bfloat16)
    b = np.zeros(4, ml_dtypes.bfloat16)
    tvmscript.build(lowered, target="interp")["main"](a, b)
    np.testing.assert_array_equal(b.astype("float32"), 516)
