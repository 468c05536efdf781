"""Forms of loops that reduce: accumulation into an element, selection of an extreme with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Final

from tvmscript.backends.llvm.codegen.memory_rewriter import reads_memory
from tvmscript.backends.llvm.codegen.vectorizable_loops import HALVES, slope
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import BOOL, FLOAT32, INT32, DType, Span, structural_equal
from tvmscript.ir.tir import Expr, IntImm, Stmt, Var, cast, substitute, uses
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    Add,
    And,
    BinaryOp,
    BufferLoad,
    Cast,
    CompareOp,
    FloatImm,
    Max,
    Min,
    Mul,
    Or,
    Select,
)
from tvmscript.ir.tir.stmt import BufferStore, For, IfThenElse, LetStmt, SeqStmt

#: operation -> its identity element: x op identity is x, for every float x
_IDENTITIES: Final[dict[type[Expr], float]] = {Add: -0.0, Mul: 1.0, Max: -inf, Min: inf}


@dataclass(frozen=True)
class Accumulation:
    """`element = op(element, term)` in each iteration of a loop, perhaps under a condition."""

    stores: tuple[BufferStore]
    op: type[BinaryOp]
    term: Expr
    condition: Expr | None
    #: whether lanes begin with the first terms, not with an identity element
    begins_with_terms: ClassVar[bool] = False
    most_vectors: ClassVar[int] = 8

    def begin(self, own: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that sets up a lane."""
        return _store(own[0], FloatImm(own[0].dtype, _IDENTITIES[self.op]), self.stores[0].span)

    def step(self, own: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines a lane with a term."""
        return _store(own[0], self.op(own[0], cast(own[0].dtype, self.term)), self.stores[0].span)

    def combine(self, a: Sequence[BufferLoad], b: Sequence[BufferLoad], into: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines partial results."""
        return _store(into[0], self.op(a[0], b[0]), self.stores[0].span)

    def finish(self, total: Sequence[BufferLoad], last: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines the element before the loop with the last partial result."""
        value = self.op(cast(last[0].dtype, total[0]), last[0])
        return _store(total[0], cast(total[0].dtype, value), self.stores[0].span)

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes of partial results: those of halves are rounded once, at the end."""
        dtype = self.stores[0].value.dtype
        return (FLOAT32 if dtype in HALVES else dtype,)


@dataclass(frozen=True)
class Selection:
    """The extreme of the terms, and its place: the first one, or the last one of equal terms.

    Partial results hold terms of any part of the loop, so that of equal terms the smaller place is the first one. They
    have places of as many bits as the terms where these hold all of them: a vector has as many of both. Integers of
    fewer bits than their places are compared in int32, floats of 16 bits in float32.
    """

    #: of the place and of the extreme
    stores: tuple[BufferStore, BufferStore]
    #: GT for a maximum, LT for a minimum
    better: type[CompareOp]
    is_first: bool
    #: whether the loop compares places of equal terms, too
    by_place: bool
    place: Expr
    term: Expr
    condition: None = None
    begins_with_terms: ClassVar[bool] = True
    most_vectors: ClassVar[int] = 4

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes of partial results."""
        return self.place.dtype, self.term.dtype

    def begin(self, own: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that sets up a lane."""
        spans = [store.span for store in self.stores]
        return SeqStmt(tuple(map(_store, own, (self.place, self.term), spans)))

    def step(self, own: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines a lane with a term, whose place is behind that of the lane."""
        return self._choose(self._stays(own[1], self.term), own, (self.place, self.term), own)

    def _stays(self, a: Expr, b: Expr) -> Expr:
        """Return whether the first of two values stays."""
        weak: dict[type[CompareOp], type[CompareOp]] = {GT: GE, LT: LE}
        return (weak[self.better] if self.is_first else self.better)(a, b)

    def combine(self, a: Sequence[BufferLoad], b: Sequence[BufferLoad], into: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines partial results."""
        return self._choose(self._stays_before(a, b), a, b, into)

    def _stays_before(self, a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
        """Return whether the first of two places and extremes stays, wherever they are."""
        before = (LT if self.is_first else GT)(a[0], b[0])
        return Or(self.better(a[1], b[1]), And(EQ(a[1], b[1]), before))

    def finish(self, total: Sequence[BufferLoad], last: Sequence[BufferLoad]) -> Stmt:
        """Return the statement that combines the element before the loop with the last partial result."""
        place, extreme = last
        result = (cast(total[0].dtype, place), cast(total[1].dtype, extreme))
        stays = self._stays_before(total, result) if self.by_place else self._stays(total[1], result[1])
        return self._choose(stays, total, result, total)

    def _choose(self, stays: Expr, a: Sequence[Expr], b: Sequence[Expr], into: Sequence[BufferLoad]) -> Stmt:
        keep = Var("keep", BOOL.with_lanes(stays.dtype.lanes))
        chosen = [Select(keep, x, y) for x, y in zip(a, b, strict=True)]
        spans = [store.span for store in self.stores]
        body = SeqStmt(tuple(map(_store, into, chosen, spans)))
        return LetStmt(keep, stays, body, span=spans[1])


def _store(element: BufferLoad, value: Expr, span: Span | None) -> BufferStore:
    return BufferStore(element.buffer, value, element.indices, span=span)


def match_reductions(loop: For) -> list[Accumulation | Selection]:
    """Return the reduction that a loop computes, or those of several results; none if it has another form."""
    reduction = match_reduction(loop)
    return [*_match_accumulations(loop.body)] if reduction is None else [reduction]


def match_reduction(loop: For) -> Accumulation | Selection | None:
    """Return the reduction that a loop computes, None if it has another form."""
    body, condition = loop.body, None
    if isinstance(body, LetStmt):
        return _match_selection(body, loop)
    if isinstance(body, IfThenElse) and body.else_case is None:
        condition, body = body.condition, body.then_case
    if not isinstance(body, BufferStore) or not isinstance(body.value, (Add, Mul, Max, Min)):
        return None
    if body.predicate is not None or body.value.dtype.is_vector:
        return None
    return _match_accumulation(body, body.value, condition)


def _match_accumulation(store: BufferStore, value: Expr, condition: Expr | None = None) -> Accumulation | None:
    """Return the accumulation of the term in a value that is stored."""
    if isinstance(value, (Add, Mul, Max, Min)):
        for old, term in ((value.a, value.b), (value.b, value.a)):
            if _is_element(old, store):
                return Accumulation((store,), type(value), term, condition)
    return None


def _match_accumulations(body: Stmt) -> list[Accumulation]:
    """Return the accumulations into several buffers, whose values are computed before any of them is stored."""
    values, body = _lets(body)
    stores = [stmt for stmt in body.seq if isinstance(stmt, BufferStore)] if isinstance(body, SeqStmt) else []
    if (
        not isinstance(body, SeqStmt)
        or len(stores) < len(body.seq)
        or len({store.buffer for store in stores}) < len(stores)
    ):
        return []
    accumulations = [
        _match_accumulation(store, values[store.value])
        for store in stores
        if store.predicate is None and store.value in values
    ]
    terms = [each.term for each in accumulations if each is not None]
    if len(terms) < len(stores) or any(not values.keys().isdisjoint(uses(term)) for term in terms):
        return []
    return [each for each in accumulations if each is not None]


def _lets(body: Stmt) -> tuple[dict[Expr, Expr], Stmt]:
    """Return the variables that a statement defines first, and what is behind them."""
    values: dict[Expr, Expr] = {}
    while isinstance(body, LetStmt):
        values[body.var] = body.value
        body = body.body
    return values, body


def _match_selection(body: Stmt, loop: For) -> Selection | None:
    values, body = _lets(body)
    if not isinstance(body, SeqStmt) or len(body.seq) != 2 or len(values) != 2:
        return None
    matches: list[tuple[BufferStore, Select]] = []
    for store in body.seq:
        if not isinstance(store, BufferStore) or store.predicate is not None:
            return None
        value = values.get(_without_cast(store.value))
        if not isinstance(value, Select) or not _is_element(value.true_value, store):
            return None
        matches.append((store, value))
    if not values.keys().isdisjoint(part for value in values.values() for part in uses(value)):
        return None
    if reads_memory(matches[0][1].false_value):
        matches.reverse()  # a place is computed from the loop variable alone
    (place, place_value), (extreme, value) = matches
    condition = place_value.condition
    # where the condition of the extreme leaves out the places, the same extreme stays: terms are equal there
    parts = (condition, condition.a, condition.b) if isinstance(condition, Or) else (condition,)
    if not any(structural_equal(part, value.condition) for part in parts):
        return None
    index, term = place_value.false_value, value.false_value
    order = _order(condition, extreme, term, place, index)
    if term.dtype is BOOL:
        return None
    wide = index.value if isinstance(index, Cast) and index.value.dtype.bits <= index.dtype.bits else index
    step = slope(wide, loop.loop_var) if wide.dtype.is_signed else None
    if order is None or step is None or step <= 0 or not index.dtype.is_signed:
        return None
    if index.dtype is not place.value.dtype and not _holds(place.value.dtype, wide, loop):
        return None
    same_size = DType(f"int{term.dtype.bits}")
    if term.dtype in HALVES or (same_size.bits < INT32.bits and not _holds(same_size, wide, loop)):
        term = cast(FLOAT32 if term.dtype in HALVES else INT32, term)
        same_size = INT32
    if same_size.bits > wide.dtype.bits or _holds(same_size, wide, loop):
        wide = cast(same_size, wide)
    return Selection((place, extreme), *order, isinstance(condition, Or), wide, term)


def _holds(dtype: DType, place: Expr, loop: For) -> bool:
    """Return whether a dtype holds the places of all terms of a loop, which increase."""
    ends = [substitute(place, {loop.loop_var: end}) for end in (loop.min, Add(loop.min, loop.extent))]
    first, last = map(Analyzer().simplify, ends)
    if not isinstance(first, IntImm) or not isinstance(last, IntImm):
        return False
    return dtype.min_value <= first.value and last.value <= dtype.max_value


def _order(
    condition: Expr, extreme: BufferStore, term: Expr, place: BufferStore, index: Expr
) -> tuple[type[CompareOp], bool] | None:
    """Return how an element stays: by GT or LT than the term, and whether the first of equal ones stays."""
    if isinstance(condition, Or):
        for strict, equal in ((condition.a, condition.b), (condition.b, condition.a)):
            order = _order(strict, extreme, term, place, index)
            if order is not None and not order[1] and isinstance(equal, And):
                tie, earlier = equal.a, equal.b
                is_tie = isinstance(tie, EQ) and _relation(tie, extreme, term) is not None
                return (order[0], True) if is_tie and _relation(earlier, place, index) is LT else None
        return None
    relation = _relation(condition, extreme, term)
    return None if relation is None else _ORDERS.get(relation)


_ORDERS: Final[dict[type[Expr], tuple[type[CompareOp], bool]]] = {
    GT: (GT, False),
    GE: (GT, True),
    LT: (LT, False),
    LE: (LT, True),
}
_FLIPPED: Final[dict[type[Expr], type[CompareOp]]] = {GT: LT, GE: LE, LT: GT, LE: GE, EQ: EQ}


def _relation(condition: Expr, store: BufferStore, term: Expr) -> type[CompareOp] | None:
    """Return the relation of what a store replaces to a term, None for other conditions."""
    if not isinstance(condition, CompareOp) or type(condition) not in _FLIPPED:
        return None
    if _is_element(condition.a, store) and structural_equal(condition.b, term):
        return type(condition)
    if _is_element(condition.b, store) and structural_equal(condition.a, term):
        return _FLIPPED[type(condition)]
    return None


def _is_element(value: Expr, store: BufferStore) -> bool:
    """Return whether a value is what a store replaces, perhaps cast to an integer of more bits."""
    element = _without_cast(value) if value.dtype.bits > store.buffer.dtype.bits else value
    return (
        isinstance(element, BufferLoad)
        and element.buffer is store.buffer
        and element.predicate is None
        and structural_equal(element.indices, store.indices)
    )


def _without_cast(value: Expr) -> Expr:
    """Return what an integer is cast from."""
    if isinstance(value, Cast) and value.dtype.is_signed and value.value.dtype.is_signed:
        return value.value
    return value
