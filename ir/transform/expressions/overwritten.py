"""Stores of elements that a later statement writes before anybody reads them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tvmscript.ir.analysis.contents import Contents
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.effect import can_drop, effect_of
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, Range
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter, flattened
from tvmscript.ir.tir.stmt import BufferStore, For, IfThenElse, SeqStmt
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var


class _Nest(NamedTuple):
    """Loops and conditions around one store."""

    loops: tuple[For, ...]
    conditions: tuple[Expr, ...]
    store: BufferStore


def _nest(stmt: Stmt) -> _Nest | None:
    """A statement that is one store in loops and conditions without effect; None for any other."""
    loops: list[For] = []
    conditions: list[Expr] = []
    while not isinstance(stmt, BufferStore):
        if isinstance(stmt, For):
            loops.append(stmt)
            stmt = stmt.body
        elif isinstance(stmt, IfThenElse) and stmt.else_case is None and effect_of(stmt.condition) <= CallEffect.PURE:
            conditions.append(stmt.condition)
            stmt = stmt.then_case
        else:
            return None
    is_plain = stmt.predicate is None and all(
        effect_of(index) <= CallEffect.PURE and index.dtype.lanes == 1 for index in stmt.indices
    )
    return _Nest(tuple(loops), tuple(conditions), stmt) if is_plain and stmt.indices else None


def _touches(stmt: Any, data: Var) -> bool:
    """Whether a statement may read memory, or do anything that is not known."""
    for node in nodes(stmt):
        if isinstance(node, BufferLoad) and node.buffer.data is data:
            return True
        if isinstance(node, Call) and not (isinstance(node.op, Op) and node.op.effect <= CallEffect.READ_STATE):
            return True
    return data in uses([node.args for node in nodes(stmt) if isinstance(node, Call)])


def _covers(later: _Nest, earlier: _Nest) -> bool:
    """Whether each element that one nest writes is written by another."""
    buffer = later.store.buffer
    if buffer is not earlier.store.buffer:
        return False
    contents = Contents(Analyzer())
    contents.learn(buffer, later.store.indices, IntImm("int32", 0), later.conditions)
    for loop in reversed(later.loops):
        contents.leave(loop, ())
    analyzer = Analyzer()
    for loop in earlier.loops:
        analyzer.bind(loop.loop_var, Range(loop.min, loop.extent))
    for known in contents.state:
        places = dict(zip(known.axes, earlier.store.indices, strict=True))
        wanted = [substitute(each, places) for each in known.conditions]
        if _all_hold(analyzer, list(earlier.conditions), wanted):
            return True
    return False


def _all_hold(analyzer: Analyzer, given: list[Expr], wanted: list[Expr]) -> bool:
    if given:
        with analyzer.constraint(given[0]):
            return _all_hold(analyzer, given[1:], wanted)
    return all(map(analyzer.can_prove, wanted))


class _Dropping(TirRewriter):
    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts: list[Stmt] = [self.rewrite(part) for part in node.seq]
        for place, part in enumerate(parts):
            nest = _nest(part)
            if nest is not None and can_drop(nest.store.value) and _is_overwritten(nest, parts[place + 1 :]):
                parts[place] = NOOP
        if all(new is old for new, old in zip(parts, node.seq, strict=True)):
            return node
        return flattened(tuple(parts), node)


def _is_overwritten(nest: _Nest, later: list[Stmt]) -> bool:
    """Whether the first statement that touches what a nest writes writes all of it."""
    data = nest.store.buffer.data
    for part in later:
        if _touches(part, data):
            return False
        other = _nest(part)
        if other is not None and _covers(other, nest):
            return True
    return False


def without_overwritten(body: Stmt) -> Stmt:
    """The statement without stores that a later one in the same sequence makes vain."""
    made: Stmt = _Dropping().rewrite(body)
    return made
