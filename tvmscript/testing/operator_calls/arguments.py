"""Random arguments of operators: tensors, shapes, numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

FLOATS: Final = ("float32", "float16", "float64")
INTEGERS: Final = ("int32", "int64", "int8")
ANY: Final = ("float32", "int32", "float16", "int64", "int8", "uint8", "float64")


@dataclass(frozen=True)
class Data:
    """A tensor."""

    shape: tuple[int, ...]
    dtype: str = "float32"


@dataclass(frozen=True)
class Sizes:
    """A shape."""

    extents: tuple[int, ...]


@dataclass(frozen=True)
class Number:
    """A primitive value as a result."""

    dtype: str
    value: int | None = None


class Draws(random.Random):
    """Draws numbers, shapes, axes and attributes."""

    def flag(self) -> bool:
        return self.choice((True, False))

    def size(self, least: int = 1) -> int:
        return max(least, self.choice((2, 3, 1, 4, 5, 7)))

    def shape(self, least: int = 0, most: int = 3) -> tuple[int, ...]:
        """Draw a shape of a rank."""
        return tuple(self.size() for _ in range(self.randint(least, most)))

    def data(self, dtypes: Sequence[str] = ANY, least: int = 0, most: int = 3) -> Data:
        """Draw a tensor of a rank."""
        return Data(self.shape(least, most), self.choice(dtypes))

    def axis(self, ndim: int) -> int:
        """Draw an axis, counted from either end."""
        return self.randrange(-ndim, ndim)

    def axes(self, ndim: int, least: int = 1) -> list[int]:
        """Draw distinct axes, counted from either end."""
        chosen = self.sample(range(ndim), self.randint(min(least, ndim), ndim))
        return [axis - self.choice((0, ndim)) for axis in chosen]

    def broadcastable(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Draw a shape that broadcasts to another one."""
        kept = shape[self.choice((0, 0, self.randint(0, len(shape)))) :]
        return tuple(self.choice((extent, extent, 1)) for extent in kept)

    def given(self, **attrs: Any) -> dict[str, Any]:
        """Drop some attributes, which take their defaults."""
        return {name: value for name, value in attrs.items() if self.random() < 0.7}
