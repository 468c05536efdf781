"""What occurs in a function, and what a pass does that looks for it."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.fuzz.passes.programs import make, programs
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Add, BufferLoad, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, For, ForKind, IfThenElse
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.function_features import features, statement_features
from tvmscript.ir.transform.registry import pass_class, pass_modules

PROGRAM: Any = tvmscript.from_source(
    """@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), n: T.int64):
    for i in T.parallel(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.block_attr({"mark": 1})
            S = T.alloc_buffer((16,), "float16", scope="shared")
            if n + T.Cast("int64", vi) < T.int64(4):
                S[vi] = T.exp(T.Cast("float16", A[vi]))
"""
)


def test_of_statements_and_values() -> None:
    found = features(PROGRAM)
    assert {For, Block, IfThenElse, Add, BufferLoad, ForKind.PARALLEL, "mark", "shared"} <= found
    assert {"tir.exp", "bfloat16", "float16", "int64"} <= found
    assert found.isdisjoint({Select, ForKind.VECTORIZED, "tir.log", "float32"})
    assert features(PROGRAM) is found


def test_of_statements_alone() -> None:
    found = statement_features(PROGRAM)
    assert {For, Block, IfThenElse, ForKind.PARALLEL, "mark", "shared"} <= found
    assert found.isdisjoint({Add, BufferLoad, "tir.exp"})
    assert found <= features(PROGRAM)
    assert {cls for cls in found if isinstance(cls, type)} == {
        type(node) for node in _all_statements(PROGRAM)
    }  # fmt: skip


def _all_statements(func: PrimFunc) -> list[Stmt]:
    return [node for node in nodes(func.body) if isinstance(node, Stmt)]


#: on their way they take choices that are decided, where there is anything to do
DECIDING = {"tir.InjectPermutedLayout", "tir.LowerAsyncDMA"}
LOOKING = [
    name
    for name in pass_modules()
    if name not in DECIDING
    and issubclass(cls := pass_class(name), PrimFuncPass)
    and (cls.looks_for is not None or cls.looks_for_in_values is not None)
]


@pytest.mark.parametrize("name", LOOKING)
def test_where_nothing_is_that_a_pass_looks_for_it_has_nothing_to_do(name: str) -> None:
    """What it looks for is enough: the pass itself would change nothing either."""
    one: Any = make(name)
    for module in programs(name, range(8)):
        for func in module.functions.values():
            looked = one.looks_for or frozenset()
            looked_inside = one.looks_for_in_values or frozenset()
            if isinstance(func, PrimFunc) and features(func).isdisjoint(looked | looked_inside):
                assert _is_left(one, func)


def _is_left(one: Any, func: PrimFunc) -> bool:
    """Whether the pass leaves the function as it is, or refuses it."""
    try:
        return structural_equal(one.transform(func), func)
    except IRError:
        return True
