"""Operands that compute operators themselves: on which side they stand, and what they do not take."""

from __future__ import annotations

import pytest

from tvmscript.parser.python.script_values import ScriptValue


class Noting(ScriptValue):
    __slots__ = ()

    def apply(self, symbol: str, other: object, is_left: bool) -> object:
        if other is None:
            raise TypeError(symbol)
        return symbol, other, is_left


def test_sides() -> None:
    value = Noting()
    assert (value + 1, 1 + value) == (("+", 1, True), ("+", 1, False))
    assert (value @ 1, 1 @ value) == (("@", 1, True), ("@", 1, False))


def test_refused() -> None:
    with pytest.raises(TypeError):
        _ = Noting() + None
    with pytest.raises(NotImplementedError):
        _ = ScriptValue() @ 1
