"""Threads that meet, and kernels that are launched."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import KernelAssertion, OutOfBounds, Unsupported
from tvmscript.ir.transform.registry import get_pass

_HEAD = """
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.func_attr({"global_symbol": "main"})
    bx = T.launch_thread("blockIdx.x", 1)
"""


def _run(body: str, head: str = _HEAD) -> tuple[Any, Any]:
    given, made = np.arange(64, dtype="int32"), np.zeros(64, "int32")
    interp.build(tvmscript.from_source(head + body))["main"](given, made)
    return given, made


def test_a_barrier() -> None:
    given, made = _run("""
    S = T.decl_buffer((64,), "int32", scope="shared")
    tx = T.launch_thread("threadIdx.x", 64)
    S[tx] = A[tx]
    T.tvm_storage_sync("shared")
    B[tx] = S[63 - tx]
""")
    np.testing.assert_array_equal(made, given[::-1])


def test_shared_memory_of_the_threads_is_one_and_local_memory_is_not() -> None:
    given, made = _run("""
    L = T.decl_buffer((1,), "int32", scope="local")
    tx = T.launch_thread("threadIdx.x", 32)
    for i in range(2):
        S = T.decl_buffer((32,), "int32", scope="shared")
        S[tx] = A[tx] + i
        L[0] = tx
        T.tvm_storage_sync("shared")
        B[i * 32 + tx] = S[31 - tx] + L[0]
""")
    np.testing.assert_array_equal(made, [31] * 32 + [32] * 32)
    assert given[1] == 1


def test_values_of_other_lanes() -> None:
    _, made = _run("""
    ty = T.launch_thread("threadIdx.y", 2)
    tx = T.launch_thread("threadIdx.x", 16)
    x: T.int32 = A[ty * 16 + tx]
    B[ty * 16 + tx] = T.tvm_warp_shuffle(T.tvm_warp_activemask(), x, 3, 16, 32)
    B[32 + ty * 16 + tx] = T.tvm_warp_shuffle_down(T.uint32(0), x, 2, 32, 32)
""")
    np.testing.assert_array_equal(made[:32], [3] * 16 + [19] * 16)
    np.testing.assert_array_equal(made[32:], [*range(2, 32), 30, 31])


def test_lanes_that_are_not_there_have_all_bits_set() -> None:
    _, made = _run("""
    tx = T.launch_thread("threadIdx.x", 4)
    if tx < 2:
        B[tx] = T.tvm_warp_shuffle_up(T.tvm_warp_activemask(), A[tx], 1, 32, 32)
        B[4 + tx] = T.tvm_warp_shuffle_down(T.tvm_warp_activemask(), A[tx], 1, 32, 32)
        B[8 + tx] = T.Cast("int32", T.tvm_warp_activemask())
""")
    np.testing.assert_array_equal(made[:12], [0, 0, 0, 0, 1, -1, 0, 0, 3, 3, 0, 0])


def test_a_reduction_over_threads() -> None:
    _, made = _run("""
    r = T.decl_buffer((1,), "int32", scope="local")
    ty = T.launch_thread("threadIdx.y", 2)
    tx = T.launch_thread("threadIdx.x", 8)
    with T.attr(T.comm_reducer(lambda x, y: T.max(x, y), [T.int32(-1)]), "reduce_scope", 0):
        T.tvm_thread_allreduce(T.uint32(1), A[ty * 8 + tx], tx < 5, r[0], tx)
    B[ty * 8 + tx] = r[0]
""")
    np.testing.assert_array_equal(made[:16], [4] * 8 + [12] * 8)


def test_threads_that_end_are_not_waited_for() -> None:
    _, made = _run("""
    tx = T.launch_thread("threadIdx.x", 64)
    if tx < 32:
        T.tvm_storage_sync("shared")
        B[tx] = tx
""")
    np.testing.assert_array_equal(made[:32], range(32))


def test_an_error_in_one_thread() -> None:
    with pytest.raises(KernelAssertion, match="too large"):
        _run("""
    tx = T.launch_thread("threadIdx.x", 8)
    T.tvm_storage_sync("shared")
    assert tx < 5, "too large"
    T.tvm_storage_sync("shared")
""")


def test_a_barrier_of_global_memory_is_refused() -> None:
    what = r"a barrier of all blocks without T\.cuda\.grid_sync\(\) is not available in the interpreter"
    with pytest.raises(Unsupported, match=what):
        _run("""
    tx = T.launch_thread("threadIdx.x", 8)
    T.tvm_storage_sync("global")
""")


@pytest.mark.parametrize("rows", [1, 7])
def test_lowered_for_a_gpu(rows: int) -> None:
    """A sum over each row, from one function with threads to a host function that launches its kernel."""
    module = tvmscript.from_source(f"""
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer(({rows}, 64), "int32"), B: T.Buffer(({rows},), "int32")):
        T.func_attr({{"target": T.target("cuda", host="llvm")}})
        bx = T.launch_thread("blockIdx.x", {rows})
        r = T.allocate([1], "int32", "local")
        S = T.allocate([64], "int32", "shared")
        tx = T.launch_thread("threadIdx.x", 64)
        r1 = T.decl_buffer((1,), "int32", data=r, scope="local")
        S1 = T.decl_buffer((64,), "int32", data=S, scope="shared")
        S1[tx] = A[bx, tx] * 2
        with T.attr(T.comm_reducer(lambda x, y: x + y, [T.int32(0)]), "reduce_scope", 0):
            T.tvm_thread_allreduce(T.uint32(1), S1[63 - tx], T.bool(True), r1[0], tx)
        if tx == 0:
            B[bx] = r1[0]
""")
    passes = ["tir.LowerThreadAllreduce", "tir.AnnotateDeviceRegions", "tir.SplitHostDevice", "tir.MakeUnpackedAPI"]
    module = get_pass("tir.ThreadSync", "shared")(module)
    for name in [*passes, "tir.LowerDeviceKernelLaunch"]:
        module = get_pass(name)(module)
    assert 'T.call_packed("main_kernel"' in module.script()
    given = np.random.default_rng(1).integers(0, 9, (rows, 64)).astype("int32")
    made = np.zeros(rows, "int32")
    interp.build(module)["main"](given, made)
    np.testing.assert_array_equal(made, given.sum(axis=1) * 2)


_MERGED = """
    bytes = T.allocate([{size}], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 32)
    H = T.Buffer((32,), "int16", data=bytes, scope="shared.dyn")
    S = T.Buffer((32,), "int32", data=bytes, scope="shared.dyn")
    H[tx] = T.Cast("int16", A[tx]) + T.int16(7)
    S[tx + 16] = A[tx + 32]
    T.tvm_storage_sync("shared.dyn")
    B[tx] = S[31 - tx + 16] + T.Cast("int32", H[31 - tx])
"""


def test_memory_that_was_merged() -> None:
    """Parts of one memory of bytes: each index counts from its beginning."""
    given, made = _run(_MERGED.format(size=192))
    np.testing.assert_array_equal(made[:32], given[63:31:-1] + given[31::-1] + 7)


def test_merged_memory_has_an_end() -> None:
    with pytest.raises(OutOfBounds, match=r"writing S\[47\] is outside of its shape \(47\)"):
        _run(_MERGED.format(size=188))


def test_loops_of_threads_that_do_not_begin_at_0() -> None:
    _, made = _run(
        """
    for t in T.thread_binding(1, 9, "threadIdx.x"):
        S = T.decl_buffer((16,), "int32", scope="shared")
        S[t] = A[t]
        T.tvm_storage_sync("shared")
        B[t] = S[9 - t]
""",
        _HEAD.replace('    bx = T.launch_thread("blockIdx.x", 1)\n', ""),
    )
    np.testing.assert_array_equal(made, [0, *range(8, 0, -1), *[0] * 55])


INTERRUPTED = """
import signal
import threading
import numpy as np
import tvmscript
from tvmscript.backends.interp.teams import Grid

TEXT = '''
@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    tx = T.launch_thread("threadIdx.x", 4)
    for i in range(1000000):
        A[tx] = A[tx] + T.float32(1)
        T.tvm_storage_sync("shared")
'''

def interrupt(*_):
    raise KeyboardInterrupt

def start(grid, member):
    if member.number == 2:
        raise KeyboardInterrupt

built = tvmscript.build(tvmscript.from_source(TEXT), target="interp")
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.3)
for observe in (Grid._observe_switch, start):
    Grid._observe_switch = observe
    try:
        built["main"](np.zeros(4, "float32"))
    except KeyboardInterrupt:
        print("interrupted,", threading.active_count(), "thread")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts are timed by setitimer")
def test_an_interrupt_ends_all_threads() -> None:
    """While threads run, and before all of them have begun."""
    command = [sys.executable, "-c", INTERRUPTED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.stdout == "interrupted, 1 thread\n" * 2, result.stderr
