"""Errors of importing models name what they are about."""

from __future__ import annotations

import re

import pytest

from tvmscript.frontend.errors import InvalidModel, MissingLibrary, UnsupportedOperators


@pytest.mark.parametrize(
    ("operators", "message"),
    [
        (
            [("Foo", "node a"), ("Bar", "node c"), ("Foo", "node b")],
            "onnx cannot convert 2 operators: Foo (node a, node b); Bar (node c)",
        ),
        ([("f", "x")], "onnx cannot convert 1 operator: f (x)"),
    ],
)
def test_all_unsupported_operators_are_named(operators: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(UnsupportedOperators, match=re.escape(message)):
        UnsupportedOperators.check("onnx", operators)
    UnsupportedOperators.check("onnx", [])


def test_places_and_libraries() -> None:
    assert "onnx: node a: a cycle" in str(InvalidModel(source="onnx", place="node a", reason="a cycle"))
    assert "pip install onnx" in str(MissingLibrary(what="onnx.from_onnx", library="onnx"))
