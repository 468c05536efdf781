"""Bulk copies of tiles from shared memory by tensor maps: values, and what the sanitizer finds without a wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core import IRModule

#: four tiles of 8 rows and 64 columns, swizzled, one after the other in the same memory; three leave the array
TILES = """# from tvm.script import tirx as T
@T.prim_func
def main(A: T.Buffer((16, 128), "float16"), C: T.Buffer((11, 72), "float16"), D: T.Buffer((1,), "float16")):
    C_map: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
    T.tensormap_encode_tiled(
        C_map, C.data, T.int64(72), T.int64(11), T.int64(144), 64, 8, 1, 1, descriptor_dtype="float16", rank=2,
        interleave=0, swizzle=3, l2_promotion=2, oob_fill=0, force_cu_dtype=-1)
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.decl_buffer((8, 64), "float16", scope="shared")
    for i in range(4):
        for j in range(8):
            S[j, T.bitwise_xor(tx // 8, j) * 8 + tx % 8] = A[i // 2 * 8 + j, i % 2 * 64 + tx]
        T.ptx.fence.proxy.async_.shared__cta()  # fence
        T.cuda.cta_sync()
        if tx == 0:
            T.ptx.cp(
                C_map, i % 2 * 64, i // 2 * 8, T.address_of(S[0, 0]),
                "async", "bulk", "tensor", "2d", "global", "shared::cta", "tile", "bulk_group", "", "")
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group.read(0)  # tile
        T.cuda.cta_sync()  # next
    if tx == 0:
        T.ptx.cp.async_.bulk.wait_group(0)  # array
        D[0] = C[0, 0]
"""


def run(text: str) -> tuple[Any, ...]:
    """Return the arrays after a run, and what the sanitizer found."""
    arrays = [np.arange(16 * 128, dtype="float16").reshape(16, 128), *(np.zeros(n, "float16") for n in ((11, 72), 1))]
    return *arrays, run_sanitized(IRModule({"main": tvmscript.from_source(text)}), "main", arrays)


def test_what_is_beside_the_array_is_not_written() -> None:
    a, c, d, report = run(TILES)
    assert report.errors == ()
    assert report.notes == ()
    np.testing.assert_array_equal(c, a[:11, :72])
    assert d[0] == a[0, 0]


def without(mark: str) -> str:
    """Return the kernel without the line that has a mark."""
    return "\n".join(line for line in TILES.splitlines() if not line.endswith(mark))


FAULTS = {
    "the tile is overwritten": (without("# tile"), "TS5042", "writes S before the asynchronous copy from it"),
    "the tile is not fenced": (without("# fence"), "TS5051", "read S without a proxy fence"),
    "another thread overwrites the tile": (without("# next"), "TS5040", "race on"),
    "the array is read": (without("# array"), "TS5042", "reads C before the asynchronous copy to it"),
    "the block ends": (
        without("# tile").replace("range(4)", "range(1)").replace("(0)  # array", "(1)"),
        "TS5042", "leaves S before the asynchronous copy from it",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message"), FAULTS.values(), ids=FAULTS)
def test_the_sanitizer_finds_what_is_not_ordered(text: str, code: str, message: str) -> None:
    *_, report = run(text)
    assert any(error.code == code and message in error.text for error in report.errors), report.errors


@pytest.mark.parametrize(
    ("given", "other"),
    [
        ("interleave=0", "interleave=1"),
        ("oob_fill=0", "oob_fill=1"),
        ("swizzle=3", "swizzle=4"),
        ("64, 8, 1, 1,", "64, 8, 2, 1,"),
        ("64, 8, 1, 1,", "64, 8, 1, 2,"),
    ],
)
def test_maps_that_the_interpreter_does_not_have(given: str, other: str) -> None:
    _, c, _, report = run(TILES.replace(given, other))
    assert [type(error) for error in report.errors] == [Unsupported]
    assert not c.any()


ROWS = """# from tvm.script import tirx as T
@T.prim_func
def main(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((32,), "float32", scope="shared")
    for i in range(2):
        S[tx] = A[i * 32 + tx]
        T.tvm_storage_sync("shared")
        if tx == 0:
            T.ptx.cp.async_.bulk.global_.shared__cta.bulk_group(
                T.address_of(C[i * 32]), T.address_of(S[0]), T.uint32(128))
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group.read(0)
        T.cuda.cta_sync()
"""


@pytest.mark.parametrize(("wait", "codes"), [("(0)", set()), ("(1)", {"TS5042"})])
def test_bytes_are_stored_in_groups(wait: str, codes: set[str]) -> None:
    a, c = np.arange(64, dtype="float32"), np.zeros(64, "float32")
    mod = IRModule({"main": tvmscript.from_source(ROWS.replace("read(0)", f"read{wait}"))})
    report = run_sanitized(mod, "main", [a, c])
    assert {error.code for error in report.errors} == codes
    np.testing.assert_array_equal(c, a)
