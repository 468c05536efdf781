"""Operations and bytes of launches: by hand, of products by their sizes."""

from __future__ import annotations

import pytest

import tvmscript
from tests.backends.cuda.kernels import KERNELS
from tests.backends.interp.test_tensor_maps import TILES
from tests.ir.schedule.default.gpu.test_matmul_wgmma import NARROW
from tests.ir.schedule.default.gpu.test_rules import program
from tvmscript.backends.cuda.work import KernelWork, work_of_launch
from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.pipeline import is_kernel


def work_of(mod: IRModule) -> KernelWork | None:
    """Return the work of the kernel of a lowered module."""
    (kernel,) = (func for func in mod.values() if isinstance(func, PrimFunc) and is_kernel(func))
    return work_of_launch(mod, kernel)


@pytest.mark.parametrize(
    ("rule", "arch", "columns"), [(gpu.MatmulWGMMA, "sm_90a", 128), (gpu.MatmulTensorization, "sm_80", 256)]
)
def test_products(rule: type[gpu.GPURule], arch: str, columns: int) -> None:
    """Tiles of 128 x 256 read both operands for each; results of 2 bytes are the larger of a sum and 0.

    On sm_90a two blocks read half of the columns each, for both.
    """
    target = Target.make(f"cuda -arch={arch}")
    sch = rule().apply(program(NARROW.format(size=4096, terms=4096)), target, False)
    assert sch is not None
    work = work_of(tvmscript.lower(sch.mod, target))
    tiles = 4096 // 128 * (4096 // 256)
    assert work == KernelWork(2 * 4096**3 + 4096**2, tiles * (128 + columns) * 4096 * 2 + 2 * 4096**2)


CONDITION = """
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 64)
    {condition}:
        for i in range(3):
            B[tx] = A[tx] * T.float32(2) + T.float32(i)
"""


@pytest.mark.parametrize(
    ("condition", "threads"), [("if tx % 32 == 0", 2), ("if tx < 24", 24), ("if A[tx] < T.float32(0)", 64)]
)
def test_threads_for_which_conditions_hold(condition: str, threads: int) -> None:
    work = work_of(tvmscript.lower(tvmscript.from_source(CONDITION.format(condition=condition)), "cuda"))
    assert work == KernelWork(2 * 3 * threads, 2 * 4 * 3 * threads)


UNEQUAL = """
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 2)
    for turn in range(2):
        for i in range({steps}):
            B[bx * 2 + tx] = A[bx * 2 + tx] + T.float32(1)
"""


@pytest.mark.parametrize(
    ("steps", "times"), [("1 + turn * 4", 1 + 5), ("T.max(bx - turn, 1)", 1 + 1 + 2 + 3 + 1 + 1 + 1 + 2)]
)
def test_loops_have_the_mean_of_unequal_steps(steps: str, times: int) -> None:
    """Once in each block or in all blocks together: blocks and turns have steps of their own."""
    work = work_of(tvmscript.lower(tvmscript.from_source(UNEQUAL.format(steps=steps)), "cuda"))
    executions = times * (8 if "bx" not in steps else 2)
    assert work == KernelWork(executions, 2 * 4 * executions)


def test_loops_of_many_blocks_have_the_most_steps() -> None:
    text = UNEQUAL.format(steps="bx // 512 + 1").replace("(8,)", "(4096,)")
    text = text.replace('"blockIdx.x", 4', '"blockIdx.x", 2048')
    work = work_of(tvmscript.lower(tvmscript.from_source(text), "cuda"))
    executions = 2048 * 2 * 2 * 4
    assert work == KernelWork(executions, 2 * 4 * executions)


@pytest.mark.parametrize("coordinates", ["i % 2 * 64, i // 2 * 8", "i, 0", "0, i"])
def test_bulk_copies_by_tensor_maps(coordinates: str) -> None:
    """Four tiles of 8 rows of 64 numbers of 2 bytes are read by all threads and stored by one: it copies a number."""
    text = TILES.replace("i % 2 * 64, i // 2 * 8", coordinates)
    work = work_of(tvmscript.lower(tvmscript.from_source(text), "cuda -arch=sm_90a"))
    assert work == KernelWork(0, 2 * 4 * 8 * 64 * 2 + 2 * 2)


@pytest.mark.parametrize("name", ["symbolic", "wmma row_major"])
def test_what_is_not_known(name: str) -> None:
    """Launches of symbolic size, products whose calls have no shape."""
    assert work_of(tvmscript.lower(tvmscript.from_source(KERNELS[name]), "cuda")) is None
