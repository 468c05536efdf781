"""Parallel loops: the whole range, captured variables, memory of each thread, errors that come back."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.backends.llvm.kernels import build_text
from tvmscript.backends.llvm.openmp import find_openmp
from tvmscript.backends.runtime.errors import KernelAssertion

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


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 1000])
def test_every_iteration_runs_once(count: int) -> None:
    """For any number of iterations and threads; parallel loops inside run serially."""
    data, got = np.arange(count * 16, dtype="float32").reshape(count, 16) % 997, np.zeros((count, 16), "float32")
    build_text(ROWS)["rows"](data, got, 2.0)
    np.testing.assert_array_equal(got, data[:, ::-1] * 2)


def test_there_are_threads() -> None:
    """The body is called through the OpenMP runtime where there is one."""
    assert ("GOMP_parallel" in build_text(ROWS).get_source("ll")) == find_openmp()


def test_an_assertion_in_a_thread_is_raised_by_the_caller() -> None:
    rows = build_text(ROWS)["rows"]
    data = np.zeros((64, 16), "float32")
    for bad in ([5], [63], [0, 17, 40, 63]):
        data[:] = 1
        data[bad, 0] = 2000
        with pytest.raises(KernelAssertion, match="row is too large"):
            rows(data, np.zeros((64, 16), "float32"), 1.0)
    data[:] = 1
    got = np.zeros((64, 16), "float32")
    rows(data, got, 1.0)
    assert (got == 1).all()


def test_offsets_and_constant_extents() -> None:
    """Loops that begin elsewhere, and extents of one."""
    module = build_text("""
@T.prim_func
def mark(A: T.Buffer((100,), "int64")):
    for i in T.parallel(10, 90):
        A[i] = T.Cast("int64", i) + T.int64(1)
    for i in T.parallel(T.int64(3), T.int64(4)):
        A[i] = T.int64(-1)
""")
    got = np.zeros(100, "int64")
    module["mark"](got)
    want = np.where((np.arange(100) >= 10) & (np.arange(100) < 90), np.arange(100) + 1, 0)
    want[3] = -1
    np.testing.assert_array_equal(got, want)


def test_the_number_of_threads_is_the_runtimes() -> None:
    """OMP_NUM_THREADS is heard: one, or more than there are processors."""
    code = f"""
import numpy as np
import tvmscript
rows = tvmscript.build(tvmscript.from_source({ROWS!r}))["rows"]
data, got = np.ones((50, 16), "float32"), np.zeros((50, 16), "float32")
rows(data, got, 3.0)
assert (got == 3).all()
"""
    for count in ("1", "5"):
        subprocess.run(
            [sys.executable, "-c", code], check=True, env={"OMP_NUM_THREADS": count, "PYTHONPATH": ":".join(sys.path)}
        )
