"""With every value of the printer's options the text reads back to the same program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.strategies import block_funcs, prim_funcs

CASES = sorted((Path(__file__).parents[1] / "cases" / "printer").rglob("*.py"))

OPTIONS: list[dict[str, Any]] = [
    {"name": "other"},
    {"tir_prefix": "tt", "ir_prefix": "ii"},
    {"tir_prefix": "I", "ir_prefix": "T"},
    {"module_alias": ""},
    {"buffer_dtype": "int8"},
    {"int_dtype": "int64"},
    {"int_dtype": "uint8"},
    {"float_dtype": "float32"},
    {"float_dtype": "float64"},
    {"float_dtype": "float16", "int_dtype": "int8", "buffer_dtype": "bool", "tir_prefix": "tir"},
    {"verbose_expr": True},
    {"indent_spaces": 1},
    {"syntax_sugar": False},
    {"show_object_address": True},
    {"comments": False},
    {"print_line_numbers": True},
]


def assert_reads_back(program: Any, options: dict[str, Any]) -> None:
    again = tvmscript.from_source(program.script(**options), check_well_formed=False)
    if "name" in options and isinstance(program, PrimFunc) and "global_symbol" in program.attrs:
        again = again.with_attr("global_symbol", program.attrs["global_symbol"])
    assert_structural_equal(program, again, map_free_vars=True)


def option_id(options: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in options.items())


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_cases(options: dict[str, Any]) -> None:
    for path in CASES:
        assert_reads_back(tvmscript.from_source(path.read_text(), check_well_formed=False), options)


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_random_functions(options: dict[str, Any]) -> None:
    @settings(max_examples=8)
    @given(prim_funcs())
    def check(func: PrimFunc) -> None:
        assert_reads_back(func, options)

    check()


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_random_blocks(options: dict[str, Any]) -> None:
    @settings(max_examples=3)
    @given(block_funcs())
    def check(func: PrimFunc) -> None:
        assert_reads_back(func, options)

    check()


@pytest.mark.parametrize("options", OPTIONS, ids=option_id)
def test_random_graphs(options: dict[str, Any]) -> None:
    """Sizes are int64 whatever the option says (found by `tvmscript fuzz printer`)."""

    @settings(max_examples=4)
    @given(graph_modules(4))
    def check(module: IRModule) -> None:
        assert_reads_back(module, options)

    check()


@pytest.mark.parametrize("options", [{"int_dtype": "int64"}, {"int_dtype": "int8"}, {"float_dtype": "float64"}])
def test_numbers_of_graphs(options: dict[str, Any]) -> None:
    text = """
@I.ir_module
class Module:
    @T.prim_func
    def scale(A: T.Buffer((2,), "float64")):
        A[0] = A[T.int64(1)] * T.float64(2.5)

    @R.function
    def main(x: R.Tensor((2, "n"), dtype="float32"), y: R.Shape([3, 4])):
        R.func_attr({"size": T.int64(4), "share": T.float64(0.5)})
        n = T.int64()
        a = R.prim_value(T.float64(3))
        z = R.add(R.zeros((2, n * 2), "float32"), R.const(0.5, "float32"))
        return (a, z)
"""
    assert_reads_back(tvmscript.from_source(text), options)
