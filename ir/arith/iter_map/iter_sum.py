"""Data structures of iteration maps: iterators, their digits, and sums of digits.

Each quantity has two names: the short one (`size`, `lower`, `step`, `shift`) is an `int` if it is constant, TVM's
one (`extent`, `lower_factor`, `scale`, `base`) is always an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final, TypeAlias

from tvmscript.ir.arith.fold import FALSE
from tvmscript.ir.core import BOOL, INT32, DType, WrongType
from tvmscript.ir.tir import Expr, IntImm

#: A constant as `int`, or an expression.
Size: TypeAlias = int | Expr


def as_size(value: Size) -> Size:
    """Convert a constant index to an `int`; predicates stay expressions."""
    return value.value if isinstance(value, IntImm) and value.dtype is not BOOL else value


def as_index(value: Size, dtype: DType) -> Expr:
    """Convert a value to an expression; constants take this dtype."""
    return IntImm(dtype, value) if isinstance(value, int) else value


class IterMark:
    """An iterator over [0, extent): an expression of variables, or a sum of digits of other iterators."""

    __slots__ = ("dtype", "size", "source")

    def __init__(self, source: Expr | IterSumExpr, extent: Size) -> None:
        self.source: Final = source
        self.size: Final = extent if type(extent) is int else as_size(extent)
        self.dtype: Final[DType] = source.dtype

    @property
    def extent(self) -> Expr:
        """The number of values."""
        return as_index(self.size, self.dtype)

    def __repr__(self) -> str:
        return f"IterMark({self.source!r}, extent={self.size})"


class IterSplitExpr:
    """A digit of an iterator: `source // lower_factor % extent * scale`."""

    __slots__ = ("lower", "size", "source", "step")

    def __init__(
        self, source: IterMark, lower_factor: Size = 1, extent: Size | None = None, scale: Size = 1
    ) -> None:  # fmt: skip
        self.source: Final = source
        self.lower: Final = lower_factor if type(lower_factor) is int else as_size(lower_factor)
        size = source.size if extent is None else extent
        self.size: Final = size if type(size) is int else as_size(size)
        self.step: Final = scale if type(scale) is int else as_size(scale)

    @property
    def dtype(self) -> DType:
        return self.source.dtype

    @property
    def lower_factor(self) -> Expr:
        """The divisor of the iterator."""
        return as_index(self.lower, self.source.dtype)

    @property
    def extent(self) -> Expr:
        """The number of values of the digit."""
        return as_index(self.size, self.source.dtype)

    @property
    def scale(self) -> Expr:
        """The factor of the digit."""
        return as_index(self.step, self.source.dtype)

    def with_scale(self, scale: Size) -> IterSplitExpr:
        """Return the same digit with another scale."""
        return IterSplitExpr(self.source, self.lower, self.size, scale)

    def __repr__(self) -> str:
        return f"IterSplit({self.source!r}, lower_factor={self.lower}, extent={self.size}, scale={self.step})"


class IterSumExpr:
    """A sum of digits and `base`, which has no iterators."""

    __slots__ = ("args", "dtype", "shift")

    def __init__(self, args: Sequence[IterSplitExpr], base: Size = 0, dtype: DType | None = None) -> None:
        self.args: Final = tuple(args)
        self.shift: Final = base if type(base) is int else as_size(base)
        if dtype is None:
            dtype = args[0].source.dtype if args else base.dtype if isinstance(base, Expr) else INT32
        self.dtype: Final[DType] = dtype

    @property
    def base(self) -> Expr:
        """The term without iterators."""
        return as_index(self.shift, self.dtype)

    def __repr__(self) -> str:
        return f"IterSum([{', '.join(map(repr, self.args))}], {self.shift})"


IterMapExpr: TypeAlias = IterSplitExpr | IterSumExpr


class IterMapLevel(IntEnum):
    """The property that an iteration map must have."""

    #: The map is one to one over all iterators.
    Bijective = 0
    #: The indices are independent, and each takes all values of its range.
    Surjective = 1
    #: The indices are sums of digits.
    NoCheck = 3

    @staticmethod
    def from_str(name: str | None) -> IterMapLevel:
        """Return the level of this name, ignoring case; None is `NoCheck`. Raises `WrongType`."""
        for level in IterMapLevel:
            if level.name.lower() == ("nocheck" if name is None else name.lower()):
                return level
        raise WrongType(where="a check level", expected="bijective, surjective or nocheck", got=repr(name))


CheckLevel: TypeAlias = IterMapLevel | str | None


def as_level(level: CheckLevel) -> IterMapLevel:
    """Convert a level or its name to a level."""
    return level if isinstance(level, IterMapLevel) else IterMapLevel.from_str(level)


class IterMapResult:
    """A detected iteration map. If detection failed, `indices` is empty and `errors` has the reasons.

    `padding_predicate` holds where padded indices are outside of the original iterators.
    """

    __slots__ = ("_errors", "indices", "padding_predicate")

    def __init__(
        self, indices: Sequence[IterSumExpr], padding_predicate: Expr = FALSE, errors: Sequence[Callable[[], str]] = ()
    ) -> None:
        self.indices: Final = tuple(indices)
        self.padding_predicate: Final = padding_predicate
        self._errors = errors

    @property
    def errors(self) -> tuple[str, ...]:
        """The reasons why detection failed, rendered on demand."""
        return tuple([render() for render in self._errors])

    def __repr__(self) -> str:
        return f"IterMapResult(indices={list(self.indices)!r}, errors={list(self.errors)!r})"
