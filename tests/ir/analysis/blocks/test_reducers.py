"""Reductions that are known: what they start from, how they go on, and blocks that are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.analysis.blocks.reducers import REDUCERS, NoReduction, recognize_reducer, reduction_of
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Block, Expr, Var, const
from tvmscript.ir.tir.expr import EQ, GE, GT, LE, LT, Add, And, Max, Min, Mul, Or, Select
from tvmscript.ir.tir.intrin.derived import max_value, min_value

K, M = Var("i", "int32"), Var("j", "int32")
P, Q, N = Var("p", "float32"), Var("q", "float32"), Var("n", "float32")
LEAST, GREATEST, NO_INDEX = min_value("float32"), max_value("float32"), const(-1, "int32")
F0, F1 = const(0, "float32"), const(1, "float32")


def _wins(wins: Expr, value: Any = GE) -> tuple[Expr, Expr]:
    """The index where a condition holds, and the value where a comparison does."""
    return Select(wins, K, M), Select(value(P, Q), P, Q)


def _first(compare: Any) -> Expr:
    return Or(compare(P, Q), And(EQ(P, Q), LT(K, M)))


@pytest.mark.parametrize(
    ("place", "starts", "combined"),
    [
        (0, [F0], [Add(P, Q)]),
        (1, [F1], [Mul(P, Q)]),
        (2, [GREATEST], [Min(P, Q)]),
        (3, [LEAST], [Max(P, Q)]),
        (4, [const(0, "int32"), F0], [Add(K, M), Add(P, Q)]),
        (5, [NO_INDEX, LEAST], _wins(GE(P, Q))),
        (6, [NO_INDEX, LEAST], _wins(_first(GT), GT)),
        (7, [NO_INDEX, GREATEST], _wins(LE(P, Q), LE)),
        (8, [NO_INDEX, GREATEST], _wins(_first(LT), LT)),
    ],
)
def test_operands_of_each_reducer(place: int, starts: Sequence[Expr], combined: Sequence[Expr]) -> None:
    combination = recognize_reducer(starts, combined)
    assert combination is not None
    assert combination.reducer is REDUCERS[place]
    assert combination.lhs == ((P,) if len(starts) == 1 else (K, P))
    assert combination.rhs == ((Q,) if len(starts) == 1 else (M, Q))


@pytest.mark.parametrize(
    ("starts", "combined"),
    [
        ([F1], [Add(P, Q)]),
        ([F0], [Mul(P, Q)]),
        ([LEAST], [Min(P, Q)]),
        ([const(0, "int32")], [Add(P, Q)]),
        ([F0], [P]),
        ([F0, F0], [Add(P, Q), Mul(P, Q)]),
        ([const(0, "int32"), F1], [Add(K, M), Add(P, Q)]),
        ([F1, const(0, "int32")], [Add(P, Q), Add(K, M)]),
        ([F0, F0, F0], [Add(P, Q)] * 3),
        ([NO_INDEX, LEAST], _wins(GE(N, Q))),
        ([NO_INDEX, LEAST], _wins(GE(Q, P))),
        ([NO_INDEX, LEAST], _wins(GE(P, Q), LE)),
        ([NO_INDEX, LEAST], _wins(Or(GT(P, Q), And(EQ(P, Q), LT(M, K))), GT)),
        ([NO_INDEX, LEAST], _wins(Or(GT(P, Q), And(EQ(P, N), LT(K, M))), GT)),
    ],
)
def test_what_is_like_a_reducer(starts: Sequence[Expr], combined: Sequence[Expr]) -> None:
    """Another identity, dtype or number of values; an operand that differs between two places."""
    assert recognize_reducer(starts, combined) is None


def _block(body: str, init: str = "B[vi] = T.float32(0)") -> Block:
    text = """@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32"),
         D: T.Buffer((9,), "float32"), E: T.Buffer((8, 1), "float32"), F: T.Buffer((8, 2), "float32")):
    for i, k in T.grid(8, 8):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                INIT
            BODY
"""
    program: Any = tvmscript.from_source(
        text.replace("INIT", init.replace("\n", "\n" + " " * 16)).replace("BODY", body.replace("\n", "\n" + " " * 12)),
        check_well_formed=False,
    )
    return next(node for node in nodes(program) if isinstance(node, Block) and node.name_hint == "sum")


TWO = "a: T.float32 = B[vi] + A[vi, vk]\nb: T.float32 = C[vi] + A[vk, vi]\n"
STARTS = "B[vi] = T.float32(0)\nC[vi] = T.float32(0)"


@pytest.mark.parametrize(
    ("body", "init", "stored"),
    [
        ("B[vi] = B[vi] + A[vi, vk]", "B[vi] = T.float32(0)", ["B"]),
        (f"{TWO}B[vi] = a\nC[vi] = b", STARTS, ["B", "C"]),
        (f"{TWO}C[vi] = b\nB[vi] = a", STARTS, ["B", "C"]),
    ],
)
def test_blocks_that_reduce(body: str, init: str, stored: list[str]) -> None:
    """The stores are in the order of the values, whatever their own order is."""
    reduction = reduction_of(_block(body, init))
    assert [store.buffer.name for store in reduction.updates] == stored
    assert [str(value) for value in reduction.identities] == ["T.float32(0)"] * len(stored)
    assert [str(value) for value in reduction.combination.lhs] == [f"{name}[vi]" for name in stored]
    assert [str(value) for value in reduction.combination.rhs] == ["A[vi, vk]", "A[vk, vi]"][: len(stored)]


@pytest.mark.parametrize(
    ("body", "init", "why"),
    [
        ("B[vi] = B[vi] + A[vi, vk]", "T.evaluate(0)", "its init does more than storing values"),
        ("B[vi] = B[vi] + A[vi, vk]", "B[vi] = T.float32(0)\nB[vi] = T.float32(0)", "its init stores B twice"),
        ("B[vi] = B[vi] + A[vi, vk]", "C[vi] = T.float32(0)", "its init and its body do not store the same buffers"),
        ("B[vi] = B[vi] + A[vi, vk]", STARTS, "its init and its body do not store the same buffers"),
        ("B[vi] = B[vi] + A[vi, vk]", "B[vi + 1] = T.float32(0)", "its stores are at different indices"),
        (f"{TWO}B[vi] = a\nC[vi + 1] = b", STARTS, "its stores are at different indices"),
        (
            f"{TWO}B[vi] = a\nE[vi, 0] = b",
            "B[vi] = T.float32(0)\nE[vi, 0] = T.float32(0)",
            "its stores are at different indices",
        ),
        (
            f"{TWO}B[vi] = a\nD[vi] = b",
            "B[vi] = T.float32(0)\nD[vi] = T.float32(0)",
            "the buffers that it stores are of different shapes",
        ),
        (
            f"{TWO}E[vi, 0] = a\nF[vi, 0] = b",
            "E[vi, 0] = T.float32(0)\nF[vi, 0] = T.float32(0)",
            "the buffers that it stores are of different shapes",
        ),
        ("F[vi, 0] = F[vi, 0] + A[vi, vk]", "F[vi, 1] = T.float32(0)", "its stores are at different indices"),
        (
            "F[vi, 0] = F[vi, 1] + A[vi, vk]",
            "F[vi, 0] = T.float32(0)",
            "no known reduction starts and goes on in this way",
        ),
        ("B[vi] = B[vi] - A[vi, vk]", "B[vi] = T.float32(0)", "no known reduction starts and goes on in this way"),
        ("B[vi] = A[vi, vk] + B[vi]", "B[vi] = T.float32(0)", "no known reduction starts and goes on in this way"),
        ("B[vi] = C[vi] + A[vi, vk]", "B[vi] = T.float32(0)", "no known reduction starts and goes on in this way"),
        ("B[vi] = B[vk] + A[vi, vk]", "B[vi] = T.float32(0)", "no known reduction starts and goes on in this way"),
        (
            f"{TWO.replace('C[vi]', 'B[vi]')}B[vi] = a\nC[vi] = b",
            STARTS,
            "no known reduction starts and goes on in this way",
        ),
        (
            f"{TWO}B[vi] = a\nC[vi] = A[vk, vi]",
            STARTS,
            "its body does more than storing values that are computed before",
        ),
        (f"{TWO}B[vi] = a\nT.evaluate(b)", STARTS, "its body does more than storing values that are computed before"),
        (f"{TWO}B[vi] = a\nC[vi] = a", STARTS, "its body does not store each value once, in a buffer of its own"),
        (f"{TWO}B[vi] = a\nB[vi] = b", STARTS, "its body does not store each value once, in a buffer of its own"),
    ],
)
def test_blocks_that_do_not(body: str, init: str, why: str) -> None:
    with pytest.raises(NoReduction) as refused:
        reduction_of(_block(body, init))
    assert refused.value.why == why
