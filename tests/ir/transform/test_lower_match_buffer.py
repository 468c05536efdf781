"""A matched buffer is its region: one meaning in the interpreter, before and after the pass, and in LLVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.driver import as_module
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BlockRealize, SeqStmt
from tvmscript.ir.transform.blocks.lower_match_buffer import LowerMatchBuffer

RUNS: dict[str, Callable[[Any], Any]] = {
    "before": interp.build,
    "after": lambda program: interp.build(LowerMatchBuffer()(as_module(program))),
    "llvm": tvmscript.build,
}
HEAD = '@T.prim_func\ndef main(A: T.Buffer((10, 10), "int32"), B: T.Buffer((10, 10), "int32")):\n'


def program(*lines: str) -> Any:
    return tvmscript.from_source(HEAD + "".join(f"    {line}\n" for line in lines))


def result(run: str, func: Any) -> Any:
    out = np.zeros((10, 10), "int32")
    RUNS[run](func)(SOURCE.copy(), out)
    return out


SOURCE = np.arange(100, dtype="int32").reshape(10, 10)

TILES = program(
    "for i, j in T.grid(2, 2):",
    "    with T.block():",
    "        vi, vj = T.axis.remap('SS', [i, j])",
    "        X = T.match_buffer(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4], (4, 4), 'int32')",
    "        for a, b in T.grid(4, 4):",
    "            B[vi * 4 + b, vj * 4 + a] = X[a, b]",
)
#: The last tiles reach over the end; what is beyond it is not accessed.
TAILS = program(
    "for i in range(3):",
    "    with T.block():",
    "        v = T.axis.spatial(3, i)",
    "        X = T.match_buffer(A[0:10, v * 4:v * 4 + 4], (10, 4), 'int32')",
    "        for a, b in T.grid(10, 4):",
    "            if v * 4 + b < 10:",
    "                B[a, v * 4 + b] = X[a, b] * 2",
)
ROWS = program(
    "for i in range(10):",
    "    with T.block():",
    "        v = T.axis.spatial(10, i)",
    "        X = T.match_buffer(A[v, 2:8], (6,), 'int32')",
    "        B[v, 0:6] = X[0:6]",
)
#: The stride and the offset of the inner region are those in A.
NESTED = program(
    "with T.block():",
    "    X = T.match_buffer(A[4:8, 2:8], (4, 6), 'int32')",
    "    with T.block():",
    "        s, t, offset = T.int32(), T.int32(), T.int32()",
    "        Y = T.match_buffer(X[1:3, 1:5], (2, 4), 'int32', strides=(s, t), elem_offset=offset)",
    "        for a, b in T.grid(2, 4):",
    "            B[a, b] = Y[a, b] + offset * 10000 + s * 1000 + t * 100",
)
OFFSET = program(
    "with T.block():",
    "    X = T.match_buffer(A[2:4, 3:5], (2, 2), 'int32', elem_offset=23)",
    "    for a, b in T.grid(2, 2):",
    "        B[a, b] = X[a, b]",
)


def placed(part: Any) -> Any:
    out = np.zeros((10, 10), "int32")
    out[: part.shape[0], : part.shape[1]] = part
    return out


def transposed_tiles() -> Any:
    return placed(np.block([[SOURCE[r : r + 4, c : c + 4].T for c in (0, 4)] for r in (0, 4)]))


EXPECTED = {
    "tiles": (TILES, transposed_tiles()),
    "tails": (TAILS, SOURCE * 2),
    "rows": (ROWS, placed(SOURCE[:, 2:8])),
    "nested": (NESTED, placed(SOURCE[5:7, 3:7] + 53 * 10000 + 10 * 1000 + 100)),
    "offset": (OFFSET, placed(SOURCE[2:4, 3:5])),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", EXPECTED)
def test_elements_are_those_of_the_region(name: str, run: str) -> None:
    func, expected = EXPECTED[name]
    assert np.array_equal(result(run, func), expected)


@pytest.mark.parametrize("run", RUNS)
def test_a_shared_block_matches_anew_where_it_is_entered(run: str) -> None:
    func = program(
        "for i in range(4):",
        "    with T.block():",
        "        v = T.axis.spatial(4, i)",
        "        n, s = T.int32(), T.int32()",
        "        X = T.match_buffer(A[v:v + v, v:v + 2], (n, 2), 'int32', strides=(s, 1))",
        "        for a, b in T.grid(n, 2):",
        "            B[a, b] = B[a, b] + X[a, b] + n",
    )
    assert isinstance(func, PrimFunc)
    root, realize = [node for node in nodes(func.body) if isinstance(node, BlockRealize)]
    entries = tuple(realize.replace(iter_values=(IntImm("int32", at),)) for at in (1, 3))
    twice = func.with_body(root.replace(block=root.block.replace(body=SeqStmt(entries))))
    expected = np.zeros((10, 10), "int32")
    for at in (1, 3):
        expected[:at, :2] += SOURCE[at : at + at, at : at + 2] + at
    assert np.array_equal(result(run, twice), expected)
