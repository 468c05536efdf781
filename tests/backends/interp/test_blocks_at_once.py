"""Blocks that wait for each other, against NumPy: barriers of the grid, clusters, shared memory of other blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.errors import Deadlock, NoSuchBlock, Unsupported
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc

HEAD = "# from tvm.script import tirx as T\n@T.prim_func\n"
#: each block sums a part of A; when all have, block 0 adds the sums
GRID = (
    HEAD
    + """
def main(A: T.Buffer((BLOCKS * 32,), "int32"), P: T.Buffer((BLOCKS,), "int32"), B: T.Buffer((1,), "int32")):
    bx = T.launch_thread("blockIdx.x", BLOCKS)
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((32,), "int32", scope="shared")
    S[tx] = A[bx * 32 + tx]
    T.cuda.cta_sync()
    if tx == 0:
        P[bx] = 0
        for i in range(32):
            P[bx] = P[bx] + S[i]
    T.cuda.grid_sync()
    if bx == 0 and tx == 0:
        B[0] = 0
        for i in range(BLOCKS):
            B[0] = B[0] + P[i]
"""
)
#: each block reads what the next one of its cluster has in shared memory
CLUSTER = (
    HEAD
    + """
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    bx = T.launch_thread("blockIdx.x", 8)
    cx = T.launch_thread("clusterCtaIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.decl_buffer((32,), "float32", scope="shared")
    address = T.decl_buffer((1,), "uint32", scope="local")
    value = T.decl_buffer((1,), "float32", scope="local")
    S[tx] = A[bx * 32 + tx]
    {arrive}
    {wait}
    T.ptx.mapa.shared__cluster.u32(
        address[0], T.cuda.cvta_generic_to_shared(T.address_of(S[tx])), T.cast((cx + 1) % {ranks}, "uint32"))
    T.ptx.ld.shared__cluster.f32(value[0], address[0])
    B[bx * 32 + tx] = value[0]
    {last}
"""
)
#: a block copies to all blocks of its cluster; they let it know when they have read a tile
MULTICAST = (
    HEAD
    + """
def main(A: T.Buffer((512,), "float32"), B: T.Buffer((2, 512), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    cx = T.launch_thread("clusterCtaIdx.x", 2)
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.decl_buffer((256,), "float32", scope="shared")
    full = T.decl_buffer((2,), "uint64", scope="shared")
    empty = T.decl_buffer((2,), "uint64", scope="shared")
    first = T.decl_buffer((1,), "uint32", scope="local")
    if tx == 0:
        for s in range(2):
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(full[s]), T.uint32(1))
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(empty[s]), T.uint32(64))
    T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cluster_sync()
    if tx == 32:
        for i in range(4):
            if cx == 0:
                T.cuda.mbarrier_wait_acquire_cluster(T.address_of(empty[i % 2]), T.cast(1 - i // 2 % 2, "uint32"))
            T.ptx.mbarrier.arrive.expect_tx.shared__cta.b64(T.address_of(full[i % 2]), T.uint32(512))
            if cx == 0:
                T.ptx.cp.async_.bulk.shared__cluster.global_.mbarrier__complete_tx__bytes.multicast__cluster(
                    T.address_of(S[i % 2 * 128]), T.address_of(A[i * 128]), T.uint32(512), T.address_of(full[i % 2]),
                    T.uint16(3))
    if tx < 32:
        for i in range(4):
            T.cuda.mbarrier_wait(T.address_of(full[i % 2]), T.cast(i // 2 % 2, "uint32"))
            for j in range(4):
                B[cx, i * 128 + j * 32 + tx] = S[i % 2 * 128 + j * 32 + tx] * T.float32(2)
            T.ptx.mapa.shared__cluster.u32(
                first[0], T.cuda.cvta_generic_to_shared(T.address_of(empty[i % 2])), T.uint32(0))
            {arrive}
    T.cuda.cluster_sync()
"""
)
ARRIVE = "T.ptx.mbarrier.arrive.release.cluster.shared__cluster.b64(first[0])"


def _parse(text: str) -> PrimFunc:
    """Return the function of a text."""
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def _codes(func: PrimFunc, *args: Any) -> list[str | None]:
    return [error.code for error in run_sanitized(IRModule({"main": func}), "main", args).errors]


def _cluster(arrive: str = "T.cuda.cluster_sync()", wait: str = "T.evaluate(0)", **changes: str) -> PrimFunc:
    changes = {"ranks": "4", "last": "T.cuda.cluster_sync()", **changes}
    return _parse(CLUSTER.format(arrive=arrive, wait=wait, **changes))


@pytest.mark.parametrize("blocks", [1, 5])
def test_blocks_meet(blocks: int) -> None:
    func = _parse(GRID.replace("BLOCKS", str(blocks)))
    a, parts, total = np.arange(32 * blocks, dtype="int32"), np.zeros(blocks, "int32"), np.zeros(1, "int32")
    interp.build(func)["main"](a, parts, total)
    np.testing.assert_array_equal(total, [a.sum()])
    assert _codes(func, a, parts, total) == []


def test_a_sum_without_the_barrier_races() -> None:
    text = GRID.replace("BLOCKS", "2").replace("    T.cuda.grid_sync()\n", "    T.cuda.cta_sync()\n")
    arrays = (np.ones(64, "int32"), np.ones(2, "int32"), np.zeros(1, "int32"))
    assert _codes(_parse(text), *arrays) == ["TS5040"]
    report = run_sanitized(IRModule({"main": _parse(text + "    T.cuda.grid_sync()\n")}), "main", arrays)
    assert [error.code for error in report.errors] == ["TS5040"]
    assert "block (blockIdx.x = 1)" in str(report.errors[0])


def test_a_block_that_leaves_before_the_barrier() -> None:
    text = GRID.replace("BLOCKS", "4")
    func = _parse(text.replace("    T.cuda.grid_sync()\n", "    if bx < 3:\n        T.cuda.grid_sync()\n"))
    arrays = (np.ones(128, "int32"), np.zeros(4, "int32"), np.zeros(1, "int32"))
    with pytest.raises(Deadlock, match="96 of 128 threads wait for arrivals"):
        interp.build(func)["main"](*arrays)
    report = run_sanitized(IRModule({"main": func}), "main", arrays)
    assert [error.code for error in report.errors] == ["TS5041", "TS5047"]
    assert "96 of 128 threads of all blocks wait at this barrier" in str(report.errors[0])
    assert "32 of the threads have ended" in str(report.errors[0])


@pytest.mark.parametrize(
    ("arrive", "wait"),
    [
        ("T.cuda.cluster_sync()", "T.evaluate(0)"),
        ("T.ptx.barrier.cluster.arrive.release.aligned()", "T.ptx.barrier.cluster.wait.acquire.aligned()"),
    ],
)
def test_shared_memory_of_the_next_block(arrive: str, wait: str) -> None:
    func = _cluster(arrive, wait)
    a, b = np.arange(256, dtype="float32"), np.zeros(256, "float32")
    interp.build(func)["main"](a, b)
    np.testing.assert_array_equal(b.reshape(2, 4, 32), np.roll(a.reshape(2, 4, 32), -1, axis=1))
    assert _codes(func, a, b) == []


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"arrive": "T.cuda.cta_sync()"}, ["TS5040"]),
        ({"arrive": "T.ptx.barrier.cluster.arrive.relaxed()", "wait": "T.ptx.barrier.cluster.wait()"}, ["TS5040"]),
        ({"last": "T.evaluate(0)"}, ["TS5053"]),
    ],
    ids=["block", "relaxed", "leaves"],
)
def test_shared_memory_without_a_barrier(changes: dict[str, str], codes: list[str]) -> None:
    assert _codes(_cluster(**changes), np.zeros(256, "float32"), np.zeros(256, "float32")) == codes


def test_launches_that_clusters_do_not_have() -> None:
    a, b = np.zeros(256, "float32"), np.zeros(256, "float32")
    with pytest.raises(NoSuchBlock, match="there is no block 4 in a cluster of 4"):
        interp.build(_cluster(ranks="5"))["main"](a, b)
    text = CLUSTER.format(arrive="T.cuda.cluster_sync()", wait="T.evaluate(0)", ranks="3", last="T.evaluate(0)")
    with pytest.raises(Unsupported, match=r"a launch of 8 blocks along blockIdx\.x"):
        interp.build(_parse(text.replace('"clusterCtaIdx.x", 4', '"clusterCtaIdx.x", 3')))["main"](a, b)


def test_multicast() -> None:
    func = _parse(MULTICAST.format(arrive=ARRIVE))
    a, b = np.arange(512, dtype="float32"), np.zeros((2, 512), "float32")
    interp.build(func)["main"](a, b)
    np.testing.assert_array_equal(b, [2 * a] * 2)
    assert _codes(func, a, b) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (ARRIVE, "T.ptx.mbarrier.arrive.shared__cta.b64(T.address_of(empty[i % 2]))", "TS5047"),
        ("T.uint16(3)", "T.uint16(1)", "TS5047"),
        ("T.uint16(3)", "T.uint16(4)", "TS5052"),
        (
            "    T.ptx.fence.mbarrier_init.release.cluster()\n    T.cuda.cluster_sync()\n",
            "    T.cuda.cta_sync()\n",
            "TS5040",
        ),
        ("            {arrive}\n    T.cuda.cluster_sync()\n", "            {arrive}\n", "TS5053"),
    ],
    ids=["empty-of-its-own", "one-block", "no-such-block", "barriers-of-others", "leaves"],
)
def test_wrong_multicasts(old: str, new: str, code: str) -> None:
    func = _parse(MULTICAST.replace(old, new).format(arrive=ARRIVE).replace(old, new))
    assert code in _codes(func, np.arange(512, dtype="float32"), np.zeros((2, 512), "float32"))


def test_what_a_block_does_after_another_one_has_left() -> None:
    func = _cluster(last="T.evaluate(0)")
    (error,) = run_sanitized(IRModule({"main": func}), "main", [np.zeros(256, "float32")] * 2).errors
    assert error.facts["what"] == "reads"
