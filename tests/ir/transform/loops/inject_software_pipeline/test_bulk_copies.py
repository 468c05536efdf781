"""Bulk copies of pipelines: values, what the sanitizer finds where a wait is left out, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.interp.sanitizer.errors import MemoryRace
from tvmscript.ir.core import IRModule, Target, on
from tvmscript.ir.tir import NOOP, BufferLoad, Call, Evaluate, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import NotBulkCopy
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import InjectSoftwarePipeline

TARGET = Target.make("cuda -arch=sm_90a")
#: tiles of 8 rows and 64 columns, which four warps read two iterations after a thread has started to copy them
TILES = """
@T.prim_func
def main(A: T.Buffer((7, 360), "float16"), C: T.Buffer((8, 384), "float16")):
    for tx in T.thread_binding(128, thread="threadIdx.x"):
        for k in T.serial(6, annotations={"software_pipeline_stage": [0, 2], "software_pipeline_order": [0, 1],
                                          "software_pipeline_async_stages": [0]}):
            with T.block():
                T.reads(A[0:7, k * 64:k * 64 + 64])
                T.writes(C[0:8, k * 64:k * 64 + 64])
                S = T.alloc_buffer((8, 64), "float16", scope="shared")
                for i, j in T.grid(8, 64):
                    with T.block("copy"):
                        T.reads(A[i, k * 64 + j])
                        T.writes(S[i, j])
                        T.block_attr({"bulk_copy": "128B"})
                        S[i, j] = T.if_then_else(
                            i < 7 and k * 64 + j < 360, A[i, k * 64 + j], T.float16(0), dtype="float16")
                with T.block("use"):
                    T.reads(S[0:8, 0:64])
                    T.writes(C[0:8, k * 64:k * 64 + 64])
                    for i in range(4):
                        C[i * 2 + tx // 64, k * 64 + tx % 64] = S[
                            i * 2 + tx // 64, T.bitwise_xor(tx % 64 // 8, i * 2 + tx // 64) * 8 + tx % 8]
"""
#: the same pipeline, several times in a launch
REPEATED = (
    TILES.replace("        for k", "        for r in range(2):\n         for k")
    .replace("T.serial(6", "T.serial(3")
    .replace("k * 64", "(r * 3 + k) * 64")
)

#: the lines of the copy and of the use
_COPY, _USE = TILES[TILES.index("                for i, j in") :].split('                with T.block("use"):')
#: a second tile, which is read in another stage
OTHER = (
    TILES.replace(
        '                with T.block("use"):', _COPY.replace("S[", "R[") + '                with T.block("use"):'
    )
    .replace(
        "                S =",
        '                R = T.alloc_buffer((8, 64), "float16", scope="shared")\n                S =',
    )
    .replace('_order": [0, 1]', '_order": [0, 1, 2, 3]')
    + '                with T.block("check"):'
    + _USE.replace("S[", "R[").replace("= R[", "= C[i * 2 + tx // 64, k * 64 + tx % 64] * T.float16(2) - R[")
)


def parse(text: str) -> Any:
    return tvmscript.from_source(text)


def run(mod: IRModule) -> tuple[Any, Any, Any]:
    """Return the array, its tiles as they were copied, and what the sanitizer found."""
    a = np.arange(7 * 360, dtype="float16").reshape(7, 360)
    c = np.full((8, 384), np.nan, "float16")
    return a, c, run_sanitized(mod, "main", [a, c])


@pytest.mark.parametrize(
    "text",
    [
        TILES,
        REPEATED,
        TILES.replace("[0, 2]", "[0, 0]"),
        OTHER.replace("[0, 2]", "[0, 0, 1, 2]"),
    ],
    ids=["ahead", "twice", "at once", "two tiles"],
)
def test_values(text: str) -> None:
    a, c, report = run(tvmscript.lower(parse(text), TARGET))
    assert report.errors == ()
    np.testing.assert_array_equal(c, np.pad(a, ((0, 1), (0, 24))))


class _WithoutWait(StatementRewriter):
    """Leave out the waits for a barrier."""

    def __init__(self, barrier: str) -> None:
        super().__init__()
        self.barrier = barrier

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        call = node.value
        if isinstance(call, Call) and getattr(call.op, "name", "") == "tir.cuda.mbarrier_wait":
            address = call.args[0]
            load = address.args[0] if isinstance(address, Call) else None
            if isinstance(load, BufferLoad) and load.buffer.name.startswith(self.barrier):
                return NOOP
        return node


@pytest.mark.parametrize("barrier", ["full_barrier", "empty_barrier"])
def test_the_sanitizer_finds_what_does_not_wait(barrier: str) -> None:
    mod = tvmscript.lower(parse(TILES), TARGET)
    functions = {
        var: func.with_body(_WithoutWait(barrier).rewrite(func.body)) if isinstance(func, PrimFunc) else func
        for var, func in mod.items()
    }
    *_, report = run(mod.replace(functions=functions))
    assert any(isinstance(error, MemoryRace) for error in report.errors)


REFUSED = {
    "no pipeline": (('"software_pipeline_stage": [0, 2], "software_pipeline_order": [0, 1],', ""),
                    "it is in no software pipeline"),
    "synchronous": (('async_stages": [0]', 'async_stages": [1]'), "it is in no asynchronous stage"),
    "annotation": (('"128B"', "1"), 'the annotation is not "128B"'),
    "threads": (("T.thread_binding(128", "T.thread_binding(16"), "the threads around it are no whole warps"),
    "launch": (('T.thread_binding(128, thread="threadIdx.x")', "T.serial(128)"), "are no whole warps"),
    "condition": (("i < 7 and", "i < 6 and"), "its condition excludes elements of the array"),
    "value": (("A[i, k * 64 + j], T.float16(0)", "A[i, k * 64 + j], T.float16(1)"), "does not store what it loads"),
    "array": (("360", "364"), "it does not copy a compact array"),
    "rows": (("S[i, j] = ", "S[i, 63 - j] = "), "neighbours of a row are no neighbours"),
    "order": (("S[i, j] = T.if", "S[j // 8, j % 8 * 8 + i] = T.if"), "neighbours of a row are no neighbours"),
    "gaps": (('S = T.alloc_buffer((8, 64), "float16"', 'S = T.alloc_buffer((8, 128), "float16"'), "has gaps"),
    "few rows": (("(8, 64)", "(4, 64)"), "rows of 128 bytes, a multiple of 8 of them"),
    "nobody reads": (("T.reads(S[0:8, 0:64])", "T.reads()"), "no statement of the pipeline reads the tile"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "problem"), REFUSED.values(), ids=REFUSED)
def test_refused(change: tuple[str, str], problem: str) -> None:
    assert change[0] in TILES
    with pytest.raises(NotBulkCopy) as raised:
        InjectSoftwarePipeline()(parse(TILES.replace(*change)))
    assert problem in raised.value.text
