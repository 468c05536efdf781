"""Every operator on every dtype, scalar and vector: compiled code agrees with the interpreter bit by bit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import FLOATS, INTEGERS, Array, both, differences, elementwise, samples, values
from tvmscript.backends import llvm
from tvmscript.ir.core.dtype import BOOL, DType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.intrin import bits
from tvmscript.ir.tir.operators import const

#: the same on every Python
pytestmark = pytest.mark.long

COUNT = 192
ANY = [tir.Add, tir.Sub, tir.Mul, tir.Min, tir.Max, tir.EQ, tir.NE, tir.LT, tir.LE, tir.GT, tir.GE]
DIVISIONS = [tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod]
LANES = [1, 4, 3]


def check(makes: Sequence[Any], dtypes: list[DType], inputs: list[Array], lanes: int) -> None:
    program = elementwise(makes, dtypes, len(inputs[0]), lanes)
    compiled, interpreted = both(program, inputs)
    func = program["f"]
    for make, param, got, want in zip(makes, func.params[len(inputs) :], compiled, interpreted, strict=True):
        dtype = func.buffer_map[param].dtype
        wrong = differences(got, want, dtype)
        shown = [([values[k] for values in inputs], got[k], want[k]) for k in wrong[:3]]
        assert not len(wrong), f"{getattr(make, '__name__', make)} to {dtype}: inputs, compiled, interpreted: {shown}"


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers(dtype: DType, lanes: int) -> None:
    """Wrapping, comparing, dividing with every combination of signs, bit operations, shifts."""
    a, b = samples(dtype, COUNT, 1), samples(dtype, COUNT, 2)
    check([*ANY, bits.bitwise_and, bits.bitwise_or, bits.bitwise_xor], [dtype, dtype], [a, b], lanes)
    nonzero = np.where(b == 0, np.array(dtype.max_value or dtype.min_value).astype(b.dtype), b)
    check(list(DIVISIONS), [dtype, dtype], [a, nonzero], lanes)
    if not dtype.is_bool:
        amount = np.random.default_rng(3).integers(0, dtype.bits, COUNT).clip(0, dtype.max_value).astype(a.dtype)
        check([bits.shift_left, bits.shift_right], [dtype, dtype], [a, amount], lanes)
        check([bits.bitwise_not_, bits.popcount], [dtype], [a], lanes)


DIVISORS = [
    (DType(name), divisor)
    for name in ("int8", "int32", "int64", "uint8", "uint32")
    for divisor in (1, 2, 3, 7, 8, 10, -1, -2, -3, -8)
    if divisor > 0 or not name.startswith("u")
]


@pytest.mark.parametrize(("dtype", "divisor"), DIVISORS, ids=str)
def test_division_by_constants(dtype: DType, divisor: int) -> None:
    """Constants take cheaper forms; the quotients stay the same."""
    constant = tir.IntImm(dtype, divisor)
    check([lambda a, op=op: op(a, constant) for op in DIVISIONS], [dtype], [samples(dtype, COUNT)], 1)


@pytest.mark.parametrize("lanes", [1, 4])
def test_division_by_the_constant_zero_does_not_stop_the_process(lanes: int) -> None:
    from tests.backends.llvm.kernels import i32
    from tvmscript.backends import llvm

    def zero(value: Expr) -> Expr:
        return i32(0) if value.dtype.lanes == 1 else tir.Broadcast(i32(0), value.dtype.lanes)

    program = elementwise([lambda a, op=op: op(a, zero(a)) for op in DIVISIONS], [DType("int32")], 8, lanes)
    outputs = [np.ones(8, "int32") for _ in DIVISIONS]
    llvm.build(program)["f"](np.arange(8, dtype="int32"), *outputs)
    assert all(not out.any() for out in outputs)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_floats(dtype: DType, lanes: int) -> None:
    """One rounding per operation, infinities, nan, signed zeros; small floats through float32."""
    a, b = samples(dtype, COUNT, 1), samples(dtype, COUNT, 2)
    check(list(ANY), [dtype, dtype], [a, b], lanes)
    if dtype in FORMATS and FORMATS[dtype].nan is None:
        b[values(b, dtype) == 0.0] = 1  # the sign of 0 / 0, which no one defines, would tell between 0.0 and -0.0
    check(list(DIVISIONS), [dtype, dtype], [a, b], lanes)


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS], ids=str)
def test_casts(source: DType, lanes: int) -> None:
    """From every dtype to every dtype: wrapping, saturating, rounding to nearest even once."""
    targets = [*INTEGERS, *FLOATS]
    makes = [lambda a, to=to: tir.Cast(to.with_lanes(a.dtype.lanes), a) for to in targets]
    check(makes, [source], [samples(source, COUNT)], lanes)


@pytest.mark.parametrize(("lanes", "kind"), [(1, "float"), (4, "<4 x float>")])
def test_half_becomes_an_integer_through_float(lanes: int, kind: str) -> None:
    """The saturating conversion of AVX512-FP16, of which LLVM 22 makes -32768 of nan, is not used.

    The one that does not saturate may be: what it makes of nan is not selected.
    """
    target = "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=sapphirerapids"
    int16 = DType("int16").with_lanes(lanes)
    program = elementwise([lambda a: tir.Cast(int16, a)], [DType("float16")], lanes, lanes)
    text = llvm.build(program, target=target).get_source("input")
    assert "fptosi.sat" not in text
    assert f"fcmp uno {kind}" in text


@pytest.mark.parametrize(
    ("source", "to", "vectors", "scalars"),
    [
        ("float32", "int8", r"vcvttps2dq\t%ymm", r"vcvttss2si"),
        ("float32", "int32", r"vcvttps2dq\t%ymm", r"vcvttss2si"),
        ("float32", "uint32", r"vcvttps2dq\t%ymm", r"vcvttss2si"),
        ("float64", "int32", r"vcvttpd2dqy?\t%ymm", r"vcvttsd2si"),
    ],
)
def test_loops_convert_floats_to_integers_in_vectors(source: str, to: str, vectors: str, scalars: str) -> None:
    program = elementwise([lambda a: tir.Cast(DType(to), a)], [DType(source)], 64)
    target = "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3"
    assembly = llvm.build(program, target=target).get_source("asm")
    assert re.search(vectors, assembly)
    assert not re.search(scalars, assembly)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3", "e4m3_float8", "float8_e8m0fnu"])
def test_narrowing_rounds_to_even(name: str) -> None:
    """float32 and float64 values halfway between two neighbours, just below and just above."""
    dtype = DType(name)
    exact = samples(DType(name), 64)
    near = values(exact, dtype).astype(np.float64)
    near = near[np.isfinite(near)]
    for stored in ("float32", "float64"):
        with np.errstate(over="ignore"):
            middle = np.concatenate([near * 1.0625, near * 1.03125, near * 1.5, near + near * 2.0**-8]).astype(stored)
            grid = np.concatenate([middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)]).astype(stored)
        check([lambda a: tir.Cast(dtype, a)], [DType(stored)], [grid], 1)


def test_logic_and_selection() -> None:
    """and, or, not, Select, if_then_else on scalars and vectors."""
    from tvmscript.ir.tir.intrin.control import if_then_else_

    a, b = samples(BOOL, COUNT, 1), samples(BOOL, COUNT, 2)
    x = samples(DType("float32"), COUNT)
    makes = [tir.And, tir.Or]
    for lanes in (1, 4):
        check(list(makes), [BOOL, BOOL], [a, b], lanes)
        check([tir.Not], [BOOL], [a], lanes)
        check([lambda c, v: tir.Select(c, v, tir.Add(v, v))], [BOOL, DType("float32")], [a, x], lanes)
    check([lambda c, v: if_then_else_(c, v, tir.Add(v, v))], [BOOL, DType("float32")], [a, x], 1)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("lanes", [1, 4])
def test_extremes_of_extremes_with_one_constant(dtype: DType, lanes: int) -> None:
    """Found by random kernels: of max(max(0, x), 0) LLVM 22 makes max(0, x), another value for nan and -0.0."""

    def zero() -> Expr:
        value = const(0.0, dtype)
        return value if lanes == 1 else tir.Broadcast(value, lanes)

    makes = [lambda x, each=each: each(each(zero(), x), zero()) for each in (tir.Max, tir.Min)]
    check(makes, [dtype], [samples(dtype, COUNT)], lanes)


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_loops_divide_integers_as_floats(name: str) -> None:
    """All pairs of 8 bits; of more bits, dividends next to multiples of the divisor, and the ends of the range."""
    info, rng = np.iinfo(name), np.random.default_rng(3)
    if info.bits == 8:
        a, b = (each.ravel() for each in np.meshgrid(*[np.arange(info.min, info.max + 1)] * 2))
    else:
        ends = [info.min, info.min + 1, -1, 1, 2, 3, info.max // 2, info.max - 1, info.max]
        b = rng.choice([*ends, *rng.integers(info.min, info.max, 500, endpoint=True)], 1 << 16)
        quotients = np.rint(rng.integers(info.min, info.max, b.size, endpoint=True) / np.where(b == 0, 1, b))
        a = np.where(rng.random(b.size) < 0.1, rng.choice(ends, b.size), quotients.astype("int64") * b)
        a = a + rng.integers(-1, 2, b.size)
    is_kept = (b != 0) & (b >= info.min) & (a >= info.min) & (a <= info.max) & ~((b == -1) & (a == info.min))
    a, b = a[is_kept], b[is_kept]
    text = f"""@T.prim_func
def main(A: T.Buffer(({a.size},), "{name}"), B: T.Buffer(({a.size},), "{name}"), C: T.Buffer((4, {a.size}), "{name}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in range({a.size}):
        C[0, i] = A[i] // B[i]
    for i in range({a.size}):
        C[1, i] = A[i] % B[i]
    for i in range({a.size}):
        C[2, i] = T.truncdiv(A[i], B[i])
    for i in range({a.size}):
        C[3, i] = T.truncmod(A[i], B[i])
"""
    built, c = tvmscript.build(tvmscript.from_source(text)), np.zeros((4, a.size), name)
    built["main"](a.astype(name), b.astype(name), c)
    quotient = np.abs(a) // np.abs(b) * np.sign(a) * np.sign(b)
    np.testing.assert_array_equal(c, [a // b, a % b, quotient, a - quotient * b])
    assert re.search(r"fdiv <\d+ x ", built.get_source("input"))


DIVISORS_OF_64_BITS = [
    3,
    5,
    7,
    10,
    641,
    *(2**bits + step for bits in (16, 31, 32, 33, 62) for step in (-1, 0, 1)),
    2**63 - 1,
]


@pytest.mark.parametrize("divisor", DIVISORS_OF_64_BITS)
def test_loops_divide_64_bits_by_constants(divisor: int) -> None:
    """Dividends next to multiples of the divisor, and the ends of the range, against Python's integers."""
    rng, most = random.Random(divisor), 2**63
    multiples = [
        rng.randrange(-most // divisor, most // divisor + 1) * divisor + rng.choice((-1, 0, 1)) for _ in range(500)
    ]
    ends = [-most, -most + 1, -divisor, 1 - divisor, -1, 0, 1, divisor - 1, divisor, most - 1]
    a = [value for value in (*multiples, *ends) if -most <= value < most]
    lines = [f"{op}(A[i], T.int64({divisor}))" for op in ("T.floordiv", "T.floormod", "T.truncdiv", "T.truncmod")]
    loops = "".join(f"    for i in range({len(a)}):\n        C[{row}, i] = {line}\n" for row, line in enumerate(lines))
    text = f"""@T.prim_func
def main(A: T.Buffer(({len(a)},), "int64"), C: T.Buffer((4, {len(a)}), "int64")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
{loops}"""
    built, c = tvmscript.build(tvmscript.from_source(text)), np.zeros((4, len(a)), "int64")
    built["main"](np.array(a, "int64"), c)
    quotients = [abs(value) // divisor * (1 if value >= 0 else -1) for value in a]
    remainders = [value - quotient * divisor for value, quotient in zip(a, quotients, strict=True)]
    expected = [[value // divisor for value in a], [value % divisor for value in a], quotients, remainders]
    np.testing.assert_array_equal(c, expected)
    assert not re.search("[us](div|rem) i64", built.get_source("input")) or divisor & (divisor - 1) == 0


@pytest.mark.parametrize(("low", "high"), [(-5, -1), (-1, 3), (-3, 1), (1, 5), (-1, -1), (-4, -2)])
def test_remainders_of_the_least_number(low: int, high: int) -> None:
    """Processors trap where it is divided by -1, which few ranges of divisors have."""
    count = high - low + 1
    divisor = f"T.Select(i + {low} == 0, 1, i + {low})" if low < 0 < high else f"i + {low}"
    text = f"""
@T.prim_func
def main(A: T.Buffer((2,), "int32"), C: T.Buffer((2, {count}), "int32")):
    for j, i in T.grid(2, {count}):
        C[j, i] = T.truncmod(A[j], {divisor})
"""
    c = np.zeros((2, count), "int32")
    tvmscript.build(tvmscript.from_source(text), target="llvm -opt-level=0")["main"](np.array([-(2**31), -7], "i"), c)
    divisors = [each or 1 for each in range(low, high + 1)]
    np.testing.assert_array_equal(c, [[-(-a % abs(d)) for d in divisors] for a in (-(2**31), -7)])
