"""Programs that both sides lower, from blocks to loops over flat memory; for a GPU down to kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from measure import best
from programs import PROGRAMS, chain

#: blocks of the long programs
SIZES = (10, 100, 1_000)
#: the program whose passes are shown one by one
SHOWN = "lower 100 blocks"

THREADS = """@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
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
"""


def for_cpu() -> dict[str, str]:
    """What is lowered for a CPU, in the dialect of TVM 0.17."""
    long = {f"lower {size:,} blocks": chain(size) for size in SIZES}
    return {**{f"lower {name}": text for name, text in PROGRAMS.items()}, **long}


def for_gpu() -> dict[str, str]:
    """What is lowered for CUDA, down to host functions and kernels."""
    return {"lower matmul for CUDA": THREADS}


def measure(modules: Mapping[str, Any], lower: Callable[[Any], object]) -> dict[str, float]:
    """Seconds of each."""
    return {name: best(lambda module=module: lower(module), seconds=0.5, least=3) for name, module in modules.items()}
