"""Barriers: where TVM puts them, and that nothing depends on the order of threads once they are there."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.backends.interp import teams
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.threads.thread_sync.thread_sync import ThreadSync

_HEAD = """
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.func_attr({"global_symbol": "main"})
    bx = T.launch_thread("blockIdx.x", 2)
    S = T.allocate([32], "int32", "shared")
    U = T.allocate([32], "int32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S1 = T.Buffer((32,), "int32", data=S, scope="shared")
    U1 = T.Buffer((32,), "int32", data=U, scope="shared")
    S1[tx] = A[bx * 32 + tx]
    U1[tx] = A[tx]
"""
_PLACES = ("tx", "tx", "31 - tx", "(tx + 5) % 32", "tx // 4", "3")


def program(seed: int, *, branches: bool = True) -> str:
    """Statements over two buffers of shared memory, in loops and branches; each thread writes places of its own."""
    source = random.Random(seed)

    def value() -> str:
        buffer = source.choice(("S1", "U1"))
        return f"{buffer}[{source.choice(_PLACES)}]"

    def statement(indent: int, depth: int) -> list[str]:
        pad = " " * indent
        kind = source.random()
        if kind < 0.2 and depth < 2:
            inside = [line for _ in range(source.randint(1, 3)) for line in statement(indent + 4, depth + 1)]
            return [f"{pad}for i{depth} in range({source.randint(1, 3)}):", *inside]
        if branches and kind < 0.3 and depth < 2:
            return [f"{pad}if bx == {source.randint(0, 1)}:", *statement(indent + 4, depth + 1)]
        if kind < 0.4:
            return [f"{pad}B[bx * 32 + tx] = B[bx * 32 + tx] + {value()}"]
        if kind < 0.5:
            return [f"{pad}T.tvm_storage_sync('shared')"]
        # of the buffer that it writes, a statement reads its own element alone: no barrier stands inside of it
        own = source.choice(("tx", "31 - tx", "(tx + 5) % 32"))
        written, other = source.choice((("S1", "U1"), ("U1", "S1")))
        return [f"{pad}{written}[{own}] = {written}[{own}] + {other}[{source.choice(_PLACES)}] * 3"]

    body = [line for _ in range(source.randint(2, 6)) for line in statement(4, 0)]
    return "\n".join([_HEAD.rstrip(), *body, "    B[bx * 32 + tx] = B[bx * 32 + tx] + S1[31 - tx] - U1[tx]"])


def _result(func: PrimFunc) -> Any:
    given, made = np.arange(64, dtype="int32"), np.zeros(64, "int32")
    interp.build(func)["main"](given, made)
    return made


@pytest.mark.parametrize("seed", range(5))
def test_order_of_threads_does_not_matter(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    func = ThreadSync("shared")(tvmscript.from_source(program(seed)))
    forwards = _result(func)
    resume = teams.Grid.resume
    monkeypatch.setattr(teams.Grid, "resume", lambda grid, members: resume(grid, members[::-1]))
    np.testing.assert_array_equal(_result(func), forwards)


@pytest.mark.oracle
def test_tvm_puts_the_same_barriers(oracle: Any) -> None:
    """Without branches: TVM takes a barrier in one for a barrier that is always reached."""
    for seed in range(20):
        text = oracle.print(program(seed, branches=False), check=False)
        ours = ThreadSync("shared")(tvmscript.from_source(text))
        theirs = tvmscript.from_source(oracle.apply("tir.ThreadSync('shared')", text, check=False))
        theirs = theirs if isinstance(theirs, PrimFunc) else theirs["main"]
        ours = ours if isinstance(ours, PrimFunc) else ours["main"]
        assert structural_equal(ours, theirs), f"{seed}\n{theirs.script()}\n{ours.script()}"
