"""Bugs of the arithmetic: wrong simplification, wrong bounds, wrong proofs."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "less-by-one",
        "ir/arith/comparisons.py",
        "    if sums.is_at_most_zero(difference.shifted(1)):\n        return True\n    return False if sums.is_at_most_zero(difference.times(-1)) else None",
        "    if sums.is_at_most_zero(difference):\n        return True\n    return False if sums.is_at_most_zero(difference.times(-1)) else None",
        "a < b is proved from a <= b",
    ),
    Patch(
        "quotient-limit",
        "ir/arith/comparisons.py",
        "limit = (right.const + (cls is LE)) * divisor - (cls is LE)",
        "limit = right.const * divisor",
        "x // d <= c becomes x <= c * d",
    ),
    Patch(
        "rounding-of-divided-comparisons",
        "ir/arith/comparisons.py",
        "const = const // content if cls is LE else -(-const // content)",
        "const = const // content",
        "2 * x < 2 * y + 1 becomes x < y",
    ),
    Patch(
        "min-of-products",
        "ir/arith/bounds.py",
        "return Bounds(low, high) if factor > 0 else Bounds(high, low)\n\n\ndef combination",
        "return Bounds(low, high)\n\n\ndef combination",
        "bounds times a negative number are not exchanged",
    ),
    Patch(
        "remainder-of-negative",
        "ir/arith/bounds.py",
        "    low = 0 if a.within(0, None) else -limit if a.low is None else max(-limit, a.low)\n",
        "    low = 0\n",
        "truncmod of negative numbers is said not to be negative",
    ),
    Patch(
        "residues-of-products",
        "ir/arith/modular.py",
        "return residues(gcd(gcd(a.factor * b.factor, a.factor * b.base), b.factor * a.base), a.base * b.base)",
        "return residues(gcd(a.factor * b.factor, a.factor * b.base), a.base * b.base)",
        "a term of the residue of products is missing",
    ),
    Patch(
        "residues-of-quotients",
        "ir/arith/modular.py",
        "return residues(a.factor // divisor, a.base // divisor) if a.factor % divisor == 0 else ANY",
        "return residues(a.factor // divisor, a.base // divisor)",
        "the guard of residues of quotients is missing",
    ),
    Patch(
        "truncated-division",
        "ir/arith/fold.py",
        "return quotient if (a < 0) == (b < 0) else -quotient",
        "return quotient if a >= 0 else -quotient",
        "constants are divided with the wrong sign",
    ),
    Patch(
        "folded-without-wrapping",
        "ir/arith/fold.py",
        "if dtype.min_value <= value <= dtype.max_value else wrap(value, dtype), span)",
        "if dtype.min_value <= value <= dtype.max_value else dtype.max_value, span)",
        "constants beyond the dtype become its largest value",
    ),
    Patch(
        "division-by-a-dividend",
        "ir/arith/simplify.py",
        "        if exact or (b.const > 0 and sums.bounds(a).within(0, None)):",
        "        if exact or b.const > 0:",
        "truncdiv becomes floordiv for negative numbers",
    ),
    Patch(
        "small-quotient",
        "ir/arith/sums.py",
        "        if low is not None and high is not None and low // divisor == high // divisor:\n            return constant(low // divisor)\n        if max(value",
        "        if low is not None and high is not None and low // divisor == (high - 1) // divisor:\n            return constant(low // divisor)\n        if max(value",
        "x // d is taken to be constant although the largest x is in the next step",
    ),
    Patch(
        "common-factor",
        "ir/arith/simplify.py",
        "return gcd(*[value.const for value in values], *[factor for value in values for factor in value.terms.values()])",
        "return gcd(*[factor for value in values for factor in value.terms.values()])",
        "a factor is taken out of a minimum, and of constants that are no multiples of it",
    ),
    Patch(
        "not-of-less",
        "ir/arith/fold.py",
        "{EQ: NE, NE: EQ, LT: GE, GE: LT, GT: LE, LE: GT}",
        "{EQ: NE, NE: EQ, LT: GT, GE: LT, GT: LE, LE: GT}",
        "not a < b becomes a > b",
    ),
    Patch(
        "facts-stay",
        "ir/arith/simplify.py",
        "            with self.facts.assuming(condition, False):\n                false_value",
        "            with self.facts.assuming(condition):\n                false_value",
        "the other value of if_then_else is simplified as if the condition held",
    ),
    Patch(
        "data-may-wrap",
        "ir/arith/simplify.py",
        "        if not any(self.sums.is_data(atom) for atom in value.terms):\n            return False\n        return not",
        "        if any(self.sums.is_data(atom) for atom in value.terms):\n            return False\n        return not",
        "sums of data are taken not to overflow",
    ),
    Patch(
        "ends-of-negative-multiples",
        "ir/arith/enclosure.py",
        "first, last = _atom(engine, atom, domains) if factor > 0 else _atom(engine, atom, domains)[::-1]",
        "first, last = _atom(engine, atom, domains)",
        "the ends of negative multiples are not exchanged",
    ),
)
