"""What replaying traces of TVM's own rules (dlight, meta-schedule) has shown to differ, each in a small program."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.scripts import for_oracle, script_of
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.tir.expr import IntImm
from tvmscript.schedule import Schedule, Trace

ADD = """@T.prim_func
def main(A: T.Buffer((8, 12), "float32"), B: T.Buffer((8, 12), "float32")):
    for i, j in T.grid(8, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)
"""
SUM = """@T.prim_func
def main(A: T.Buffer((4, 13), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 13):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
"""
SYMBOLIC_SUM = """@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, 64), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i, k in T.grid(n, 64):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
"""
TRIANGLE = """@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i in range(16):
        for j in range(i):
            with T.block("B"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.spatial(i, j)
                B[vi, vj] = A[vj, vi] + T.float32(1)
"""
GROUPS = """@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 8), "float32")
    for i, j in T.grid(16, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)
    for i, n, a, b, k_0, k_1 in T.grid(16, 8, 4, 2, 2, 4):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            vo = T.axis.spatial(16, n % 2 * 8 + a * 2 + b)
            vk = T.axis.reduce(8, k_0 * 4 + k_1)
            with T.init():
                C[vi, vo] = T.float32(0)
            C[vi, vo] = C[vi, vo] + B[vi, vo // 16 * 8 + vk]
"""
SHIFTED = """@T.prim_func
def main(A: T.Buffer((40, 8), "float32"), B: T.Buffer((40, 8), "float32")):
    for n, r, i, j in T.grid(4, 3, 7, 8):
        with T.block("B"):
            vi = T.axis.spatial(40, n * 8 + r + i)
            vj = T.axis.spatial(8, j)
            B[vi, vj] = A[vi, vj] + T.float32(1)
"""

#: what it is about -> program, steps
CASES: dict[str, tuple[str, str]] = {
    "offsets of partial results": (SYMBOLIC_SUM, "sch.rfactor(sch.get_loops('B')[1], 0)"),
    "domains of axes follow": (TRIANGLE, "sch.split(sch.get_loops('B')[0], [None, 4])"),
    "quotients that stay": (GROUPS, "sch.compute_at('B', sch.get_loops('C')[1])"),
    "digits that overlap": (SHIFTED, "sch.fuse(*sch.get_loops('B')[2:])"),
    "strides of layouts": (
        SYMBOLIC_SUM,
        "k = sch.split(sch.get_loops('B')[1], [2, 4, 2, 4])\n"
        "sch.reorder(k[0], k[2], k[1], k[3])\n"
        "part = sch.rfactor(sch.fuse(k[1], k[3]), 0)\n"
        "sch.cache_read(part, 0, 'local')",
    ),
    "axes of alignment before allocation": (ADD, "sch.storage_align('B', 0, 5, 32, 8)"),
    "numbers of indices before blocks": (ADD, "sch.transform_block_layout('root', lambda i, j: (j, i))"),
}


@pytest.mark.parametrize("name", CASES)
def test_as_in_tvm(name: str, oracle: Any) -> None:
    program, steps = CASES[name]
    both(oracle, program, script_of(steps)).check()


def test_maps_of_sampled_numbers(oracle: Any) -> None:
    """A map in a trace may use numbers that were drawn: they have their names in its JSON."""
    program = tvmscript.from_source(ADD)
    sch = Schedule(program)
    block = sch.get_block("B")
    tiles = sch.sample_perfect_tile(sch.get_loops(block)[1], 2, 4, decision=[3, 4])
    sch.transform_layout(block, ("write", 0), lambda i, j: (j // tiles[1], i, j % tiles[1]))
    assert sch.mod["main"].buffer_map[sch.mod["main"].params[1]].shape[0].value == 3
    check_replayed(sch, ADD, oracle)


def test_maps_with_constants_of_another_width(oracle: Any) -> None:
    """dlight's normal form of reductions has an axis of one value, whose width is not that of the others."""
    sch = Schedule(tvmscript.from_source(SUM))
    sch.transform_block_layout("B", lambda i, k: (i, k, IntImm("int64", 0)))
    assert [str(sch.get(loop).extent.dtype) for loop in sch.get_loops("B")] == ["int32", "int32", "int64"]
    check_replayed(sch, SUM, oracle)


def test_parts_of_a_reduction_count_as_bound_affinely(oracle: Any) -> None:
    """Also under a predicate by which their axes are no independent digits."""
    sch = Schedule(tvmscript.from_source(SUM))
    parts = sch.split(sch.get_loops("B")[1], [None, 8])
    outer, *inner = sch.get_loops(sch.rfactor(parts[1], 0))
    sch.reorder(outer, *inner[::-1])
    check_replayed(sch, SUM, oracle)


def check_replayed(sch: Schedule, program: str, oracle: Any) -> None:
    """The trace gives the same program again, here and in TVM."""
    again = Schedule(tvmscript.from_source(program))
    Trace.from_json(sch.trace.as_json()).apply_to_schedule(again)
    assert structural_equal(again.mod, sch.mod)
    theirs = tvmscript.from_source(oracle.replay(for_oracle(sch.trace), program), check_well_formed=False)
    assert structural_equal(theirs, sch.mod)
