"""Reference values against NumPy, exact fractions and IEEE 754's table of special cases."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.intrin import Intrinsic, bits, reference_math
from tvmscript.ir.tir.intrin import math as entries

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e-310, 1e308, -1e308, 710.0, -746.0, 1e30]
SPECIAL.extend((math.inf, -math.inf, math.nan, 4503599627370497.0, 0.49999999999999994, 1.5, 3.0, -3.0))

NUMPY = {
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "nearbyint": np.rint,
    "fabs": np.abs,
}


def same(got: float, wanted: float, tolerance: float = 4e-16) -> bool:
    """Equal with the sign of zero, or both nan, or within a few units in the last place."""
    if math.isnan(got) or math.isnan(wanted):
        return math.isnan(got) and math.isnan(wanted)
    if got == wanted:
        return math.copysign(1.0, got) == math.copysign(1.0, wanted)
    return math.isfinite(got) and math.isclose(got, wanted, rel_tol=tolerance, abs_tol=5e-324)


def reference(name: str, dtype: str = "float64") -> Any:
    op = Intrinsic.get(f"tir.{name}")
    assert isinstance(op, Intrinsic)
    return op.lane(DType(dtype))


@pytest.mark.parametrize("name", NUMPY)
def test_special_values(name: str) -> None:
    with np.errstate(all="ignore"):
        for x in SPECIAL:
            assert same(reference(name)(x), float(NUMPY[name](np.float64(x)))), (name, x)


@given(st.floats(allow_nan=False), st.sampled_from(sorted(NUMPY)))
def test_against_numpy(x: float, name: str) -> None:
    with np.errstate(all="ignore"):
        assert same(reference(name)(x), float(NUMPY[name](np.float64(x))), 2e-15), name


BINARY = {"pow": np.power, "atan2": np.arctan2, "hypot": np.hypot, "copysign": np.copysign, "fmod": np.fmod}


@pytest.mark.parametrize("name", BINARY)
def test_special_pairs(name: str) -> None:
    with np.errstate(all="ignore"):
        for x in SPECIAL:
            for y in SPECIAL:
                if name == "pow" and y == 0.5:
                    continue  # NumPy takes the square root there, which has other zeros and infinities
                wanted = float(BINARY[name](np.float64(x), np.float64(y)))
                assert same(reference(name)(x, y), wanted), (name, x, y)


def test_powers_of_zero_and_infinity() -> None:
    """C's Annex F, where NumPy differs."""
    assert same(reference("pow")(-0.0, 0.5), 0.0)
    assert reference("pow")(-math.inf, 0.5) == math.inf


@pytest.mark.parametrize(
    ("x", "rounded"),
    [(0.5, 1.0), (-0.5, -1.0), (1.5, 2.0), (2.5, 3.0), (-2.5, -3.0), (0.49999999999999994, 0.0), (-0.2, -0.0)],
)
def test_round_goes_away_from_zero(x: float, rounded: float) -> None:
    assert same(reference("round")(x), rounded)


def test_round_keeps_what_has_no_fraction() -> None:
    for x in (4503599627370497.0, 1e300, -math.inf):
        assert reference("round")(x) == x


def test_erf_and_sigmoid() -> None:
    assert reference("erf")(math.inf) == 1.0
    assert reference("sigmoid")(0.0) == 0.5
    assert reference("sigmoid")(-1000.0) == 0.0
    assert reference("sigmoid")(1000.0) == 1.0
    assert same(reference("sigmoid")(1.0), 0.7310585786300049)


def test_rsqrt() -> None:
    assert reference("rsqrt")(4.0) == 0.5
    assert reference("rsqrt")(0.0) == math.inf
    assert reference("rsqrt")(-0.0) == -math.inf
    assert math.isnan(reference("rsqrt")(-1.0))


def test_exp10_and_ldexp() -> None:
    assert reference("exp10")(2.0) == 100.0
    assert reference("exp10")(400.0) == math.inf
    assert reference("ldexp")(-1.0, 5000) == -math.inf
    assert reference("ldexp")(1.5, 2.0) == 6.0


@pytest.mark.parametrize(("dtype", "kind"), [("float16", np.float16), ("float32", np.float32), ("float64", np.float64)])
@given(data=st.data())
def test_nextafter(dtype: str, kind: Any, data: st.DataObject) -> None:
    width = {"float16": 16, "float32": 32, "float64": 64}[dtype]
    numbers = st.floats(width=width)  # type: ignore[arg-type]
    x, y = data.draw(numbers), data.draw(numbers)
    with np.errstate(all="ignore"):
        wanted = y if x == y else float(np.nextafter(kind(x), kind(y)))  # C: the second where both are equal
        assert same(reference_math.nextafter(DType(dtype))(x, y), wanted, 0.0)


def test_nextafter_of_bfloat16() -> None:
    following = reference_math.nextafter(DType("bfloat16"))
    assert following(1.0, 2.0) == 1.0 + 2.0**-7
    assert following(0.0, -1.0) == -(2.0**-133)
    with pytest.raises(WrongType, match="nextafter takes"):
        reference_math.nextafter(DType("e4m3_float8"))


@example(0.0, 0.0, 3.4028234663852886e38)
@given(*[st.floats(width=32, allow_nan=False, allow_infinity=False)] * 3)
def test_fma_of_single_rounds_once(a: float, b: float, c: float) -> None:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    with np.errstate(over="ignore"):
        got = np.float32(reference_math.fma(DType("float32"))(a, b, c))
    if not np.isfinite(got):
        assert abs(exact) >= Fraction(float(np.finfo(np.float32).max))
        return
    # no other single is nearer
    with np.errstate(over="ignore"):  # next to the largest is infinity
        neighbours = np.nextafter(got, np.array([np.inf, -np.inf], "float32"))
    for neighbour in neighbours:
        if np.isfinite(neighbour):
            assert abs(exact - Fraction(float(got))) <= abs(exact - Fraction(float(neighbour)))


def test_fma_of_double() -> None:
    a = 1.0 + 2.0**-52
    assert reference_math.fma(DType("float64"))(a, a, -1.0) == float(Fraction(a) ** 2 - 1)
    assert reference_math.fma(DType("float64"))(1e308, 10.0, 0.0) == math.inf
    assert math.isnan(reference_math.fma(DType("float64"))(math.inf, 0.0, 1.0))
    assert math.copysign(1.0, reference_math.fma(DType("float64"))(-0.0, 1.0, -0.0)) == -1.0


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "int64", "bool"])
def test_counting_bits(dtype: str) -> None:
    kind = DType(dtype)
    for value in (kind.min_value, kind.max_value, 0, 1, 1 + kind.max_value // 3):
        if not kind.min_value <= value <= kind.max_value:
            continue
        text = format(value & (2**kind.bits - 1), f"0{kind.bits}b")
        assert reference("popcount", dtype)(value) == text.count("1")
        assert reference("clz", dtype)(value) == len(text) - len(text.lstrip("0"))
        turned = "".join("10"[int(bit)] for bit in text)
        complement = int(turned, 2) - (2**kind.bits if kind.is_signed and turned[0] == "1" else 0)
        assert reference("bitwise_not", dtype)(value) == complement


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1), st.integers(1, 31), st.integers(-15, 15))
def test_fixed_point_product(x: int, y: int, q: int, s: int) -> None:
    exact = Fraction(x * y) * Fraction(2) ** (s - q)
    assert reference("q_multiply_shift", "int32")(x, y, q, s) == math.floor(exact + Fraction(1, 2))
    per_axis = reference("q_multiply_shift_per_axis", "int32")
    assert per_axis(x, y, max(s, 0), max(-s, 0), q, s > 0, s < 0) == math.floor(exact + Fraction(1, 2))


def test_large_uint() -> None:
    assert bits.large_uint_imm.reference is not None
    assert bits.large_uint_imm.reference(0xFFFFFFFF, 1) == 0x1FFFFFFFF
    assert entries.isnan_.reference is not None
    assert entries.isnan_.reference(math.nan) is True
