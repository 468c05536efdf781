"""The form of an iteration map: marked iterators, their digits, and sums of digits.

Each quantity has two names: the short one (`size`, `lower`, `step`, `shift`) is an integer where it is constant,
the one of TVM (`extent`, `lower_factor`, `scale`, `base`) is an expression always.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final, TypeAlias

from tvmscript.ir.arith.fold import FALSE
from tvmscript.ir.core.dtype import BOOL, INT32, DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import IntImm

#: A constant, or an expression that is none.
Size: TypeAlias = int | Expr


def as_size(value: Size) -> Size:
    """An integer where the value is a constant index; predicates stay as they are."""
    return value.value if isinstance(value, IntImm) and value.dtype is not BOOL else value


def as_index(value: Size, dtype: DType) -> Expr:
    """The value as an expression; constants take this dtype."""
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
        """How many values it takes."""
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
        """What the iterator is divided by."""
        return as_index(self.lower, self.source.dtype)

    @property
    def extent(self) -> Expr:
        """How many values the digit takes."""
        return as_index(self.size, self.source.dtype)

    @property
    def scale(self) -> Expr:
        """What the digit is multiplied with."""
        return as_index(self.step, self.source.dtype)

    def scaled(self, scale: Size) -> IterSplitExpr:
        """The same digit, multiplied with something else."""
        return IterSplitExpr(self.source, self.lower, self.size, scale)

    def __repr__(self) -> str:
        return f"IterSplit({self.source!r}, lower_factor={self.lower}, extent={self.size}, scale={self.step})"


class IterSumExpr:
    """A sum of digits, and `base`, in which no iterators are."""

    __slots__ = ("args", "dtype", "shift")

    def __init__(self, args: Sequence[IterSplitExpr], base: Size = 0, dtype: DType | None = None) -> None:
        self.args: Final = tuple(args)
        self.shift: Final = base if type(base) is int else as_size(base)
        if dtype is None:
            dtype = args[0].source.dtype if args else base.dtype if isinstance(base, Expr) else INT32
        self.dtype: Final[DType] = dtype

    @property
    def base(self) -> Expr:
        """What is added to the digits."""
        return as_index(self.shift, self.dtype)

    def __repr__(self) -> str:
        return f"IterSum([{', '.join(map(repr, self.args))}], {self.shift})"


IterMapExpr: TypeAlias = IterSplitExpr | IterSumExpr


class IterMapLevel(IntEnum):
    """What is asked of an iteration map."""

    #: All values of all iterators are told apart.
    Bijective = 0
    #: The indices are independent, and each takes all values of its range.
    Surjective = 1
    #: The indices are sums of digits.
    NoCheck = 3

    @staticmethod
    def from_str(name: str | None) -> IterMapLevel:
        """The level of this name, however it is capitalised; None is `NoCheck`. Raises `WrongType`."""
        for level in IterMapLevel:
            if level.name.lower() == ("nocheck" if name is None else name.lower()):
                return level
        raise WrongType(where="a check level", expected="bijective, surjective or nocheck", got=repr(name))


CheckLevel: TypeAlias = IterMapLevel | str | None


def as_level(level: CheckLevel) -> IterMapLevel:
    """The level, whichever way it is given."""
    return level if isinstance(level, IterMapLevel) else IterMapLevel.from_str(level)


class IterMapResult:
    """What was detected: `indices` is empty where nothing was, and `errors` tell why.

    `padding_predicate` holds where the (padded) indices lie outside of the original iterators.
    """

    __slots__ = ("_errors", "indices", "padding_predicate")

    def __init__(
        self,
        indices: Sequence[IterSumExpr],
        padding_predicate: Expr = FALSE,
        errors: Sequence[Callable[[], str]] = (),
    ) -> None:
        self.indices: Final = tuple(indices)
        self.padding_predicate: Final = padding_predicate
        self._errors = errors

    @property
    def errors(self) -> tuple[str, ...]:
        """Why nothing was detected; the texts are made when they are asked for."""
        return tuple([render() for render in self._errors])

    def __repr__(self) -> str:
        return f"IterMapResult(indices={list(self.indices)!r}, errors={list(self.errors)!r})"
