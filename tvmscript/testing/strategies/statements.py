"""Strategies of statements and their buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.core import BOOL, INT32, DType, PointerType, PrimType
from tvmscript.ir.tir import Buffer, Expr, Stmt, make_buffer
from tvmscript.ir.tir import stmt as tir
from tvmscript.ir.tir.expr import Add, BufferRegion, IntImm, Range, StringImm, Var
from tvmscript.testing.strategies.choice import one_of
from tvmscript.testing.strategies.expressions import NAMES, SCALARS, constants, exprs


@st.composite
def buffers(draw: st.DrawFn, dtype: DType | None = None) -> Buffer:
    """Draw a buffer of rank 0 to 3 in any scope: extents 0, 1, primes, powers of two and their neighbours."""
    extents = draw(st.lists(st.sampled_from([4, 1, 2, 3, 7, 8, 9, 16, 17, 0]), max_size=3))
    shape = tuple(IntImm("int32", extent) for extent in extents)
    scope = draw(st.sampled_from(["global", "shared", "local"]))
    return make_buffer(shape, dtype or draw(st.sampled_from(SCALARS)), draw(st.sampled_from(NAMES)), scope=scope)


@st.composite
def regions(draw: st.DrawFn, buffer: Buffer, variables: Sequence[Var] = ()) -> BufferRegion:
    """Draw a region of a buffer, from a symbolic or constant start."""
    ranges: list[Range] = []
    for extent in buffer.shape:
        size = extent.value if isinstance(extent, IntImm) else 1
        is_moving: bool = draw(st.booleans())
        if variables and is_moving:
            ranges.append(Range.from_min_extent(draw(exprs(extent.dtype, variables, (), 1)), IntImm(extent.dtype, 1)))
        else:
            low = draw(st.integers(0, max(size - 1, 0)))
            ranges.append(
                Range.from_min_extent(IntImm(extent.dtype, low), IntImm(extent.dtype, draw(st.integers(0, size - low))))
            )
    return BufferRegion(buffer, tuple(ranges))


@st.composite
def stmts(draw: st.DrawFn, variables: Sequence[Var] = (), buffers: Sequence[Buffer] = (), depth: int = 2) -> Stmt:
    """Draw a statement over variables and buffers. It need not be safe to run."""
    return _Statements(draw, variables, buffers, depth).any()


#: annotations of loops
LOOP_NOTES: Final[list[dict[str, Any]]] = [
    {},
    {"pragma_x": IntImm("int32", 1)},
    {"s": "text \" ' \\ \n", "n": None},
    {"p": "a\\b"},
    {"disable_unroll": IntImm("bool", 1)},
    {"pragma_unroll": IntImm("int32", 4)},
]


class _Statements:
    """Draws statements over variables and buffers."""

    def __init__(self, draw: st.DrawFn, variables: Sequence[Var], buffers: Sequence[Buffer], depth: int) -> None:
        self.draw = draw
        self.variables = variables
        self.buffers = buffers
        self.depth = depth

    def one(self, items: Sequence[Any]) -> Any:
        return one_of(self.draw, items)

    def expr(self, dtype: DType = INT32, depth: int = 2) -> Expr:
        return self.draw(exprs(dtype, self.variables, self.buffers, depth))

    def body(self, variables: Sequence[Var] = (), buffers: Sequence[Buffer] = ()) -> Stmt:
        """Draw a nested statement with more variables and buffers in scope."""
        return self.draw(stmts([*self.variables, *variables], [*self.buffers, *buffers], self.depth - 1))

    def any(self) -> Stmt:
        make: Callable[[_Statements], Stmt] = self.one(_KINDS if self.depth > 0 else _LEAVES)
        return make(self)

    def store(self) -> Stmt:
        if not self.buffers:
            return tir.Evaluate(self.expr())
        buffer = self.one(list(self.buffers))
        indices = tuple(self.expr(extent.dtype, 1) for extent in buffer.shape)
        return tir.BufferStore(buffer, self.expr(buffer.dtype), indices)

    def evaluation(self) -> Stmt:
        return tir.Evaluate(self.expr(self.one(SCALARS)))

    def sequence(self) -> Stmt:
        return tir.seq(self.body(), self.body())

    def loop(self) -> Stmt:
        dtype = self.one([INT32, DType("int64")])
        var = Var(self.one(NAMES), dtype)
        kind = self.one([tir.ForKind.SERIAL, tir.ForKind.PARALLEL, tir.ForKind.VECTORIZED, tir.ForKind.UNROLLED])
        notes = self.one(LOOP_NOTES)
        return tir.For(var, self.draw(constants(dtype)), self.expr(dtype), kind, self.body([var]), None, notes)

    def nest(self) -> Stmt:
        """Draw nested loops from 0, mostly serial; inner extents may be outer variables."""
        loops: list[tuple[Var, Expr, dict[str, Any]]] = []
        for _ in range(self.draw(st.integers(2, 3))):
            outer = [var for var, _, _ in loops]
            extent: Expr = IntImm("int32", self.one([4, 1, 16]))
            if outer and self.draw(st.integers(0, 2)) == 2:
                extent = Add(self.one(outer), extent) if self.draw(st.booleans()) else outer[-1]
            notes = LOOP_NOTES[1] if self.draw(st.integers(0, 5)) == 5 else {}
            loops.append((Var(self.one(NAMES), INT32), extent, notes))
        stmt = self.body([var for var, _, _ in loops])
        for var, extent, notes in reversed(loops):
            kind = self.one([*[tir.ForKind.SERIAL] * 5, tir.ForKind.PARALLEL])
            stmt = tir.For(var, IntImm("int32", 0), extent, kind, stmt, None, notes)
        return stmt

    def let(self) -> Stmt:
        var = Var(self.one(NAMES), self.one(SCALARS))
        return tir.LetStmt(var, self.expr(var.dtype), self.body([var]))

    def allocation(self) -> Stmt:
        dtype = self.one(SCALARS)
        var = Var(self.one(NAMES), PointerType(PrimType(dtype), self.one(["global", "shared"])))
        extent = IntImm("int32", self.draw(st.integers(1, 64)))
        buffer = make_buffer((extent,), dtype, self.one(NAMES), data=var)
        condition = self.expr(BOOL, 1) if self.draw(st.integers(0, 3)) == 3 else IntImm("bool", 1)
        return tir.Allocate(var, dtype, (extent,), condition, tir.DeclBuffer(buffer, self.body((), [buffer])))

    def branches(self) -> Stmt:
        return tir.IfThenElse(self.expr(BOOL), self.body(), self.body())

    def branch(self) -> Stmt:
        return tir.IfThenElse(self.expr(BOOL), self.body())

    def repetition(self) -> Stmt:
        return tir.While(self.expr(BOOL), self.body())

    def assertion(self) -> Stmt:
        return tir.AssertStmt(self.expr(BOOL), StringImm(self.draw(st.text(max_size=8))), self.body())

    def attribute(self) -> Stmt:
        return tir.AttrStmt(StringImm("fact"), "key", self.expr(), self.body())


_LEAVES: Final = (_Statements.store, _Statements.evaluation)
_KINDS: Final = (
    *_LEAVES,
    _Statements.sequence,
    _Statements.loop,
    _Statements.nest,
    _Statements.let,
    _Statements.allocation,
    _Statements.branches,
    _Statements.branch,
    _Statements.repetition,
    _Statements.assertion,
    _Statements.attribute,
)
