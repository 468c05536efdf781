"""Nodes of TE: reductions as values, tensors, realized regions, prefetches.

Lowering a schedule removes them. They are read and printed; backends refuse them.
"""

from __future__ import annotations

from typing import ClassVar

from tvmscript.ir.core import DType, Span
from tvmscript.ir.core.errors import DTypeMismatch, ValueOutOfRange, WrongRank, WrongType
from tvmscript.ir.core.node import Building, Node, binds, node, note
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IterKind, IterVar, Range
from tvmscript.ir.tir.stmt import check_condition
from tvmscript.ir.tir.var import Var


@node
class CommReducer(Node):
    """A commutative combination of two groups of values: `result` of `lhs` and `rhs`, beginning at the identity."""

    lhs: tuple[Var, ...] = binds()
    rhs: tuple[Var, ...] = binds()
    result: tuple[Expr, ...]
    identity_element: tuple[Expr, ...]
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        count = len(self.result)
        for part in ("lhs", "rhs", "identity_element"):
            if len(getattr(self, part)) != count:
                raise WrongType(
                    where=f"CommReducer of {count} results",
                    expected=f"{count} in {part}",
                    got=len(getattr(self, part)),
                    span=self.span,
                )
        for var, value in zip((*self.lhs, *self.rhs), self.identity_element * 2, strict=True):
            if var.dtype is not value.dtype:
                raise DTypeMismatch(where="CommReducer", left=var.dtype, right=value.dtype, span=self.span)


@node
class Reduce(Expr):
    """Result `value_index` of combining `source` over the ranges of `axis` where the condition holds.

    `init` is what it begins with, where that is not the identity.
    """

    axis: tuple[IterVar, ...] = binds()
    combiner: CommReducer
    source: tuple[Expr, ...]
    condition: Expr
    value_index: int
    init: tuple[Expr, ...] = ()
    argument_order: ClassVar[tuple[str, ...]] = ("combiner", "source", "axis", "condition", "value_index", "init")

    def __init__(
        self: Building,
        combiner: CommReducer,
        source: tuple[Expr, ...],
        axis: tuple[IterVar, ...],
        condition: Expr,
        value_index: int = 0,
        init: tuple[Expr, ...] = (),
        span: Span | None = None,
    ) -> None:
        self.combiner, self.source, self.axis = combiner, source, axis
        self.condition, self.value_index, self.init, self.span = condition, value_index, init, span
        for item in axis:
            if item.iter_type is not IterKind.COMM_REDUCE:
                raise WrongType(where="Reduce", expected="reduction axes", got=item.iter_type.name, span=span)
        count = len(combiner.result)
        if len(source) != count or len(init) not in (0, count):
            raise WrongType(where="Reduce", expected=f"{count} sources", got=len(source), span=span)
        if not 0 <= value_index < count:
            raise ValueOutOfRange(value=value_index, dtype=f"the {count} results of Reduce", span=span)
        check_condition("Reduce", condition, span)
        self.dtype = source[value_index].dtype


@node
class DataProducer(Node):
    """Base of what stands for data that is computed somewhere else, such as a tensor of TE."""

    name: str = note()
    shape: tuple[Expr, ...]
    dtype: DType

    is_name: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)

    @property
    def name_hint(self) -> str:
        return self.name


@node
class ProducerLoad(Expr):
    """An element of a producer's data."""

    producer: DataProducer
    indices: tuple[Expr, ...]

    def __post_init__(self: Building) -> None:
        if len(self.indices) != len(self.producer.shape):
            raise WrongRank(
                buffer=self.producer.name, rank=len(self.producer.shape), count=len(self.indices), span=self.span
            )
        self.dtype = self.producer.dtype


@node
class BufferRealize(Stmt):
    """The elements of a buffer inside of `bounds` exist while `body` runs, where the condition holds."""

    buffer: Buffer = binds()
    bounds: tuple[Range, ...]
    condition: Expr
    body: Stmt

    def __post_init__(self: Building) -> None:
        check_bounds(self.buffer, self.bounds, self.span)
        check_condition("BufferRealize", self.condition, self.span)


@node
class Prefetch(Stmt):
    """A hint: the elements of a buffer inside of `bounds` are used soon."""

    buffer: Buffer
    bounds: tuple[Range, ...]

    def __post_init__(self: Building) -> None:
        check_bounds(self.buffer, self.bounds, self.span)


def check_bounds(buffer: Buffer, bounds: tuple[Range, ...], span: Span | None) -> None:
    """Raise `WrongRank` unless there is a range for each dimension of the buffer."""
    if len(bounds) != len(buffer.shape):
        raise WrongRank(buffer=buffer.name, rank=len(buffer.shape), count=len(bounds), span=span)
