"""Registry of commutative reducers: identities and combiners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import DType, Node
from tvmscript.ir.tir import Block, Buffer, BufferStore, Expr, LetStmt, SeqStmt, Stmt, Var, const
from tvmscript.ir.tir.expr import EQ, GE, GT, LE, LT, Add, And, BufferLoad, Max, Min, Mul, Or, Select
from tvmscript.ir.tir.intrin.derived import max_value, min_value

Values = Sequence[Expr]


class Reducer(NamedTuple):
    """A reducer of one or more values."""

    #: the values so far, the next ones -> the values then
    combine: Callable[[Values, Values], tuple[Expr, ...]]
    #: what each value starts from, by its dtype
    identity: tuple[Callable[[DType], Expr], ...]

    def start(self, dtypes: Sequence[DType]) -> tuple[Expr, ...]:
        """Return the identity elements for these dtypes."""
        return tuple([make(dtype) for make, dtype in zip(self.identity, dtypes, strict=True)])


def _zero(dtype: DType) -> Expr:
    return const(0, dtype)


def _one(dtype: DType) -> Expr:
    return const(1, dtype)


def _no_index(dtype: DType) -> Expr:
    return const(-1, dtype)


def _least(dtype: DType) -> Expr:
    return min_value(str(dtype))


def _greatest(dtype: DType) -> Expr:
    return max_value(str(dtype))


def _best(wins: Callable[[Expr, Expr], Expr]) -> Callable[[Values, Values], tuple[Expr, ...]]:
    """Index and value: those of the value that wins."""

    def combine(x: Values, y: Values) -> tuple[Expr, ...]:
        return Select(wins(x[1], y[1]), x[0], y[0]), Select(wins(x[1], y[1]), x[1], y[1])

    return combine


def _first_best(wins: Callable[[Expr, Expr], Expr]) -> Callable[[Values, Values], tuple[Expr, ...]]:
    """Index and value: those of the value that wins; of equal ones, the one with the smaller index."""

    def combine(x: Values, y: Values) -> tuple[Expr, ...]:
        is_first = And(EQ(x[1], y[1]), LT(x[0], y[0]))
        return Select(Or(wins(x[1], y[1]), is_first), x[0], y[0]), Select(wins(x[1], y[1]), x[1], y[1])

    return combine


#: TVM's, in its order.
REDUCERS: tuple[Reducer, ...] = (
    Reducer(lambda x, y: (Add(x[0], y[0]),), (_zero,)),
    Reducer(lambda x, y: (Mul(x[0], y[0]),), (_one,)),
    Reducer(lambda x, y: (Min(x[0], y[0]),), (_greatest,)),
    Reducer(lambda x, y: (Max(x[0], y[0]),), (_least,)),
    Reducer(lambda x, y: (Add(x[0], y[0]), Add(x[1], y[1])), (_zero, _zero)),
    Reducer(_best(GE), (_no_index, _least)),
    Reducer(_first_best(GT), (_no_index, _least)),
    Reducer(_best(LE), (_no_index, _greatest)),
    Reducer(_first_best(LT), (_no_index, _greatest)),
)


class Combination(NamedTuple):
    """A recognized reduction with accumulators `lhs` and operands `rhs`."""

    reducer: Reducer
    lhs: tuple[Expr, ...]
    rhs: tuple[Expr, ...]


def recognize_reducer(identities: Values, combined: Values) -> Combination | None:
    """Return the registered reducer with these identities and combined values; None if there is none."""
    for reducer in REDUCERS:
        if len(reducer.identity) != len(identities):
            continue
        dtypes = [value.dtype for value in identities]
        starts = reducer.start(dtypes)
        if not all(expr_deep_equal(mine, its) for mine, its in zip(starts, identities, strict=True)):
            continue
        x, y = ([Var(name, dtype) for dtype in dtypes] for name in "xy")
        operands: dict[Node, Expr] = {}
        pairs = zip(reducer.combine(x, y), combined, strict=True)
        if all(_matches(pattern, value, operands) for pattern, value in pairs):
            return Combination(reducer, tuple([operands[var] for var in x]), tuple([operands[var] for var in y]))
    return None


def _matches(pattern: object, value: object, operands: dict[Node, Expr]) -> bool:
    """Return whether a value is a pattern, each of whose variables stands for an operand."""
    if isinstance(pattern, Var):
        if not isinstance(value, Expr) or value.dtype is not pattern.dtype:
            return False
        return expr_deep_equal(operands.setdefault(pattern, value), value)
    if isinstance(pattern, Expr):
        return type(pattern) is type(value) and all(
            _matches(getattr(pattern, name), getattr(value, name), operands) for name, _ in pattern.schema.compared
        )
    return bool(pattern == value)


# -- blocks that reduce


class NoReduction(Exception):
    """A block is no reduction that is known: why, and how values start and go on where that is what is not known."""

    def __init__(self, why: str, *values: Values) -> None:
        super().__init__(why)
        self.why = why
        self.values = values


class BlockReduction(NamedTuple):
    """The stores of a reduction block, with lets expanded, and its reducer."""

    updates: list[BufferStore]
    combination: Combination

    @property
    def identities(self) -> tuple[Expr, ...]:
        """Return the identity elements of the stored buffers."""
        return self.combination.reducer.start([store.value.dtype for store in self.updates])


def reduction_of(block: Block) -> BlockReduction:
    """The reduction of a block: its init stores what each buffer starts from, its body stores each once, at the same
    indices; several values are computed by `with T.LetStmt` first. Raises `NoReduction`.
    """
    updates = _updates(block)
    inits: dict[Buffer, BufferStore] = {}
    for stmt in _sequence(block.init):
        if not isinstance(stmt, BufferStore):
            raise NoReduction("its init does more than storing values")
        if stmt.buffer in inits:
            raise NoReduction(f"its init stores {stmt.buffer.name} twice")
        inits[stmt.buffer] = stmt
    first = updates[0]
    for store in updates:
        if store.buffer not in inits or len(inits) != len(updates):
            raise NoReduction("its init and its body do not store the same buffers")
        if not (_same_indices(store, first) and _same_indices(store, inits[store.buffer])):
            raise NoReduction("its stores are at different indices")
        if not all(map(expr_deep_equal, store.buffer.shape, first.buffer.shape)):
            raise NoReduction("the buffers that it stores are of different shapes")
    identities = [inits[store.buffer].value for store in updates]
    values = [store.value for store in updates]
    combination = recognize_reducer(identities, values)
    if combination is None or not all(map(_is_value_so_far, combination.lhs, updates)):
        raise NoReduction("no known reduction starts and goes on in this way", identities, values)
    return BlockReduction(updates, combination)


def _same_indices(a: BufferStore, b: BufferStore) -> bool:
    return len(a.indices) == len(b.indices) and all(map(expr_deep_equal, a.indices, b.indices))


def _is_value_so_far(value: Expr, store: BufferStore) -> bool:
    """Whether a value is what is in the place that is stored."""
    return (
        isinstance(value, BufferLoad)
        and value.buffer is store.buffer
        and all(map(expr_deep_equal, value.indices, store.indices))
    )  # fmt: skip


def _updates(block: Block) -> list[BufferStore]:
    """The stores in the body of a block; several are below as many `let`s of the values that they store."""
    body = block.body
    if isinstance(body, BufferStore):
        return [body]
    values: dict[Var, Expr] = {}
    while isinstance(body, LetStmt):
        values[body.var] = body.value
        body = body.body
    stores: dict[Var, BufferStore] = {}
    for stmt in _sequence(body):
        if not isinstance(stmt, BufferStore) or not isinstance(stmt.value, Var) or stmt.value not in values:
            raise NoReduction("its body does more than storing values that are computed before")
        stores[stmt.value] = stmt
    if len(stores) != len(values) or len({store.buffer for store in stores.values()}) != len(values):
        raise NoReduction("its body does not store each value once, in a buffer of its own")
    return [stores[var].replace(value=value) for var, value in values.items()]


def _sequence(stmt: Stmt | None) -> tuple[Stmt, ...]:
    return () if stmt is None else stmt.seq if isinstance(stmt, SeqStmt) else (stmt,)
