"""Kernels on a CUDA device beside PyTorch: `python -m benchmarks cuda`; without a device, what compiling tells of them.

Inputs are normally distributed. Times are medians of GPU time by events, each launch on other buffers than the last
ones (beyond L2). Peers run in the same process, interleaved.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import tvmscript
from tvmscript.backends.cuda import driver
from tvmscript.backends.cuda.errors import NoCudaDriver

_COPIES, _REPEATS = 4, 30

ADD = """
@T.prim_func
def main(A: T.Buffer(({n},), "float32"), B: T.Buffer(({n},), "float32"), C: T.Buffer(({n},), "float32")):
    for i in range({n}):
        with T.block("C"):
            vi = T.axis.spatial({n}, i)
            C[vi] = A[vi] + B[vi]
"""
TRANSPOSE = """
@T.prim_func
def main(A: T.Buffer(({n}, {n}), "float32"), B: T.Buffer(({n}, {n}), "float32")):
    for i, j in T.grid({n}, {n}):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi]
"""
ROW_SUM = """
@T.prim_func
def main(A: T.Buffer(({n}, 4096), "float32"), B: T.Buffer(({n},), "float32")):
    for i, k in T.grid({n}, 4096):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
"""
SOFTMAX = """
@T.prim_func
def main(A: T.Buffer(({n}, 4096), "float32"), C: T.Buffer(({n}, 4096), "float32")):
    M = T.alloc_buffer(({n},), "float32")
    S = T.alloc_buffer(({n},), "float32")
    for i, k in T.grid({n}, 4096):
        with T.block("M"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                M[vi] = T.min_value("float32")
            M[vi] = T.max(M[vi], A[vi, vk])
    for i, k in T.grid({n}, 4096):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + T.exp(A[vi, vk] - M[vi])
    for i, k in T.grid({n}, 4096):
        with T.block("C"):
            vi, vk = T.axis.remap("SS", [i, k])
            C[vi, vk] = T.exp(A[vi, vk] - M[vi]) / S[vi]
"""
MATMUL = """
@T.prim_func
def main(A: T.Buffer(({n}, {n}), "float32"), B: T.Buffer(({n}, {n}), "float32"), C: T.Buffer(({n}, {n}), "float32")):
    for i, j, k in T.grid({n}, {n}, {n}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""


class Work(NamedTuple):
    """A program, and what PyTorch computes it with."""

    text: str
    #: extent `n`
    size: int
    #: shapes of inputs and of the output
    shapes: Callable[[int], list[tuple[int, ...]]]
    peer: Callable[..., Any]
    #: bytes or operations for a size, and their unit
    amount: Callable[[int], float]
    unit: str


def _square(count: int) -> Callable[[int], list[tuple[int, ...]]]:
    return lambda n: [(n, n)] * count


WORKS = {
    "add float32": Work(
        ADD, 1 << 28, lambda n: [(n,)] * 3, lambda t, a, b, c: t.add(a, b, out=c), lambda n: 12 * n, "B/s"
    ),
    "transpose float32": Work(
        TRANSPOSE, 16384, _square(2), lambda t, a, b: b.copy_(a.t()), lambda n: 8 * n * n, "B/s"
    ),
    "row sum float32": Work(
        ROW_SUM, 32768, lambda n: [(n, 4096), (n,)], lambda t, a, b: t.sum(a, 1, out=b), lambda n: 4 * 4096 * n, "B/s"
    ),
    "softmax float32": Work(
        SOFTMAX, 32768, lambda n: [(n, 4096)] * 2, lambda t, a, c: t.softmax(a, 1, out=c), lambda n: 8 * 4096 * n, "B/s"
    ),
    "matmul float32": Work(
        MATMUL, 4096, _square(3), lambda t, a, b, c: t.matmul(a, b, out=c), lambda n: 2 * n**3, "FLOP/s"
    ),
}  # fmt: skip


def describe(name: str, work: Work) -> None:
    """Print how long a kernel takes to build and compile, and what it needs."""
    start = time.perf_counter()
    module: Any = tvmscript.build(tvmscript.from_source(work.text.format(n=work.size)), target="cuda -arch=sm_90a")
    built = time.perf_counter()
    reports = module.report()
    compiled = time.perf_counter()
    needs = ", ".join(f"{report.registers} registers, {report.spill_store_bytes} B spilled" for report in reports)
    print(f"{name}: build {1e3 * (built - start):.0f} ms, NVRTC {1e3 * (compiled - built):.0f} ms, {needs}")


def measure(torch: Any, name: str, work: Work) -> None:
    """Print the rates of a kernel and of PyTorch."""
    module: Any = tvmscript.build(tvmscript.from_source(work.text.format(n=work.size)), target="cuda")
    shapes = work.shapes(work.size)
    buffers = [[torch.randn(shape, device="cuda") for shape in shapes] for _ in range(_COPIES)]
    runs = {"tvmscript": module["main"], "torch": lambda *arrays: work.peer(torch, *arrays)}
    times: dict[str, list[float]] = {peer: [] for peer in runs}
    for number in range(_REPEATS):
        for peer, run in runs.items():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            run(*buffers[number % _COPIES])
            end.record()
            torch.cuda.synchronize()
            times[peer].append(begin.elapsed_time(end) / 1e3)
    rates = {peer: work.amount(work.size) / statistics.median(values) / 1e12 for peer, values in times.items()}
    print(f"{name}: " + ", ".join(f"{peer} {rate:.2f} T{work.unit}" for peer, rate in rates.items()))


def main() -> None:
    """Measure on the device, or describe kernels where there is none."""
    # this file has the name of NVIDIA's package, which others may have imported
    sys.modules.pop("cuda", None)
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != Path(__file__).parent]
    try:
        driver.find_driver("benchmarks")
    except NoCudaDriver as error:
        print(f"{error.text}; compiled for sm_90a:")
        for name, work in WORKS.items():
            describe(name, work)
        return
    import torch

    print(torch.cuda.get_device_name())
    for name, work in WORKS.items():
        measure(torch, name, work)


if __name__ == "__main__":
    main()
