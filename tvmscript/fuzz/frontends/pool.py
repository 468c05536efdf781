"""A pool of tensors with their values, from which the operators of a random model take their operands."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Ref = TypeVar("Ref")
Shape = tuple[int, ...]

_SHAPES: Final[tuple[Shape, ...]] = ((2, 3), (3,), (4, 3), (2, 3, 4), (1, 5), (5, 1, 2), (), (2, 2, 3, 3), (7,))
FLOATS: Final = ("float32", "float32", "float32", "float64")
INTEGERS: Final = ("int32", "int32", "int64", "int8", "uint8", "uint32")
#: values above it are no operands: rounding errors grow
_LARGEST: Final = 50.0


@dataclass(frozen=True)
class Value(Generic[Ref]):
    """A tensor of a model: how it is referred to, and its value."""

    ref: Ref
    array: Array
    #: whether the value has no rounding errors, so that comparisons and conversions to integers have one result
    is_exact: bool = True

    @property
    def shape(self) -> Shape:
        return self.array.shape

    @property
    def rank(self) -> int:
        return self.array.ndim

    @property
    def dtype(self) -> str:
        return str(self.array.dtype)


class Pool(Generic[Ref]):
    """The tensors of a model. `declare` adds an input to the model, and returns how it is referred to."""

    def __init__(self, rng: random.Random, declare: Callable[[Array], Ref]) -> None:
        self.rng = rng
        self.values: list[Value[Ref]] = []
        self._declare = declare

    def input(self, array: Array) -> Value[Ref]:
        """Add an input with this value."""
        array = np.asarray(array)
        value = Value(self._declare(array), array)
        self.values.append(value)
        return value

    def add(self, ref: Ref, array: Array, *operands: Value[Ref], is_exact: bool = True) -> Value[Ref]:
        """Add the result of an operator; it is exact where the operator and all operands are, or in integers."""
        array = np.asarray(array)
        exact = array.dtype.kind in "iub" or (is_exact and all(each.is_exact for each in operands))
        value = Value(ref, array, exact)
        self.values.append(value)
        return value

    def shape(self, ranks: Sequence[int] = range(5)) -> Shape:
        """Draw a shape."""
        return self.rng.choice([shape for shape in _SHAPES if len(shape) in ranks])

    def data(self, shape: Sequence[int], dtype: str, low: float = -3, high: float = 3) -> Array:
        """Draw elements: floats are multiples of 1/8, with ties among them."""
        numpy_rng = np.random.default_rng(self.rng.getrandbits(32))
        if dtype == "bool":
            return np.asarray(numpy_rng.integers(0, 2, tuple(shape)), "bool")
        if dtype.startswith("complex"):
            parts = numpy_rng.integers(-16, 17, (2, *shape)) / 8
            return np.asarray(parts[0] + 1j * parts[1], dtype)
        if dtype.startswith("uint"):
            low, high = max(low, 0), high + 9
        if "int" in dtype:
            return np.asarray(numpy_rng.integers(int(low), int(high) + 1, tuple(shape)), dtype)
        return np.asarray(numpy_rng.integers(int(np.ceil(low * 8)), int(high * 8) + 1, tuple(shape)) / 8, dtype)

    def pick(
        self,
        dtypes: Sequence[str] = FLOATS,
        ranks: Sequence[int] = range(5),
        shape: Shape | None = None,
        low: float = -_LARGEST,
        high: float = _LARGEST,
        *,
        is_exact: bool = False,
    ) -> Value[Ref]:
        """Choose an operand, with elements from `low` to `high`; add an input where there is none, or now and then."""

        def fits(value: Value[Ref]) -> bool:
            array = value.array
            return (
                value.dtype in dtypes
                and value.rank in ranks
                and shape in (None, value.shape)
                and (value.is_exact or not is_exact)
                and (array.dtype.kind in "bc" or (not array.size or bool(low <= array.min() <= array.max() <= high)))
            )

        fitting = [value for value in self.values if fits(value)]
        if fitting and self.rng.randrange(4):
            return self.rng.choice(fitting)
        extents = self.shape(ranks) if shape is None else shape
        return self.input(self.data(extents, self.rng.choice(list(dtypes)), max(low, -3), min(high, 3)))

    def two(self, dtypes: Sequence[str], low: float = -_LARGEST, high: float = _LARGEST) -> list[Value[Ref]]:
        """Choose two operands of the same shape and dtype; the bounds are those of the second one."""
        first = self.pick(dtypes)
        return [first, self.pick((first.dtype,), (first.rank,), first.shape, low, high)]

    def axis(self, value: Value[Ref]) -> int:
        return self.rng.randrange(value.rank)
