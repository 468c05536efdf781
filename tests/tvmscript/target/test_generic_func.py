"""Functions that dispatch on the current target: results as TVM 0.17 gives them."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tvmscript import target
from tvmscript.ir.core import WrongType
from tvmscript.target import Target, generic_func, get_native_generic_func, override_native_generic_func


def test_dispatch() -> None:
    @override_native_generic_func("test.kind")
    def kind(x: int) -> str:
        return f"default {x}"

    @kind.register(["cpu", "interp"])
    def on_cpu(x: int) -> str:
        return f"cpu {x}"

    @kind.register("cuda")
    def _(x: int) -> str:
        return f"cuda {x}"

    assert kind(1) == "default 1"
    with Target("llvm"):
        assert kind(2) == "cpu 2"
    with Target("cuda"):
        assert kind(3) == "cuda 3"
    with Target("opencl"):
        assert kind(4) == "default 4"
    assert get_native_generic_func("test.kind") is kind


def test_refused() -> None:
    kind = get_native_generic_func("test.none")

    def same(x: int) -> int:
        return x

    def negated(x: int) -> int:
        return -x

    with pytest.raises(WrongType):
        kind(1)
    kind.set_default(same)
    kind.register(same, "cpu")
    with pytest.raises(WrongType):
        kind.set_default(same)
    with pytest.raises(WrongType):
        kind.register(same, "cpu")
    kind.register(negated, "cpu", allow_override=True)
    with Target("llvm"):
        assert kind(5) == -5


def test_module_and_function_have_one_name() -> None:
    def successor(x: int) -> int:
        return x + 1

    module: Any = importlib.import_module("tvmscript.target.generic_func")
    assert module(successor)(2) == 3
    assert generic_func(successor)(2) == 3
    assert callable(target.generic_func)
