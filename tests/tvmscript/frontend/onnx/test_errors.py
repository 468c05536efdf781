"""Errors of the importer that need no ONNX model."""

from __future__ import annotations

import sys

import pytest

from tvmscript.frontend.errors import MissingLibrary
from tvmscript.frontend.onnx.errors import RuntimeBranch, UnknownInput
from tvmscript.frontend.onnx.node import Node
from tvmscript.relax.frontend.onnx import from_onnx


def test_the_library_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingLibrary, match="from_onnx needs onnx: pip install onnx"):
        from_onnx("model.onnx")


def test_values_of_run_time_are_named() -> None:
    node = Node("TopK", "top", "", 11, (), (), ("y",))
    assert node.place == "TopK node 'top'"
    assert "TopK node 'top' needs the value of k at import" in str(UnknownInput(place=node.place, name="k"))
    assert "If node 'a' branches at run time" in str(RuntimeBranch(place="If node 'a'"))


def test_attributes_and_axes_are_checked() -> None:
    node = Node("Softmax", "s", "", 13, (), (), ("y",), {"axis": 3})
    assert "Softmax node 's': the axis 3 is none of 2 dimensions" in str(
        _error(lambda: node.axis(node.integer("axis"), 2))
    )
    assert "it has no attribute kernel_shape" in str(_error(lambda: node.integers("kernel_shape")))
    assert "its input 0 is missing" in str(_error(lambda: node.tensor(0)))


def _error(call: object) -> Exception:
    with pytest.raises(Exception, match="TS4501") as raised:
        call()  # type: ignore[operator]  # a lambda
    return raised.value
