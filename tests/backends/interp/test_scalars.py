"""Numbers: integers of every width against Python's, floats against NumPy and ml_dtypes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tvmscript.backends.interp.scalars import binary, caster, from_bits, rounder, to_bits, wrapper
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir.expr import Add, BinaryOp, Div, FloorDiv, FloorMod, Max, Min, Mod, Mul, Sub

INTEGERS = ["int1", "int4", "int8", "int13", "int16", "int32", "int64", "uint2", "uint8", "uint32", "uint64", "bool"]
PEERS: dict[str, Any] = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "e4m3_float8": ml_dtypes.float8_e4m3fn,
    "e5m2_float8": ml_dtypes.float8_e5m2,
    "float8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
}


def two_s_complement(value: int, dtype: DType) -> int:
    """The integer that the lowest bits of `value` mean, by arithmetic."""
    value %= 2**dtype.bits
    return value - 2**dtype.bits if dtype.code == "int" and 2 * value >= 2**dtype.bits else value


def numbers(dtype: DType) -> st.SearchStrategy[int]:
    edges = sorted({dtype.min_value, dtype.max_value, 0, max(-1, dtype.min_value), 1 if dtype.max_value else 0})
    return st.sampled_from(edges) | st.integers(dtype.min_value, dtype.max_value)


@pytest.mark.parametrize("name", INTEGERS)
@given(data=st.data())
def test_integer_arithmetic(name: str, data: st.DataObject) -> None:
    dtype = DType(name)
    a, b = data.draw(numbers(dtype)), data.draw(numbers(dtype))
    exact: dict[type[BinaryOp], Any] = {Add: a + b, Sub: a - b, Mul: a * b, Min: min(a, b), Max: max(a, b)}
    if b != 0:
        quotient = math.trunc(Fraction(a, b))
        exact |= {Div: quotient, Mod: a - quotient * b, FloorDiv: math.floor(Fraction(a, b))}
        exact[FloorMod] = a - exact[FloorDiv] * b
    for kind, value in exact.items():
        assert binary(kind, dtype)(a, b) == two_s_complement(value, dtype), kind


@pytest.mark.parametrize("kind", [Div, Mod, FloorDiv, FloorMod])
def test_division_by_zero_is_an_error(kind: type[BinaryOp]) -> None:
    with pytest.raises(ZeroDivisionError):
        binary(kind, DType("int32"))(1, 0)


@given(st.integers(-(2**70), 2**70), st.sampled_from(INTEGERS))
def test_wrap_around(value: int, name: str) -> None:
    assert wrapper(DType(name))(value) == two_s_complement(value, DType(name))


def bits_of(value: Any) -> bytes:
    """The bits of a NumPy scalar; one pattern for all nan."""
    return b"nan" if np.isnan(value) else np.asarray(value).tobytes()


@pytest.mark.parametrize("name", PEERS)
@given(data=st.data())
def test_float_arithmetic_rounds_once(name: str, data: st.DataObject) -> None:
    """Against the peer's own arithmetic, which for the narrow kinds is done in single precision and rounded."""
    peer, dtype = PEERS[name], DType(name)
    with np.errstate(all="ignore"):
        x, y = (peer(data.draw(st.floats(width=32))) for _ in range(2))
        a, b = float(x), float(y)
        for kind, wanted in ((Add, x + y), (Sub, x - y), (Mul, x * y), (Div, x / y)):
            assert bits_of(peer(binary(kind, dtype)(a, b))) == bits_of(wanted), kind


def test_ieee_division() -> None:
    divide = binary(Div, DType("float64"))
    assert divide(1.0, 0.0) == math.inf
    assert divide(-1.0, 0.0) == divide(1.0, -0.0) == -math.inf
    assert math.isnan(divide(0.0, 0.0))
    assert math.isnan(divide(math.nan, 0.0))
    assert divide(math.inf, 0.0) == math.inf


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6).filter(lambda y: abs(y) > 1e-3))
def test_floor_division_of_floats(x: float, y: float) -> None:
    assert binary(FloorMod, DType("float64"))(x, y) == x % y
    assert binary(FloorDiv, DType("float64"))(x, y) == math.floor(x / y)
    assert binary(Mod, DType("float64"))(x, y) == math.fmod(x, y)


def test_minimum_takes_the_second_where_one_is_nan() -> None:
    for kind in (Min, Max):
        assert binary(kind, DType("float32"))(math.nan, 1.0) == 1.0
        assert math.isnan(binary(kind, DType("float32"))(1.0, math.nan))


@pytest.mark.parametrize("name", PEERS)
@given(st.floats())
def test_rounding(name: str, value: float) -> None:
    """A double is rounded once; the peers round to single first, so values that a single holds are compared."""
    with np.errstate(all="ignore"):
        single = np.float32(value)
        source = value if name in ("float16", "float32") else float(single)
        round_ = rounder(DType(name))
        assert round_ is not None
        assert bits_of(np.float64(round_(source))) == bits_of(np.float64(PEERS[name](source)))


@given(st.integers(-(2**63), 2**64 - 1), st.sampled_from(["float16", "bfloat16", "float32", "float64"]))
def test_integers_to_floats_round_once(value: int, name: str) -> None:
    source = DType("uint64" if value >= 2**63 else "int64")
    got = caster(source, DType(name))(value)
    if name == "float64":
        assert got == float(value)
    elif name == "float32":
        assert got == float((np.uint64 if value >= 2**63 else np.int64)(value).astype(np.float32))
    elif math.isfinite(got):
        spacing = {"float16": 2.0**-11, "bfloat16": 2.0**-8}[name]
        assert abs(Fraction(got) - value) <= abs(value) * Fraction(spacing)


def test_integer_between_two_singles() -> None:
    """Rounding to double first would make a tie of it."""
    value = 2**60 + 2**36 + 1
    assert caster(DType("int64"), DType("float32"))(value) == 2.0**60 + 2.0**37
    assert caster(DType("int64"), DType("float32"))(-value) == -(2.0**60) - 2.0**37


@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        (2.9, "int32", 2),
        (-2.9, "int32", -2),
        (300.0, "uint8", 255),
        (-1.0, "uint8", 0),
        (math.inf, "int8", 127),
        (-math.inf, "int64", -(2**63)),
        (math.nan, "int32", 0),
        (1e30, "int64", 2**63 - 1),
        (-128.5, "int8", -128),
    ],
)
def test_floats_to_integers_saturate(value: float, dtype: str, wanted: int) -> None:
    assert caster(DType("float64"), DType(dtype))(value) == wanted


def test_casts_to_bool_ask_for_zero() -> None:
    assert caster(DType("int32"), DType("bool"))(2) is True
    assert caster(DType("float32"), DType("bool"))(0.5) is True
    assert caster(DType("float32"), DType("bool"))(-0.0) is False
    assert caster(DType("bool"), DType("float32"))(True) == 1.0
    assert caster(DType("handle"), DType("handle"))("x") == "x"


@pytest.mark.parametrize("name", ["int8", "uint8", "int32", "bool", "float32", "float64", "float16", *FORMATS])
@given(data=st.data())
def test_bits_come_back(name: str, data: st.DataObject) -> None:
    dtype = DType(name)
    pattern = data.draw(st.integers(0, 2**dtype.bits - 1))
    value = from_bits(dtype)(pattern)
    assert value != value or to_bits(dtype)(value) == pattern


def test_bits_of_singles() -> None:
    assert to_bits(DType("float32"))(1.0) == 0x3F800000
    assert from_bits(DType("float32"))(0xC0000000) == -2.0
    assert to_bits(DType("float64"))(-2.0) == 0xC000000000000000
    assert to_bits(DType("int8"))(-1) == 0xFF
