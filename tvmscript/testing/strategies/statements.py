"""Statements, and the buffers that they use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from tvmscript.ir.core.dtype import BOOL, INT32, DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import (
    Add,
    BufferRegion,
    IntImm,
    Range,
    StringImm,
    Var,
)
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    AttrStmt,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    While,
    seq,
)
from tvmscript.testing.strategies.expressions import NAMES, SCALARS, constants, exprs


@st.composite
def buffers(draw: st.DrawFn, dtype: DType | None = None) -> Buffer:
    """A buffer of rank 0 to 3 in any scope: extents 0, 1, primes, powers of two and their neighbours."""
    extents = draw(st.lists(st.sampled_from([4, 1, 2, 3, 7, 8, 9, 16, 17, 0]), max_size=3))
    shape = tuple(IntImm("int32", extent) for extent in extents)
    scope = draw(st.sampled_from(["global", "shared", "local"]))
    return make_buffer(shape, dtype or draw(st.sampled_from(SCALARS)), draw(st.sampled_from(NAMES)), scope=scope)


@st.composite
def regions(draw: st.DrawFn, buffer: Buffer, variables: Sequence[Var] = ()) -> BufferRegion:
    """A part of a buffer: from an expression of the variables, or from a number inside of it, so far as it goes."""
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
def stmts(
    draw: st.DrawFn,
    variables: Sequence[Var] = (),
    buffers: Sequence[Buffer] = (),
    depth: int = 2,
) -> Stmt:
    """A statement over the variables and buffers given. It need not be safe to run."""

    def expr(dtype: DType = INT32) -> Expr:
        return draw(exprs(dtype, variables, buffers, 2))

    def body(more_variables: Sequence[Var] = (), more_buffers: Sequence[Buffer] = ()) -> Stmt:
        return draw(stmts([*variables, *more_variables], [*buffers, *more_buffers], depth - 1))

    def name() -> str:
        return draw(st.sampled_from(NAMES))

    def store() -> Stmt:
        if not buffers:
            return Evaluate(expr())
        buffer = draw(st.sampled_from(list(buffers)))
        indices = tuple(draw(exprs(e.dtype, variables, buffers, 1)) for e in buffer.shape)
        return BufferStore(buffer, expr(buffer.dtype), indices)

    def loop() -> Stmt:
        dtype = draw(st.sampled_from([INT32, DType("int64")]))
        var = Var(name(), dtype)
        kind = draw(st.sampled_from([ForKind.SERIAL, ForKind.PARALLEL, ForKind.VECTORIZED, ForKind.UNROLLED]))
        facts: list[dict[str, Any]] = [
            {},
            {"pragma_x": IntImm("int32", 1)},
            {"s": "text \" ' \\ \n", "n": None},
            {"p": "a\\b"},
        ]
        annotations = draw(st.sampled_from(facts))
        return For(var, draw(constants(dtype)), expr(dtype), kind, body([var]), None, annotations)

    def nest() -> Stmt:
        """Loops in each other from 0 on, most of them plain; the extents of inner ones may be those around."""
        loops: list[tuple[Var, Expr, dict[str, Any]]] = []
        for _ in range(draw(st.integers(2, 3))):
            outer = [var for var, _, _ in loops]
            extent: Expr = IntImm("int32", draw(st.sampled_from([4, 1, 16])))
            if outer and draw(st.integers(0, 2)) == 2:
                extent = Add(draw(st.sampled_from(outer)), extent) if draw(st.booleans()) else outer[-1]
            notes = {"pragma_x": IntImm("int32", 1)} if draw(st.integers(0, 5)) == 5 else {}
            loops.append((Var(name(), INT32), extent, notes))
        made = body([var for var, _, _ in loops])
        for var, extent, notes in reversed(loops):
            kind = draw(st.sampled_from([*[ForKind.SERIAL] * 5, ForKind.PARALLEL]))
            made = For(var, IntImm("int32", 0), extent, kind, made, None, notes)
        return made

    def let() -> Stmt:
        var = Var(name(), draw(st.sampled_from(SCALARS)))
        return LetStmt(var, expr(var.dtype), body([var]))

    def allocate() -> Stmt:
        dtype = draw(st.sampled_from(SCALARS))
        var = Var(name(), PointerType(PrimType(dtype), draw(st.sampled_from(["global", "shared"]))))
        extent = IntImm("int32", draw(st.integers(1, 64)))
        buffer = make_buffer((extent,), dtype, name(), data=var)
        return Allocate(var, dtype, (extent,), IntImm("bool", 1), DeclBuffer(buffer, body((), [buffer])))

    def sequence() -> Stmt:
        return seq(body(), body())

    leaves: list[Callable[[], Stmt]] = [store, lambda: Evaluate(expr(draw(st.sampled_from(SCALARS))))]
    if depth == 0:
        leaf: Callable[[], Stmt] = draw(st.sampled_from(leaves))
        return leaf()
    choices: list[Callable[[], Stmt]] = [
        *leaves,
        sequence,
        loop,
        nest,
        let,
        allocate,
        lambda: IfThenElse(expr(BOOL), body(), body()),
        lambda: IfThenElse(expr(BOOL), body()),
        lambda: While(expr(BOOL), body()),
        lambda: AssertStmt(expr(BOOL), StringImm(draw(st.text(max_size=8))), body()),
        lambda: AttrStmt(StringImm("fact"), "key", expr(), body()),
    ]
    make: Callable[[], Stmt] = draw(st.sampled_from(choices))
    return make()
