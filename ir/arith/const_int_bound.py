"""Constant bounds and residues as TVM's objects: `ConstIntBound(min_value, max_value)`, `ModularSet(coeff, base)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.arith.bounds import Bounds


@dataclass(frozen=True, slots=True)
class ConstIntBound:
    """The integers from `min_value` to `max_value`, both included; infinities are numbers, as in TVM."""

    min_value: int
    max_value: int

    POS_INF: ClassVar[int] = (1 << 63) - 1
    NEG_INF: ClassVar[int] = -POS_INF

    @classmethod
    def of(cls, bounds: Bounds) -> ConstIntBound:
        """Bounds with TVM's infinities."""
        return cls(
            cls.NEG_INF if bounds.low is None else max(bounds.low, cls.NEG_INF),
            cls.POS_INF if bounds.high is None else min(bounds.high, cls.POS_INF),
        )

    @property
    def bounds(self) -> Bounds:
        """Without infinities: None is "no limit"."""
        return Bounds(
            None if self.min_value <= self.NEG_INF else self.min_value,
            None if self.max_value >= self.POS_INF else self.max_value,
        )


@dataclass(frozen=True, slots=True)
class ModularSet:
    """The integers coeff * x + base; a coeff of 0 is `base` alone."""

    coeff: int
    base: int
