"""Strides of shared memory: which elements a warp accesses at once, and the padding against conflicts of banks."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Block, Buffer, For, Var
from tvmscript.ir.transform.memory.lower_auto_copy.padding import SharedAccesses

HEAD = """@T.prim_func
def main(A: T.Buffer((64, 64), "float32")):
    with T.block("root"):
        S = T.alloc_buffer(SHAPE, "DTYPE", scope="shared")
"""


def _accesses(body: str, threads: dict[str, int], shape: str = "(32, 32)", dtype: str = "float32") -> Any:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    head = HEAD.replace("SHAPE", shape).replace("DTYPE", dtype)
    program: Any = tvmscript.from_source(f"{head}{lines}", check_well_formed=False)
    root = next(node for node in nodes(program) if isinstance(node, Block))
    accesses = SharedAccesses()
    accesses.collect(root.body, threads)
    return accesses, root.alloc_buffers[0]


def _strides(buffer: Buffer) -> list[int]:
    strides: list[Any] = list(buffer.strides)
    return [stride.value for stride in strides]


@pytest.mark.parametrize(
    ("sizes", "lane", "values"),
    [
        ((32, 1, 1), 9, [9, 0, 0]),
        ((8, 4, 1), 9, [1, 1, 0]),
        ((8, 4, 1), 31, [7, 3, 0]),
        ((4, 2, 4), 13, [1, 1, 1]),
        ((4, 2, 4), 31, [3, 1, 3]),
        ((64, 2, 1), 31, [31, 0, 0]),
        ((2, 2, 2), 11, [1, 1, 0]),
    ],
)
def test_threads_of_a_warp(sizes: tuple[int, int, int], lane: int, values: list[int]) -> None:
    body = 'for x in T.thread_binding(64, "threadIdx.x"):\n'
    body += '    for y in T.thread_binding(64, "threadIdx.y"):\n'
    body += '        for z in T.thread_binding(64, "threadIdx.z"):\n'
    body += "            for k in range(2):\n                A[0, 0] = S[x + y, z + k]"
    threads = {f"threadIdx.{axis}": size for axis, size in zip("xyz", sizes, strict=True)}
    accesses, _ = _accesses(body, threads)
    variables: dict[str, Var] = {var.name: var for var in accesses.lanes}
    found = accesses.values(lane, [variables[name] + 0 for name in "xyz"])
    assert [found[variables[name]] for name in "xyz"] == values


def _rows(index: str, threads: int = 32) -> str:
    return f'for x in T.thread_binding({threads}, "threadIdx.x"):\n    A[0, x] = S[{index}]'


@pytest.mark.parametrize(
    ("body", "strides"),
    [
        (_rows("0, x"), [32, 1]),  # each thread has a bank
        (_rows("x, 0"), [33, 1]),  # a column: all rows begin in one bank
        (_rows("x // 8, x % 8"), [40, 1]),  # rows of 8: the next one begins behind
        (_rows("x // 8 * 2, x % 8"), [36, 1]),
        ("for x in T.thread_binding(32, 'threadIdx.x'):\n    S[x, 0] = A[0, x]", [33, 1]),
        ("for x in T.thread_binding(32, 'threadIdx.x'):\n    A[0, x] = A[x, 0]", []),
        (
            "for x in T.thread_binding(32, 'threadIdx.x'):\n    for v in T.vectorized(4):\n        S[x, v] = A[x, v]",
            [36, 1],  # vectors need rows of whole vectors
        ),
    ],
)
def test_strides(body: str, strides: list[int]) -> None:
    accesses, buffer = _accesses(body, {"threadIdx.x": 32})
    assert _strides(accesses.pad(buffer)) == strides


def test_a_tile_is_all_of_its_rows() -> None:
    body = """with T.block("tile"):
    M = T.match_buffer(S[0:16, 0:16], (16, 16), "float16", scope="shared", strides=(32, 1))
    T.evaluate(0)"""
    accesses, buffer = _accesses(body, {"threadIdx.x": 32}, "(64, 32)", "float16")
    assert accesses.points[buffer] == [[(row, 0) for row in range(16)]]


def test_alignment_is_the_largest_that_is_asked_for() -> None:
    accesses, buffer = _accesses(_rows("x, 0"), {"threadIdx.x": 32})
    accesses.align(buffer, 4)
    accesses.align(buffer, 2)
    assert _strides(accesses.pad(buffer)) == [36, 1]


def test_symbolic_shapes_have_no_padding() -> None:
    accesses, buffer = _accesses(_rows("x, 0"), {"threadIdx.x": 32})
    assert not any(isinstance(node, For) for node in nodes(buffer))
    other = buffer.replace(shape=(Var("n", "int32"), buffer.shape[1]))
    accesses.points[other] = accesses.points[buffer]
    assert accesses.pad(other) is other
