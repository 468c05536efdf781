"""Parts of programs read back: every expression and every statement of a random program, on its own."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IterVar, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing.strategies import block_funcs, exprs, prim_funcs
from tvmscript.testing.strategies.expressions import SCALARS

#: what stands on its own; MatchBufferRegion and types have cases of their own
PARTS = (Expr, Stmt, Buffer, BufferRegion, Range, IterVar)


def assert_reads_back(part: Node) -> None:
    """Both laws for a part of a program, whose free names are its own."""
    text = part.script(verbose_expr=True)
    again = tvmscript.from_source(text)
    assert_structural_equal(part, again, map_free_vars=True)
    assert again.script(verbose_expr=True) == text


def parts(func: PrimFunc) -> list[Node]:
    return [item for item in nodes(func) if isinstance(item, PARTS)]


@settings(max_examples=60)
@given(prim_funcs())
def test_parts_of_functions(func: PrimFunc) -> None:
    for part in parts(func):
        assert_reads_back(part)


@settings(max_examples=25)
@given(block_funcs())
def test_parts_of_blocks(func: PrimFunc) -> None:
    for part in parts(func):
        assert_reads_back(part)


@settings(max_examples=60)
@given(st.sampled_from([d.with_lanes(n) for d in SCALARS for n in (1, 4)]).flatmap(lambda dtype: exprs(dtype)))
def test_parts_of_expressions(expr: Expr) -> None:
    for part in nodes(expr):
        assert_reads_back(part)
