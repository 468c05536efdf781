"""Copies of loops on threads are on the same threads, with a variable of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.tir.stmt import For
from tvmscript.schedule import Schedule

SUM = """@T.prim_func
def main(A: T.Buffer((8, 16)), B: T.Buffer((8,))):
    for i, k in T.grid(8, 16):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vk]
"""


def decomposed(sch: Any, i: Any, k: Any) -> None:
    sch.bind(i, "threadIdx.x")
    sch.decompose_reduction("B", k)


def factored(sch: Any, i: Any, k: Any) -> None:
    sch.reorder(i, k)
    sch.bind(i, "threadIdx.x")
    sch.rfactor(sch.split(k, [4, 4])[0], 0)


def in_a_block(sch: Any, i: Any, k: Any) -> None:
    sch.bind(i, "threadIdx.x")
    sch.blockize(k)


@pytest.mark.parametrize("change", [decomposed, factored, in_a_block])
def test_copies(change: Callable[[Any, Any, Any], None]) -> None:
    sch = Schedule(tvmscript.from_source(SUM))
    i, k = sch.get_loops("B")
    sch.reorder(k, i)
    change(sch, i, k)
    loops = [node for node in nodes(sch.mod["main"].body) if isinstance(node, For)]
    threads = [loop.thread_binding for loop in loops if loop.thread_binding is not None]
    assert [thread.thread_tag for thread in threads] == ["threadIdx.x", "threadIdx.x"]
    assert threads[0].var is not threads[1].var
    assert all((loop.kind.name == "THREAD_BINDING") == (loop.thread_binding is not None) for loop in loops)
