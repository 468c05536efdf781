"""The random numbers of schedules: TVM's generator, so that a seed draws the same numbers in both.

The generator is `minstd_rand` of C++ (multiplier 48271, modulus 2**31 - 1), counted from 0; what is drawn from it
follows `uniform_int_distribution` and `discrete_distribution` of GNU's libstdc++, with which TVM is built.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from itertools import accumulate
from random import SystemRandom

_MULTIPLIER = 48271
_MODULUS = 2**31 - 1


class RandomEngine:
    """A source of random numbers; `state` says all about what comes next."""

    def __init__(self, seed: int | None = None) -> None:
        self.state = (SystemRandom().randrange(1, _MODULUS) if seed is None else seed) % _MODULUS or 1

    def next(self) -> int:
        """A number from 0 to 2**31 - 2."""
        self.state = self.state * _MULTIPLIER % _MODULUS
        return self.state

    def fork(self) -> int:
        """A seed for another engine."""
        return self.next() * 32767 % 1999999973

    def below(self, low: int, high: int) -> int:
        """One of low, ..., high - 1, all equally likely."""
        count = high - low
        scale = _MODULUS // count
        while (drawn := self.next()) >= count * scale:
            pass
        return drawn // scale + low

    def unit(self) -> float:
        """A number from 0 to below 1, of two draws."""
        total = float(self.next()) + float(self.next()) * _MODULUS
        return min(total / (float(_MODULUS) * _MODULUS), math.nextafter(1.0, 0.0))

    def index(self, weights: Sequence[float]) -> int:
        """The index of one of the weights, which need not add up to 1."""
        if len(weights) < 2:
            return 0
        total = sum(weights)
        *ends, _ = accumulate(weight / total for weight in weights)
        return bisect.bisect_left([*ends, 1.0], self.unit())

    def subset(self, count: int, size: int) -> list[int]:
        """So many different ones of 0, ..., count - 1, in the order drawn."""
        if size == 1:
            return [self.below(0, count)]
        if size == 2:
            first, second = self.below(0, count), self.below(0, count - 1)
            return [first, second + (second >= first)]
        order = [*range(count)]
        for place in range(size):
            other = self.below(place, count)
            order[place], order[other] = order[other], order[place]
        return order[:size]

    def tile(self, extent: int, parts: int) -> list[int]:
        """Factors of a number, so many of them; each prime factor is in any of them, equally likely."""
        if parts == 1:
            return [extent]
        made = [1] * parts
        for prime, power in _factorize(extent):
            if parts == 2:
                first = self.below(0, power + 1)
                made[0] *= prime**first
                made[1] *= prime ** (power - first)
                continue
            if power == 1:
                made[self.below(0, parts)] *= prime
                continue
            # bars among stars: the factors are the stars between two bars
            bars = [-1, *sorted(self.subset(power + parts - 1, parts - 1)), power + parts - 1]
            for place in range(parts):
                made[place] *= prime ** (bars[place + 1] - bars[place] - 1)
        return made


def _factorize(number: int) -> list[tuple[int, int]]:
    """Prime factors with their powers, small ones first."""
    found: list[tuple[int, int]] = []
    prime = 2
    while prime * prime <= number:
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        if power:
            found.append((prime, power))
        prime += 1
    if number > 1:
        found.append((number, 1))
    return found
