"""Arithmetic of modular sets: the integers that are `base` modulo `factor`."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple


class Modular(NamedTuple):
    """The integers factor * k + base; the factor 0 means `base` alone, otherwise 0 <= base < factor."""

    factor: int
    base: int

    def is_multiple_of(self, number: int) -> bool:
        """Whether every value is a multiple of the number."""
        return number != 0 and self.factor % number == 0 and self.base % number == 0


class ModularSet(NamedTuple):
    """TVM's object for `Modular`: the integers coeff * x + base."""

    coeff: int
    base: int


ANY = Modular(1, 0)


def residues(factor: int, base: int) -> Modular:
    """Return the modular set in normal form."""
    factor = abs(factor)
    return Modular(factor, base % factor if factor else base)


def add(a: Modular, b: Modular) -> Modular:
    """Return the modular set of sums."""
    return residues(gcd(a.factor, b.factor), a.base + b.base)


def scale(a: Modular, by: int) -> Modular:
    """Return the modular set of products with a constant."""
    return residues(a.factor * by, a.base * by)


def mul(a: Modular, b: Modular) -> Modular:
    """Return the modular set of products."""
    return residues(gcd(gcd(a.factor * b.factor, a.factor * b.base), b.factor * a.base), a.base * b.base)


def union(a: Modular, b: Modular) -> Modular:
    """Return the smallest modular set that contains both."""
    return residues(gcd(gcd(a.factor, b.factor), a.base - b.base), a.base)


def intersect(a: Modular, b: Modular) -> Modular:
    """Return the intersection; `a` if it is empty."""
    if a.factor == 0 or b.factor == 0:
        return a if a.factor == 0 else b
    common = gcd(a.factor, b.factor)
    if (a.base - b.base) % common:
        return a
    steps = (b.base - a.base) // common * pow(a.factor // common, -1, b.factor // common)
    return residues(a.factor * b.factor // common, a.base + a.factor * steps)


def floordiv(a: Modular, divisor: int) -> Modular:
    """Return the modular set of quotients by a constant that is not zero."""
    if divisor < 0:
        return floordiv(scale(a, -1), -divisor)
    return residues(a.factor // divisor, a.base // divisor) if a.factor % divisor == 0 else ANY


def floormod(a: Modular, divisor: int) -> Modular:
    """Return the modular set of remainders by a constant that is not zero."""
    if a.factor % divisor == 0:
        return Modular(0, a.base % divisor)
    return residues(gcd(a.factor, divisor), a.base)
