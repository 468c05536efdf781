"""What the import does where torch is not installed."""

from __future__ import annotations

import sys

import pytest

from tvmscript.frontend.errors import MissingLibrary
from tvmscript.frontend.torch import graph
from tvmscript.frontend.torch.protocols import torch_library
from tvmscript.frontend.torch.registry import CONVERTERS, find
from tvmscript.frontend.torch.values import promote_dtypes


def test_torch_is_asked_for_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingLibrary, match="pip install torch"):
        torch_library()


def test_one_converter_serves_the_names_of_all_sources() -> None:
    assert graph.FAMILIES
    assert find("softmax.int") == find("softmax") == (CONVERTERS["softmax"], False)
    assert find("add_.Tensor") == find("iadd") == (CONVERTERS["add"], True)
    assert find("__iand__") == (CONVERTERS["bitwise_and"], True)
    assert find("__and__.Tensor") == (CONVERTERS["bitwise_and"], False)
    assert find("no_such_operator") is None


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        ("int32", "float16", "float16"),
        ("float16", "bfloat16", "float32"),
        ("uint8", "int8", "int16"),
        ("bool", "uint8", "uint8"),
        ("int64", "int32", "int64"),
        ("uint8", "int32", "int32"),
    ],
)
def test_common_dtypes_are_those_of_torch(a: str, b: str, common: str) -> None:
    assert promote_dtypes(a, b) == promote_dtypes(b, a) == common
