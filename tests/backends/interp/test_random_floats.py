"""Random expressions over floats: the interpreter rounds each operation as NumPy does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.backends import interp
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import Add, Cast, Div, Max, Min, Mul, Select, Sub, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin import SURFACE as T
from tvmscript.ir.tir.operators import const, lt
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, seq

ROWS = 32
Pair = tuple[Expr, Any]

OPERATORS: list[tuple[type[Any], Callable[[Any, Any], Any]]] = [
    (Add, np.add),
    (Sub, np.subtract),
    (Mul, np.multiply),
    (Div, np.divide),
    (Min, lambda a, b: np.where(a < b, a, b)),
    (Max, lambda a, b: np.where(a > b, a, b)),
]


@st.composite
def expressions(draw: st.DrawFn, leaves: list[Pair], dtype: str, depth: int) -> Pair:
    """An expression and its values in NumPy, in every row."""
    same = [pair for pair in leaves if pair[0].dtype == dtype]
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if draw(st.booleans()):
            return draw(st.sampled_from(same))
        value = draw(st.floats(-8, 8, width=16))
        return const(value, dtype), np.full(ROWS, value, dtype)
    a, left = draw(expressions(leaves, dtype, depth - 1))
    kind = draw(st.sampled_from(["binary", "binary", "binary", "cast", "select", "call"]))
    if kind == "cast":
        other, values = draw(expressions(leaves, draw(st.sampled_from(["float16", "float32", "float64"])), depth - 1))
        return Cast(dtype, other), values.astype(dtype)
    if kind == "call":
        name, function = draw(st.sampled_from([("sqrt", np.sqrt), ("floor", np.floor), ("abs", np.abs)]))
        return T[name](a), function(left)
    b, right = draw(expressions(leaves, dtype, depth - 1))
    if kind == "select":
        return Select(lt(a, b), b, a), np.where(left < right, right, left)
    operator, peer = draw(st.sampled_from(OPERATORS))
    return operator(a, b), peer(left, right)


@settings(max_examples=60)
@given(st.data())
def test_same_as_numpy(data: st.DataObject) -> None:
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    row = Var("row", "int32")
    rows = const(ROWS, "int32")
    arrays: list[Any] = []
    leaves: list[Pair] = []
    buffers = []
    with np.errstate(all="ignore"):
        for dtype in ("float16", "float32", "float64"):
            values = generator.normal(0, 4, ROWS).astype(dtype)
            values[:4] = [0.0, -0.0, np.inf, np.nan]
            buffers.append(make_buffer((rows,), dtype, f"X_{dtype}"))
            arrays.append(values)
            leaves.append((buffers[-1][row], values))
        wanted = []
        stores = []
        for dtype in ("float16", "float32", "float64"):
            expr, values = data.draw(expressions(leaves, dtype, 5))
            buffers.append(make_buffer((rows,), dtype, f"O_{dtype}"))
            arrays.append(np.zeros(ROWS, dtype))
            stores.append(BufferStore(buffers[-1], expr, (row,)))
            wanted.append(values)
    params = tuple(Var(f"p{k}", "handle") for k in range(len(buffers)))
    body = For(row, const(0, "int32"), rows, ForKind.SERIAL, seq(*stores))
    func = PrimFunc(params, body, None, dict(zip(params, buffers, strict=True)))
    interp.build(func)["main"](*arrays)
    for got, values in zip(arrays[3:], wanted, strict=True):
        assert np.array_equal(got, values, equal_nan=True), func.script()
        assert np.array_equal(np.signbit(got[got == 0]), np.signbit(values[values == 0]))


@pytest.mark.parametrize("name", ["exp", "tanh", "sigmoid", "log"])
def test_single_precision_functions_are_within_half_an_ulp(name: str) -> None:
    """Rounded from double: against the function in longer precision."""
    x = np.linspace(0.01, 20, 500).astype("float32")
    long = x.astype(np.longdouble)
    peers: dict[str, Callable[[Any], Any]] = {
        "exp": np.exp,
        "tanh": np.tanh,
        "log": np.log,
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
    }
    exact = peers[name](long)
    entry = T[name](Var("x", "float32")).op
    got = np.array([entry.reference(float(v)) for v in x]).astype("float32")
    assert np.all(np.abs(got.astype(np.longdouble) - exact) <= np.spacing(np.abs(got)) * 0.5000001)
