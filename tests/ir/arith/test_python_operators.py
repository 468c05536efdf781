"""Python's operators fold as TVM's do: the expected values are those of TVM 0.17."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tvmscript import tir
from tvmscript.ir.core.errors import ExprAsBool, WrongArgumentCount
from tvmscript.ir.tir import Expr

X, Y, F = tir.Var("x", "int32"), tir.Var("y", "int32"), tir.Var("f", "float32")
C = tir.const(3)

FOLDED: dict[str, tuple[Any, str]] = {
    "x + 0": (X + 0, "x"),
    "0 + x": (0 + X, "x"),
    "x * 1": (X * 1, "x"),
    "x * 0": (X * 0, "0"),
    "c * 4": (C * 4, "12"),
    "c - 5": (C - 5, "-2"),
    "x // 1": (X // 1, "x"),
    "x % 1": (X % 1, "0"),
    "0 // x": (0 // X, "0"),
    "-c": (-C, "-3"),
    "-x": (-X, "x * -1"),
    "f * 0.0": (F * 0.0, "T.float32(0)"),
    "f / 1.0": (F / 1.0, "f"),
    "x - x": (X - X, "x - x"),
    "x + 1 + 1": (X + 1 + 1, "x + 1 + 1"),
    "c << 2": (C << 2, "12"),
    "x << 0": (X << 0, "x"),
    "x & 0": (X & 0, "T.bitwise_and(x, 0)"),
    "1 < 2": (tir.const(1) < 2, "T.bool(True)"),
    "uint8 wraps": (tir.const(250, "uint8") + tir.const(10, "uint8"), "T.uint8(4)"),
    "float16 stays": (tir.const(1.0, "float16") + tir.const(2.0, "float16"), "T.float16(1) + T.float16(2)"),
    "const of a division": (tir.const(2.0) / 4.0, "T.float32(0.5)"),
    "astype": (tir.const(3.7).astype("int32"), "3"),
    "node": (tir.Add(X, tir.const(0)), "T.Add(x, 0)"),
    "max of three": (tir.max(X, Y, 3), "T.max(T.max(x, y), 3)"),
    "max of numbers": (tir.max(3, 4), "4"),
    "ceildiv": (tir.ceildiv(X, 4), "(x + 4 - 1) // 4"),
    "ceildiv of numbers": (tir.ceildiv(10, 4), "3"),
    "truncmod": (tir.truncmod(7, -2), "1"),
    "if_then_else": (tir.if_then_else(tir.const(True), X, 0), "x"),
    "abs": (tir.abs(tir.const(-3)), "3"),
    "round": (tir.round(tir.const(2.5)), "T.float32(2)"),
    "floor": (tir.floor(tir.const(1.5)), "T.float32(1)"),
}


@pytest.mark.parametrize("name", FOLDED)
def test_operators_fold(name: str) -> None:
    value, text = FOLDED[name]
    assert str(value) == text


def test_equality_is_a_node_and_an_identity() -> None:
    assert X == X
    assert bool(X == Y) is False
    assert X != Y
    assert not bool(X == 3)
    assert str(X == 3) == "x == 3"
    assert str(tir.all(X == 3, Y != 4)) == "x == 3 and y != 4"
    assert [Y, X].index(X) == 1
    assert X not in [Y, X + 0 + 1]
    assert {X: 1}[X] == 1
    assert len({X, X, tir.Var("x", "int32")}) == 2


def test_constants_are_compared_by_value() -> None:
    three = tir.IntImm("int32", 3)
    assert three == 3
    assert three == tir.IntImm("int64", 3)
    assert three != 4
    assert bool(three == "3") is False
    assert [three, tir.const(4)] == [3, 4]
    assert tir.StringImm("a") == "a"
    assert tir.StringImm("a") != tir.StringImm("b")
    assert three
    assert not tir.IntImm("int32", 0)


REFUSED: dict[str, Callable[[], object]] = {"if": lambda: bool(X < 3), "and": lambda: (X < 3) and (Y < 3)}


@pytest.mark.parametrize("name", REFUSED)
def test_comparisons_have_no_truth(name: str) -> None:
    with pytest.raises(ExprAsBool):
        REFUSED[name]()


def test_one_operand_is_no_extreme() -> None:
    with pytest.raises(WrongArgumentCount):
        tir.max(X)
    assert isinstance(tir.min(X, Y), Expr)
