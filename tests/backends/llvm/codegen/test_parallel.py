"""Parallel loops: the whole range, captured variables, memory of each thread, errors that come back, fork."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import build_text
from tvmscript.backends.llvm import linked_code
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.targets.target import InvalidTarget

ROWS = """
@T.prim_func
def rows(a: T.handle, b: T.handle, factor: T.float32):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    B = T.match_buffer(b, (n, 16), "float32")
    for i in T.parallel(n):
        assert A[i, 0] < T.float32(1000), "row is too large"
        with T.block("row"):
            vi = T.axis.spatial(n, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16])
            sums = T.alloc_buffer((16,), "float32")
            for j in range(16):
                sums[j] = A[vi, j] * factor
            for j in T.parallel(16):
                B[vi, j] = sums[15 - j]
"""
#: rows of which some threads have work to do
MANY = 4000


@pytest.fixture(autouse=True, params=[1, 2, 3])
def thread_count(request: pytest.FixtureRequest) -> Iterator[int]:
    before = tvmscript.threads(request.param)
    yield request.param
    tvmscript.threads(before)


@pytest.fixture(scope="module")
def rows() -> Any:
    return build_text(ROWS)["rows"]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 1000, MANY, MANY + 1])
def test_every_iteration_runs_once(rows: Any, count: int) -> None:
    """For any number of iterations and threads; parallel loops inside run serially."""
    data, got = np.arange(count * 16, dtype="float32").reshape(count, 16) % 997, np.zeros((count, 16), "float32")
    rows(data, got, 2.0)
    np.testing.assert_array_equal(got, data[:, ::-1] * 2)


def test_small_loops_have_no_threads() -> None:
    text = (
        '@T.prim_func\ndef f(A: T.Buffer((N,), "float32")):\n    for i in T.parallel(N):\n        A[i] = T.float32(1)\n'
    )
    for extent, is_parallel in (("256", False), ("1000000", True)):
        code = build_text(text.replace("N", extent)).get_source("ll")
        assert ("@tvmscript_parallel" in code) == is_parallel
    module = tvmscript.build(tvmscript.from_source(text.replace("N", "256")), target="llvm -parallel-threshold=0")
    assert "@tvmscript_parallel" in module.get_source("ll")
    np.testing.assert_array_equal(module["f"](...), 1)
    with pytest.raises(InvalidTarget, match="parallel-threshold"):
        tvmscript.build(tvmscript.from_source(text.replace("N", "256")), target="llvm -parallel-threshold=many")


@pytest.mark.parametrize("count", [64, MANY])
def test_an_assertion_in_a_thread_is_raised_by_the_caller(rows: Any, count: int) -> None:
    data = np.zeros((count, 16), "float32")
    for bad in ([5], [count - 1], [0, 17, 40, count - 1]):
        data[:] = 1
        data[bad, 0] = 2000
        with pytest.raises(KernelAssertion, match="row is too large"):
            rows(data, np.zeros((count, 16), "float32"), 1.0)
    data[:] = 1
    got = np.zeros((count, 16), "float32")
    rows(data, got, 1.0)
    assert (got == 1).all()


def test_offsets_and_extents() -> None:
    """Loops that begin elsewhere, extents of one, and extents below zero."""
    module = build_text("""
@T.prim_func
def mark(A: T.Buffer((100000,), "int64"), n: T.int32):
    for i in T.parallel(10, 90000):
        A[i] = T.Cast("int64", i) + T.int64(1)
    for i in T.parallel(T.int64(3), T.int64(4)):
        A[i] = T.int64(-1)
    for i in T.parallel(n - 5):
        A[i] = T.int64(-7)
""")
    for n in (0, 5, 7, 70005):
        got = np.zeros(100000, "int64")
        module["mark"](got, n)
        numbers = np.arange(100000)
        want = np.where((numbers >= 10) & (numbers < 90000), numbers + 1, 0)
        want[3] = -1
        want[: max(n - 5, 0)] = -7
        np.testing.assert_array_equal(got, want)


def test_callers_in_several_threads(rows: Any) -> None:
    """One of them has the threads of the pool, the others run alone."""
    data = np.arange(MANY * 16, dtype="float32").reshape(MANY, 16) % 997

    def run(factor: int) -> None:
        for _ in range(20):
            got = np.zeros_like(data)
            rows(data, got, float(factor))
            np.testing.assert_array_equal(got, data[:, ::-1] * factor)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(1, 9)))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # Python 3.12 warns of forks beside threads
def test_fork(rows: Any) -> None:
    """The child of a process that has threads starts its own; OpenMP's pool hangs there."""
    data, got = np.ones((MANY, 16), "float32"), np.zeros((MANY, 16), "float32")
    rows(data, got, 2.0)
    child = os.fork()
    if child == 0:  # no assertion may leave the child
        signal.alarm(20)
        rows(data, got, 3.0)
        grandchild = os.fork()
        if grandchild == 0:
            rows(data, got, 4.0)
            os._exit(0 if (got == 4).all() else 1)
        status = os.waitpid(grandchild, 0)[1]
        os._exit(0 if status == 0 and (got == 3).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
    rows(data, got, 5.0)
    assert (got == 5).all()


def test_idle_threads_sleep(rows: Any) -> None:
    """They look for another loop first, and sleeping threads find it as well."""
    data, got = np.ones((MANY, 16), "float32"), np.zeros((MANY, 16), "float32")
    rows(data, got, 2.0)
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.15
    rows(data, got, 3.0)
    assert (got == 3).all()


def test_the_number_of_threads_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, count in (("1", 1), ("5", 5), ("3,2", 3)):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert linked_code.thread_count() == count
    for text in ("", "many", "0"):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert linked_code.thread_count() == len(os.sched_getaffinity(0))


def test_the_number_of_threads(thread_count: int) -> None:
    assert tvmscript.threads() == thread_count
    assert tvmscript.threads(2) == thread_count
    assert tvmscript.threads() == 2
    assert tvmscript.runtime.num_threads() == 2
    for count in (0, -1, 1 << 31):
        with pytest.raises(WrongType, match="threads"):
            tvmscript.threads(count)


@pytest.mark.parametrize("thread_count", [1], indirect=True)
def test_processes_end_while_threads_wait() -> None:
    code = f"""
import numpy as np
import tvmscript
rows = tvmscript.build(tvmscript.from_source({ROWS!r}))["rows"]
data, got = np.ones(({MANY}, 16), "float32"), np.zeros(({MANY}, 16), "float32")
rows(data, got, 3.0)
assert (got == 3).all()
"""
    for count in ("1", "5"):
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "OMP_NUM_THREADS": count})
