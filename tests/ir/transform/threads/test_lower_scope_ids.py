"""Ids of scopes become launches of threads: values, texts of 0.17, what has no counterpart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.transform.threads.lower_scope_ids import LowerScopeIds

HEAD = '# from tvm.script import tirx as T\n\n@T.prim_func\ndef main(B: T.Buffer(({},), "int32")):\n'


def read(size: int, *lines: str) -> Any:
    return tvmscript.from_source(HEAD.format(size) + "".join([f"    {line}\n" for line in lines]))


#: elements, kernel, their values
KERNELS: dict[str, tuple[int, list[str], Any]] = {
    "blocks and threads": (
        128,
        ["T.device_entry()", "b = T.cta_id([4])", "t = T.thread_id([32])", "B[b * 32 + t] = b * 100 + t"],
        [b * 100 + t for b in range(4) for t in range(32)],
    ),
    "two dimensions": (
        128,
        ["b, c = T.cta_id([2, 2])", "t, u = T.thread_id([8, 4])", "B[b * 64 + c * 32 + u * 8 + t] = b + 10 * c + u"],
        [b + 10 * c + u for b in range(2) for c in range(2) for u in range(4) for _ in range(8)],
    ),
    "warps": (
        64,
        ["T.device_entry()", "w = T.warp_id([2])", "l = T.lane_id([32])", "B[w * 32 + l] = w * 100 + l"],
        [w * 100 + l for w in range(2) for l in range(32)],  # noqa: E741
    ),
    "warpgroups": (
        256,
        ["g = T.warpgroup_id([2])", "i = T.thread_id_in_wg([128])", "w = T.warp_id_in_wg([4])",
         "B[g * 128 + i] = g * 10 + w"],
        [g * 10 + i // 32 for g in range(2) for i in range(128)],
    ),
    "deferred": (
        64,
        ["T.device_entry()", "t = T.thread_id([64])", "w = T.warp_id()", "B[t] = w"],
        [t // 32 for t in range(64)],
    ),
    "lanes of two dimensions": (
        64,
        ["t, u = T.thread_id([16, 4])", "l = T.lane_id([32])", "B[u * 16 + t] = l"],
        [t % 32 for t in range(64)],
    ),
    "blocks of clusters": (
        128,
        ["b = T.cta_id([4])", "c = T.cta_id_in_cluster([2])", "k = T.cluster_id([2])", "t = T.thread_id([32])",
         "B[b * 32 + t] = b * 100 + c * 10 + k"],
        [b * 100 + b % 2 * 10 + b // 2 for b in range(4) for _ in range(32)],
    ),
    "clusters of blocks": (
        128,
        ["k = T.cluster_id([2])", "c = T.cta_id_in_cluster([2])", "t = T.thread_id([32])",
         "B[k * 64 + c * 32 + t] = k * 10 + c"],
        [k * 10 + c for k in range(2) for c in range(2) for _ in range(32)],
    ),
    "unsigned": (32, ['t = T.thread_id([32], dtype="uint32")', "B[t] = 1"], [1] * 32),
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_values(name: str) -> None:
    size, lines, values = KERNELS[name]
    func = LowerScopeIds()(read(size, *lines))
    array = np.full(size, -1, "int32")
    tvmscript.build(func, "interp")(array)
    assert array.tolist() == list(values)
    assert "device_entry" not in func.script()
    assert_structural_equal(tvmscript.from_source(func.script()), func)
    assert LowerScopeIds()(func) is func


@pytest.mark.parametrize("name", ["blocks and threads", "clusters of blocks"])
def test_kernels_are_built_as_they_are(name: str) -> None:
    size, lines, values = KERNELS[name]
    array = np.full(size, -1, "int32")
    tvmscript.build(read(size, *lines), "interp")["main"](array)
    assert array.tolist() == list(values)
    assert "blockIdx.x" in tvmscript.build(read(size, *lines), "cuda -arch=sm_90a").get_source()
    assert "ctaid.x" in tvmscript.build(read(size, *lines), "nvptx -mcpu=sm_90a").get_source("ptx")


def test_text() -> None:
    func = LowerScopeIds()(read(128, "T.device_entry()", "b = T.cta_id([4])", "t = T.thread_id([32])", "B[b + t] = 0"))
    assert func.script().split("\n")[4:] == [
        '    blockIdx_x = T.launch_thread("blockIdx.x", 4)',
        '    threadIdx_x = T.launch_thread("threadIdx.x", 32)',
        "    b: T.int32 = blockIdx_x",
        "    t: T.int32 = threadIdx_x",
        "    B[b + t] = 0",
    ]


def test_host_code_stays_outside() -> None:
    func = LowerScopeIds()(read(32, "B[0] = 1", "T.device_entry()", "t = T.thread_id([32])", "B[t] = 2"))
    lines = func.script().split("\n")[4:]
    assert lines[0] == "    B[0] = 1"
    assert "launch_thread" in lines[1]


REFUSED = {
    "clusters of unknown size": (["c = T.cluster_id([2])", "t = T.thread_id([32])", "B[c] = t"], "TS4008"),
    "pairs": (["c = T.cta_id_in_pair()", "B[c] = 1"], "TS4008"),
    "no threads": (["b = T.cta_id([2])", "B[b] = 1"], "TS4008"),
    "four dimensions": (["t, u, v, w = T.thread_id([2, 2, 2, 2])", "B[t] = u + v + w"], "TS4008"),
    "different extents": (
        ["if B[0] == 0:", "    t = T.thread_id([32])", "    B[t] = 1",
         "else:", "    u = T.thread_id([64])", "    B[u] = 1"], "TS4021",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    lines, code = REFUSED[name]
    with pytest.raises(tvmscript.TVMScriptError) as caught:
        LowerScopeIds()(read(64, *lines))
    assert caught.value.code == code
    assert caught.value.span is not None


def test_other_functions_are_left_alone() -> None:
    func = read(4, "B[0] = 1")
    assert LowerScopeIds()(func) is func
