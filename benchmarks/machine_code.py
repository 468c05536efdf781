"""Speed of compiled kernels as a share of the peak of this machine, measured in the same run.

python benchmarks/machine_code.py [WORD ...] [--target "llvm ..."]      # those whose name contains a word

Rates are per CPU time of the thread, the best of many interleaved rounds: other processes may share the processor.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript.ir.core.targets.machine_model import machine_model

#: rounds of all kernels, and the seconds of one kernel in a round
ROUNDS, SECONDS = 5, 0.05
#: float32 lanes of a vector, as the schedules here have them
LANES = machine_model("llvm").lanes(4)


@dataclass(frozen=True)
class Case:
    """A kernel, how it is scheduled, and the operations and bytes that it needs."""

    name: str
    text: str
    arrays: tuple[tuple[tuple[int, ...], str], ...]
    flops: float = 0
    bytes: float = 0
    schedule: Callable[[tvmscript.Schedule], object] = lambda sch: None
    #: what the last array must be
    expected: Callable[..., Any] | None = None


def matmul(m: int, n: int, k: int, rows: int, vectors: int, lanes: int = LANES) -> Case:
    """Tiles of `rows` by `vectors` vectors in registers; the rest of the rows and columns by conditions."""
    text = f"""
@T.prim_func
def main(A: T.Buffer(({m}, {k}), "float32"), B: T.Buffer(({k}, {n}), "float32"), C: T.Buffer(({m}, {n}), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i, j, k in T.grid({m}, {n}, {k}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""

    def schedule(sch: tvmscript.Schedule) -> None:
        block = sch.get_block("C")
        has_tails = m % rows or n % (vectors * lanes)
        if has_tails:
            sch.pad_einsum(block, [rows, vectors * lanes, 1])
            for producer in sch.get_producers(block):
                if sch.get(producer).writes[0].buffer.name.startswith("B"):
                    sch.compute_inline(producer)
        out = sch.get_consumers(block)[0] if sch.get_consumers(block) else sch.cache_write(block, 0, "local")
        sch.set_scope(block, 0, "local")
        i, j, k_loop = sch.get_loops(block)
        i_outer, i_inner = sch.split(i, [None, rows])
        j_outer, j_vector, lane = sch.split(j, [None, vectors, lanes])
        sch.reorder(j_outer, i_outer, k_loop, i_inner, j_vector, lane)
        sch.reverse_compute_at(out, i_outer)
        out_loops = sch.get_loops(out)
        out_vector, out_lane = sch.split(out_loops[-1], [None, lanes])
        for loop in (i_inner, j_vector, out_loops[-2], out_vector):
            sch.unroll(loop)
        for loop in (lane, out_lane):
            sch.vectorize(loop)
        init = sch.decompose_reduction(block, k_loop)
        *_, init_row, init_vector, init_lane = sch.get_loops(init)
        sch.vectorize(init_lane)
        sch.unroll(init_vector)
        sch.unroll(init_row)

    return Case(
        f"matmul {m}x{n}x{k}, tiles {rows}x{vectors}x{lanes}",
        text,
        (((m, k), "float32"), ((k, n), "float32"), ((m, n), "float32")),
        flops=2 * m * n * k,
        schedule=schedule,
        expected=lambda a, b, c: a @ b,
    )


def reduction(name: str, rows: int, terms: int, term: str, op: str = "{} + {}", start: str = "0") -> Case:
    """One value of each row of A, and perhaps of B; the schedule says nothing."""
    has_other = "B[" in term
    other = f'B: T.Buffer(({rows}, {terms}), "float32"), ' if has_other else ""
    text = f"""
@T.prim_func
def main(A: T.Buffer(({rows}, {terms}), "float32"), {other}C: T.Buffer(({rows},), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i, k in T.grid({rows}, {terms}):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float32({start})
            C[vi] = {op.format("C[vi]", term)}
"""
    arrays = [((rows, terms), "float32")] * (1 + has_other)
    return Case(
        f"{name} of {rows} rows of {terms}",
        text,
        (*arrays, ((rows,), "float32")),
        flops=(1 + has_other) * rows * terms,
        bytes=4 * rows * terms * (1 + has_other),
    )


ARGMAX = Case(
    "argmax of 50,000",
    """
@T.prim_func
def main(A: T.Buffer((50000,), "float32"), I: T.Buffer((1,), "int32"), V: T.Buffer((1,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for k in range(50000):
        with T.block("argmax"):
            vk = T.axis.reduce(50000, k)
            with T.init():
                I[0] = -1
                V[0] = T.min_value("float32")
            v0: T.int32 = T.Select(V[0] >= A[vk], I[0], vk)
            v1: T.float32 = T.Select(V[0] >= A[vk], V[0], A[vk])
            I[0] = v0
            V[0] = v1
""",
    (((50000,), "float32"), ((1,), "int32"), ((1,), "float32")),
    bytes=4 * 50000,
)


def elementwise(name: str, value: str, count: int) -> Case:
    """One array from one or two others, in a plain loop."""
    params = ", ".join(f'{array}: T.Buffer(({count},), "float32")' for array in ("A", "B", "C") if array in f"{value}C")
    text = f"""
@T.prim_func
def main({params}):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in range({count}):
        C[i] = {value}
"""
    arrays = (((count,), "float32"),) * params.count("Buffer")
    return Case(f"{name} of {count >> 18} MB", text, arrays, bytes=4 * count * len(arrays))


def transpose(size: int, dtype: str, lanes: int = LANES) -> Case:
    """Square tiles of as many rows as lanes."""
    text = f"""
@T.prim_func
def main(A: T.Buffer(({size}, {size}), "{dtype}"), C: T.Buffer(({size}, {size}), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for jo, io in T.grid({size // lanes}, {size // lanes}):
        for j in T.unroll({lanes}):
            for v in T.vectorized({lanes}):
                C[jo * {lanes} + j, io * {lanes} + v] = A[io * {lanes} + v, jo * {lanes} + j]
"""
    arrays = (((size, size), dtype),) * 2
    moved = 2 * size * size * np.dtype(dtype).itemsize
    return Case(f"transpose of {size}x{size} {dtype}", text, arrays, bytes=moved, expected=lambda a, c: a.T)


CASES = (
    transpose(528, "float32"),
    transpose(272, "int8"),
    transpose(272, "float16"),
    elementwise("copy", "A[i]", 1 << 24),
    elementwise("add", "A[i] + B[i]", 1 << 24),
    elementwise("add", "A[i] + B[i]", 1 << 18),
    ARGMAX,
    reduction("sum", 1, 50_000, "A[vi, vk]"),
    reduction("sum", 1000, 100, "A[vi, vk]"),
    reduction("sum", 2000, 2000, "A[vi, vk]"),
    reduction("dot", 1, 50_000, "A[vi, vk] * B[vi, vk]"),
    reduction("max", 1, 49_999, "A[vi, vk]", "T.max({}, {})", '"-inf"'),
    reduction("sum of exp", 64, 1000, "T.exp(A[vi, vk])"),
    matmul(128, 128, 128, 8, 2),
    matmul(127, 127, 127, 8, 2),
    matmul(256, 256, 256, 8, 2),
    matmul(255, 255, 255, 8, 2),
    matmul(100, 100, 100, 5, 4),
    matmul(256, 240, 256, 8, 1, 48),
)


class Kernel:
    """A compiled case: its arguments, and the best time of a call so far."""

    def __init__(self, case: Case, target: str) -> None:
        self.case = case
        schedule = tvmscript.Schedule(tvmscript.from_source(case.text))
        case.schedule(schedule)
        begin = time.thread_time()
        self.function = tvmscript.build(schedule.mod, target=target)["main"]
        self.build_seconds = time.thread_time() - begin
        random = np.random.default_rng(0)
        self.arrays = [random.uniform(-1, 1, shape).astype(dtype) for shape, dtype in case.arrays]
        self.function(*self.arrays)
        if case.expected is not None:
            exact = [each.astype("float64") if each.dtype.kind == "f" else each for each in self.arrays]
            np.testing.assert_allclose(self.arrays[-1], case.expected(*exact), rtol=1e-4, atol=1e-4)
        self.best = float("inf")

    def run(self) -> None:
        """Time calls for a moment."""
        self.best = min(self.best, thread_seconds(lambda: self.function(*self.arrays), SECONDS))


def thread_seconds(call: Callable[[], object], seconds: float) -> float:
    """Return the CPU time of the fastest call in about so many seconds; short calls are timed in groups."""
    begin = time.thread_time()
    call()
    once = max(time.thread_time() - begin, 1e-7)
    group = max(1, int(2e-4 / once))
    best = float("inf")
    for _ in range(max(3, int(seconds / (once * group)))):
        begin = time.thread_time()
        for _ in range(group):
            call()
        best = min(best, (time.thread_time() - begin) / group)
    return best


class Peak:
    """The most float32 operations a second of one core: independent fused multiply-adds of whole vectors."""

    #: beside them, one register holds the factors
    CHAINS = min(machine_model("llvm").vector_registers - 4, 24)
    STEPS = 20_000

    def __init__(self) -> None:
        vector, fma = f"<{LANES} x float>", f"@llvm.fma.v{LANES}f32"
        chains = range(self.CHAINS)
        text = [
            f"declare {vector} {fma}({vector}, {vector}, {vector})",
            "define void @fma(i64 %steps, ptr %p) {",
            f"entry:\n  %a = load {vector}, ptr %p, align 4\n  br label %loop",
            "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            *(f"  %x{c} = phi {vector} [ zeroinitializer, %entry ], [ %y{c}, %loop ]" for c in chains),
            *(
                f"  %y{c} = call {vector} @llvm.fma.v{LANES}f32({vector} %a, {vector} %a, {vector} %x{c})"
                for c in chains
            ),
            "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %steps\n  br i1 %more, label %loop, label %done",
            "done:",
            *(f"  %q{c} = getelementptr {vector}, ptr %p, i64 {c}\n  store {vector} %y{c}, ptr %q{c}" for c in chains),
            "  ret void\n}",
        ]
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_default_triple()
        machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly("\n".join(text)), machine)
        self._engine.finalize_object()
        self._memory = np.zeros(LANES * self.CHAINS + 16, "float32")
        start = -self._memory.ctypes.data % 64 // 4
        self._place = ctypes.c_void_p(self._memory[start:].ctypes.data)
        address = self._engine.get_function_address("fma")
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)(address)
        self.rate = 0.0

    def run(self) -> None:
        """Time it for a moment."""
        seconds = thread_seconds(lambda: self._call(self.STEPS, self._place), SECONDS)
        self.rate = max(self.rate, 2 * LANES * self.CHAINS * self.STEPS / seconds)


class Copy:
    """The most bytes a second that NumPy copies between two arrays out of cache, read and written."""

    SIZE = 1 << 26

    def __init__(self) -> None:
        self._from, self._to = np.ones(self.SIZE, "uint8"), np.zeros(self.SIZE, "uint8")
        self.rate = 0.0

    def run(self) -> None:
        """Time it for a moment."""
        self.rate = max(self.rate, 2 * self.SIZE / thread_seconds(lambda: np.copyto(self._to, self._from), SECONDS))


def main(words: Sequence[str], target: str) -> None:
    """Print the rates of the kernels whose name contains a word."""
    cases = [case for case in CASES if not words or any(word in case.name for word in words)]
    kernels = [Kernel(case, target) for case in cases]
    peak, copy = Peak(), Copy()
    for _ in range(ROUNDS):
        for each in (peak, copy, *kernels):
            each.run()
    table = Table("kernel", "GF/s", "of peak", "GB/s", "of copy", "µs", "build ms", title=f"{target}")
    for kernel in kernels:
        case = kernel.case
        flops, moved = case.flops / kernel.best, case.bytes / kernel.best
        table.add_row(
            case.name,
            f"{flops / 1e9:.1f}" if flops else "",
            f"{flops / peak.rate:.2f}" if flops else "",
            f"{moved / 1e9:.1f}" if moved else "",
            f"{moved / copy.rate:.2f}" if moved else "",
            f"{kernel.best * 1e6:.1f}",
            f"{kernel.build_seconds * 1e3:.0f}",
        )
    console = Console(width=110)
    console.print(table)
    console.print(f"peak {peak.rate / 1e9:.1f} GF/s (float32 FMA), copy {copy.rate / 1e9:.1f} GB/s, one thread")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="parts of names of kernels")
    parser.add_argument("--target", default="llvm", help="as for tvmscript.build")
    options = parser.parse_args()
    main(options.words, options.target)
