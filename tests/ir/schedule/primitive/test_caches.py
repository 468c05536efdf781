"""cache_read, cache_write, cache_inplace, cache_index, reindex, reindex_cache_*, read_at, write_at, rolling_buffer."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any, Literal

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.programs import chain
from tests.ir.schedule.refusals import Refusal
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.schedule import Schedule

SHARED_LOOP = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i in range(16):
        for j in range(16):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for j in range(16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj] + T.float32(1)
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj] + C[vi, vj]
"""
TILE = """
@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    for i0, j0 in T.grid(4, 4):
        with T.block("tile"):
            vi, vj = T.axis.remap("SS", [i0, j0])
            B = T.alloc_buffer((32, 32))
            for i, j in T.grid(8, 8):
                with T.block("B"):
                    bi = T.axis.spatial(32, vi * 8 + i)
                    bj = T.axis.spatial(32, vj * 8 + j)
                    B[bi, bj] = A[bi, bj] * T.float32(2)
            for i, j in T.grid(8, 8):
                with T.block("C"):
                    ci = T.axis.spatial(32, vi * 8 + i)
                    cj = T.axis.spatial(32, vj * 8 + j)
                    C[ci, cj] = B[ci, cj] + T.float32(1)
"""
SUM_OVER_BLOCKS = """
@T.prim_func
def main(A: T.Buffer((5,), "int32"), B: T.Buffer((4,), "int32")):
    for k in range(2):
        with T.block("part"):
            T.reads(A[k:k + 4])
            T.writes(B[0:4])
            for i in range(4):
                with T.block("B"):
                    vk, vi = T.axis.remap("RS", [k, i])
                    with T.init():
                        B[vi] = 0
                    B[vi] = B[vi] + A[vi + vk]
"""
MATMUL = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i0, j0, k0, i, j, k in T.grid(2, 2, 2, 8, 8, 8):
        with T.block("C"):
            vi = T.axis.spatial(16, i0 * 8 + i)
            vj = T.axis.spatial(16, j0 * 8 + j)
            vk = T.axis.reduce(16, k0 * 8 + k)
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
HALVES = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(8):
        with T.block("B0"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(8):
        with T.block("B1"):
            vi = T.axis.spatial(16, i + 8)
            B[vi] = A[vi] * T.float32(3)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi]
"""
PADDED = """
@T.prim_func
def main(A: T.Buffer((8,), "float32"), Q: T.Buffer((12,), "float32")):
    for i in range(12):
        with T.block("P"):
            vi = T.axis.spatial(12, i)
            Q[vi] = T.if_then_else(2 <= vi and vi < 10, A[vi - 2], T.float32(0))
"""
UNCOVERED = (
    HALVES.split('    for i in range(8):\n        with T.block("B1")')[0]
    + HALVES[HALVES.index("    for i in range(16)") :]
)
CHANGED = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("first"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(16):
        with T.block("back"):
            vi = T.axis.spatial(16, i)
            A[vi] = B[vi] + T.float32(1)
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi]
"""
USES = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            {body}
"""
OPAQUE = """T.reads(A[vi, vj])
            T.writes(C[vi, vj])
            T.evaluate(T.call_extern("int32", "f", A.data, C.data))"""
NESTED = """T.reads(A[vi, vj])
            T.writes(C[vi, vj])
            with T.block("Y"):
                C[vi, vj] = A[vi, vj]"""
STENCIL = """
@T.prim_func
def main(A: T.Buffer((18, 18), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((18, 18))
    for i, j in T.grid(18, 18):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + 2, vj + 2]
"""
AGAIN = """
@T.prim_func
def main(A: T.Buffer((18,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((18,))
    for k in range(16):
        for i in range(3):
            with T.block("B"):
                vi = T.axis.spatial(18, k + i)
                B[vi] = A[vi] * T.float32(2)
        with T.block("C"):
            vk = T.axis.spatial(16, k)
            C[vk] = B[vk] + B[vk + 2]
        with T.block("D"):
            vk = T.axis.spatial(16, k)
            B[vk] = C[vk]
"""
INDICES = USES.format(body="C[vi, vj] = A[T.min(vi * 2 // 3, 15), vj // 2 + 3]")


def loops(block: str, *steps: str) -> str:
    """Steps that use the loops `l` around a block, and the block `b`."""
    return "\n".join((f'b = sch.get_block("{block}")', "l = sch.get_loops(b)", *steps))


_TWO_ELEMENTS = USES.format(body="C[vi, vj] = A[vi, vj] + A[vj, vi]")
_UNUSED = USES.format(body="T.reads(A[vi, vj])\n            T.writes(C[vi, vj])\n            C[vi, vj] = 1.0")

REFUSALS = {
    "read index": Refusal(
        MATMUL, 'sch.cache_read("C", 2, "shared")', "BufferIndexOutOfRangeError", "block C has 2 read regions"
    ),
    "write index": Refusal(
        MATMUL, 'sch.cache_write("C", 1, "shared")', "BufferIndexOutOfRangeError", "block C has 1 write regions"
    ),
    "inplace index": Refusal(
        MATMUL, 'sch.cache_inplace("C", 2, "local")', "BufferIndexOutOfRangeError", "block C has 2 read regions"
    ),
    "read memory": Refusal(
        MATMUL, 'sch.cache_read("C", 0, "lost")', "InvalidStorageScopeError", "unknown storage scope 'lost'"
    ),
    "write memory": Refusal(
        MATMUL, 'sch.cache_write("C", 0, "lost")', "InvalidStorageScopeError", "unknown storage scope 'lost'"
    ),
    "inplace memory": Refusal(
        MATMUL, 'sch.cache_inplace("C", 0, "lost")', "InvalidStorageScopeError", "unknown storage scope 'lost'"
    ),
    "reindex memory": Refusal(
        MATMUL,
        'sch.reindex_cache_read("C", 0, "lost", lambda i, j, k: (i, k))',
        "InvalidStorageScopeError",
        "unknown storage scope 'lost'",
    ),
    "reindex write memory": Refusal(
        MATMUL,
        'sch.reindex_cache_write("C", 0, "lost", lambda i, j, k: (i, j))',
        "InvalidStorageScopeError",
        "unknown storage scope 'lost'",
    ),
    "two writers": Refusal(
        HALVES, 'sch.cache_read("C", 0, "local")', "NotSingleWriteBlock", "buffer B has several writers: B0, B1"
    ),
    "one of two writers": Refusal(HALVES, 'sch.cache_write("B0", 0, "local")', "NotSingleWriteBlock", "B0, B1"),
    "reindex of two writers": Refusal(
        HALVES, 'sch.reindex_cache_read("C", 0, "local", lambda i: (i,))', "NotSingleWriteBlock", "B0, B1"
    ),
    "not covered": Refusal(
        UNCOVERED,
        'sch.cache_read("C", 0, "local")',
        "NotRegionCoverError",
        "the producers of block C do not write all that it reads",
    ),
    "reindex of a scope": Refusal(UNCOVERED, 'sch.reindex("C", ("read", 0))', "NotStagePipelineError", "reads more"),
    "reindex cache in a scope": Refusal(
        UNCOVERED, 'sch.reindex_cache_write("C", 0, "local", lambda i: (i,))', "NotStagePipelineError", "reads more"
    ),
    "not written": Refusal(MATMUL, 'sch.cache_inplace("C", 0, "local")', "NotReadWriteError", "does not write it"),
    "nested": Refusal(
        USES.format(body=NESTED),
        'sch.reindex("X", ("read", 0))',
        "NotLeafBlockError",
        "block X is not a leaf: it contains block Y",
    ),
    "two elements": Refusal(_TWO_ELEMENTS, 'sch.reindex("X", ("read", 0))', "InvalidBufferAccessError", "several"),
    "address": Refusal(
        USES.format(body=OPAQUE), 'sch.reindex("X", ("write", 0))', "InvalidBufferAccessError", "address"
    ),
    "unused": Refusal(
        _UNUSED, 'sch.reindex("X", ("read", 0))', "InvalidBufferAccessError", "the block does not access it"
    ),
    "two points": Refusal(
        _TWO_ELEMENTS, 'sch.reindex_cache_read("X", 0, "local", lambda i, j: (i, j))', "NotSinglePointAccess", "A["
    ),
    "missing axis": Refusal(
        MATMUL,
        'sch.reindex_cache_read("C", 0, "local", lambda i, j, k: (i,))',
        "ReindexCacheReadWriteNotMatchError",
        "[vi, vk] and [vi]",
    ),
    "new axis": Refusal(
        MATMUL,
        'sch.reindex_cache_write("C", 0, "local", lambda i, j, k: (i, j, k))',
        "ReindexCacheReadWriteNotMatchError",
        "[vi, vj] and [vi, vj, vk]",
    ),
    "index at a loop": Refusal(
        MATMUL,
        loops("C", 'sch.read_at(l[0], b, 2, "local")'),
        "BufferIndexOutOfRangeError",
        "block C has 2 read regions",
    ),
    "write index at a loop": Refusal(
        MATMUL,
        loops("C", 'sch.write_at(l[0], b, 1, "local")'),
        "BufferIndexOutOfRangeError",
        "block C has 1 write regions",
    ),
    "root of indices": Refusal(MATMUL, 'sch.cache_index("root", "global")', "RootBlockError", "the root block"),
    "copy in a scope": Refusal(
        UNCOVERED, loops("C", 'sch.read_at(l[0], b, 0, "local")'), "NotStagePipelineError", "reads more"
    ),
    "copy back in a scope": Refusal(
        UNCOVERED, loops("C", 'sch.write_at(l[0], b, 0, "local")'), "NotStagePipelineError", "reads more"
    ),
    "no common loop": Refusal(STENCIL, 'sch.rolling_buffer("B", 0)', "RollingBufferInsertionError", "share no loop"),
    "rolled output": Refusal(
        STENCIL, 'sch.rolling_buffer("C", 0)', "OutputBlockError", "it writes C, which scope root does not allocate"
    ),
    "rolled index": Refusal(
        STENCIL, 'sch.rolling_buffer("C", 1)', "BufferIndexOutOfRangeError", "block C has 1 write regions"
    ),
    "no tiles": Refusal(
        AGAIN[: AGAIN.index('        with T.block("D")')].replace("range(3)", "range(1)").replace(" + B[vk + 2]", ""),
        'sch.rolling_buffer("B", 0)',
        "RollingBufferMatchError",
        "the region B[k] of block B does not overlap between",
    ),
    "overwritten": Refusal(
        AGAIN,
        'sch.rolling_buffer("B", 0)',
        "RollingBufferDependencyError",
        "block B is not the only writer of B, or an earlier block reads it",
    ),
}

#: TVM has no check of its own, or makes a program that is wrong
OURS_ALONE = {
    "write sums that go on": Refusal(
        SUM_OVER_BLOCKS,
        'sch.cache_write("B", 0, "local")',
        "NotReductionBlockError",
        "goes on over k, outside of block part",
    ),
    "write sums that go on at": Refusal(
        SUM_OVER_BLOCKS,
        'sch.write_at(sch.get_loops("B")[0], "B", 0, "local")',
        "NotReductionBlockError",
        "goes on over k, outside of block part",
    ),
    "memory at a loop": Refusal(
        MATMUL,
        loops("C", 'sch.read_at(l[0], b, 0, "lost")'),
        "InvalidStorageScopeError",
        "unknown storage scope 'lost'",
    ),
    "memory of indices": Refusal(
        INDICES, 'sch.cache_index("X", "lost")', "InvalidStorageScopeError", "unknown storage scope 'lost'"
    ),
    "reindex index": Refusal(
        MATMUL, 'sch.reindex("C", ("read", 2))', "BufferIndexOutOfRangeError", "block C has 2 read regions"
    ),
    "reindex name": Refusal(
        MATMUL, 'sch.reindex("C", "X")', "BufferIndexOutOfRangeError", "block C has 2 read regions"
    ),
    "changing index": Refusal(
        USES.format(body="for k in range(16):\n                C[vi, vj] = A[vi, k]"),
        'sch.reindex("X", ("read", 0))',
        "InvalidBufferAccessError",
        "its indices use variables defined in the block",
    ),
    "shared loop": Refusal(SHARED_LOOP, 'sch.reindex("C", ("read", 0))', "NotOnlyChildError", "loop i"),
    "written later": Refusal(
        SHARED_LOOP,
        loops("C", 'sch.write_at(l[0], "B", 0, "local")'),
        "InvalidCopyError",
        "it is read after the last write",
    ),
    "not there": Refusal(
        SHARED_LOOP,
        loops("D", 'sch.read_at(l[0], "B", 0, "local")'),
        "InvalidCopyError",
        "no block in the loop reads it",
    ),
    "cached in place": Refusal(
        USES.format(body="C[vi, vj] = C[vi, vj] + A[vi, vj]"),
        'sch.cache_write("X", 0, "local")',
        "UnwrittenCopyError",
        "reads C before it writes it",
    ),
    "mapped in place": Refusal(
        USES.format(body="C[vi, vj] = C[vi, vj] + A[vi, vj]"),
        'sch.reindex_cache_write("X", 0, "local", lambda i, j: (j, i))',
        "UnwrittenCopyError",
        "reads C before it writes it",
    ),
    "copied in place": Refusal(
        USES.format(body="C[vi, vj] = C[vi, vj] + A[vi, vj]"),
        loops("X", 'sch.write_at(l[0], b, 0, "local")'),
        "InvalidCopyError",
        "it is read before it is written",
    ),
    "reindexed in place": Refusal(
        USES.format(body="C[vi, vj] = C[vi, vj] + A[vi, vj]"),
        'sch.reindex("X", ("read", 0))',
        "InvalidBufferAccessError",
        "the block writes it as well",
    ),
    "every other row": Refusal(
        USES.format(body="C[vi // 2 * 2, vj] = A[vi // 2, vj]"),
        'sch.cache_write("X", 0, "local")',
        "UnwrittenCopyError",
        "block X does not write the whole region",
    ),
    "copied where nothing is written": Refusal(
        USES.format(body="T.where(i < 3)\n            C[vi, vj] = A[vi, vj]"),
        loops("X", 'sch.write_at(l[0], b, 0, "local")'),
        "InvalidCopyError",
        "no block writes the whole copied region",
    ),
    "reindexed under a condition": Refusal(
        USES.format(body="if vi < 3:\n                C[vi, vj] = A[vi, vj]"),
        'sch.reindex("X", ("write", 0))',
        "UnwrittenCopyError",
        "block X writes C only under a condition",
    ),
    "reindexed in part": Refusal(
        HALVES,
        'sch.reindex("B1", ("write", 0))',
        "UnwrittenCopyError",
        "block B1 does not cover the domains of its axes",
    ),
    "read before": Refusal(
        SHARED_LOOP.replace("A[vi, vj] * ", "B[vi, vj] * "),
        loops("C", 'sch.read_at(l[0], "B", 0, "local")'),
        "InvalidCopyError",
        "it is written after the first read",
    ),
}


@pytest.mark.parametrize("case", [*REFUSALS, *OURS_ALONE])
def test_refusals(case: str) -> None:
    {**REFUSALS, **OURS_ALONE}[case].check()


@pytest.mark.oracle
@pytest.mark.parametrize("case", REFUSALS)
def test_tvm_refuses_too(case: str, oracle: Any) -> None:
    REFUSALS[case].check_with_tvm(oracle)


#: program, steps: done as in TVM, with the same values
DONE = {
    "read in a shared loop": (SHARED_LOOP, 'sch.cache_read("C", 0, "local")'),
    "read behind a shared loop": (SHARED_LOOP, 'sch.cache_read("D", "B", "local", ["D"])'),
    "written in a shared loop": (SHARED_LOOP, 'sch.cache_write("B", 0, "local")'),
    "written for one": (SHARED_LOOP, 'sch.cache_write("B", 0, "local", ["D"])'),
    "written for all": (SHARED_LOOP, 'sch.cache_write("B", 0, "local", ["C", "D"])'),
    "several": (
        SHARED_LOOP,
        'sch.cache_write("C", 0, "local")\nsch.cache_read("D", 1, "shared")\nsch.cache_read("B", 0, "local")',
    ),
    "part of an input": (TILE, 'sch.cache_read("B", 0, "local")'),
    "part of a buffer": (TILE, 'sch.cache_read("C", 0, "local")'),
    "part of an output": (TILE, 'sch.cache_write("C", 0, "local")'),
    "block with blocks": (TILE, 'sch.cache_read("tile", 0, "local")\nsch.cache_write("tile", 0, "local")'),
    "reduction": (MATMUL, 'sch.cache_write("C", 0, "local")\nsch.cache_read("C", 1, "shared")'),
    "read before it is written": (CHANGED, 'sch.cache_read("first", 0, "local", ["first"])'),
    "written behind": (CHANGED, 'sch.cache_write("back", 0, "local")'),
    "reindexed": (MATMUL, 'sch.reindex("C", ("read", 1))\nsch.reindex("C", "A")\nsch.reindex("C", ("write", 0))'),
    "constant element": (USES.format(body="C[vi, vj] = A[3, 4]"), 'sch.reindex("X", ("read", 0))'),
    "sum of axes": (USES.format(body="C[vi, vj] = A[(vi + vj) // 2, vj]"), 'sch.reindex("X", ("read", 0))'),
    "mapped": (SHARED_LOOP, 'sch.reindex_cache_read("D", 0, "local", lambda i, j: (j // 4, i, j % 4))'),
    "mapped in a shared loop": (SHARED_LOOP, 'sch.reindex_cache_read("C", 0, "local", lambda i, j: (j, i))'),
    "mapped and written": (SHARED_LOOP, 'sch.reindex_cache_write("B", 0, "local", lambda i, j: (i * 16 + j,))'),
    "copied at loops": (
        MATMUL,
        loops(
            "C",
            'sch.read_at(l[2], b, 0, "shared")',
            'sch.read_at(l[1], b, 1, "local")',
            'sch.write_at(l[1], b, 0, "local")',
        ),
    ),
    "element by element": (MATMUL, loops("C", 'sch.read_at(l[5], b, 0, "local")')),
    "ring": (
        STENCIL,
        loops(
            "C",
            "i0, i1 = sch.split(l[0], [None, 4])",
            "j0, j1 = sch.split(l[1], [None, 2])",
            "sch.reorder(i0, j0, i1, j1)",
            'sch.compute_at("B", j0)',
            'sch.rolling_buffer("B", 0)',
        ),
    ),
    "ring of rows": (STENCIL, loops("C", 'sch.compute_at("B", l[0])', 'sch.rolling_buffer("B", 0)')),
}


@pytest.mark.oracle
@pytest.mark.parametrize("case", DONE)
def test_done_as_in_tvm(case: str, oracle: Any) -> None:
    text, steps = DONE[case]
    outcome = both(oracle, text, script_of(steps))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
    assert not isinstance(outcome.ours, str)
    same_values(tvmscript.from_source(text), outcome.ours.mod["main"], tolerance=1e-5)


#: program, steps: TVM's program computes something else, or reads beyond the buffer
BETTER = {
    "read before a writer": (CHANGED, 'sch.cache_read("first", 0, "local")'),
    "in place at an element": (
        USES.format(body="C[vi, vj] = C[vi, vj] * T.float32(2)"),
        'sch.cache_inplace("X", 0, "local")',
    ),
    "guarded": (
        USES.format(body="C[vi, vj] = A[vi, vj]"),
        loops("X", "sch.split(l[0], [None, 5])", 'sch.reindex_cache_read(b, 0, "local", lambda i, j: (j, i))'),
    ),
    "guarded at a loop": (
        USES.format(body="C[vi, vj] = A[vi, vj]"),
        loops("X", "o, i = sch.split(l[0], [None, 5])", 'sch.read_at(o, b, 0, "local")'),
    ),
    "reindexed padding": (PADDED, 'sch.reindex("P", ("read", 0))'),
    "mapped padding": (PADDED, 'sch.reindex_cache_read("P", 0, "local", lambda i: (i,))'),
    "reindexed part": (
        PADDED.replace("T.if_then_else(2 <= vi and vi < 10, A[vi - 2], T.float32(0))", "A[vi - 2]").replace(
            "            Q[vi]", "            T.where(2 <= i and i < 10)\n            Q[vi]"
        ),
        'sch.reindex("P", ("read", 0))',
    ),
    "mapped behind a part of a predicate": (
        PADDED.replace("for i in range(12)", "for o, i in T.grid(2, 16)").replace(
            "            Q[vi] = T.if", "            T.where(o * 16 + i < 12)\n            Q[vi] = T.if"
        ),
        'sch.reindex_cache_read("P", 0, "local", lambda i: (i,))',
    ),
    "blocks in a block": (TILE, 'sch.blockize([sch.get_block("B"), sch.get_block("C")])'),
    "padding in a tile": (PADDED, loops("P", "sch.blockize(l[0])", 'sch.cache_read(b, 0, "local")')),
    "copied behind a predicate": (
        PADDED,
        loops(
            "P",
            'sch.write_at(l[0], b, 0, "shared")',
            "sch.split(l[0], [None, 2, 5])",
            'sch.cache_read("Q_shared", 0, "local")',
        ),
    ),
    "parts of a part": (
        SHARED_LOOP,
        loops(
            "D",
            "sch.loop_partition(l[1], [4, None])",
            'sch.cache_read("D_j_common", 0, "local")',
            'sch.cache_write("D_j0", 0, "local")',
            'sch.read_at(sch.get_loops("D_j1")[0], "D_j1", 1, "local")',
            'sch.reindex_cache_write("D_j1", 0, "local", lambda i, j: (j, i))',
            'sch.blockize(sch.get_loops("D_j0")[0])',
        ),
    ),
    "indices are read": (
        USES.format(body="C[vi, vj] = A[T.min(vi // 2, 7), vj]"),
        'i, = sch.cache_index("X", "global")\nsch.compute_at(i, sch.get_loops("X")[0])',
    ),
    "only one index": (USES.format(body="C[vi, vj] = A[vi // 2 + 1, vj]"), 'sch.cache_index("X", "global")'),
    "indices with loops": (
        USES.format(body="for k in range(2):\n                C[vi, vj] = A[(vi + k) % 16, vj // 2 + 1]"),
        'sch.cache_index("X", "global")',
    ),
    "often": (
        USES.format(body="C[vi, vj] = A[vi // 2 + 1, vj] + A[vi // 2 + 1, vj // 3]"),
        'sch.cache_index("X", "global", 2)',
    ),
}


@pytest.mark.parametrize("case", BETTER)
def test_values_stay(case: str) -> None:
    text, steps = BETTER[case]
    sch = Schedule(tvmscript.from_source(text), debug_mask="all")
    load_script(script_of(steps))(sch)
    same_values(tvmscript.from_source(text), sch.mod["main"])


def test_what_is_not_in_the_buffer_is_not_copied() -> None:
    sch = Schedule(tvmscript.from_source(PADDED))
    sch.reindex("P", ("read", 0))
    text = "A_reindex[v0] = T.if_then_else(v0 - 2 >= 0 and v0 - 2 < 8, A[v0 - 2], T.float32(0))"
    assert text in sch.mod.script()


def test_indices_that_occur_often() -> None:
    text, steps = BETTER["often"]
    sch = Schedule(tvmscript.from_source(text))
    load_script(script_of(steps))(sch)
    assert "A[index_var_0[vi], vj] + A[index_var_0[vi], vj // 3]" in sch.mod.script()


def test_views_of_copies_are_in_their_memory() -> None:
    text = TILE.replace("A[bi, bj]", "X[()]").replace(
        "                    B[bi, bj]",
        "                    X = T.match_buffer(A[bi, bj], ())\n                    B[bi, bj]",
    )
    sch = Schedule(tvmscript.from_source(text))
    sch.cache_read("B", 0, "shared")
    assert 'X_shared = T.match_buffer(A_shared[bi - vi * 8, bj - vj * 8], (), scope="shared"' in sch.mod.script()


@pytest.mark.oracle
def test_random_programs(oracle: Any) -> None:
    done = 0
    for seed in range(40):
        rng = Random(seed)
        text, blocks = chain(rng)
        steps = [
            f'sch.{rng.choice(("cache_read", "cache_write"))}("{rng.choice(blocks)}", 0, "{rng.choice(_MEMORIES)}")'
            for _ in range(rng.randint(1, 3))
        ]
        outcome = both(oracle, text, script_of(*steps))
        assert outcome.is_same, outcome.describe()
        if not isinstance(outcome.ours, str):
            same_values(tvmscript.from_source(text), outcome.ours.mod["main"], tolerance=1e-5)
            done += 1
    assert done >= 20


_MEMORIES = ("global", "shared", "local")


def test_a_copy_says_what_its_indices_read() -> None:
    """Found by the promises of compute_inline: I was not read there, so it was not inlined either."""
    program = """
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    I = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("I"):
            v = T.axis.spatial(8, i)
            I[v] = v
    for i in range(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            B[I[v]] = A[v]
"""
    sch = Schedule(tvmscript.from_source(program), check="values")
    sch.reindex("B", ("write", 0))
    assert [region.buffer.name for region in sch.get(sch.get_block("B_reindex")).reads] == ["B_reindex", "I"]
    sch.compute_inline("I")
    assert "I" not in [buffer.name for buffer in sch.mod["main"].body.block.alloc_buffers]


def test_reindex_of_a_block_without_axes() -> None:
    """Found by `tvmscript fuzz schedule`: the copy stood outside of the loops that its indices used."""
    program = """
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(4):
        for j in range(i + 1):
            with T.block("B"):
                T.reads(A[j, i])
                T.writes(B[i, j])
                B[i, j] = A[j, i]
"""
    sch = Schedule(tvmscript.from_source(program))
    for side in ("read", "write"):
        assert "its indices use loop variables" in repr(sch.can.reindex("B", (side, 0)))


def test_reindex_cache_over_loops_that_bound_an_axis() -> None:
    """The copy stands outside of the loops that an axis ends with: it holds all values the axis ever has."""
    text = """
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(4):
        for j in range(i + 1):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                vj = T.axis.spatial(i + 1, j)
                B[vi, vj] = A[vj, vi]
"""
    sch = Schedule(tvmscript.from_source(text), check="values")
    sch.reindex_cache_read("B", 0, "local", lambda i, j: (i, j))
    made = sch.mod.script()
    assert 'A_local = T.alloc_buffer((4, 4), "int32", scope="local")' in made
    assert "T.axis.spatial(4, j)" in made.partition('T.block("B")')[0]


ROWS = """
@T.prim_func
def main(V: T.Buffer((50,), "int32"), P: T.Buffer((9,), "int32"), Y: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("row"):
            vi = T.axis.spatial(8, i)
            {first}
            for k in range(P[vi + 1] - P[vi]):
                with T.block("Y"):
                    vk = T.axis.reduce(50, k)
                    with T.init():
                        Y[vi] = 0
                    Y[vi] = Y[vi] + V[P[vi] + vk]
"""


def test_a_cache_of_what_bounds_loops() -> None:
    sch = Schedule(tvmscript.from_source(ROWS.format(first="T.evaluate(0)")))
    sch.cache_read("Y", "P", "local")
    assert "for k in range(P_local[1] - P_local[0]):" in sch.mod.script()
    ends = np.array([0, 3, 3, 10, 11, 20, 30, 45, 50], "int32")
    values, sums = np.arange(50, dtype="int32"), np.full(8, -1, "int32")
    tvmscript.build(sch.mod, target="interp")["main"](values, ends, sums)
    expected = [values[first:last].sum() for first, last in pairwise(ends)]
    assert sums.tolist() == expected


def test_no_cache_of_what_is_stored_beside_blocks() -> None:
    sch = Schedule(tvmscript.from_source(ROWS.format(first="P[vi] = P[vi] + 0")))
    with pytest.raises(ScheduleError, match="beside its nested blocks"):
        sch.cache_read("Y", "P", "local")


def test_regions_hold_what_domains_read() -> None:
    program = """
@T.prim_func
def main(A: T.Buffer((64,), "int32"), H: T.Buffer((2,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(H[0]):
        with T.block("B"):
            vi = T.axis.spatial((H[1], 64), i)
            B[vi] = A[vi]
"""
    sch = Schedule(tvmscript.from_source(program))
    assert [region.buffer.name for region in sch.get(sch.get_block("B")).reads] == ["H", "A"]


def test_write_cache_of_rows_of_symbolic_size() -> None:
    """A block that writes whole rows, one in each iteration, writes the whole buffer."""
    program = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    B = T.match_buffer(b, (n, m), "int32")
    for i, j in T.grid(n, m):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
"""
    sch = Schedule(tvmscript.from_source(program), check="values")
    row = sch.blockize(sch.get_loops("B")[1])
    sch.cache_write(row, 0, "local")
    assert "B_local[vi_o, 0:m]" in sch.mod.script()


@pytest.mark.parametrize(("block", "side"), [("C", "write"), ("D", "write"), ("B", "read")])
def test_reindex_beside_other_blocks(block: str, side: Literal["read", "write"]) -> None:
    """Blocks of the same loop that do not use the buffer do not matter: the copy stands outside of the loop."""
    sch = Schedule(tvmscript.from_source(SHARED_LOOP), check="values")
    sch.reindex(block, (side, 0))
    assert "_reindex = T.alloc_buffer((16, 16))" in sch.mod.script()


def test_scopes_of_registers() -> None:
    """TVM 0.17 takes them too (asked the oracle)."""
    for scope in ("wmma.accumulator", "amx.tmm", "m16n8k8.matrixC", "metal.simdgroup"):
        sch = Schedule(tvmscript.from_source(MATMUL))
        copy = sch.cache_write(sch.get_block("C"), 0, scope)
        assert sch.get(copy).reads[0].buffer.storage_scope == scope
