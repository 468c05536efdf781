"""bfloat16 of float32: to nearest even, by the instruction of AVX512-BF16 and by arithmetic."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript.backends import llvm

LOOP = """
@T.prim_func
def main(A: T.Buffer(({count},), "float32"), B: T.Buffer(({count},), "bfloat16")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    {body}
"""
PLAIN = """for i in range({count}):
        B[i] = T.Cast("bfloat16", A[i])"""
LANES = """for i in range({count} // {lanes}):
        B[i * {lanes}:i * {lanes} + {lanes}] = T.Cast("bfloat16x{lanes}", A[i * {lanes}:i * {lanes} + {lanes}])"""

#: each upper half of a float32 (subnormal numbers, infinities, nan) with lower halves around the middle
UPPER = np.arange(1 << 16, dtype="uint32") << 16
LOWER = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], "uint32")
PATTERNS = (UPPER[:, None] | LOWER).reshape(-1)


def program(count: int, body: str) -> tvmscript.IRModule:
    func = tvmscript.from_source(LOOP.format(count=count, body=body))
    return tvmscript.IRModule({"main": func})


@pytest.mark.parametrize("lanes", [1, 4, 8, 16, 32, 64])
def test_all_upper_halves(lanes: int) -> None:
    numbers = PATTERNS.view("float32")
    body = PLAIN if lanes == 1 else LANES
    module = program(len(numbers), body.format(count=len(numbers), lanes=lanes))
    rounded = np.zeros(len(numbers), ml_dtypes.bfloat16)
    tvmscript.build(module, target="llvm")["main"](numbers, rounded)
    with np.errstate(all="ignore"):
        expected = numbers.astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(rounded.view("uint16"), expected.view("uint16"))


@pytest.mark.parametrize("count", [*range(1, 34), 63, 65, 127, 129, 200])
def test_tails_with_rare_numbers(count: int) -> None:
    """One lane that the instruction cannot round, at each place in turn."""
    compiled = tvmscript.build(program(count, PLAIN.format(count=count)), target="llvm")["main"]
    for place in range(count):
        numbers = np.linspace(-3, 3, count, dtype="float32")
        numbers[place] = np.array([0x00018000], "uint32").view("float32")[0]
        rounded = np.zeros(count, ml_dtypes.bfloat16)
        compiled(numbers, rounded)
        np.testing.assert_array_equal(rounded.view("uint16"), numbers.astype(ml_dtypes.bfloat16).view("uint16"))


def test_the_instruction() -> None:
    module = program(64, PLAIN.format(count=64))
    code = {
        name: tvmscript.build(module, target=f"llvm -mtriple=x86_64-unknown-linux-gnu -mcpu={name}").get_source("asm")
        for name in ("cooperlake", "x86-64-v4")
    }
    assert "vcvtneps2bf16" in code["cooperlake"]
    assert "vfpclassps" in code["cooperlake"]
    assert "vcvtneps2bf16" not in code["x86-64-v4"]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("lanes", [24, 48, 80])
def test_lanes_that_are_no_power_of_two(lanes: int, level: int) -> None:
    numbers = np.linspace(-3, 3, lanes, dtype="float32")
    rounded = np.zeros(lanes, ml_dtypes.bfloat16)
    lowered = tvmscript.lower(program(lanes, LANES.format(count=lanes, lanes=lanes)), "llvm")
    llvm.build(lowered, opt_level=level)["main"](numbers, rounded)
    np.testing.assert_array_equal(rounded.view("uint16"), numbers.astype(ml_dtypes.bfloat16).view("uint16"))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_scalable_vectors_are_divided(dtype: str) -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((64,), "{dtype}"), B: T.Buffer((1,), "{dtype}"), C: T.Buffer((64,), "{dtype}")):
    C[T.Ramp(0, 1, 4 * T.vscale())] = A[T.Ramp(0, 1, 4 * T.vscale())] / T.Broadcast(B[0], 4 * T.vscale())
"""
    target = "llvm -mtriple=aarch64-linux-gnu -mattr=+sve"
    assert "fdiv\tz" in tvmscript.build(tvmscript.from_source(text), target=target).get_source("asm")


DIVISION = """
@T.prim_func
def main(A: T.Buffer((65536,), "{dtype}"), B: T.Buffer((1,), "{dtype}"), C: T.Buffer((65536,), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in range(65536):
        C[i] = A[i] / B[0]
"""
#: each significand, at exponents in the middle of the range and near its ends, and what is no number
BFLOAT_DIVISORS = [
    *[exponent << 7 | significand for exponent in (1, 2, 100, 127, 253, 254) for significand in (0, 1, 0x55, 0x7F)],
    *[127 << 7 | significand for significand in range(128)],
    *(0, 1, 0x7F, 0x8000, 0x8001, 0x7F80, 0xFF80, 0x7FC0, 0xFF81, 0xC040),
]
HALF_DIVISORS = [
    *[exponent << 10 | significand for exponent in (1, 2, 8, 29, 30) for significand in (0, 1, 0x155, 0x3FF)],
    *[15 << 10 | significand for significand in range(1024)],
    *(0, 1, 2, 3, 0x2FF, 0x3FF, 0x8000, 0x8001, 0x7C00, 0xFC00, 0x7E00, 0xFC01, 0xC200),
]


@pytest.mark.parametrize("target", ["llvm", "llvm -mattr=-avx512bf16,-avx512fp16"])
@pytest.mark.parametrize(("dtype", "divisors"), [("bfloat16", BFLOAT_DIVISORS), ("float16", HALF_DIVISORS)])
def test_division_of_all_numbers_by_one(dtype: str, divisors: list[int], target: str) -> None:
    """As the quotient of float32 rounds: float32 has more than twice the bits (Figueroa 1995)."""
    stored = np.dtype(getattr(ml_dtypes, dtype, dtype))
    divide = tvmscript.build(tvmscript.from_source(DIVISION.format(dtype=dtype)), target=target)["main"]
    a = np.arange(1 << 16).astype("uint16").view(stored)
    for pattern in divisors:
        b = np.array([pattern], "uint16").view(stored)
        c = np.zeros_like(a)
        divide(a, b, c)
        with np.errstate(all="ignore"):
            expected = (a.astype("float32") / b.astype("float32")).astype(stored)
        is_nan = np.isnan(expected.astype("float32"))
        np.testing.assert_array_equal(np.isnan(c.astype("float32")), is_nan)
        np.testing.assert_array_equal(c.view("uint16")[~is_nan], expected.view("uint16")[~is_nan])
