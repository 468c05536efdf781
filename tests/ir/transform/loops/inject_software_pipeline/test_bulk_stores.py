"""Bulk copies from shared memory: values, what the sanitizer finds where a wait is left out, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.loops.inject_software_pipeline.test_bulk_copies import TARGET
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.interp.sanitizer.errors import UnwaitedCopy
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import NotBulkCopy
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import InjectSoftwarePipeline

#: two warps store 8 rows each, twice; columns of the array end in the last tile
TILES = """
# from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def main(A: T.Buffer((32, 128), "float16"), C: T.Buffer((32, 120), "float16")):
    for tx in T.thread_binding(64, thread="threadIdx.x"):
        for r in range(2):
            with T.sblock("tile"):
                T.reads(A[r * 16:r * 16 + 16, 0:128])
                T.writes(C[r * 16:r * 16 + 16, 0:120])
                S = T.sblock_alloc_buffer((2, 16, 64), "float16", scope="shared")
                T.ptx.cp(0, "async", "bulk", "wait_group", "read", "")  # tile
                T.cuda.warp_sync()
                with T.sblock("fill"):
                    T.reads(A[r * 16:r * 16 + 16, 0:128])
                    T.writes(S[0:2, 0:16, 0:64])
                    for i, p, j in T.grid(8, 2, 2):
                        T.cuda.warp_sync()
                        S[p, tx // 32 * 8 + i, T.bitwise_xor(j * 4 + tx % 32 // 8, i) * 8 + tx % 8] = A[
                            r * 16 + tx // 32 * 8 + i, p * 64 + j * 32 + tx % 32]
                T.ptx.fence("proxy", "async", "shared::cta", "")
                T.cuda.warp_sync()
                for w, p, i, j in T.grid(2, 2, 8, 64):
                    with T.sblock("store"):
                        T.reads(S[p, w * 8 + i, j])
                        T.writes(C[r * 16 + w * 8 + i, p * 64 + j])
                        T.sblock_attr({"bulk_copy": "128B"})
                        C[r * 16 + w * 8 + i, p * 64 + j] = S[p, w * 8 + i, j]
"""


def run(text: str) -> tuple[Any, ...]:
    """Return the arrays after a run, and what the sanitizer found."""
    a, c = np.arange(32 * 128, dtype="float16").reshape(32, 128), np.zeros((32, 120), "float16")
    mod: Any = tvmscript.lower(tvmscript.from_source(text), TARGET)
    return a, c, run_sanitized(mod, "main", [a, c])


def test_values() -> None:
    a, c, report = run(TILES)
    assert report.errors == ()
    np.testing.assert_array_equal(c, a[:, :120])


def test_the_sanitizer_finds_tiles_that_are_overwritten_while_they_are_read() -> None:
    *_, report = run("\n".join(line for line in TILES.splitlines() if not line.endswith("# tile")))
    assert any(isinstance(error, UnwaitedCopy) for error in report.errors)


def test_a_thread_of_each_warp_stores_and_all_wait_in_the_end() -> None:
    func: Any = InjectSoftwarePipeline()(tvmscript.from_source(TILES))
    text = func.script(dialect="0.27")
    assert text.count('"bulk_group"') == 1
    assert text.rstrip().endswith('T.ptx.cp(0, "async", "bulk", "wait_group", "read", "")')


REFUSED = {
    "warps": (("T.thread_binding(64", "T.thread_binding(128"), "has not as many iterations as the launch has warps"),
    "launch": (('T.thread_binding(64, thread="threadIdx.x")', "T.serial(64)"), "is not over warps of the launch"),
    "array": (("120", "121"), "does not copy a tile to a compact array"),
    "value": (("= S[p, w * 8 + i, j]", "= S[p, w * 8 + i, j] + T.float16(1)"), "does not copy a tile"),
    "few rows": (("T.grid(2, 2, 8, 64)", "T.grid(2, 2, 4, 64)"), "a multiple of 8 of them"),
    "gaps": (("(2, 16, 64)", "(2, 16, 72)"), "has gaps"),
    "annotation": (('"128B"', "1"), 'the annotation is not "128B"'),
}  # fmt: skip


@pytest.mark.parametrize(("change", "problem"), REFUSED.values(), ids=REFUSED)
def test_refused(change: tuple[str, str], problem: str) -> None:
    assert change[0] in TILES
    with pytest.raises(NotBulkCopy) as raised:
        InjectSoftwarePipeline()(tvmscript.from_source(TILES.replace(*change)))
    assert problem in raised.value.text
