"""Races: planted ones are found, correct programs have none, and the verdict agrees with running the loops."""

from __future__ import annotations

from collections import Counter
from textwrap import dedent, indent

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.running import results
from tvmscript.backends.runtime.errors import OutOfBounds
from tvmscript.fuzz.analysis.access_programs import random_program
from tvmscript.fuzz.analysis.barrier_kernels import Kernel
from tvmscript.fuzz.analysis.tracing import traced
from tvmscript.fuzz.programs.loops import random_program as correct_program
from tvmscript.ir.analysis.access.races import RaceReport, check_races
from tvmscript.ir.analysis.errors import DataRace, RaceUnknown
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.registry import get_pass

_PARAMS = 'A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), I: T.Buffer((64,), "int32")'


def _read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def _report(body: str, params: str = _PARAMS) -> RaceReport:
    return check_races(_read(f"@T.prim_func\ndef main({params}):\n{indent(dedent(body).strip(), '    ')}\n"))


def _verdict(report: RaceReport) -> str:
    return "race" if report.races else "unknown" if report.unknown else "proven"


def test_as_traced() -> None:
    """A race is found exactly where two iterations of a parallel loop touch an element that one of them writes.

    Where all they do is to write the same value, nothing is claimed.
    """
    counted: Counter[tuple[str, bool]] = Counter()
    for seed in range(150):
        func = _read(random_program(seed, "parallel"))
        counted[_verdict(check_races(func)), traced(func).has_conflict()] += 1
    assert set(counted) == {("race", True), ("proven", False), ("unknown", True)}, counted
    assert counted["unknown", True] < 20


def test_lanes_as_vectorized() -> None:
    """A vectorized loop without a race computes what the serial loop does."""
    proven = 0
    for seed in range(150):
        text = random_program(seed, "vectorized")
        func = _read(text)
        if _verdict(check_races(func)) != "proven":
            continue
        try:
            expected = results(_read(text.replace("T.vectorized", "T.serial")))
        except OutOfBounds:
            continue
        proven += 1
        for one, other in zip(expected, results(get_pass("tir.VectorizeLoop")(func)), strict=True):
            np.testing.assert_array_equal(one, other)
    assert proven > 30


def test_no_false_alarms() -> None:
    """Programs whose iterations have elements of their own."""
    for seed in range(15):
        report = check_races(_read(correct_program(seed)))
        assert report.races == ()


RACES = {
    "sum": "for i in T.parallel(64):\n    B[0] = B[0] + A[i]",
    "neighbours": "for i in T.parallel(63):\n    A[i] = A[i + 1]",
    "halves": "for i in T.parallel(64):\n    B[i // 2] = A[i]",
    "rows that overlap": "for i in T.parallel(8):\n    for j in range(9):\n        B[i * 7 + j] = A[i] + 1.0",
    "a temporary outside": """
        C = T.decl_buffer((1,))
        for i in T.parallel(64):
            C[0] = A[i]
            B[i] = C[0]""",
    "the last of many": """
        for i in T.parallel(1000):
            if i > 997:
                B[i - i % 2 - 996] = T.Cast("float32", i)""",
    "recurrence of lanes": "for i in T.vectorized(63):\n    A[i + 1] = A[i] + 1.0",
    "statements of lanes": "for i in T.vectorized(63):\n    A[i] = B[i]\n    B[i + 1] = A[i + 1]",
    "sum of lanes": "for i in T.vectorized(8):\n    B[0] = B[0] + A[i]",
    "reduction in parallel": """
        for i in range(8):
            for k in T.parallel(8):
                with T.block("sum"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        B[vi] = 0.0
                    B[vi] = B[vi] + A[vi * 8 + vk]""",
    "blocks of threads": """
        for bx in T.thread_binding(4, "blockIdx.x"):
            for tx in T.thread_binding(16, "threadIdx.x"):
                B[tx] = A[bx * 16 + tx]""",
    "threads of a block": """
        for bx in T.thread_binding(4, "blockIdx.x"):
            for tx in T.thread_binding(16, "threadIdx.x"):
                B[bx * 16 + tx // 2] = A[bx * 16 + tx]""",
    "no barrier between": """
        S = T.decl_buffer((64,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        S[tx] = A[tx]
        B[tx] = S[63 - tx]
        T.tvm_storage_sync("shared")""",
    "one barrier in a loop": """
        S = T.decl_buffer((64,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        for k in range(4):
            S[tx] = A[tx] + T.Cast("float32", k)
            T.tvm_storage_sync("shared")
            B[tx] = B[tx] + S[63 - tx]""",
    "all threads write": """
        S = T.decl_buffer((1,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        S[0] = A[tx]""",
    "two axes of threads": """
        S = T.decl_buffer((8,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 8)
        ty = T.launch_thread("threadIdx.y", 8)
        S[tx] = A[tx * 8 + ty]""",
}

PROVEN = {
    "elementwise": "for i in T.parallel(64):\n    B[i] = A[i]",
    "rows": "for i in T.parallel(8):\n    for j in range(8):\n        B[i * 8 + j] = A[j * 8 + i]",
    "even and odd": "for i in T.parallel(32):\n    B[i * 2] = B[i * 2 + 1]",
    "fused": "for i in T.parallel(64):\n    B[i // 8 * 8 + i % 8] = A[i]",
    "a temporary inside": """
        for i in T.parallel(64):
            C = T.decl_buffer((1,))
            C[0] = A[i]
            B[i] = C[0]""",
    "a temporary that is lowered to inside": """
        C = T.alloc_buffer((64,))
        for i in T.parallel(8):
            for j in range(8):
                with T.block("C"):
                    vj = T.axis.spatial(8, j)
                    C[vj] = A[vj]
            for j in range(8):
                with T.block("B"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi * 8 + vj] = C[vj]""",
    "what a condition leaves": "for i in T.parallel(64):\n    if i == 3:\n        B[0] = B[0] + A[i]",
    "lanes read what is behind them": "for i in T.vectorized(63):\n    A[i] = A[i + 1]",
    "barriers": """
        S = T.decl_buffer((64,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        for k in range(4):
            S[tx] = A[tx] + T.Cast("float32", k)
            T.tvm_storage_sync("shared")
            B[tx] = B[tx] + S[63 - tx]
            T.tvm_storage_sync("shared")""",
    "two buffers in turn": """
        S = T.decl_buffer((2, 64), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        for k in range(4):
            S[k % 2, tx] = A[tx] + T.Cast("float32", k)
            T.tvm_storage_sync("shared")
            B[tx] = B[tx] + S[k % 2, 63 - tx]""",
    "barriers that will be inserted": """
        S = T.decl_buffer((64,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 64)
        S[tx] = A[tx]
        B[tx] = S[63 - tx]""",
    "only the last iteration comes together with the next loop": """
        S = T.decl_buffer((96,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 8)
        for k in range(3):
            T.tvm_storage_sync("shared")
            S[tx + k * 8] = A[tx]
        for k in range(3):
            B[tx] = S[7 - tx + k]
            T.tvm_storage_sync("shared")""",
    "only the last inner iteration comes together with the next outer one": """
        S = T.decl_buffer((96,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 8)
        for k in range(2):
            for m in range(2):
                B[tx] = S[7 - tx + m * 16]
                T.tvm_storage_sync("shared")
                S[tx + m * 8] = A[tx]""",
    "nothing comes before the first iteration": """
        S = T.decl_buffer((96,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 8)
        for k in range(2):
            S[tx + k * 8] = A[tx]
            T.tvm_storage_sync("shared")
            B[tx] = S[7 - tx]""",
    "launches wait for each other": """
        for i in range(2):
            with T.launch_thread("threadIdx.x", 8) as tx:
                B[tx + i] = A[tx]""",
    "registers": """
        L = T.decl_buffer((1,), scope="local")
        tx = T.launch_thread("threadIdx.x", 64)
        L[0] = A[tx]
        B[tx] = L[0]""",
    "one thread launched twice": """
        tx = T.launch_thread("threadIdx.x", 64)
        with T.launch_thread("threadIdx.x", 64) as ty:
            B[ty] = A[tx]""",
    "reduction over threads": """
        for i in range(8):
            for k in T.thread_binding(8, "threadIdx.x"):
                with T.block("sum"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        B[vi] = 0.0
                    B[vi] = B[vi] + A[vi * 8 + vk]""",
}

UNKNOWN = {
    "scatter": "for i in T.parallel(64):\n    B[I[i]] = A[i]",
    "a call": 'for i in T.parallel(64):\n    T.evaluate(T.call_extern("int32", "f", B.data))',
    "the same value": "for i in T.parallel(64):\n    B[0] = 1.0",
}


@pytest.mark.parametrize("name", RACES)
def test_planted(name: str) -> None:
    report = _report(RACES[name])
    assert _verdict(report) == "race"
    assert isinstance(report.races[0].error(), DataRace)


@pytest.mark.parametrize("name", PROVEN)
def test_correct(name: str) -> None:
    report = _report(PROVEN[name])
    assert (report.races, report.unknown) == ((), ())
    assert report.loops > 0


@pytest.mark.parametrize("name", UNKNOWN)
def test_not_claimed(name: str) -> None:
    report = _report(UNKNOWN[name])
    assert _verdict(report) == "unknown"
    assert isinstance(report.unknown[0].error(), RaceUnknown)


def test_symbolic_sizes() -> None:
    params = "a: T.handle, b: T.handle, n: T.int32"
    text = """
        A = T.match_buffer(a, (n, n))
        B = T.match_buffer(b, (n * n,))
        for i in T.parallel(n):
            for j in range(n):
                B[{index}] = A[i, j]
    """
    assert _verdict(_report(text.format(index="i * n + j"), params)) == "proven"
    assert _verdict(_report(text.format(index="i + j"), params)) != "proven"


def test_fused_axes_of_unknown_size() -> None:
    params = "a: T.handle, n: T.int32"
    text = """
        A = T.match_buffer(a, (8, n))
        for i in T.parallel(n * 8):
            A[i // n, i % n] = 1.0 + T.Cast("float32", i)
    """
    assert _verdict(_report(text, params)) == "proven"


def test_names_the_iterations() -> None:
    error = _report(RACES["neighbours"]).races[0].error()
    assert error.text == "iterations of the parallel loop i race: A[i] is written for i = 1 and read for i = 0"
    assert error.line == 4
    assert error.notes[0][1] == "it is read here"


def test_barriers_as_traced() -> None:
    """Races of threads are found exactly where threads collide between two barriers."""
    counted: Counter[tuple[str, bool]] = Counter()
    for seed in range(60):
        kernel = Kernel(seed)
        counted[_verdict(check_races(_read(kernel.text))), kernel.has_race()] += 1
    assert set(counted) == {("race", True), ("proven", False)}, counted
    assert min(counted.values()) > 15


def test_guards_on_what_was_read() -> None:
    """What two iterations read from memory need not be the same."""
    body = """
        C = T.decl_buffer((64,), "int32")
        for i in T.parallel(64):
            C[i] = I[i]
            with T.LetStmt(C[i]) as x:
                for j in range(64):
                    if j == x:
                        B[j] = A[i]
    """
    assert _verdict(_report(body)) == "unknown"


def test_barriers_that_may_be_skipped() -> None:
    text = PROVEN["barriers"]
    assert _verdict(_report(text.replace("range(4)", "range(I[0])"))) == "unknown"
    body = """
        S = T.decl_buffer((16,), scope="shared")
        tx = T.launch_thread("threadIdx.x", 8)
        for k in range(4):
            S[tx + k] = A[tx]
            if A[0] > 0.0:
                T.tvm_storage_sync("shared")
    """
    assert _verdict(_report(body)) == "unknown"


#: loops of j -> places of iterations of i, below n, that differ
_APART = {
    "4": ("i", "i * 4 + j", "i * 8 + j * 2", "i + n * j", "i * n * 4 + j * n", "max(i, 0)", "min(i, n)",
          "max(i, 0) * 4 + j", "n - i", "i * 5 // 4"),
    "n": ("i", "i * n + j", "i + n * j", "max(i, 0)", "min(i, n)", "i * n * n + j * n"),
    "i + 1": ("i", "max(i, 0)", "min(i, n)", "i * 5 // 4"),
}  # fmt: skip
#: places of which some do not
_SHARED = {
    "4": ("j", "i * 3 + j", "i * n + j", "i * (n + 1) + j", "i // 2", "max(i, 3)", "i * 4 // 5", "i * n * n + j * n"),
    "n": ("i * 4 + j", "i * 8 + j * 2", "max(i, 0) * 4 + j", "i * n * 4 + j * n"),
    "i + 1": ("i * 4 + j", "i * 3 + j", "i * n * 4 + j * n", "max(i, 3)"),
}


@pytest.mark.parametrize("extent", _APART)
def test_places_of_any_number_of_iterations(extent: str) -> None:
    """Beside all iterations of up to 6."""
    for place in _APART[extent] + _SHARED[extent]:
        text = f"""
@T.prim_func
def main(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (4096,))
    for i in T.parallel(n):
        for j in range({extent}):
            A[{place.replace("max", "T.max").replace("min", "T.min")}] = T.float32(1)
"""
        report = check_races(tvmscript.from_source(text, check_well_formed=False))
        assert (not report.races and not report.unknown) is (place in _APART[extent]), place
        owners: dict[tuple[int, int], set[int]] = {}
        for n in range(1, 7):
            for i in range(n):
                for j in range(eval(extent, {"i": i, "n": n})):
                    owners.setdefault((n, eval(place, {"i": i, "j": j, "n": n})), set()).add(i)
        assert any(len(each) > 1 for each in owners.values()) is (place in _SHARED[extent]), place
