"""Instructions of PTX in TVM 0.27's spelling against NumPy: barriers, copies, matrices of warps and of warp groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.interp import warp_groups
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.errors import Deadlock
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc

HEAD = "# from tvm.script import tirx as T\n@T.prim_func\n"
#: a thread copies four tiles through two buffers, a warp reads them
PIPELINE = (
    HEAD
    + """
def main(A: T.Buffer((512,), "float32"), B: T.Buffer((512,), "float32")):
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.decl_buffer((256,), "float32", scope="shared")
    full = T.decl_buffer((2,), "uint64", scope="shared")
    empty = T.decl_buffer((2,), "uint64", scope="shared")
    if tx == 0:
        for s in range(2):
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(full[s]), T.uint32(1))
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(empty[s]), T.uint32(32))
    T.cuda.cta_sync()
    if tx == 32:
        for i in range(4):
            T.cuda.mbarrier_wait(T.address_of(empty[i % 2]), T.cast(1 - i // 2 % 2, "uint32"))
            T.ptx.mbarrier.arrive.expect_tx.shared__cta.b64(T.address_of(full[i % 2]), T.uint32(512))
            T.ptx.cp.async_.bulk.shared__cluster.global_.mbarrier__complete_tx__bytes(
                T.address_of(S[i % 2 * 128]), T.address_of(A[i * 128]), T.uint32(512), T.address_of(full[i % 2]))
    if tx < 32:
        for i in range(4):
            T.cuda.mbarrier_wait(T.address_of(full[i % 2]), T.cast(i // 2 % 2, "uint32"))
            for j in range(4):
                B[i * 128 + j * 32 + tx] = S[i % 2 * 128 + j * 32 + tx] * T.float32(2)
            T.ptx.mbarrier.arrive.shared__cta.b64(T.address_of(empty[i % 2]))
"""
)
SMALL_COPIES = (
    HEAD
    + """
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((128,), "float32", scope="shared")
    T.ptx.cp.async_.ca.shared.global_(
        T.address_of(S[tx * 4]), T.address_of(A[tx * 4]), 16, T.cast(tx % 5 * 4, "uint32"))
    T.ptx.cp.async_.commit_group()
    T.ptx.cp.async_.wait_group(0)
    T.cuda.cta_sync()
    for i in range(4):
        B[i * 32 + tx] = S[i * 32 + tx]
"""
)
MATRICES = (
    HEAD
    + """
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((16, 16), "float16")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((512,), "float16", scope="shared")
    u = T.decl_buffer((4,), "uint32", scope="local")
    for i in range(8):
        S[i * 32 + tx] = A[i * 2 + tx // 16, tx % 16]
    T.cuda.warp_sync()
    T.ptx.ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16(
        u[0], u[1], u[2], u[3], T.address_of(S[tx % 16 * 16 + tx // 16 * 8]))
    T.ptx.stmatrix.sync.aligned.m8n8.x4.shared.b16(
        T.address_of(S[256 + tx % 8 * 16 + tx // 8 % 2 * 8 + tx // 16 * 128]), u[0], u[1], u[2], u[3])
    T.cuda.warp_sync()
    for i in range(8):
        B[i * 2 + tx // 16, tx % 16] = S[256 + i * 32 + tx]
"""
)
PRODUCT = (
    HEAD
    + """
def main(A: T.Buffer((16, 16), "float16"), B: T.Buffer((8, 16), "float16"), C: T.Buffer((16, 8), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((384,), "float16", scope="shared")
    a = T.decl_buffer((4,), "uint32", scope="local")
    b = T.decl_buffer((2,), "uint32", scope="local")
    d = T.decl_buffer((4,), "float32", scope="local")
    for i in range(8):
        S[i * 32 + tx] = A[i * 2 + tx // 16, tx % 16]
    for i in range(4):
        S[256 + i * 32 + tx] = B[i * 2 + tx // 16, tx % 16]
        d[i] = T.float32(i)
    T.cuda.warp_sync()
    T.ptx.ldmatrix.sync.aligned.m8n8.x4.shared.b16(
        a[0], a[1], a[2], a[3], T.address_of(S[tx % 16 * 16 + tx // 16 * 8]))
    T.ptx.ldmatrix.sync.aligned.m8n8.x2.shared.b16(b[0], b[1], T.address_of(S[256 + tx % 8 * 16 + tx // 8 % 2 * 8]))
    T.ptx.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32(
        d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1], d[0], d[1], d[2], d[3])
    for i in range(4):
        C[tx // 4 + i // 2 * 8, tx % 4 * 2 + i % 2] = d[i]
"""
)
NAMED = (
    HEAD
    + """
def main(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    tx = T.launch_thread("threadIdx.x", 256)
    S = T.decl_buffer((256,), "int32", scope="shared")
    S[tx] = A[tx]
    if tx < 128:
        T.cuda.warpgroup_sync(1)
        B[tx] = S[127 - tx]
    else:
        T.ptx.bar.sync(T.uint32(2), T.uint32(128))
        B[tx] = S[383 - tx]
"""
)
FUNCTIONS = (
    HEAD
    + """
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((32,), "float32"),
         D: T.Buffer((32,), "float32"), E: T.Buffer((32,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    r = T.decl_buffer((3,), "float32", scope="local")
    T.ptx.ex2.approx.ftz.f32(r[0], A[tx])
    T.ptx.max.f32(r[1], A[tx], B[tx])
    T.ptx.min.f32(r[2], A[tx], B[tx])
    C[tx] = r[0]
    D[tx] = r[1]
    E[tx] = r[2]
"""
)
#: those that come first wait for those that another barrier has held up
ONE_AFTER_ANOTHER = (
    HEAD
    + """
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    tx = T.launch_thread("threadIdx.x", 128)
    S = T.decl_buffer((64,), "int32", scope="shared")
    if tx < 64:
        T.ptx.bar.sync(T.uint32(1), T.uint32(128))
        B[tx] = S[tx]
    else:
        T.ptx.bar.sync(T.uint32(2), T.uint32(64))
        S[tx - 64] = A[tx - 64]
        T.ptx.bar.sync(T.uint32(1), T.uint32(128))
"""
)
WARP_GROUP = (
    HEAD
    + """
def main(A: T.Buffer(({size},), "float16"), B: T.Buffer(({size},), "float16"), C: T.Buffer((64, 32), "float32")):
    tx = T.launch_thread("threadIdx.x", 128)
    S = T.decl_buffer(({both},), "float16", scope="shared")
    desc = T.decl_buffer((2,), "uint64", scope="local")
    d = T.decl_buffer((16,), "float32", scope="local")
    for i in range({size} // 128):
        S[i * 128 + tx] = A[i * 128 + tx]
        S[{size} + i * 128 + tx] = B[i * 128 + tx]
    for i in range(16):
        d[i] = T.float32(1)
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    for i in range(2):
        T.cuda.wgmma.encode_matrix_descriptor(
            T.address_of(desc[i]), T.address_of(S[i * {size}]), {leading}, {stride}, {swizzle})
    T.ptx.wgmma.fence.sync.aligned()
    T.ptx.wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16(
        {sums}, desc[0], desc[1], T.bool({adds}), {scale}, 1, {trans}, {trans})
    T.ptx.wgmma.commit_group.sync.aligned()
    T.ptx.wgmma.wait_group.sync.aligned(0)
    for i in range(16):
        C[tx // 32 * 16 + tx % 32 // 4 + i // 2 % 2 * 8, i // 4 * 8 + tx % 4 * 2 + i % 2] = d[i]
"""
)


def program(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def run(text: str, *arrays: Any) -> None:
    """Run a kernel, which the sanitizer has nothing against."""
    assert run_sanitized(IRModule({"main": program(text)}), "main", arrays).errors == ()


def halves(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).integers(-8, 9, shape).astype("float16")


def test_a_pipeline_of_bulk_copies() -> None:
    a, b = np.arange(512, dtype="float32"), np.zeros(512, "float32")
    run(PIPELINE, a, b)
    np.testing.assert_array_equal(b, 2 * a)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("T.uint32(32))", "T.uint32(33))"),
        ("(full[i % 2]), T.uint32(512))", "(full[i % 2]), T.uint32(516))"),
        ("T.cast(i // 2 % 2", "T.cast(1 + i // 2 % 2"),
    ],
    ids=["one arrival too many is expected", "bytes are missing", "the other phase"],
)
def test_faults_of_a_pipeline(old: str, new: str) -> None:
    text = PIPELINE.replace(old, new)
    assert text != PIPELINE
    errors = run_sanitized(
        IRModule({"main": program(text)}), "main", [np.zeros(512, "float32"), np.zeros(512, "float32")]
    ).errors
    assert errors
    assert isinstance(errors[-1], Deadlock) or {error.code for error in errors} & {"TS5040", "TS5043", "TS5042"}


def test_small_copies_fill_with_zeros() -> None:
    a, b = np.arange(1, 129, dtype="float32"), np.zeros(128, "float32")
    run(SMALL_COPIES, a, b)
    kept = np.array([[column < lane % 5 for column in range(4)] for lane in range(32)]).ravel()
    np.testing.assert_array_equal(b, a * kept)


def test_matrices_are_loaded_transposed_and_stored() -> None:
    a, b = halves(16, 16), np.zeros((16, 16), "float16")
    run(MATRICES, a, b)
    quarters = a.reshape(2, 8, 2, 8)
    expected = np.stack([[quarters[j, :, i].T for j in range(2)] for i in range(2)])
    np.testing.assert_array_equal(b, expected.transpose(0, 2, 1, 3).reshape(16, 16))


def test_a_product_of_a_warp() -> None:
    a, b, c = halves(16, 16), halves(8, 16), np.zeros((16, 8), "float32")
    run(PRODUCT, a, b, c)
    start = np.tile([[0, 1], [2, 3]], (1, 4)).repeat(8, axis=0)
    np.testing.assert_array_equal(c, a.astype("float32") @ b.T.astype("float32") + start)


def test_barriers_of_some_threads() -> None:
    a, b = np.arange(256, dtype="int32"), np.zeros(256, "int32")
    run(NAMED, a, b)
    np.testing.assert_array_equal(b, np.concatenate([a[127::-1], a[:127:-1]]))


def test_a_barrier_waits_for_all_of_its_threads() -> None:
    a, b = np.arange(64, dtype="int32"), np.zeros(64, "int32")
    run(ONE_AFTER_ANOTHER, a, b)
    np.testing.assert_array_equal(b, a)


def arranged(matrix: Any, swizzle: int, *, is_k_major: bool) -> tuple[Any, int, int]:
    """Return a matrix of rows and 16 terms as wgmma reads it, with the leading and the stride offset in bytes."""
    rows, terms = matrix.shape
    width = (8, 16, 32, 64)[swizzle]
    flat = np.zeros(4096, "float16")
    if is_k_major:
        leading, stride = 128 if swizzle == 0 else 0, 256 if swizzle == 0 else 16 * width
    else:
        leading, stride = (128, 256) if swizzle == 0 else (32 * width, 16 * width)
    for row in range(rows):
        for term in range(terms):
            if is_k_major:
                place = row // 8 * stride // 2 + row % 8 * width + term // width * leading // 2 + term % width
            elif swizzle == 0:
                place = row // 8 * stride // 2 + term // 8 * leading // 2 + term % 8 * 8 + row % 8
            else:
                place = row // width * leading // 2 + term // 8 * stride // 2 + term % 8 * width + row % width
            chunk, line = place // 8, place // 64
            flat[(chunk ^ (line % (width // 8))) * 8 + place % 8] = matrix[row, term]
    return flat, leading, stride


@pytest.mark.parametrize("swizzle", range(4))
@pytest.mark.parametrize("is_k_major", [True, False])
def test_a_product_of_a_warp_group(swizzle: int, is_k_major: bool) -> None:
    a, b, c = halves(64, 16), halves(32, 16), np.zeros((64, 32), "float32")
    flat_a, leading, stride = arranged(a, swizzle, is_k_major=is_k_major)
    flat_b, _, _ = arranged(b, swizzle, is_k_major=is_k_major)
    adds, scale = swizzle % 2 == 0, -1 if swizzle > 1 else 1
    text = WARP_GROUP.format(
        size=4096, both=8192, leading=leading // 16, stride=stride // 16, swizzle=swizzle, adds=adds, scale=scale,
        trans=int(not is_k_major), sums=", ".join(f"d[{place}]" for place in range(16)),
    )  # fmt: skip
    run(text, flat_a, flat_b, c)
    np.testing.assert_array_equal(c, scale * (a.astype("float32") @ b.T.astype("float32")) + int(adds))


def test_sums_of_halves_are_pairs() -> None:
    """A register has two of them: those of columns beside each other."""
    text = WARP_GROUP.format(
        size=4096, both=8192, leading=0, stride=64, swizzle=3, adds=True, scale=1, trans=0,
        sums=", ".join(f"d[{place}]" for place in range(8)),
    ).replace('64, 32), "float32"', '64, 16), "uint32"').replace('(16,), "float32"', '(8,), "uint32"')  # fmt: skip
    text = text.replace("range(16)", "range(8)").replace("T.float32(1)", "T.uint32(0x3C003C00)")
    text = text.replace("m64n32k16.f32", "m64n32k16.f16")
    text = text[: text.rindex("C[")] + "C[tx // 32 * 16 + tx % 32 // 4 + i % 2 * 8, i // 2 * 4 + tx % 4] = d[i]\n"
    a, b, c = halves(64, 16), halves(32, 16), np.zeros((64, 16), "uint32")
    flat_a, flat_b = (arranged(each, 3, is_k_major=True)[0] for each in (a, b))
    run(text, flat_a, flat_b, c)
    expected = a.astype("float32") @ b.T.astype("float32") + 1
    np.testing.assert_array_equal(c.view("float16"), expected.astype("float16"))


def test_a_fault_of_the_interpreter_ends_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("a fault")

    monkeypatch.setattr(warp_groups, "_locate", fail)
    text = WARP_GROUP.format(
        size=4096, both=8192, leading=0, stride=64, swizzle=3, adds=True, scale=1, trans=0,
        sums=", ".join(f"d[{place}]" for place in range(16)),
    )  # fmt: skip
    arrays = [np.zeros(4096, "float16"), np.zeros(4096, "float16"), np.zeros((64, 32), "float32")]
    with pytest.raises(TypeError, match="a fault"):
        interp.build(program(text))["main"](*arrays)


def test_functions_of_float32() -> None:
    """The larger and the smaller number are numbers where one is; powers of two leave the range as floats do."""
    a = np.array([0, -1, 3.5, 200, -np.inf, np.nan, 2, np.nan] * 4, "float32")
    b = np.array([1, -2, np.nan, 300, 0, 1, -np.inf, np.nan] * 4, "float32")
    results = [np.zeros(32, "float32") for _ in range(3)]
    interp.build(program(FUNCTIONS))["main"](a, b, *results)
    with np.errstate(over="ignore"):
        expected = [np.exp2(a.astype("float64")).astype("float32"), np.fmax(a, b), np.fmin(a, b)]
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_they_run_without_the_sanitizer() -> None:
    a, b = np.arange(512, dtype="float32"), np.zeros(512, "float32")
    interp.build(program(PIPELINE))["main"](a, b)
    np.testing.assert_array_equal(b, 2 * a)
