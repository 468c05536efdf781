"""Errors of importing models name what they are about."""

from __future__ import annotations

from tvmscript.frontend.errors import InvalidModel, MissingLibrary, UnsupportedOperators


def test_all_unsupported_operators_are_named() -> None:
    error = UnsupportedOperators.of("onnx", {"Foo": ["node a", "node b"], "Bar": []})
    assert "onnx cannot convert 2 operators: Foo (node a, node b); Bar (no place)" in str(error)
    assert "torch cannot convert 1 operator: f (x)" in str(UnsupportedOperators.of("torch", {"f": ["x"]}))


def test_places_and_libraries() -> None:
    assert "onnx: node a: a cycle" in str(InvalidModel(source="onnx", place="node a", reason="a cycle"))
    assert "pip install onnx" in str(MissingLibrary(what="onnx.from_onnx", library="onnx"))
