"""sqrt and rsqrt.

sqrt on Intel's processors with AVX-512, where the instruction takes 12 to 25 cycles for a vector: an estimate y of 14
bits of 1 / sqrt(x) gives g = x * y and h = y / 2, which r = 1 / 2 - g * h corrects, and d = x - g ** 2 rounds g
correctly (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", IBM Journal of
Research and Development 34, 1990). The estimate is the same on all of these processors; tests try all float32, and of
float64 those whose roots are nearest to the middle of two numbers.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.math.expansion import expansion
from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: bits of the least number whose residual is not rounded, of infinity, and corrections of the estimate
_NORMAL: Final = {"float": (0x19800000, 0x7F800000, 1), "double": (0x07B0000000000000, 0x7FF0000000000000, 2)}


@expansion()
def sqrt(lanes: Lanes, x: Value) -> Value:
    estimate = lanes.estimate_rsqrt(x)
    if estimate is None:
        return x.sqrt()
    least, infinity, corrections = _NORMAL[x.type]
    root, half = x * estimate, estimate * 0.5
    for _ in range(corrections):
        rest = lanes.fma(-root, half, x.of(0.5))
        root, half = lanes.fma(root, rest, root), lanes.fma(half, rest, half)
    usual = lanes.fma(lanes.fma(-root, root, x), half, root)
    is_rare = ~(x.bits() - least).below(infinity - least)
    return lanes.unless(is_rare, (usual,), lambda: (x.sqrt(),))[0]


@expansion()
def rsqrt(lanes: Lanes, x: Value) -> Value:
    return 1.0 / x.sqrt()
