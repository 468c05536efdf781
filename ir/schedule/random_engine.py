"""Random numbers of schedules: the same sequence as TVM for the same seed.

The generator is C++ `minstd_rand` (multiplier 48271, modulus 2**31 - 1), shifted to start at 0. The distributions
follow `uniform_int_distribution` and `discrete_distribution` of GNU's libstdc++.
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
    """A linear congruential generator; `state` determines the sequence."""

    def __init__(self, seed: int | None = None) -> None:
        self.state = (SystemRandom().randrange(1, _MODULUS) if seed is None else seed) % _MODULUS or 1

    def next(self) -> int:
        """Return a number from 0 to 2**31 - 2."""
        self.state = self.state * _MULTIPLIER % _MODULUS
        return self.state

    def fork(self) -> int:
        """Return a seed for another engine."""
        return self.next() * 32767 % 1999999973

    def below(self, low: int, high: int) -> int:
        """Return an integer of [low, high), uniformly distributed."""
        count = high - low
        scale = _MODULUS // count
        while (number := self.next()) >= count * scale:
            pass
        return number // scale + low

    def unit(self) -> float:
        """Return a float of [0, 1), made of two numbers."""
        total = float(self.next()) + float(self.next()) * _MODULUS
        return min(total / (float(_MODULUS) * _MODULUS), math.nextafter(1.0, 0.0))

    def index(self, weights: Sequence[float]) -> int:
        """Return an index with a probability proportional to its weight."""
        if len(weights) < 2:
            return 0
        total = sum(weights)
        *ends, _ = accumulate(weight / total for weight in weights)
        return bisect.bisect_left([*ends, 1.0], self.unit())

    def subset(self, count: int, size: int) -> list[int]:
        """Return `size` distinct integers of [0, count), in the order of sampling."""
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
        """Split `extent` into `parts` factors, each prime factor distributed uniformly over them."""
        if parts == 1:
            return [extent]
        factors = [1] * parts
        for prime, power in _factorize(extent):
            if parts == 2:
                first = self.below(0, power + 1)
                factors[0] *= prime**first
                factors[1] *= prime ** (power - first)
                continue
            if power == 1:
                factors[self.below(0, parts)] *= prime
                continue
            # stars and bars: a factor gets as many primes as there are stars between two bars
            bars = [-1, *sorted(self.subset(power + parts - 1, parts - 1)), power + parts - 1]
            for place in range(parts):
                factors[place] *= prime ** (bars[place + 1] - bars[place] - 1)
        return factors


def _factorize(number: int) -> list[tuple[int, int]]:
    """Return the prime factors with their exponents, in increasing order."""
    factors: list[tuple[int, int]] = []
    prime = 2
    while prime * prime <= number:
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        if power:
            factors.append((prime, power))
        prime += 1
    if number > 1:
        factors.append((number, 1))
    return factors
