"""What is printed reads back: to an equal program, with the same variables, and prints the same again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.testing.strategies import block_funcs, exprs, prim_funcs
from tvmscript.testing.strategies.expressions import SCALARS


def assert_reads_back(program: PrimFunc | IRModule) -> None:
    """Both laws: read(print(x)) is x, print(read(print(x))) is print(x)."""
    text = program.script()
    again = tvmscript.from_source(text, check_well_formed=False)
    assert_structural_equal(program, again)
    assert again.script() == text


def function(body: Stmt) -> PrimFunc:
    return PrimFunc((), body, None, {}, {"global_symbol": "f"})


@settings(max_examples=400)
@given(prim_funcs())
def test_functions(func: PrimFunc) -> None:
    assert_reads_back(func)


@settings(max_examples=400)
@given(st.sampled_from(SCALARS).flatmap(lambda dtype: exprs(dtype, depth=4)))
def test_expressions(expr: Expr) -> None:
    assert_reads_back(function(Evaluate(expr)))


@settings(max_examples=150)
@given(st.sampled_from([d.with_lanes(n) for d in SCALARS for n in (2, 4, 3)]).flatmap(lambda dtype: exprs(dtype)))
def test_vectors(expr: Expr) -> None:
    assert_reads_back(function(Evaluate(expr)))


@settings(max_examples=100)
@given(block_funcs())
def test_blocks(func: PrimFunc) -> None:
    assert_reads_back(func)


@settings(max_examples=50)
@given(prim_funcs(depth=1), prim_funcs(depth=1))
def test_modules(first: PrimFunc, second: PrimFunc) -> None:
    functions: dict[GlobalVar, BaseFunc] = {
        GlobalVar("f"): first.with_attr("global_symbol", "f"),
        GlobalVar("g"): second.without_attr("global_symbol"),
    }
    assert_reads_back(IRModule(functions, {"version": 1}))


def test_dtypes_are_all_there() -> None:
    assert {dtype.code for dtype in SCALARS} >= {"int", "uint", "float", "bfloat", DType("e4m3_float8").code}
