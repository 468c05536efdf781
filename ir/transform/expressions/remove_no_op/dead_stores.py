"""Whether elements are written again before anybody reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tvmscript.ir.analysis.known_contents import Contents
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, Range
from tvmscript.ir.tir.side_effect import effect_of
from tvmscript.ir.tir.stmt import BufferStore, For, IfThenElse
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var


class Nest(NamedTuple):
    """Loops and conditions around one store."""

    loops: tuple[For, ...]
    conditions: tuple[Expr, ...]
    store: BufferStore


def _nest(stmt: Stmt) -> Nest | None:
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
    return Nest(tuple(loops), tuple(conditions), stmt) if writes_one_element(stmt) else None


def writes_one_element(store: BufferStore) -> bool:
    """Whether a store writes one element, whose place does not depend on memory."""
    is_plain = all(effect_of(index) <= CallEffect.PURE and index.dtype.lanes == 1 for index in store.indices)
    return is_plain and store.predicate is None and bool(store.indices)


def touches(stmt: Any, data: Var) -> bool:
    """Whether a statement may read memory, or do anything that is not known."""
    for node in nodes(stmt):
        if isinstance(node, BufferLoad) and node.buffer.data is data:
            return True
        if isinstance(node, Call) and not (isinstance(node.op, Op) and node.op.effect <= CallEffect.READ_STATE):
            return True
    return data in uses([node.args for node in nodes(stmt) if isinstance(node, Call)])


def _covers(later: Nest, earlier: Nest) -> bool:
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
        analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent))
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


def fate(nest: Nest, later: Sequence[Stmt]) -> bool | None:
    """Whether the first of these statements that touches what a nest writes writes all of it; None: none touches it."""
    data = nest.store.buffer.data
    for part in later:
        if touches(part, data):
            return False
        other = _nest(part)
        if other is not None and _covers(other, nest):
            return True
    return None
