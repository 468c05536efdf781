"""Bulk copies of tiles from shared memory to arrays by tensor maps (TMA, sm_90): each warp copies its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.tir import Block, Evaluate, For, IfThenElse, IntImm, Stmt, seq, substitute
from tvmscript.ir.tir.expr import EQ, FloorDiv, FloorMod
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import make_op
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import (
    TensorMaps,
    constant_extent,
    find_bulk_store,
    refuse,
)

_WARP: Final = 32


def store_tile(nest: For, marked: Block, around: Sequence[For], maps: TensorMaps) -> Stmt:
    """Return what copies a tile to an array: a thread of each warp starts the copies of an iteration of the first loop.

    The copies read the tile until the thread has waited. Raises `NotBulkCopy`.
    """
    copy = find_bulk_store(nest, marked, around)
    threads = next((loop for loop in around if _tag(loop) == "threadIdx.x"), None)
    if threads is None or not copy.parts or copy.parts[0] is not nest:
        raise refuse(marked, "its first loop is not over warps of the launch")
    if constant_extent(threads) != constant_extent(nest) * _WARP:
        raise refuse(marked, "its first loop has not as many iterations as the launch has warps in threadIdx.x")
    warp = make_op(FloorDiv, threads.loop_var, _WARP)
    is_first = fold.make(EQ, make_op(FloorMod, threads.loop_var, _WARP), IntImm(threads.loop_var.dtype, 0))
    copies = copy._replace(parts=copy.parts[1:]).issue_store(maps.map_of(copy))
    return IfThenElse(is_first, seq(substitute(copies, {nest.loop_var: warp}), _group("commit_group")))


def wait_for_stores() -> Stmt:
    """Return what waits until the copies that a thread has started have read their tiles."""
    return _group("wait_group", "read", operands=(0,))


def _group(*words: str, operands: tuple[int, ...] = ()) -> Stmt:
    return Evaluate(ptx_call("cp", ("async", "bulk", *words), PtxOperands(operands)))


def _tag(loop: For) -> str:
    return loop.thread_binding.thread_tag if loop.thread_binding is not None else ""
