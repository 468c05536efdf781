"""Tensor cores in the interpreter: products against NumPy, fragments laid out as the PTX ISA's tables say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import OutOfMemoryRange, Unsupported

WMMA = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((16, 16), "float32")):
    T.launch_thread("threadIdx.x", 32)
    fa = T.allocate([256], "float16", "wmma.matrix_a")
    fb = T.allocate([512], "float16", "wmma.matrix_b")
    fc = T.allocate([256], "float32", "wmma.accumulator")
    T.tvm_fill_fragment(fc, 16, 16, 16, 0, T.float32(1))
    T.tvm_load_matrix_sync(
        fa, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float16"), A.data, 0, 256, 1), 16, "row_major")
    T.tvm_load_matrix_sync(
        fb, 16, 16, 16, 1, T.tvm_access_ptr(T.type_annotation("float16"), B.data, 0, 256, 1), 16, "col_major")
    T.tvm_mma_sync(fc, 0, fa, 0, fb, 1, fc, 0)
    T.tvm_store_matrix_sync(
        fc, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 256, 2), 16, "{layout}")
"""

MMA = """
@T.prim_func
def main(A: T.Buffer((16, {k}), "{dtype}"), B: T.Buffer((8, {k}), "{dtype}"), C: T.Buffer((16, 8), "{result}")):
    tx = T.launch_thread("threadIdx.x", 32)
    MA = T.decl_buffer(({a},), "{dtype}", scope="local")
    MB = T.decl_buffer(({b},), "{dtype}", scope="local")
    MC = T.decl_buffer((4,), "{result}", scope="local")
    for i in range(4):
        MC[i] = C[i // 2 * 8 + tx // 4, tx % 4 * 2 + i % 2]
    for i in range({a}):
        MA[i] = A[{a_row}, {a_column}]
    for i in range({b}):
        MB[i] = B[tx // 4, {b_row}]
    T.ptx_mma("{result}", "m16n8k{k}", "row", "{layout}", "{word}", "{word}", "{result_word}", MA.data, 0, MB.data, 0,
        MC.data, 0, T.bool(False))
    for i in range(4):
        C[i // 2 * 8 + tx // 4, tx % 4 * 2 + i % 2] = MC[i]
"""
#: k, dtype, result, their words; elements of a thread, with their places
SHAPES = {
    "f16 k16": (16, "float16", "float32", "fp16", "fp32", 8, 4, "tx // 4 + i % 4 // 2 * 8",
                "tx % 4 * 2 + i % 2 + i // 4 * 8", "tx % 4 * 2 + i % 2 + i // 2 * 8"),
    "f16 k8": (8, "float16", "float32", "fp16", "fp32", 4, 2, "tx // 4 + i // 2 * 8", "tx % 4 * 2 + i % 2",
               "tx % 4 * 2 + i % 2"),
    "s8 k32": (32, "int8", "int32", "int8", "int32", 16, 8, "tx // 4 + i % 8 // 4 * 8",
               "tx % 4 * 4 + i % 4 + i // 8 * 16", "tx % 4 * 4 + i % 4 + i // 4 * 16"),
    "s8 k16": (16, "int8", "int32", "int8", "int32", 8, 4, "tx // 4 + i // 4 * 8", "tx % 4 * 4 + i % 4",
               "tx % 4 * 4 + i % 4"),
    "tf32 k8": (8, "float32", "float32", "tf32", "fp32", 4, 2, "tx // 4 + i % 2 * 8", "tx % 4 + i // 2 * 4",
                "tx % 4 + i * 4"),
}  # fmt: skip


def drawn(shape: tuple[int, ...], dtype: str) -> Any:
    random = np.random.default_rng(0)
    return (random.integers(-8, 8, shape) if "int" in dtype else random.uniform(-1, 1, shape)).astype(dtype)


def run(text: str, *arrays: Any) -> None:
    func: Any = tvmscript.from_source(text)
    interp.build(func.with_attr("global_symbol", "main"))["main"](*arrays)


@pytest.mark.parametrize("layout", ["row_major", "col_major"])
def test_wmma(layout: str) -> None:
    a, b, c = drawn((16, 16), "float16"), drawn((16, 16), "float16")[::-1].copy(), np.zeros((16, 16), "float32")
    run(WMMA.format(layout=layout), a, b, c)
    expected = a.astype("float64") @ b.astype("float64").T + 1
    np.testing.assert_allclose(c if layout == "row_major" else c.T, expected, rtol=1e-6)


def mma(shape: tuple[Any, ...], layout: str = "col") -> str:
    names = ("k", "dtype", "result", "word", "result_word", "a", "b", "a_row", "a_column", "b_row")
    return MMA.format(layout=layout, **dict(zip(names, shape, strict=True)))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_mma(shape: tuple[Any, ...]) -> None:
    k, dtype, result = shape[:3]
    a, b, c = drawn((16, k), dtype), drawn((8, k), dtype), drawn((16, 8), result)
    expected = a.astype("float64") @ b.astype("float64").T + c
    run(mma(shape), a, b, c)
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-6)


def test_what_there_is_no_instruction_for_is_not_run() -> None:
    with pytest.raises(Unsupported):
        run(mma(SHAPES["f16 k16"], "row"), drawn((16, 16), "float16"), drawn((8, 16), "float16"),
            drawn((16, 8), "float32"))  # fmt: skip


LDMATRIX = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((32, 8), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((256,), "float16", scope="shared")
    L = T.decl_buffer((8,), "float16", scope="local")
    for i in range(8):
        S[tx * 8 + i] = A[tx // 2, tx % 2 * 8 + i]
    T.tvm_storage_sync("shared")
    T.ptx_ldmatrix("float16", T.bool({transposed}), 4, ".b16", L.data, 0,
        T.tvm_access_ptr(T.type_annotation("float16"), S.data, 0, 256, 1), tx % 16 * 16 + tx // 16 * 8)
    for i in range(8):
        B[tx, i] = L[i]
"""


@pytest.mark.parametrize("transposed", [False, True])
def test_ldmatrix(transposed: bool) -> None:
    """Four 8 x 8 matrices: above left, below left, above right, below right."""
    a, b = drawn((16, 16), "float16"), np.zeros((32, 8), "float16")
    run(LDMATRIX.format(transposed=transposed), a, b)
    parts = [a[:8, :8], a[8:, :8], a[:8, 8:], a[8:, 8:]]
    for lane in range(32):
        for number, part in enumerate(parts):
            for k in range(2):
                place = (lane // 4, lane % 4 * 2 + k)
                assert b[lane, number * 2 + k] == (part.T if transposed else part)[place]


MMA_STORE = """
@T.prim_func
def main(A: T.Buffer((32, 8), "float32"), C: T.Buffer((16, 16), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    L = T.decl_buffer((16,), "float32", scope="local")
    T.mma_fill("float32", 16, L.data, 0)
    for i in range(8):
        L[8 + i] = L[i] + A[tx, i]
    T.mma_store("float32", 16, 16, T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, 256, 2), L.data, 8, 16)
"""


def test_mma_store() -> None:
    a, c = drawn((32, 8), "float32"), np.zeros((16, 16), "float32")
    run(MMA_STORE, a, c)
    for lane in range(32):
        for i in range(8):
            assert c[i % 4 // 2 * 8 + lane // 4, i // 4 * 8 + lane % 4 * 2 + i % 2] == a[lane, i]


@pytest.mark.parametrize(("given", "wrong"), [("B.data, 0, 256", "B.data, 16, 256"), ("fb, 1, fc", "fb, 2, fc")])
def test_behind_the_memory(given: str, wrong: str) -> None:
    arrays = [drawn((16, 16), dtype) for dtype in ("float16", "float16", "float32")]
    with pytest.raises(OutOfMemoryRange, match="TS5022"):
        run(WMMA.format(layout="row_major").replace(given, wrong), *arrays)
