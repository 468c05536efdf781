"""Accesses of blocks, against all accesses that Python counts by running the loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, BufferRegion, FloorDiv, FloorMod, IntImm, Max, Min, Mul, Sub, Var
from tvmscript.ir.tir.stmt import Block, BlockRealize

OPERATORS: dict[type, Callable[[int, int], int]] = {
    Add: lambda a, b: a + b,
    Sub: lambda a, b: a - b,
    Mul: lambda a, b: a * b,
    FloorDiv: lambda a, b: a // b,
    FloorMod: lambda a, b: a % b,
    Min: min,
    Max: max,
}


def value(expr: Expr, env: dict[str, int]) -> int:
    """What an index is, by Python's integers."""
    if isinstance(expr, IntImm):
        return expr.value
    if isinstance(expr, Var):
        return env[expr.name]
    node: Any = expr
    return OPERATORS[type(expr)](value(node.a, env), value(node.b, env))


def inner_block(text: str) -> Block:
    """The only block of a function, below its root."""
    node: Any = tvmscript.from_source(text).body
    while not (isinstance(node, BlockRealize) and node.block.name_hint == "x"):
        node = node.block.body if isinstance(node, BlockRealize) else node.body
    return node.block


def function(body: str, loops: str = "for j in range(4):\n                for k in range(3):") -> str:
    return (
        '@T.prim_func\ndef f(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32"), n: T.int32):\n'
        "    for i in range(8):\n"
        '        with T.block("x"):\n'
        "            v = T.axis.spatial(8, i)\n"
        f"            {loops}\n"
        f"                    {body}\n"
    )


def bounds(region: BufferRegion, env: dict[str, int]) -> tuple[int, int]:
    (part,) = region.region
    low = value(part.min, env)
    return low, low + value(part.extent, env) - 1


affine = st.tuples(*[st.integers(-9, 9)] * 3, st.integers(200, 400))


@settings(max_examples=150)
@given(affine)
def test_affine_indices_are_exact(factors: tuple[int, int, int, int]) -> None:
    a, b, c, d = factors
    index = f"v * {a} + j * {b} + k * {c} + {d}"
    block = inner_block(function(f"A[{index}] = 1.0"))
    for v in range(8):
        touched = [v * a + j * b + k * c + d for j, k in itertools.product(range(4), range(3))]
        assert bounds(block.writes[0], {"v": v}) == (min(touched), max(touched))


@settings(max_examples=100)
@given(affine, st.integers(1, 12), st.sampled_from(["//", "%"]))
def test_divisions_are_contained(factors: tuple[int, int, int, int], divisor: int, operator: str) -> None:
    a, b, c, d = factors
    block = inner_block(function(f"A[(v * {a} + j * {b} + k * {c} + {d}) {operator} {divisor}] = 1.0"))
    for v in range(8):
        low, high = bounds(block.writes[0], {"v": v})
        for j, k in itertools.product(range(4), range(3)):
            inside = v * a + j * b + k * c + d
            assert low <= (inside // divisor if operator == "//" else inside % divisor) <= high


@settings(max_examples=60)
@given(affine, affine)
def test_two_accesses_are_joined(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> None:
    (a, b, _, d), (_, f, g, h) = first, second
    block = inner_block(function(f"A[0] = B[v * {a} + j * {b} + {d}] + B[v * {a} + j * {f} + k * {g} + {h}]"))
    assert [region.buffer.name for region in block.reads] == ["B"]
    for v in range(8):
        touched = [v * a + j * b + d for j in range(4)]
        touched += [v * a + j * f + k * g + h for j, k in itertools.product(range(4), range(3))]
        assert bounds(block.reads[0], {"v": v}) == (min(touched), max(touched))


def test_conditions_narrow_the_loops() -> None:
    block = inner_block(function("A[j] = T.if_then_else(j < 2 and not k < 1, B[j * 10 + k], B[100])"))
    (region,) = block.reads
    assert bounds(region, {}) == (1, 100)
    (written,) = block.writes
    assert bounds(written, {}) == (0, 3)


def test_unknown_indices_take_the_whole_dimension() -> None:
    block = inner_block(function('A[T.Cast("int32", B[v])] = 1.0'))
    assert bounds(block.writes[0], {"v": 0}) == (0, 4095)


@pytest.mark.parametrize(
    ("index", "region"),
    [
        ("L[v]", "A[L[v]]"),
        ("L[v] + 1", "A[L[v] + 1]"),
        ("L[j]", "A[0:4096]"),
        ('T.Cast("int32", J[v])', 'A[T.Cast("int32", J[v])]'),
        ("T.truncmod(v, 3)", "A[T.truncmod(v, 3)]"),
        ("T.truncmod(j, 3)", "A[0:4096]"),
        ("T.truncdiv(j, 2)", "A[0:2]"),
    ],
)
def test_what_no_loop_inside_changes_is_one_element(index: str, region: str) -> None:
    """As in TVM 0.17."""
    parameters = 'n: T.int32, L: T.Buffer((8,), "int32"), J: T.Buffer((8,), "int64")'
    block = inner_block(function(f"B[v] = A[{index}]").replace("n: T.int32", parameters))
    assert str(block.reads[0]) == region


def test_own_buffers_do_not_count() -> None:
    text = function("A[v] = 1.0").replace(
        "            for j", "            C = T.alloc_buffer((4,))\n            C[0] = A[v]\n            for j"
    )
    block = inner_block(text)
    assert [region.buffer.name for region in block.reads] == ["A"]
    assert [region.buffer.name for region in block.writes] == ["A"]


def test_addresses_are_refused() -> None:
    with pytest.raises(DiagnosticError, match="the address of A"):
        inner_block(function("T.evaluate(A.data)"))
