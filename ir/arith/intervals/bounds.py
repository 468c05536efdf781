"""Interval arithmetic: integer intervals with open ends."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from tvmscript.ir.arith.fold import truncdiv
from tvmscript.ir.core import DType


class Bounds(NamedTuple):
    """All integers from `low` to `high`, both included; None is "no limit"."""

    low: int | None
    high: int | None

    @property
    def is_single(self) -> bool:
        return self.low is not None and self.low == self.high

    @property
    def is_empty(self) -> bool:
        """Whether no integer is inside, as at unreachable program points."""
        return self.low is not None and self.high is not None and self.low > self.high

    def within(self, low: int | None, high: int | None) -> bool:
        """Whether every value lies in [low, high]."""
        return (low is None or (self.low is not None and self.low >= low)) and (
            high is None or (self.high is not None and self.high <= high)
        )


class _Ends(NamedTuple):
    min_value: int
    max_value: int


class ConstIntBound(_Ends):
    """TVM's object for `Bounds`: infinite ends are `POS_INF` and `NEG_INF`."""

    __slots__ = ()

    POS_INF = (1 << 63) - 1
    NEG_INF = -POS_INF

    def __str__(self) -> str:
        return f"ConstIntBound[{self.min_value},{self.max_value}]"

    __repr__ = __str__

    @classmethod
    def of(cls, bounds: Bounds) -> ConstIntBound:
        """Convert bounds."""
        return cls(
            cls.NEG_INF if bounds.low is None else max(bounds.low, cls.NEG_INF),
            cls.POS_INF if bounds.high is None else min(bounds.high, cls.POS_INF),
        )

    @property
    def bounds(self) -> Bounds:
        """The interval, where None is "no limit"."""
        return Bounds(
            None if self.min_value <= self.NEG_INF else self.min_value,
            None if self.max_value >= self.POS_INF else self.max_value,
        )


EVERYTHING: Final = Bounds(None, None)
NATURAL: Final = Bounds(0, None)


@cache
def of_dtype(dtype: DType) -> Bounds:
    """Return all values of an integer dtype."""
    return Bounds(dtype.min_value, dtype.max_value)


def intersect(a: Bounds, b: Bounds) -> Bounds:
    """Return the intersection."""
    low = a.low if b.low is None else b.low if a.low is None else max(a.low, b.low)
    high = a.high if b.high is None else b.high if a.high is None else min(a.high, b.high)
    return Bounds(low, high)


def union(a: Bounds, b: Bounds) -> Bounds:
    """Return the smallest interval that contains both."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Bounds(low, high)


def add(a: Bounds, b: Bounds) -> Bounds:
    """Return the interval of sums."""
    return Bounds(
        None if a.low is None or b.low is None else a.low + b.low,
        None if a.high is None or b.high is None else a.high + b.high,
    )


def scale(a: Bounds, factor: int) -> Bounds:
    """Return the interval of products with a constant."""
    if factor == 0:
        return Bounds(0, 0)
    low = None if a.low is None else a.low * factor
    high = None if a.high is None else a.high * factor
    return Bounds(low, high) if factor > 0 else Bounds(high, low)


def combination(const: int, parts: Iterable[tuple[int, Bounds]]) -> Bounds:
    """Return the interval of a constant plus multiples."""
    low: int | None = const
    high: int | None = const
    for factor, (least, most) in parts:
        if factor < 0:
            least, most = most, least
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or most is None else high + factor * most
    return Bounds(low, high)


def mul(a: Bounds, b: Bounds) -> Bounds:
    """Return an interval of products."""
    if a.is_single:
        return scale(b, a.low or 0)
    if b.is_single:
        return scale(a, b.low or 0)
    if None not in a and None not in b:
        corners = [x * y for x in a for y in b if x is not None and y is not None]
        return Bounds(min(corners), max(corners))
    return NATURAL if a.within(0, None) and b.within(0, None) else EVERYTHING


def floordiv(a: Bounds, divisor: int) -> Bounds:
    """Return the interval of quotients by a constant that is not zero, rounded down."""
    if divisor < 0:
        return floordiv(scale(a, -1), -divisor)
    return Bounds(None if a.low is None else a.low // divisor, None if a.high is None else a.high // divisor)


def floormod(a: Bounds, divisor: int) -> Bounds:
    """Return an interval of remainders of `floordiv` by a constant that is not zero. They have its sign."""
    if divisor < 0:
        return scale(floormod(scale(a, -1), -divisor), -1)
    if a.low is not None and a.high is not None and a.low // divisor == a.high // divisor:
        return Bounds(a.low % divisor, a.high % divisor)
    return Bounds(0, divisor - 1)


def trunc_div(a: Bounds, divisor: int) -> Bounds:
    """Return the interval of quotients by a constant that is not zero, rounded towards zero."""
    low = None if a.low is None else truncdiv(a.low, divisor)
    high = None if a.high is None else truncdiv(a.high, divisor)
    return Bounds(low, high) if divisor > 0 else Bounds(high, low)


def trunc_mod(a: Bounds, divisor: int) -> Bounds:
    """Return an interval of remainders of `trunc_div` by a constant that is not zero. They have the dividend's sign."""
    limit = abs(divisor) - 1
    low = 0 if a.within(0, None) else -limit if a.low is None else max(-limit, a.low)
    high = 0 if a.within(None, 0) else limit if a.high is None else min(limit, a.high)
    return Bounds(low, high)


def minimum(a: Bounds, b: Bounds) -> Bounds:
    """Return the interval of minima."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = a.high if b.high is None else b.high if a.high is None else min(a.high, b.high)
    return Bounds(low, high)


def maximum(a: Bounds, b: Bounds) -> Bounds:
    """Return the interval of maxima."""
    return scale(minimum(scale(a, -1), scale(b, -1)), -1)
