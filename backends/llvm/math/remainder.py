"""The remainder of a quotient that is truncated, as C's fmod: exact.

The quotient of floats, rounded and then truncated, is the integer wanted or the next one as long as it has no more bits
than a significand. So the rest, which a fused sum does not round, is the remainder or is less than 0 by a divisor.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.vector_builder import Lanes, Value

#: quotients from here on have more bits than a significand
_LIMITS: Final = {"float": 2.0**23, "double": 2.0**52}


def remainder(lanes: Lanes, x: Value, y: Value) -> Value:
    """Return the remainder of x / y, of the sign of x. The C library finds those of large quotients."""
    if lanes.count == 1 or not lanes.has_fma:
        return x.remainder(y)
    size, divisor = x.abs(), y.abs()
    quotient = size / divisor
    rest = lanes.fma(-lanes.call("llvm.trunc", quotient), divisor, size)
    rest = (rest < 0.0).choose(rest + divisor, rest)
    usual = (size < divisor).choose(size, rest).with_sign_of(x)
    is_rare = ~(quotient < _LIMITS[x.type])
    return lanes.unless(is_rare, (usual,), lambda: (x.remainder(y),))[0]
