"""Kernels whose CUDA text is checked, compiled for four architectures, and run where there is a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import pytest

import tvmscript
from tests.backends.interp.test_tensor_cores import LDMATRIX, SHAPES, WMMA, mma
from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.cuda.errors import NoNvrtc
from tvmscript.backends.cuda.source import Source, write_source

Test = TypeVar("Test", bound=Callable[..., Any])

#: what the issue names: A100, L40, H100 and H200, B200
ARCHITECTURES: Final = ("sm_80", "sm_89", "sm_90a", "sm_100")

VECTOR: Final = """
@T.prim_func
def vector(A: T.Buffer((1024,), "float16"), B: T.Buffer((1024,), "float32"), C: T.Buffer((1024,), "float16")):
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for tx in T.thread_binding(64, thread="threadIdx.x"):
            for v in T.vectorized(8):
                with T.block("C"):
                    vi = T.axis.spatial(1024, bx * 512 + tx * 8 + v)
                    C[vi] = A[vi] * A[vi] + T.cast(T.max(B[vi], T.float32(0)), "float16")
"""
SYMBOLIC: Final = """
@T.prim_func
def add(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float16")
    C = T.match_buffer(c, (n,), "float32")
    for bx in T.thread_binding((n + 127) // 128, thread="blockIdx.x"):
        for tx in T.thread_binding(128, thread="threadIdx.x"):
            with T.block("C"):
                vi = T.axis.spatial(n, bx * 128 + tx)
                T.where(bx * 128 + tx < n)
                C[vi] = T.exp(A[vi]) + T.cast(T.exp(B[vi]), "float32")
"""
ROW_SUM: Final = """
@T.prim_func
def row_sum(A: T.Buffer((64, 1024), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.thread_binding(64, thread="blockIdx.x"):
        for k_outer in range(8):
            for k in T.thread_binding(128, thread="threadIdx.x"):
                with T.block("B"):
                    vi = T.axis.spatial(64, i)
                    vk = T.axis.reduce(1024, k_outer * 128 + k)
                    with T.init():
                        B[vi] = T.float32(0)
                    B[vi] = B[vi] + A[vi, vk]
"""
TILED: Final = """
@T.prim_func
def matmul(A: T.Buffer((256, 256), "float32"), B: T.Buffer((256, 256), "float32"), C: T.Buffer((256, 256), "float32")):
    A_shared = T.alloc_buffer((256, 256), "float32", scope="shared")
    B_shared = T.alloc_buffer((256, 256), "float32", scope="shared")
    for by in T.thread_binding(16, thread="blockIdx.y"):
        for bx in T.thread_binding(16, thread="blockIdx.x"):
            for ty in T.thread_binding(16, thread="threadIdx.y"):
                for tx in T.thread_binding(16, thread="threadIdx.x"):
                    for k_outer in range(16):
                        with T.block("A_shared"):
                            vi = T.axis.spatial(256, by * 16 + ty)
                            vk = T.axis.spatial(256, k_outer * 16 + tx)
                            A_shared[vi, vk] = A[vi, vk]
                        with T.block("B_shared"):
                            vk = T.axis.spatial(256, k_outer * 16 + ty)
                            vj = T.axis.spatial(256, bx * 16 + tx)
                            B_shared[vk, vj] = B[vk, vj]
                        for k in range(16):
                            with T.block("C"):
                                vi = T.axis.spatial(256, by * 16 + ty)
                                vj = T.axis.spatial(256, bx * 16 + tx)
                                vk = T.axis.reduce(256, k_outer * 16 + k)
                                with T.init():
                                    C[vi, vj] = T.float32(0)
                                C[vi, vj] = C[vi, vj] + A_shared[vi, vk] * B_shared[vk, vj]
"""
PADDED: Final = """
@T.prim_func
def padded(A: T.Buffer((60,), "float32"), B: T.Buffer((64,), "float32")):
    for tx in T.thread_binding(16, thread="threadIdx.x"):
        for v in T.vectorized(4):
            with T.block("B"):
                vi = T.axis.spatial(64, tx * 4 + v)
                B[vi] = T.if_then_else(vi < 60, A[vi], T.float32(0))
"""
NARROW: Final = """
@T.prim_func
def narrow(A: T.Buffer((256,), "{dtype}"), B: T.Buffer((256,), "float32"), C: T.Buffer((256,), "{dtype}")):
    for tx in T.thread_binding(64, thread="threadIdx.x"):
        for v in T.vectorized(4):
            with T.block("C"):
                vi = T.axis.spatial(256, tx * 4 + v)
                C[vi] = T.cast(T.cast(A[vi], "float32") + B[vi], "{dtype}")
"""
INTEGERS: Final = """
@T.prim_func
def integers(A: T.Buffer((64,), "int8"), B: T.Buffer((64,), "int32"), n: T.int32, C: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 64)
    if n > 0:
        B[tx] = (T.cast(A[tx], "int32") - n) // n + T.popcount(B[tx]) + T.shift_right(B[tx], 2)
    A[tx] = T.cast(C[tx], "int8")
    C[tx] = T.reinterpret("float32", B[tx])
"""
THREADS: Final = """
# from tvm.script import tirx as T
@T.prim_func
def threads(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), N: T.Buffer((1,), "int32")):
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.decl_buffer((64,), "float32", scope="shared")
    S[tx] = A[tx]
    T.cuda.cta_sync()
    B[tx] = T.cuda.__shfl_down_sync(T.cuda.__activemask(), S[63 - tx], 1, 32)
    T.cuda.atomic_add(T.address_of(N[0]), T.int32(1))
    T.cuda.warp_sync()
    if T.cuda.ballot_sync(T.uint32(4294967295), T.cast(A[tx] > T.float32(0), "int32")) == T.uint32(0):
        T.cuda.trap_when_assert_failed(T.cuda.any_sync(T.uint32(4294967295), 1))
"""
COPIES: Final = """
@T.prim_func
def copies(A: T.Buffer((512,), "float16"), B: T.Buffer((512,), "float16"), n: T.int32):
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.decl_buffer((512,), "float16", scope="shared")
    T.ptx_cp_async("float16", S.data, tx * 8, A.data, tx * 8, 16)
    T.ptx_cp_async("float16", S.data, tx * 8, A.data, tx * 8, 16, tx < n)
    T.ptx_commit_group()
    T.ptx_wait_group(0)
    T.tvm_storage_sync("shared")
    for v in range(8):
        B[tx * 8 + v] = S[tx * 8 + v]
"""
MERGED: Final = """
@T.prim_func
def merged(A: T.Buffer((256,), "float16"), B: T.Buffer((64,), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((256,), "float16", scope="shared.dyn")
    W = T.decl_buffer((256,), "float16", scope="shared.dyn")
    R = T.decl_buffer((4,), "float16", scope="local")
    T.ptx_cp_async("float16", S.data, tx * 8, A.data, tx * 8, 16)
    T.ptx_cp_async("float16", W.data, tx * 8, A.data, tx * 8, 16)
    T.ptx_commit_group()
    T.ptx_wait_group(0)
    T.tvm_storage_sync("shared.dyn")
    T.ptx_ldmatrix("float16", False, 1, ".b16", R.data, 0, S.data, tx % 8 * 8)
    T.ptx_ldmatrix("float16", False, 1, ".b16", R.data, 2, W.data, tx % 8 * 8 + 64)
    for i in range(2):
        B[tx * 2 + i] = R[i] + R[i + 2]
"""
HOPPER: Final = """
# from tvm.script import tirx as T
@T.prim_func
def hopper(A: T.Buffer((4096,), "float16"), B: T.Buffer((128,), "float32")):
    tx = T.launch_thread("threadIdx.x", 128)
    S = T.decl_buffer((4096,), "float16", scope="shared")
    D = T.decl_buffer((4,), "float32", scope="local")
    bars = T.decl_buffer((1,), "uint64", scope="shared")
    desc = T.decl_buffer((2,), "uint64", scope="local")
    if tx == 0:
        T.ptx.mbarrier.init.shared__cta.b64(T.address_of(bars[0]), T.uint32(1))
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.mbarrier.arrive.expect_tx.shared__cta.b64(T.address_of(bars[0]), T.uint32(8192))
    T.cuda.mbarrier_wait(T.address_of(bars[0]), T.uint32(0))
    for i in range(4):
        D[i] = T.float32(0)
    T.cuda.wgmma.encode_matrix_descriptor(T.address_of(desc[0]), T.address_of(S[0]), 1, 64, 3)
    T.cuda.wgmma.encode_matrix_descriptor(T.address_of(desc[1]), T.address_of(S[2048]), 1, 64, 3)
    T.ptx.wgmma.fence.sync.aligned()
    T.ptx.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(
        D[0], D[1], D[2], D[3], desc[0], desc[1], True, 1, 1, 0, 0)
    T.ptx.wgmma.commit_group.sync.aligned()
    T.ptx.wgmma.wait_group.sync.aligned(0)
    T.ptx.setmaxnreg.inc.sync.aligned.u32(40)
    B[tx] = D[0] + D[1] + D[2] + D[3]
"""

#: elements of 4 bits that neighbours store; arithmetic of 32 bits, and of 4
NIBBLES = """
@T.prim_func
def nibbles(A: T.Buffer((64,), "int4"), B: T.Buffer((64,), "uint4"), C: T.Buffer((64,), "int4")):
    for tx in T.thread_binding(64, thread="threadIdx.x"):
        if tx < 32:
            C[tx] = T.cast(T.cast(A[tx], "int32") + T.cast(B[tx], "int32"), "int4")
        else:
            C[tx] = A[tx] + A[tx] * A[63 - tx]
"""

#: name -> program
KERNELS: Final[dict[str, str]] = {
    "vector": VECTOR,
    "symbolic": SYMBOLIC,
    "row_sum": ROW_SUM,
    "tiled": TILED,
    "padded": PADDED,
    **{dtype: NARROW.format(dtype=dtype) for dtype in ("float16", "bfloat16", "e4m3_float8", "e5m2_float8")},
    "integers": INTEGERS,
    "nibbles": NIBBLES,
    "threads": THREADS,
    "copies": COPIES,
    "merged": MERGED,
    **{f"wmma {layout}": WMMA.format(layout=layout) for layout in ("row_major", "col_major")},
    **{f"mma {name}": mma(shape) for name, shape in SHAPES.items()},
    **{f"ldmatrix {is_transposed}": LDMATRIX.format(transposed=is_transposed) for is_transposed in (False, True)},
}


def has_nvrtc() -> bool:
    """Whether NVIDIA's compiler is installed."""
    try:
        nvrtc.version()
    except NoNvrtc:
        return False
    return True


HAS_NVRTC: Final = has_nvrtc()


def needs_nvrtc(test: Test) -> Test:
    """Mark a test that compiles with NVRTC."""
    skip = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed (pip install 'tvmscript[cuda]')")
    marked: Test = pytest.mark.nvrtc(skip(test))
    return marked


def source(text: str, arch: str = "sm_80") -> Source:
    """The CUDA text of a program."""
    return write_source(tvmscript.lower(tvmscript.from_source(text), f"cuda -arch={arch}"))
