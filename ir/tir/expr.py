"""Expressions of TIR. Each constructor checks the dtypes of its operands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from enum import IntEnum
from typing import Any, ClassVar, cast

from tvmscript.ir.core import BOOL, HANDLE, DType, Op, PointerType, PrimType, Span, Type
from tvmscript.ir.core.errors import DTypeMismatch, ValueOutOfRange, WrongArgumentCount, WrongRank, WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, Node, binds, node
from tvmscript.ir.core.values.nan import canonical_nan
from tvmscript.ir.tir.base import Convertible, EqualOp, Expr, NotEqualOp, to_expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.var import SizeVar as SizeVar
from tvmscript.ir.tir.var import Var as Var


def _number(value: object) -> float | None:
    """Return the number that a Python value or a constant is."""
    if isinstance(value, (int, float)):
        return value
    return value.value if isinstance(value, (IntImm, FloatImm)) else None


@node
class IntImm(Expr):
    """An integer or bool constant."""

    value: int
    argument_order: ClassVar[tuple[str, ...]] = ("dtype", "value")

    def __init__(self: Building, dtype: DType | str, value: int, span: Span | None = None) -> None:
        if type(dtype) is not DType:
            dtype = DType(dtype)
        limits = dtype.limits
        if limits is None:
            raise WrongType(where="IntImm", expected="a scalar integer dtype", got=dtype, span=span)
        if not limits[0] <= value <= limits[1]:
            raise ValueOutOfRange(value=value, dtype=dtype, span=span)
        self.dtype = dtype
        self.value = value if type(value) is int else int(value)
        self.span = span

    __hash__: ClassVar[Any] = object.__hash__

    def __index__(self) -> int:
        return self.value

    def __int__(self) -> int:
        return self.value

    def __bool__(self) -> bool:
        return self.value != 0

    def __eq__(self, other: object) -> Any:
        """Compare constants by value, as a constant; anything else: see `EqualOp`."""
        number = _number(other)
        return EqualOp(self, other) if number is None else IntImm(BOOL, self.value == number)

    def __ne__(self, other: object) -> Any:
        number = _number(other)
        return NotEqualOp(self, other) if number is None else IntImm(BOOL, self.value != number)


@node
class FloatImm(Expr):
    """A floating-point constant; `value` is kept in double precision and rounded to `dtype` where it is used."""

    value: float
    argument_order: ClassVar[tuple[str, ...]] = ("dtype", "value")

    def __init__(self: Building, dtype: DType | str, value: float, span: Span | None = None) -> None:
        if type(dtype) is not DType:
            dtype = DType(dtype)
        if not dtype.is_floating or dtype.lanes != 1:
            raise WrongType(where="FloatImm", expected="a scalar floating-point dtype", got=dtype, span=span)
        value = float(value)
        self.dtype = dtype
        self.value = canonical_nan(dtype, value) if math.isnan(value) else value
        self.span = span

    def __float__(self) -> float:
        return self.value


@node
class StringImm(Expr):
    """A string constant, as intrinsics take."""

    value: str

    __hash__: ClassVar[Any] = object.__hash__

    def __post_init__(self: Building) -> None:
        self.dtype = HANDLE

    def __eq__(self, other: object) -> bool:
        """Compare by value with a string or another constant."""
        return self.value == (other.value if isinstance(other, (IntImm, FloatImm, StringImm)) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other


@node
class Cast(Expr):
    """The value converted to another dtype, lane by lane. Floats to integers round towards zero."""

    value: Expr
    argument_order: ClassVar[tuple[str, ...]] = ("dtype", "value")

    def __init__(self: Building, dtype: DType | str, value: Expr, span: Span | None = None) -> None:
        if type(dtype) is not DType:
            dtype = DType(dtype)
        try:
            given = value.dtype
        except AttributeError:
            value = to_expr(value)
            given = value.dtype
        if dtype.lanes != given.lanes:
            raise DTypeMismatch(where="Cast", left=dtype, right=given, span=span)
        self.dtype = dtype
        self.value = value
        self.span = span


@node
class BinaryOp(Expr):
    """Base of operators on two values of one dtype."""

    a: Expr
    b: Expr
    alike: ClassVar[tuple[str, ...]] = ("a", "b")

    def __post_init__(self: Building) -> None:
        dtype = self.a.dtype
        if dtype is not self.b.dtype:
            raise DTypeMismatch(where=type(self).__name__, left=dtype, right=self.b.dtype, span=self.span)
        self.dtype = dtype


@node
class Add(BinaryOp):
    """a + b, integers wrap around."""


@node
class Sub(BinaryOp):
    """a - b, integers wrap around."""


@node
class Mul(BinaryOp):
    """a * b, integers wrap around."""


@node
class Div(BinaryOp):
    """a / b; integers round towards zero (truncdiv)."""


@node
class Mod(BinaryOp):
    """Remainder of Div: it has the sign of a (truncmod)."""


@node
class FloorDiv(BinaryOp):
    """a // b, rounded down as Python does."""


@node
class FloorMod(BinaryOp):
    """a % b, with the sign of b as Python does."""


@node
class Min(BinaryOp):
    """The smaller of the two."""


@node
class Max(BinaryOp):
    """The larger of the two."""


@node
class CompareOp(BinaryOp):
    """Base of comparisons; the value is bool, with as many lanes as the operands."""

    def __post_init__(self: Building) -> None:
        dtype = self.a.dtype
        if dtype is not self.b.dtype:
            raise DTypeMismatch(where=type(self).__name__, left=dtype, right=self.b.dtype, span=self.span)
        self.dtype = BOOL if dtype.lanes == 1 else BOOL.with_lanes(dtype.lanes)


@node
class EQ(CompareOp):
    """a == b."""


@node
class NE(CompareOp):
    """a != b."""


@node
class LT(CompareOp):
    """a < b."""


@node
class LE(CompareOp):
    """a <= b."""


@node
class GT(CompareOp):
    """a > b."""


@node
class GE(CompareOp):
    """a >= b."""


@node
class LogicalOp(BinaryOp):
    """Base of and/or; b is not evaluated where a decides."""

    def __post_init__(self: Building) -> None:
        dtype = self.a.dtype
        if dtype is not self.b.dtype or not dtype.is_bool:
            raise DTypeMismatch(where=type(self).__name__, left=dtype, right=self.b.dtype, span=self.span)
        self.dtype = dtype


@node
class And(LogicalOp):
    """a and b."""


@node
class Or(LogicalOp):
    """a or b."""


@node
class Not(Expr):
    """not a."""

    a: Expr

    def __post_init__(self: Building) -> None:
        if not self.a.dtype.is_bool:
            raise WrongType(where="Not", expected="a bool", got=self.a.dtype, span=self.span)
        self.dtype = self.a.dtype


@node
class Select(Expr):
    """One of two values; both are evaluated (see `if_then_else` for the lazy form)."""

    condition: Expr
    true_value: Expr
    false_value: Expr
    alike: ClassVar[tuple[str, ...]] = ("true_value", "false_value")

    def __post_init__(self: Building) -> None:
        dtype = self.true_value.dtype
        if dtype is not self.false_value.dtype:
            raise DTypeMismatch(where="Select", left=dtype, right=self.false_value.dtype, span=self.span)
        condition = self.condition.dtype
        if not condition.is_bool or condition.lanes not in (1, dtype.lanes):
            raise WrongType(where="Select", expected="a bool condition of as many lanes", got=condition, span=self.span)
        self.dtype = dtype


@node
class BufferLoad(Expr):
    """An element of a buffer; the last index may be a vector, then so is the value."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    predicate: Expr | None = None

    def __post_init__(self: Building) -> None:
        buffer, indices = self.buffer, self.indices
        if len(indices) != len(buffer.shape):
            raise WrongRank(buffer=buffer.name, rank=len(buffer.shape), count=len(indices), span=self.span)
        dtype = buffer.dtype
        if indices and (lanes := index_lanes(indices, self.span)) != 1:
            dtype = dtype.with_lanes(dtype.lanes * lanes)
        self.dtype = dtype


def index_lanes(indices: tuple[Expr, ...], span: Span | None) -> int:
    """Lanes of an access: those of the last index. Raises `WrongType` for an index that is no integer."""
    for index in indices:
        if not index.dtype.is_integer:
            raise WrongType(where="an index", expected="an integer", got=index.dtype, span=span)
    if len(indices) == 1:
        return indices[0].dtype.lanes
    for index in indices[:-1]:
        if index.dtype.lanes != 1:
            raise WrongType(where="every index but the last", expected="a scalar", got=index.dtype, span=span)
    return indices[-1].dtype.lanes


@node
class Let(Expr):
    """The value of `body` where `var` stands for `value`."""

    var: Var = binds(to="value")
    value: Expr
    body: Expr
    alike: ClassVar[tuple[str, ...]] = ("var", "value")

    def __post_init__(self: Building) -> None:
        if self.var.dtype is not self.value.dtype:
            raise DTypeMismatch(where="Let", left=self.var.dtype, right=self.value.dtype, span=self.span)
        self.dtype = self.body.dtype


def _check_lanes(where: str, lanes: int, span: Span | None) -> None:
    """Raise `WrongType` for fewer than 2 lanes.

    Raises AttributeError for an expression, `4 * vscale()`, which the constructor converts then.
    """
    if isinstance(lanes, Expr):
        raise AttributeError("the lanes are an expression")
    if abs(lanes) < 2:
        raise WrongType(where=where, expected="at least 2 lanes", got=lanes, span=span)


@node
class Ramp(Expr):
    """The vector base, base + stride, base + 2 * stride, ...; -4 lanes are 4 * vscale."""

    base: Expr
    stride: Expr
    lanes: int
    alike: ClassVar[tuple[str, ...]] = ("base", "stride")

    def __post_init__(self: Building) -> None:
        base, stride = self.base.dtype, self.stride.dtype
        if base is not stride or base.lanes != 1:
            raise DTypeMismatch(where="Ramp", left=base, right=stride, span=self.span)
        _check_lanes("Ramp", self.lanes, self.span)
        self.dtype = base.with_lanes(self.lanes)


@node
class Broadcast(Expr):
    """A scalar in every lane; -4 lanes are 4 * vscale."""

    value: Expr
    lanes: int

    def __post_init__(self: Building) -> None:
        if self.value.dtype.lanes != 1:
            raise WrongType(where="Broadcast", expected="a scalar", got=self.value.dtype, span=self.span)
        _check_lanes("Broadcast", self.lanes, self.span)
        self.dtype = self.value.dtype.with_lanes(self.lanes)


@node
class Shuffle(Expr):
    """Lanes picked from the concatenation of `vectors`; the indices are constants."""

    vectors: tuple[Expr, ...]
    indices: tuple[Expr, ...]

    def __post_init__(self: Building) -> None:
        if not self.vectors or not self.indices:
            raise WrongType(where="Shuffle", expected="vectors and indices", got="none", span=self.span)
        element = self.vectors[0].dtype.element
        total = 0
        for vector in self.vectors:
            if vector.dtype.element is not element:
                raise DTypeMismatch(where="Shuffle", left=element, right=vector.dtype, span=self.span)
            total += vector.dtype.lanes
        for index in self.indices:
            if isinstance(index, IntImm) and not 0 <= index.value < total:
                raise ValueOutOfRange(value=index.value, dtype=f"the {total} lanes of Shuffle", span=self.span)
        self.dtype = element.with_lanes(len(self.indices))


@node
class Call(Expr):
    """An operator applied to arguments; `op` is an intrinsic or another function of the module.

    More arguments than a function takes are kept, as TVM does. Raises `WrongArgumentCount` for fewer.
    """

    op: Op | Node
    args: tuple[Expr, ...]
    argument_order: ClassVar[tuple[str, ...]] = ("dtype", "op", "args")

    def __init__(
        self: Building, dtype: DType | str, op: Op | Node | str, args: Sequence[object], span: Span | None = None
    ) -> None:
        self.dtype = dtype if type(dtype) is DType else DType(dtype)
        self.op = op if type(op) is not str else Op.get(op)
        self.args = args if type(args) is tuple else tuple([to_expr(arg) for arg in args])
        self.span = span
        if isinstance(self.op, Op) and not self.op.least_inputs <= len(self.args) <= self.op.most_inputs:
            least = self.op.least_inputs
            expected = (
                f"{least} argument{'' if least == 1 else 's'}{'' if self.op.most_inputs == least else ' at least'}"
            )
            raise WrongArgumentCount(where=self.op.name, expected=expected, got=len(self.args), span=span)


@node
class Range(Node):
    """The integers from `begin` (inclusive) to `end` (exclusive), or from 0 where there is one argument.

    It holds where they begin, and how many there are.
    """

    min: Expr = field(kw_only=True)
    extent: Expr = field(kw_only=True)

    def __init__(
        self: Building,
        begin: object = None,
        end: object = None,
        *,
        min: Expr | None = None,
        extent: Expr | None = None,
        span: Span | None = None,
    ) -> None:
        if min is None or extent is None:
            first, last = (0, begin) if end is None else (begin, end)
            min, extent = min_and_extent(first, last, None, span)
        if min.dtype is not extent.dtype:
            raise DTypeMismatch(where="Range", left=min.dtype, right=extent.dtype, span=span)
        self.min = min
        self.extent = extent
        self.span = span

    @staticmethod
    def from_min_extent(min: Any, extent: Any, span: Span | None = None) -> Range:
        """`extent` integers from `min`. Raises `DTypeMismatch`."""
        try:
            if min.dtype is not extent.dtype:
                raise DTypeMismatch(where="Range", left=min.dtype, right=extent.dtype, span=span)
        except AttributeError:
            min, extent = min_and_extent(min, None, extent, span)
        domain: Building = object.__new__(Range)
        domain.min, domain.extent, domain.span = min, extent, span
        return cast(Range, domain)

    @staticmethod
    def from_extent(extent: Expr) -> Range:
        """`extent` integers from 0."""
        return Range.from_min_extent(IntImm(extent.dtype, 0), extent)


@hook
def min_and_extent(begin: object, end: object, extent: object, span: Span | None, /) -> tuple[Expr, Expr]:
    """Return the minimum and the extent of a range in one dtype; without `extent`, the range stops at `end`."""
    raise NotImplementedError


class IterKind(IntEnum):
    """Kinds of iteration variables (TVM's IterVarType)."""

    DATA_PAR = 0
    THREAD_INDEX = 1
    COMM_REDUCE = 2
    ORDERED = 3
    OPAQUE = 4
    UNROLLED = 5
    VECTORIZED = 6
    PARALLELIZED = 7
    TENSORIZED = 8


@node
class IterVar(Node, Convertible):
    """An axis of a block or a tensor, or a thread index of a device. In an expression it stands for its variable."""

    dom: Range | None
    var: Var = binds()
    iter_type: IterKind
    thread_tag: str = ""
    takes_values: ClassVar[bool] = True

    # TVM's names of the kinds
    DataPar: ClassVar[IterKind] = IterKind.DATA_PAR
    ThreadIndex: ClassVar[IterKind] = IterKind.THREAD_INDEX
    CommReduce: ClassVar[IterKind] = IterKind.COMM_REDUCE
    Ordered: ClassVar[IterKind] = IterKind.ORDERED
    Opaque: ClassVar[IterKind] = IterKind.OPAQUE
    DimInfo: ClassVar[IterKind] = IterKind.OPAQUE
    Unrolled: ClassVar[IterKind] = IterKind.UNROLLED
    Vectorized: ClassVar[IterKind] = IterKind.VECTORIZED
    Parallelized: ClassVar[IterKind] = IterKind.PARALLELIZED
    Tensorized: ClassVar[IterKind] = IterKind.TENSORIZED

    def asobject(self) -> Expr:
        """Return the variable."""
        return self.var


@node
class BufferRegion(Node):
    """A box of a buffer."""

    buffer: Buffer
    region: tuple[Range, ...]
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        if len(self.region) != len(self.buffer.shape):
            raise WrongRank(
                buffer=self.buffer.name, rank=len(self.buffer.shape), count=len(self.region), span=self.span
            )

    @staticmethod
    def full(buffer: Buffer) -> BufferRegion:
        """All of a buffer (TVM's `FullRegion`)."""
        return BufferRegion(buffer, tuple([Range.from_extent(extent) for extent in buffer.shape]))


def pointer_to(dtype: DType | str, scope: str = "global") -> PointerType:
    """The type of a buffer's data variable."""
    return PointerType(PrimType(DType(dtype)), scope)


def type_of(var: Var) -> Type:
    """The type annotation of a variable, PrimType of its dtype when it has none."""
    return var.pointer_type if var.pointer_type is not None else PrimType(var.dtype)
