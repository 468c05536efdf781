"""Square roots from estimates are rounded correctly; so they are where the processor computes them."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.target import Target

#: the same on every Python
pytestmark = pytest.mark.long

COUNT = 1 << 16


def roots_of(x: Any) -> Any:
    """Return the square roots that compiled vectors compute."""
    dtype, padded = str(x.dtype), np.ones(-(-len(x) // COUNT) * COUNT, x.dtype)
    padded[: len(x)] = x
    text = f"""
@T.prim_func
def main(A: T.Buffer(({COUNT},), "{dtype}"), B: T.Buffer(({COUNT},), "{dtype}")):
    for i in range({COUNT}):
        with T.block("B"):
            vi = T.axis.spatial({COUNT}, i)
            B[vi] = T.sqrt(A[vi])
"""
    function, found = tvmscript.build(tvmscript.from_source(text))["main"], np.empty_like(padded)
    for start in range(0, len(padded), COUNT):
        function(padded[start : start + COUNT], found[start : start + COUNT])
    return found[: len(x)]


def square_roots_modulo(a: int, bits: int) -> list[int]:
    """Return the odd t with t ** 2 = a modulo 2 ** bits, lifted from modulo 8 bit by bit (Hensel)."""
    found = [1, 3, 5, 7] if a % 8 == 1 else []
    for place in range(3, bits):
        lifted = {root + high for root in found for high in (0, 1 << place)}
        found = sorted(root for root in lifted if (root * root - a) % (2 << place) == 0)
    return found


def nearly_halfway(digits: int, most: int) -> Iterator[int]:
    """Yield integers x of so many binary digits for which sqrt(x * 2 ** e) is near the middle s + 1 / 2 of integers.

    4 * x * 2 ** e and (2 * s + 1) ** 2 differ by at most `most`, which is odd; s has as many digits, e is digits or one
    less.
    """
    for exponent in (digits - 1, digits):
        for difference in range(-most, most + 1, 2):
            for middle in square_roots_modulo(-difference % (4 << exponent), exponent + 2):
                for odd in range(middle, 2 << digits, 4 << exponent):
                    x, rest = divmod(odd * odd + difference, 4 << exponent)
                    if rest == 0 and x.bit_length() == digits:
                        yield x << exponent


def test_all_mantissas_of_float32() -> None:
    """Two binades, and the same two near both ends of the exponents."""
    for exponent in (126, 52, 253):
        x = (np.arange(2 << 23, dtype=np.uint32) + np.uint32(exponent << 23)).view(np.float32)
        np.testing.assert_array_equal(roots_of(x), np.sqrt(x))


def test_roots_of_float64_nearest_to_the_middle_of_two_numbers() -> None:
    """What is farther from the middle than 2 ** -47 of the distance of two numbers is rounded right by any method."""
    cases = [*nearly_halfway(53, 513)]
    assert len(cases) > 100
    for shift in (0, -600, -800, 800):
        x = np.array([float(case) for case in cases]) * 2.0**shift
        np.testing.assert_array_equal(roots_of(x), np.sqrt(x))
    # NumPy rounds right: a root is at most 1 / 2 from the integer below
    for case, root in zip(cases, np.sqrt(np.array([float(case) for case in cases])), strict=True):
        below = isqrt(case)
        assert int(root) == below + (case > below * below + below)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_other_numbers(dtype: str) -> None:
    """Zeros, negative numbers, infinities, nan, subnormal numbers, and any bits, alone and among others."""
    bits = np.random.default_rng(1).integers(0, 2**32, COUNT if dtype == "float32" else 2 * COUNT, np.uint32)
    limits = np.finfo(dtype)
    special = [0.0, -0.0, -1.0, np.inf, -np.inf, np.nan, limits.tiny, limits.smallest_subnormal, limits.max, 4.0, 2.0]
    x = bits.view(dtype)
    x[::7] = np.resize(np.array(special, dtype), len(x[::7]))
    with np.errstate(invalid="ignore"):
        want = np.sqrt(x)
    found = roots_of(x)
    np.testing.assert_array_equal(found, want)
    assert (np.signbit(found) == np.signbit(want))[x == 0].all()


def test_only_some_processors_estimate() -> None:
    text = "@T.prim_func\ndef main(A: T.Buffer((16,), 'float32')):\n    A[0:16] = T.sqrt(A[0:16])\n"
    for cpu, estimates in (("sapphirerapids", True), ("skylake-avx512", True), ("znver4", False), ("haswell", False)):
        target = f"llvm -mtriple=x86_64-linux-gnu -mcpu={cpu}"
        assert Target.parse(target).has_root_estimates is estimates
        assert ("rsqrt14" in tvmscript.build(tvmscript.from_source(text), target=target).get_source("asm")) is estimates
