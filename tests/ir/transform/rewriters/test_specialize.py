"""`PrimFunc.specialize`: the results are those of TVM 0.27, where it takes the same."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

from tvmscript import tir
from tvmscript.backends import interp
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.errors import CannotSpecialize
from tvmscript.ir.transform.rewriters import specialize
from tvmscript.parser import from_source

KERNEL = """
@T.prim_func
def double(a: T.handle, b: T.handle, m: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (m, n), "float32")
    B = T.match_buffer(b, (m, n * 2), "float32")
    for i, j in T.grid(m, n):
        B[i, j + n] = A[i, j] * T.float32(2)
"""
FIXED = """
@T.prim_func
def double(A: T.Buffer((16, 32), "float32"), B: T.Buffer((16, 64), "float32")):
    for i, j in T.grid(16, 32):
        B[i, j + 32] = A[i, j] * T.float32(2)
"""
KERNELS = {
    "m": """
@T.prim_func
def double(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (4, n), "float32")
    B = T.match_buffer(b, (4, n * 2), "float32")
    for i, j in T.grid(4, n):
        B[i, j + n] = A[i, j] * T.float32(2)
""",
    "n": """
@T.prim_func
def double(a: T.handle, b: T.handle, m: T.int32):
    A = T.match_buffer(a, (m, 4), "float32")
    B = T.match_buffer(b, (m, 8), "float32")
    for i, j in T.grid(m, 4):
        B[i, j + 4] = A[i, j] * T.float32(2)
""",
}


def array(*shape: int, dtype: str = "float32") -> tir.Buffer:
    return tir.decl_buffer(shape, dtype)


@pytest.fixture
def double() -> PrimFunc:
    made: PrimFunc = from_source(KERNEL)
    return made


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("value", [4, tir.IntImm("int32", 4), tir.IntImm("int64", 4)], ids=["int", "int32", "int64"])
def test_sizes(double: PrimFunc, name: str, is_named: bool, value: Any) -> None:
    """A size of a shape is no parameter in TVM; here it is taken all the same."""
    variable = {"m": double.params[2], "n": double.buffer_map[double.params[0]].shape[1]}[name]
    assert isinstance(variable, tir.Var)
    assert_structural_equal(double.specialize({name if is_named else variable: value}), from_source(KERNELS[name]))


def test_buffers(double: PrimFunc) -> None:
    a, b, m = double.params
    expected: PrimFunc = from_source(FIXED)
    assert_structural_equal(double.specialize({a: array(16, 32)}), expected)
    assert_structural_equal(double.specialize({double.buffer_map[a]: array(16, 32)}), expected)
    assert_structural_equal(double.specialize({"A": array(16, 32)}), expected)
    # n * 2 is compared once n is known; TVM refuses it
    assert_structural_equal(double.specialize({b: array(16, 64), a: array(16, 32), m: 16}), expected)


def test_values_are_kept(double: PrimFunc) -> None:
    given = np.arange(16 * 32, dtype="float32").reshape(16, 32)
    results = []
    for func, rest in ((double, [16]), (double.specialize({"A": array(16, 32)}), [])):
        made = np.zeros((16, 64), "float32")
        interp.build(IRModule({"main": func}))["main"](given, made, *rest)
        results.append(made)
    for made in results:
        assert np.array_equal(made[:, 32:], given * 2)


def test_strides_and_offsets() -> None:
    func: PrimFunc = from_source("""
@T.prim_func
def f(a: T.handle):
    s, o = T.int32(), T.int32()
    A = T.match_buffer(a, (8, 8), strides=(s, 1), elem_offset=o)
    A[0, 0] = T.float32(1)
""")
    layout = tir.decl_buffer((8, 8), "float32", strides=(16, 1), elem_offset=4)
    expected = from_source("""
@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (8, 8), strides=(16, 1), elem_offset=4)
    A[0, 0] = T.float32(1)
""")
    assert_structural_equal(func.specialize({"A": layout}), expected)


def test_nothing_is_known(double: PrimFunc) -> None:
    m = double.params[2]
    assert double.specialize({}) is double
    assert double.specialize({m: m}) is double


REFUSED: dict[str, tuple[dict[Any, Any], str]] = {
    "another dtype": ({"A": array(16, 32, dtype="int8")}, "for A: its dtype is float32, got int8"),
    "another rank": ({"A": array(16)}, "for A: its rank is 2, got 1"),
    "no parameter": ({tir.Var("z", "int32"): 3}, "for z: expected a parameter or a size of its shape"),
    "no name": ({"z": 3}, "for z: expected a parameter or a size of its shape"),
    "a number for a buffer": ({"A": 3}, "for A: the parameter is not a scalar"),
    "a buffer for a number": ({"m": array(3)}, "for m: the parameter is not a buffer"),
    "a float": ({"m": tir.FloatImm("float32", 1)}, "for m: m is int32, but its value is float32"),
    "too large": ({"m": tir.IntImm("int64", 2**40)}, "does not fit in int32"),
    "two values": ({"A": array(16, 32), "m": 17}, "for m: m is bound to both 16 and 17"),
    "two shapes": ({"A": array(16, 32), "B": array(17, 64)}, "for B: m is bound to both 16 and 17"),
    "an extent that is computed": ({"A": array(16, 32), "B": array(16, 32)}, "for B: n * 2 must be 32"),
    "an extent that nothing tells": ({"B": array(16, 32)}, "for B: n * 2 must be 32"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(double: PrimFunc, name: str) -> None:
    given, words = REFUSED[name]
    with pytest.raises(CannotSpecialize) as caught:
        double.specialize(given)
    assert caught.value.code == "TS4048"
    assert words in caught.value.text


def test_example() -> None:
    assert doctest.testmod(specialize).attempted == 3
    assert doctest.testmod(specialize).failed == 0


def test_names_that_several_have() -> None:
    n, other = tir.Var("n", "int32"), tir.Var("n", INT32)
    func = tir.PrimFunc((n, other), tir.Evaluate(n + other))
    with pytest.raises(CannotSpecialize, match="the name is ambiguous"):
        func.specialize({"n": 3})
    assert func.specialize({n: 3}).params == (other,)
