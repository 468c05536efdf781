"""Blocks of a cluster that share copies: values, what the sanitizer finds where a wait is left out, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.transform.loops.inject_software_pipeline.test_bulk_copies import TARGET
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule, on
from tvmscript.ir.tir import NOOP, Call, Evaluate, PrimFunc, StatementRewriter, Stmt
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import NotBulkCopy
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import InjectSoftwarePipeline
from tvmscript.ir.transform.loops.inject_software_pipeline.persistent_blocks import CannotShareLoop

#: two blocks, a cluster, run four rounds of three tiles, which have rows for each of them or parts
ROWS = """
@T.prim_func
def main(A: T.Buffer((16, 192), "float16"), C: T.Buffer((4, 16, 192), "float16")):
    for tx in T.thread_binding(128, thread="threadIdx.x"):
     for ty in T.thread_binding(1, thread="threadIdx.y"):
      for r in T.serial(4, annotations={"persistent_blocks": [2, 2]}):
        for k in T.serial(3, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1],
                                          "software_pipeline_producer": [24, 240],
                                          "software_pipeline_async_stages": [0]}):
            with T.block():
                T.reads(A[0:16, k * 64:k * 64 + 64])
                T.writes(C[r, 0:16, k * 64:k * 64 + 64])
                S = T.alloc_buffer((16, 64), "float16", scope="shared")
                for i, j in T.grid(16, 64):
                    with T.block("copy"):
                        T.reads(A[i, k * 64 + j])
                        T.writes(S[i, j])
                        T.block_attr({"bulk_copy": "128B", "bulk_copy_multicast": True})
                        S[i, j] = A[i, k * 64 + j]
                with T.block("use"):
                    T.reads(S[0:16, 0:64])
                    T.writes(C[r, 0:16, k * 64:k * 64 + 64])
                    for i in range(8):
                        C[r, i * 2 + tx // 64, k * 64 + tx % 64] = S[
                            i * 2 + tx // 64, T.bitwise_xor(tx % 64 // 8, (i * 2 + tx // 64) % 8) * 8 + tx % 8]
"""
PARTS = (
    ROWS.replace("S = T.alloc_buffer((16, 64)", "S = T.alloc_buffer((2, 8, 64)")
    .replace("for i, j in T.grid(16, 64)", "for p, i, j in T.grid(2, 8, 64)")
    .replace("A[i, k * 64 + j]", "A[p * 8 + i, k * 64 + j]")
    .replace("S[i, j]", "S[p, i, j]")
    .replace("S[0:16, 0:64]", "S[0:2, 0:8, 0:64]")
    .replace("i * 2 + tx // 64, T.bitwise", "i // 4, i % 4 * 2 + tx // 64, T.bitwise")
)


def parse(text: str) -> Any:
    return tvmscript.from_source(text)


def run(mod: IRModule) -> tuple[Any, Any, Any]:
    """Return the array, what its tiles were, and what the sanitizer found."""
    a = np.arange(16 * 192, dtype="float16").reshape(16, 192)
    c = np.full((4, 16, 192), np.nan, "float16")
    return a, c, run_sanitized(mod, "main", [a, c])


@pytest.mark.parametrize("text", [ROWS, PARTS], ids=["rows", "parts"])
def test_values(text: str) -> None:
    a, c, report = run(tvmscript.lower(parse(text), TARGET))
    assert report.errors == ()
    np.testing.assert_array_equal(c, np.broadcast_to(a, (4, 16, 192)))


class _Without(StatementRewriter):
    """Remove the calls of an operator."""

    def __init__(self, operator: str) -> None:
        super().__init__()
        self.operator = operator

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        return NOOP if isinstance(node.value, Call) and getattr(node.value.op, "name", "") == self.operator else node


@pytest.mark.parametrize(
    ("name", "code"),
    [("tir.cuda.mbarrier_wait_acquire_cluster", "TS5042"), ("tir.cuda.cluster_sync", "TS5053")],
    ids=["readers of the other block", "blocks that leave"],
)
def test_the_sanitizer_finds_what_does_not_wait(name: str, code: str) -> None:
    mod = tvmscript.lower(parse(ROWS), TARGET)
    functions = {
        var: func.with_body(_Without(name).rewrite(func.body)) if isinstance(func, PrimFunc) else func
        for var, func in mod.items()
    }
    *_, report = run(mod.replace(functions=functions))
    assert code in {error.code for error in report.errors}


REFUSED = {
    "no cluster": (("[2, 2]", "2"), "the launch has no clusters of up to 8 blocks along x"),
    "no parts": (("(16, 64)", "(8, 64)"), "the blocks of a cluster cannot part the tile"),
    "other tiles": (("A[i, k * 64 + j]", "A[i, (k + r) % 3 * 64 + j]"), "do not run the same copies"),
    "no producer": (('"software_pipeline_producer": [24, 240],', ""), "the pipeline has no producer"),
}


@pytest.mark.parametrize(("change", "problem"), REFUSED.values(), ids=REFUSED)
def test_refused(change: tuple[str, str], problem: str) -> None:
    assert change[0] in ROWS
    with pytest.raises(NotBulkCopy) as raised:
        InjectSoftwarePipeline()(parse(ROWS.replace(*change)))
    assert problem in raised.value.text


@pytest.mark.parametrize("change", [("[2, 2]", "[3, 2]"), ("T.serial(4", "T.serial(5"), ("[2, 2]", "[2, 0]")])
def test_iterations_are_whole_clusters(change: tuple[str, str]) -> None:
    with pytest.raises(CannotShareLoop, match="its blocks and iterations are no whole clusters"):
        InjectSoftwarePipeline()(parse(ROWS.replace(*change)))
