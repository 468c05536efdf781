"""Kernels on a CUDA device beside PyTorch and Triton: `python -m benchmarks cuda`; without one, what compiling tells.

Inputs are normally distributed. Times are medians of GPU time by events, each launch on other buffers than the last
ones (beyond L2). Peers run in the same process, interleaved. Clocks are those after all measurements.
"""

from __future__ import annotations

import argparse
import importlib.util
import runpy
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import tvmscript
from tvmscript import te, topi
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.errors import NoCudaDriver
from tvmscript.ir.tir import PrimFunc

_COPIES, _REPEATS, _LAUNCHES = 4, 30, 200

COPY = """
@T.prim_func
def main(A: T.Buffer(({n},), "float32"), B: T.Buffer(({n},), "float32")):
    for i in range({n}):
        with T.block("B"):
            vi = T.axis.spatial({n}, i)
            B[vi] = A[vi]
"""
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


GEMV = """
@T.prim_func
def main(A: T.Buffer((1, 4096), "float16"), B: T.Buffer(({n}, 4096), "float16"), C: T.Buffer((1, {n}), "float16")):
    for i, j, k in T.grid(1, {n}, 4096):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float16(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]
"""
NARROW_MATMUL = """
@T.prim_func
def main(A: T.Buffer(({m}, {k}), "dtype"), B: T.Buffer(({k}, {n}), "dtype"), D: T.Buffer(({m}, {n}), "dtype")):
    T.func_attr({{"dlight.allow_tf32": True}})
    C = T.alloc_buffer(({m}, {n}), "float32")
    for i, j, k in T.grid({m}, {n}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.cast(A[vi, vk], "float32") * T.cast(B[vk, vj], "float32")
    for i, j in T.grid({m}, {n}):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.cast(C[vi, vj], "dtype")
"""


class Work(NamedTuple):
    """A program, and what PyTorch computes it with."""

    program: Callable[[], PrimFunc]
    #: shapes of inputs and of the output
    shapes: list[tuple[int, ...]]
    peer: Callable[..., Any]
    #: bytes or operations, and their unit
    amount: float
    unit: str
    dtype: str = "float32"
    #: the function of `triton_kernels.py` for the same work
    triton: str = ""


def _parser(text: str, n: int, dtype: str = "", **sizes: int) -> Callable[[], PrimFunc]:
    """Return a function that parses a text for sizes and a dtype."""

    def program() -> PrimFunc:
        func: PrimFunc = tvmscript.from_source(text.format(n=n, **sizes).replace('"dtype"', f'"{dtype}"'))
        return func

    return program


def _matmul(m: int, n: int, k: int, dtype: str) -> Work:
    program = _parser(NARROW_MATMUL, n, dtype, m=m, k=k)
    peer = "matmul" if dtype != "float32" and m == n == k else ""
    shapes: list[tuple[int, ...]] = [(m, k), (k, n), (m, n)]
    return Work(program, shapes, lambda t, a, b, c: t.matmul(a, b, out=c), 2 * m * n * k, "FLOP/s", dtype, peer)


def _hopper_matmul(n: int) -> PrimFunc:
    """Return the kernel of the example."""
    path = Path(__file__).parents[1] / "examples" / "cuda" / "hopper_matmul.py"
    func: PrimFunc = runpy.run_path(str(path))["hopper_matmul"](n, n, n)
    return func


def _attention(*, causal: bool) -> Work:
    shape, heads_first = (4, 4096, 32, 128), (0, 2, 1, 3)

    def peer(t: Any, q: Any, k: Any, v: Any, out: Any) -> Any:
        given = [array.permute(heads_first) for array in (q, k, v)]
        return t.nn.functional.scaled_dot_product_attention(*given, is_causal=causal)

    def program() -> PrimFunc:
        q, k, v = (te.placeholder(shape, "float16", name) for name in "QKV")
        mask = "TopLeft" if causal else None
        return te.create_prim_func([q, k, v, topi.graph.attention(q, k, v, None, None, mask, None)])

    flops = 4 * 4 * 32 * 4096 * 4096 * 128 / (2 if causal else 1)
    return Work(program, [shape] * 4, peer, flops, "FLOP/s", "float16")


def _norm(operator: Callable[..., Any], vectors: int) -> Callable[[], PrimFunc]:
    """Return a function that defines a norm of rows with this many vectors of factors and summands."""

    def program() -> PrimFunc:
        rows = te.placeholder((32768, 4096), "float16", "A")
        others = [te.placeholder((4096,), "float16", f"B{number}") for number in range(vectors)]
        return te.create_prim_func([rows, *others, operator(rows, *others)])

    return program


def _convolution() -> PrimFunc:
    """Define a convolution of images with the channels last."""
    image = te.placeholder((32, 56, 56, 256), "float16", "A")
    weights = te.placeholder((3, 3, 256, 256), "float16", "W")
    sums = topi.nn.conv2d_nhwc(image, weights, 1, 1, 1, out_dtype="float32")
    return te.create_prim_func([image, weights, topi.cast(sums, "float16")])


def _convolve(t: Any, image: Any, weights: Any, result: Any) -> Any:
    """Convolve by PyTorch, on views with the channels second."""
    return t.nn.functional.conv2d(image.permute(0, 3, 1, 2), weights.permute(3, 2, 0, 1), padding=1)


_ROWS: Final[list[tuple[int, ...]]] = [(32768, 4096)] * 2
_NORM: Final[list[tuple[int, ...]]] = [(32768, 4096), (4096,), (4096,), (32768, 4096)]
WORKS: Final = {
    "copy float32": Work(_parser(COPY, 1 << 28), [(1 << 28,)] * 2, lambda t, a, b: b.copy_(a), 8 * (1 << 28), "B/s"),
    "add float32": Work(
        _parser(ADD, 1 << 28), [(1 << 28,)] * 3, lambda t, a, b, c: t.add(a, b, out=c), 12 * (1 << 28), "B/s"
    ),
    "transpose float32": Work(
        _parser(TRANSPOSE, 16384), [(16384, 16384)] * 2, lambda t, a, b: b.copy_(a.t()), 8 * 16384**2, "B/s"
    ),
    "row sum float32": Work(
        _parser(ROW_SUM, 32768), [(32768, 4096), (32768,)], lambda t, a, b: t.sum(a, 1, out=b), 4 * 4096 * 32768, "B/s"
    ),
    "softmax float32": Work(
        _parser(SOFTMAX, 32768), _ROWS, lambda t, a, c: t.softmax(a, 1, out=c), 8 * 4096 * 32768, "B/s"
    ),
    "RMS norm float16": Work(
        _norm(lambda a, weight: topi.nn.rms_norm(a, weight, [1]), 1), [*_NORM[:2], _NORM[-1]],
        lambda t, a, weight, c: t.nn.functional.rms_norm(a, (4096,), weight), 4 * 4096 * 32768, "B/s", "float16",
    ),
    "layer norm float16": Work(
        _norm(lambda a, weight, bias: topi.nn.layer_norm(a, weight, bias, [1]), 2), _NORM,
        lambda t, a, weight, bias, c: t.nn.functional.layer_norm(a, (4096,), weight, bias), 4 * 4096 * 32768, "B/s",
        "float16",
    ),
    "conv2d float16": Work(
        _convolution, [(32, 56, 56, 256), (3, 3, 256, 256), (32, 56, 56, 256)], _convolve,
        2 * 32 * 56 * 56 * 256 * 256 * 9, "FLOP/s", "float16",
    ),
    "GEMV float16": Work(
        _parser(GEMV, 16384), [(1, 4096), (16384, 4096), (1, 16384)], lambda t, a, b, c: t.matmul(a, b.t(), out=c),
        2 * 4096 * 16384, "B/s", "float16",
    ),
    "matmul float32": Work(
        _parser(MATMUL, 4096), [(4096, 4096)] * 3, lambda t, a, b, c: t.matmul(a, b, out=c), 2 * 4096**3, "FLOP/s"
    ),
    "matmul tf32": _matmul(4096, 4096, 4096, "float32"),
    **{f"matmul float16 {n}": _matmul(n, n, n, "float16") for n in (1024, 2048, 2304, 3072, 4096, 8192)},
    "matmul float16 1280 x 1792 x 8192": _matmul(1280, 1792, 8192, "float16"),
    **{f"matmul bfloat16 {n}": _matmul(n, n, n, "bfloat16") for n in (4096, 8192)},
    **{
        f"matmul float16 {n}, by hand for sm_90a": Work(
            partial(_hopper_matmul, n), [(n, n)] * 3, lambda t, a, b, c: t.matmul(a, b.t(), out=c), 2 * n**3, "FLOP/s",
            "float16",
        )
        for n in (4096, 8192)
    },
    "attention float16, full": _attention(causal=False),
    "attention float16, causal": _attention(causal=True),
}  # fmt: skip


def describe(name: str, work: Work) -> None:
    """Print how long a kernel takes to build and compile, and what it needs."""
    start = time.perf_counter()
    module: Any = tvmscript.build(work.program(), target="cuda -arch=sm_90a")
    built = time.perf_counter()
    reports = module.report()
    compiled = time.perf_counter()
    needs = ", ".join(
        f"{report.registers} registers, {report.spill_store_bytes} B spilled, "
        f"{report.shared_bytes + report.dynamic_shared_bytes} B shared"
        for report in reports
    )
    print(f"{name}: build {1e3 * (built - start):.0f} ms, NVRTC {1e3 * (compiled - built):.0f} ms, {needs}")


def measure(torch: Any, name: str, work: Work) -> None:
    """Print the rates of a kernel and of PyTorch."""
    arch = cuda_driver.find_driver("benchmarks").architecture()
    module: Any = tvmscript.build(work.program(), target=f"cuda -arch={arch}")
    dtype = getattr(torch, work.dtype)
    torch.backends.cuda.matmul.allow_tf32 = "tf32" in name
    buffers = [[torch.randn(shape, device="cuda", dtype=dtype) for shape in work.shapes] for _ in range(_COPIES)]
    runs = {"tvmscript": module["main"], "torch": lambda *arrays: work.peer(torch, *arrays)}
    if work.triton and (kernels := _triton_kernels()) is not None:
        runs["triton"] = getattr(kernels, work.triton)
    times: dict[str, list[float]] = {peer: [] for peer in runs}
    for run in runs.values():  # what is compiled or chosen at the first call is not measured
        run(*buffers[0])
    for number in range(_REPEATS):
        for peer, run in runs.items():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            run(*buffers[number % _COPIES])
            end.record()
            torch.cuda.synchronize()
            times[peer].append(begin.elapsed_time(end) / 1e3)
    rates = {peer: work.amount / statistics.median(values) / 1e12 for peer, values in times.items()}
    print(f"{name}: " + ", ".join(f"{peer} {rate:.2f} T{work.unit}" for peer, rate in rates.items()))


def _triton_kernels() -> Any:
    """Return the kernels of Triton, None where it is not installed."""
    return importlib.import_module("triton_kernels") if importlib.util.find_spec("triton") else None


def measure_launches(torch: Any) -> None:
    """Print how long a process takes for a launch of a small kernel from Python."""
    a, b, c = (torch.randn(1024, device="cuda") for _ in range(3))
    kernel: Any = tvmscript.build(_parser(ADD, 1024)(), target="cuda")["main"]
    runs: dict[str, Callable[[], Any]] = {
        "tvmscript": lambda: kernel(a, b, c),
        "tvmscript, bound": kernel.bind(a, b, c),
        "torch": lambda: torch.add(a, b, out=c),
    }
    if (kernels := _triton_kernels()) is not None:
        runs["triton"] = lambda: kernels.add(a, b, c)
    times: dict[str, list[float]] = {peer: [] for peer in runs}
    for _ in range(_REPEATS):
        for peer, run in runs.items():
            run()
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(_LAUNCHES):
                run()
            times[peer].append((time.perf_counter() - start) / _LAUNCHES)
            torch.cuda.synchronize()
    rates = {peer: 1e6 * statistics.median(values) for peer, values in times.items()}
    print("launch of a small kernel: " + ", ".join(f"{peer} {rate:.2f} us" for peer, rate in rates.items()))


def main() -> None:
    """Measure on the device, or describe kernels where there is none."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cuda", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="measure those whose names contain this; all without it")
    text = parser.parse_args().text
    works = {name: work for name, work in WORKS.items() if text in name}
    try:
        cuda_driver.find_driver("benchmarks")
    except NoCudaDriver as error:
        print(f"{error.text}; compiled for sm_90a:")
        for name, work in works.items():
            describe(name, work)
        return
    import torch

    print(torch.cuda.get_device_name(), torch.cuda.get_device_properties(0))
    for name, work in works.items():
        if "sm_90a" not in name or torch.cuda.get_device_capability() == (9, 0):
            measure(torch, name, work)
            torch.cuda.empty_cache()
    measure_launches(torch)
    clocks = ("nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw", "--format=csv")
    print(subprocess.run(clocks, capture_output=True, text=True, check=False).stdout)


if __name__ == "__main__":
    main()
