"""Constants read back with every bit, in each dialect, wherever a constant can stand."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.values.nan import nan_from_bits
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Broadcast, Cast, FloatImm, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AttrStmt, Evaluate

PLAIN = tvmscript.from_source("@T.prim_func\ndef f():\n    T.evaluate(0)\n")

#: place of a constant -> a function with the constant there
PLACES = {
    "statement": lambda item: PLAIN.replace(body=Evaluate(item)),
    "attribute": lambda item: PLAIN.with_attr("k", item),
    "nested attribute": lambda item: PLAIN.with_attr("k", {"a": [item, {"b": item}]}),
    "attribute of a statement": lambda item: PLAIN.replace(body=AttrStmt("n", "k", item, Evaluate(item))),
    "vector": lambda item: PLAIN.replace(body=Evaluate(Broadcast(item, 4))),
}
#: dtype -> bits of the exponent, bits of the fraction
FLOATS = {"float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52)}


@st.composite
def integers(draw: st.DrawFn) -> Expr:
    bits = draw(st.sampled_from([8, 16, 32, 64]))
    if draw(st.booleans()):
        edges = [0, 1, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1]
        value = draw(st.one_of(st.sampled_from(edges), st.integers(0, (1 << bits) - 1)))
        return IntImm(f"uint{bits}", value)
    top = 1 << bits - 1
    return IntImm(f"int{bits}", draw(st.one_of(st.sampled_from([-top, -1, 0, top - 1]), st.integers(-top, top - 1))))


@st.composite
def nans(draw: st.DrawFn) -> Expr:
    name = draw(st.sampled_from(sorted(FLOATS)))
    exponent, fraction = FLOATS[name]
    payload = draw(st.one_of(st.sampled_from([1, 1 << fraction - 1]), st.integers(1, (1 << fraction) - 1)))
    bits = draw(st.integers(0, 1)) << (exponent + fraction) | ((1 << exponent) - 1) << fraction | payload
    value = nan_from_bits(DType(name), bits)
    assert value is not None
    return FloatImm(name, value)


@st.composite
def floats(draw: st.DrawFn) -> Expr:
    if draw(st.booleans()):
        return FloatImm("float64", draw(st.floats(allow_nan=False)))
    return FloatImm("float32", draw(st.floats(allow_nan=False, width=32)))


@st.composite
def casts(draw: st.DrawFn) -> Expr:
    return Cast(draw(st.sampled_from(["uint64", "int64", "float32"])), draw(integers()))


def bits_of(item: object) -> list[bytes]:
    """The bits of all constants of floats in an expression."""
    return [struct.pack("<d", item.value)] if isinstance(item, FloatImm) else []


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dialect", ["0.17", "0.27"])
@settings(max_examples=60)
@given(item=st.one_of(integers(), nans(), floats(), casts()))
def test_constants_read_back(dialect: str, place: str, item: Expr) -> None:
    func = PLACES[place](item)
    again = tvmscript.from_source(func.script(dialect=dialect))
    assert isinstance(again, PrimFunc)
    assert_structural_equal(func, again)
    if place == "statement":
        assert isinstance(again.body, Evaluate)
        assert bits_of(again.body.value) == bits_of(item)
