"""Macros of the graph level: what they give, where they may stand, in text and in decorated Python."""

from __future__ import annotations

import re
from typing import Annotated

import pytest

import tvmscript
from tvmscript import R
from tvmscript.ir.relax.expr import DataflowBlock, DataflowVar
from tvmscript.parser.names.namespace import OutsideOfKernel

X = 'x: R.Tensor((4,), "float32")'


def body(text: str) -> list[str]:
    printed: str = tvmscript.from_source(text).script()
    lines = printed.split("def main", 1)[1].split("\n")[1:]
    return [re.sub(r": R\.\w+\(.*\) =", " =", line.strip()) for line in lines]


def test_a_macro_that_returns_nothing_is_a_statement() -> None:
    assert body(
        f"@R.macro\ndef told(x):\n    R.print(x, format='{{}}')\n"
        f"@R.function(pure=False)\ndef main({X}):\n    told(x)\n    return x\n"
    ) == ['R.print(x, format=R.str("{}"))', "return x"]


def test_several_values() -> None:
    assert body(
        "@R.macro\ndef both(x):\n    return R.exp(x), x\n"
        f"@R.function\ndef main({X}):\n    y = both(x)\n    return y[1]\n"
    ) == ["gv = R.exp(x)", "y = gv, x", "gv2 = y[1]", "return gv2"]


def test_in_a_dataflow_block_the_bindings_are_part_of_it() -> None:
    func = tvmscript.from_source(
        f"@R.macro\ndef m(x):\n    y = R.exp(x)\n    return R.add(y, y)\n"
        f"@R.function\ndef main({X}):\n    with R.dataflow():\n        a = m(x)\n        R.output(a)\n    return a\n"
    )
    (block,) = func.body.blocks
    assert isinstance(block, DataflowBlock)
    names = [(item.var.name_hint, type(item.var) is DataflowVar) for item in block.bindings]  # type: ignore[attr-defined]
    assert names == [("y", True), ("lv1", True), ("a", False)]


def test_macros_of_modules_and_inside_of_functions() -> None:
    assert body(
        "@I.ir_module\nclass Module:\n    @R.macro\n    def m(x):\n        return R.exp(x)\n"
        f"    @R.function\n    def main({X}):\n        @R.macro\n        def n(y):\n            return R.add(x, y)\n"
        "        return n(m(x))\n"
    ) == ["gv = R.exp(x)", "gv1 = gv", "gv2 = R.add(x, gv1)", "gv3 = gv2", "return gv3"]


def test_an_error_tells_where_the_macro_was_called() -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(
            f"@R.macro\ndef m(x):\n    return R.foo(x)\n@R.function\ndef main({X}):\n"
            "    y = m(x)\n    z = R.exp(y)\n    return R.bar(x)\n"
        )
    assert [(error.code, error.line) for error in caught.value.errors] == [("TS2004", 3), ("TS2004", 8)]
    assert "in the macro m, which is called here" in caught.value.render()


def test_a_macro_that_calls_itself_ends() -> None:
    with pytest.raises(tvmscript.DiagnosticError):
        tvmscript.from_source(f"@R.macro\ndef m(x):\n    return m(x)\n@R.function\ndef main({X}):\n    return m(x)\n")


@R.macro
def twice(x: R.Tensor) -> R.Expr:
    return R.add(x, x)


def test_decorated_python() -> None:
    @R.function
    def main(x: Annotated[R.Tensor, (4,), "float32"]) -> R.Object:
        return twice(x)

    assert [type(item.value).__name__ for item in main.body.blocks[0].bindings] == ["Call", "Var"]  # type: ignore[attr-defined]
    with pytest.raises(OutsideOfKernel):
        twice(R.exp)  # type: ignore[arg-type]
