"""Random expressions over floats of every width: compiled code and the interpreter agree bit by bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.llvm.kernels import both, differences, elementwise, samples
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.intrin import SURFACE as T
from tvmscript.ir.tir.operators import const

KINDS = [DType(name) for name in ("float16", "bfloat16", "float32", "float64", "int32", "uint8")]
ROWS = 48
BINARY = [tir.Add, tir.Sub, tir.Mul, tir.Min, tir.Max]
ROUNDINGS = ["floor", "ceil", "trunc", "round", "nearbyint"]


def splat(value: Expr, lanes: int) -> Expr:
    return value if lanes == 1 else tir.Broadcast(value, lanes)


@st.composite
def expressions(draw: st.DrawFn, inputs: list[Expr], kind: DType, depth: int) -> Expr:
    """An expression of one dtype, with as many lanes as the inputs."""
    lanes = inputs[0].dtype.lanes
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if draw(st.booleans()):
            return next(value for value in inputs if value.dtype.element is kind)
        number = draw(st.floats(-16, 16, width=16)) if kind.is_floating else draw(st.integers(0, 99))
        return splat(const(number, kind), lanes)
    a = draw(expressions(inputs, kind, depth - 1))
    what = draw(st.sampled_from(["binary", "binary", "cast", "select", "divide", "round", "sqrt"]))
    if what == "cast":
        other = draw(expressions(inputs, draw(st.sampled_from(KINDS)), depth - 1))
        return tir.Cast(kind.with_lanes(lanes), other)
    if what == "round" and kind.is_floating:
        rounded: Expr = T[draw(st.sampled_from(ROUNDINGS))](a)
        return rounded
    if what == "sqrt" and kind.is_floating:
        root: Expr = T["sqrt"](T["abs"](a))
        return root
    b = draw(expressions(inputs, kind, depth - 1))
    if what == "select":
        return tir.Select(tir.LT(a, b), b, a)
    if what == "divide" and kind.is_floating and kind != "bfloat16":
        return draw(st.sampled_from([tir.Div, tir.FloorDiv, tir.FloorMod, tir.Mod]))(a, b)
    return draw(st.sampled_from(BINARY))(a, b)


@settings(max_examples=40)
@given(st.data())
def test_same_as_the_interpreter(data: st.DataObject) -> None:
    """Six outputs per example, one of each dtype, in 48 rows; with 1, 4 or 3 lanes."""
    lanes = data.draw(st.sampled_from([1, 4, 3]))
    seed = data.draw(st.integers(0, 2**32 - 1))
    inputs = [samples(kind, ROWS, seed + k) for k, kind in enumerate(KINDS)]

    def make(kind: DType) -> object:
        return lambda *loads: data.draw(expressions(list(loads), kind, 4))

    program = elementwise([make(kind) for kind in KINDS], KINDS, ROWS, lanes)  # type: ignore[misc]  # makers of Expr
    with np.errstate(all="ignore"):
        compiled, interpreted = both(program, inputs)
    for kind, got, want in zip(KINDS, compiled, interpreted, strict=True):
        wrong = differences(got, want, kind)
        assert not len(wrong), (kind, got[wrong[:4]], want[wrong[:4]])
