"""Repeated sub-expressions, counted by hand and by TVM 0.17."""

from __future__ import annotations

import pytest

import tvmscript
from tests.ir.arith.test_rules import read
from tvmscript.arith import detect_common_subexpr
from tvmscript.ir.arith.shared_subexpressions import find_repeated
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.stmt import BufferStore

#: expression and threshold -> the outermost repeated parts, as TVM 0.17 says
OUTERMOST = {
    ("(i * 4 + j) // 2 + (i * 4 + j) % 2", 2): {"i * 4 + j": 2},
    ("(i * 4 + j) // 2 + (i * 4 + j) % 2", 3): {},
    ("i * 4 + i * 4 + i * 4", 1): {"i * 4 + i * 4 + i * 4": 1},
    ("i * 4 + i * 4 + i * 4", 3): {"i * 4": 3},
    ("T.max(i // 2, j) + i // 2 * (i // 2)", 2): {"i // 2": 3},
    ("T.Select(i < 3, i * 2, T.if_then_else(i < 3, 1, 0))", 2): {"i < 3": 2},
    ("(i + 1) * (i + 1) * (i + 1)", 2): {"i + 1": 3},
}


@pytest.mark.parametrize(("text", "threshold"), OUTERMOST)
def test_outermost(text: str, threshold: int) -> None:
    found = detect_common_subexpr(read(text), threshold)
    assert {str(expr): count for expr, count in found.items()} == OUTERMOST[text, threshold]


def test_all_of_several() -> None:
    found = find_repeated([read("(i * 4 + j) // 2"), read("(i * 4 + j) % 3 + i * 4")])
    assert [(str(expr), count) for expr, count in found] == [("i * 4", 3), ("i * 4 + j", 2)]


def test_what_may_differ_the_second_time_does_not_count() -> None:
    func = tvmscript.from_source(
        """
@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    A[0] = T.call_extern("int32", "next") + T.call_extern("int32", "next") + A[1] * A[1]
"""
    )
    stored = next(node.value for node in nodes(func) if isinstance(node, BufferStore))
    assert [str(found.expr) for found in find_repeated([stored])] == []
