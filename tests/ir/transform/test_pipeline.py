"""The CPU pipeline: what it promises, and that no pass on the way changes what a program computes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import tvmscript
from tests.ir.transform.running import assert_same_values, results
from tvmscript.backends.runtime.errors import DivisionByZero
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import BufferLoad
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, BufferStore, For, ForKind, MatchBufferRegion
from tvmscript.ir.transform.blocks.convert_blocks_to_opaque import ConvertBlocksToOpaque
from tvmscript.ir.transform.blocks.lower_init_block import LowerInitBlock
from tvmscript.ir.transform.blocks.plan_and_update_buffer_allocation_location import (
    PlanAndUpdateBufferAllocationLocation,
)
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.loops.unroll_loop.vector_store_nest import is_vector_store_nest
from tvmscript.ir.transform.memory.flatten_buffer import FlattenBuffer
from tvmscript.ir.transform.pipeline import llvm_passes, lower_for_llvm
from tvmscript.testing.strategies import block_funcs

PROGRAMS = {
    "matmul": """
@T.prim_func
def main(A: T.Buffer((16, 12), "float32"), B: T.Buffer((12, 8), "float32"), C: T.Buffer((16, 8), "float32")):
    Y = T.alloc_buffer((16, 8), "float32")
    for i0, j0 in T.grid(4, 2):
        for k, i1 in T.grid(12, 4):
            for j1 in T.vectorized(4):
                with T.block("Y"):
                    vi = T.axis.spatial(16, i0 * 4 + i1)
                    vj = T.axis.spatial(8, j0 * 4 + j1)
                    vk = T.axis.reduce(12, k)
                    with T.init():
                        Y[vi, vj] = T.float32(0)
                    Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]
        for i1 in T.unroll(4):
            for j1 in T.vectorized(4):
                with T.block("C"):
                    vi = T.axis.spatial(16, i0 * 4 + i1)
                    vj = T.axis.spatial(8, j0 * 4 + j1)
                    C[vi, vj] = T.max(Y[vi, vj], T.float32(0))
""",
    "symbolic": """
@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int64):
    m = T.int64()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    S = T.alloc_buffer((n,), "float32")
    for i, k in T.grid(n, m):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i, j in T.grid(m, n):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vj, vi] / (S[vj] + T.float32(3))
""",
    "uneven split": """
@T.prim_func
def main(A: T.Buffer((30,), "int32"), B: T.Buffer((30,), "int32")):
    C = T.alloc_buffer((30,), "int32")
    for io in T.parallel(4):
        for ii in range(8):
            with T.block("C"):
                vi = T.axis.spatial(30, io * 8 + ii)
                T.where(io * 8 + ii < 30)
                C[vi] = A[29 - vi] * 2
        for ii in T.vectorized(8):
            with T.block("B"):
                vi = T.axis.spatial(30, io * 8 + ii)
                T.where(io * 8 + ii < 30)
                B[vi] = C[vi] + vi
""",
    "padding": """
@T.prim_func
def main(A: T.Buffer((1, 3, 8, 8), "float32"), C: T.Buffer((1, 3, 8, 8), "float32")):
    P = T.alloc_buffer((1, 3, 10, 10), "float32")
    for n, c, h, w in T.grid(1, 3, 10, 10):
        with T.block("P"):
            vn, vc, vh, vw = T.axis.remap("SSSS", [n, c, h, w])
            inside = 1 <= vh and vh < 9 and 1 <= vw and vw < 9
            P[vn, vc, vh, vw] = T.if_then_else(
                1 <= vh and vh < 9 and 1 <= vw and vw < 9, A[vn, vc, vh - 1, vw - 1], T.float32(0)
            )
    for n, c, h, w, kh, kw in T.grid(1, 3, 8, 8, 3, 3):
        with T.block("C"):
            vn, vc, vh, vw, vkh, vkw = T.axis.remap("SSSSRR", [n, c, h, w, kh, kw])
            with T.init():
                C[vn, vc, vh, vw] = T.float32(0)
            C[vn, vc, vh, vw] = C[vn, vc, vh, vw] + P[vn, vc, vh + vkh, vw + vkw]
""".replace("            inside = 1 <= vh and vh < 9 and 1 <= vw and vw < 9\n", ""),
    "bool and scalars": """
@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), M: T.Buffer((4, 4), "bool"), S: T.Buffer((), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("M"):
            vi, vj = T.axis.remap("SS", [i, j])
            M[vi, vj] = A[vi, vj] > T.float32(0)
    for i, j in T.grid(4, 4):
        with T.block("S"):
            vi, vj = T.axis.remap("RR", [i, j])
            with T.init():
                S[()] = T.float32(0)
            S[()] = S[()] + T.if_then_else(M[vi, vj], A[vi, vj], T.float32(0))
""",
}


def read(name: str) -> PrimFunc:
    func: PrimFunc = tvmscript.from_source(PROGRAMS[name])
    return func


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_stage_computes_the_same_and_reads_back(name: str) -> None:
    before = read(name)
    current = before
    for each in llvm_passes({}):
        current = each(current)
        assert_same_values(before, current)
        again = tvmscript.from_source(current.script(), check_well_formed=False)
        assert_structural_equal(current, again, map_free_vars=True)


#: Passes on what tensor expressions leave: there is nothing of it in these programs. TVM's Simplify rearranges sums of
#: data, ours only those of indices; it has tests of its own.
NOT_COMPARED = {"tir.InjectPrefetch", "tir.StorageFlatten", "tir.TextureFlatten", "tir.Simplify"}


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_tvm_agrees_down_to_loops(name: str, oracle: Any) -> None:
    """Each pass gives what TVM's gives; regions that passes compute may be written differently."""
    current = read(name)
    passes = llvm_passes({})
    for each in passes[: passes.index(FlattenBuffer())]:
        if each.name in NOT_COMPARED:
            current = each(current)
            continue
        if isinstance(each, (LowerInitBlock, ConvertBlocksToOpaque, PlanAndUpdateBufferAllocationLocation)):
            # no inits of empty reductions, no annotation of reductions, regions of the blocks that are added
            each = type(each)()
        theirs = tvmscript.from_source(oracle.apply(each.name, current.script(), check=False), check_well_formed=False)
        current = each(current)
        assert_structural_equal(Simplify()(theirs)["main"], Simplify()(current), map_free_vars=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_contract(name: str) -> None:
    before = read(name)
    after = lower_for_llvm(IRModule.from_expr(before))["main"]
    assert all(new is old for new, old in zip(after.params, before.params, strict=True))
    assert list(after.buffer_map.values()) == list(before.buffer_map.values())
    for node in nodes(after.body):
        assert not isinstance(node, Block | MatchBufferRegion)
        if isinstance(node, For):
            # the code generator writes the iterations of unrolled nests around a store of vectors
            kinds = (ForKind.SERIAL, ForKind.PARALLEL)
            assert node.kind in kinds or (node.kind is ForKind.UNROLLED and is_vector_store_nest(node, 512))
        if isinstance(node, BufferLoad | BufferStore):
            assert len(node.indices) == 1
            assert not node.buffer.strides


def test_index_width() -> None:
    """int64 shapes give int64 indices, int32 shapes int32, and int64 where int32 cannot count the elements."""
    text = """
@T.prim_func
def main(A: T.Buffer(({0}), "int8")):
    for i, j in T.grid({1}, 4):
        A[i, j] = T.int8(1)
"""
    for shape, extent, dtype in (
        ("8, 8", "8", "int32"),
        ("T.int64(8), T.int64(8)", "T.int64(8)", "int64"),
        ("65536, 65536", "8", "int64"),
    ):
        func = lower_for_llvm(IRModule.from_expr(tvmscript.from_source(text.format(shape, extent))))["main"]
        assert {node.indices[0].dtype for node in nodes(func) if isinstance(node, BufferStore)} == {dtype}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_random_loops(seed: int) -> None:
    before = tvmscript.from_source(random_program(seed))
    current = before
    for each in llvm_passes({}):
        made = each(current)
        if made is not current:
            assert_same_values(before, made)
        current = made


@settings(max_examples=60)
@given(block_funcs())
def test_random_blocks(func: PrimFunc) -> None:
    try:
        results(func)
    except DivisionByZero:
        return
    assert_same_values(func, lower_for_llvm(IRModule.from_expr(func))["main"])
