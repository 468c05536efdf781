"""Detect stores that are overwritten before they are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tvmscript.ir.analysis.memory.known_contents import Contents
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import CallEffect, Op, nodes
from tvmscript.ir.tir import BufferLoad, BufferStore, Call, Expr, For, IfThenElse, IntImm, Range, Stmt, Var, effect_of
from tvmscript.ir.tir.substitute import substitute, uses


class StoreNest(NamedTuple):
    """One store with its enclosing loops and conditions."""

    loops: tuple[For, ...]
    conditions: tuple[Expr, ...]
    store: BufferStore


def _match_store_nest(stmt: Stmt) -> StoreNest | None:
    """Match a statement that is one store inside of loops and pure conditions; None for any other."""
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
    return StoreNest(tuple(loops), tuple(conditions), stmt) if writes_one_element(stmt) else None


def writes_one_element(store: BufferStore) -> bool:
    """Return whether a store writes one element at an index without loads."""
    is_plain = all(effect_of(index) <= CallEffect.PURE and index.dtype.lanes == 1 for index in store.indices)
    return is_plain and store.predicate is None and bool(store.indices)


def may_access(stmt: Any, data: Var) -> bool:
    """Return whether a statement may read the buffer of `data` or has an unknown effect."""
    for node in nodes(stmt):
        if isinstance(node, BufferLoad) and node.buffer.data is data:
            return True
        if isinstance(node, Call) and not (isinstance(node.op, Op) and node.op.effect <= CallEffect.READ_STATE):
            return True
    return data in uses([node.args for node in nodes(stmt) if isinstance(node, Call)])


def _overwrites(later: StoreNest, earlier: StoreNest) -> bool:
    """Return whether `later` writes every element that `earlier` writes."""
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
    for fact in contents.state:
        values = dict(zip(fact.axes, earlier.store.indices, strict=True))
        conditions = [substitute(condition, values) for condition in fact.conditions]
        if _all_hold(analyzer, list(earlier.conditions), conditions):
            return True
    return False


def _all_hold(analyzer: Analyzer, assumptions: list[Expr], conditions: list[Expr]) -> bool:
    if assumptions:
        with analyzer.constraint(assumptions[0]):
            return _all_hold(analyzer, assumptions[1:], conditions)
    return all(map(analyzer.can_prove, conditions))


def is_overwritten_by(nest: StoreNest, later: Sequence[Stmt]) -> bool | None:
    """Return whether the first statement that accesses the written elements overwrites all; None if none accesses."""
    data = nest.store.buffer.data
    for stmt in later:
        if may_access(stmt, data):
            return False
        other = _match_store_nest(stmt)
        if other is not None and _overwrites(other, nest):
            return True
    return None
