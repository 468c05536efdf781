"""Loops whose iterations threads may run in any order: none stores to what another one accesses."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import flat_index
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import (
    BufferLoad,
    BufferStore,
    Expr,
    For,
    ForKind,
    IntImm,
    Range,
    SeqStmt,
    Stmt,
    Var,
    can_drop,
    match_types,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import FloorDiv, FloorMod, Sub
from tvmscript.ir.tir.stmt import IfThenElse

#: the statements in loops that may be independent
_STATEMENTS: Final = (For, BufferStore, SeqStmt, IfThenElse)
#: iterations of a loop whose number is unknown, at most
_MOST: Final = 1 << 30


def fuse_independent_loops(stmt: Stmt) -> For | None:
    """Return one loop for the outermost loops of a nest whose iterations are independent, None where there are none."""
    loops: list[For] = []
    body = stmt
    while isinstance(body, For) and _is_independent(body):
        if loops and not (fold.is_const(body.min, 0) and uses(body.extent).isdisjoint(loop.loop_var for loop in loops)):
            break
        loops.append(body)
        body = body.body
    if not loops:
        return None
    first, *others = loops
    if not others:
        return first
    fused = Var(f"{'_'.join(loop.loop_var.name for loop in loops)}_fused", first.loop_var.dtype)
    number: Expr = fused
    count = first.extent
    values: dict[Var, Expr] = {}
    for loop in reversed(others):
        count = fold.mul(*match_types(count, loop.extent))
        values[loop.loop_var] = fold.make(FloorMod, *match_types(number, loop.extent))
        number = fold.make(FloorDiv, *match_types(number, loop.extent))
    values[first.loop_var] = fold.add(*match_types(first.min, number))
    return first.replace(loop_var=fused, min=IntImm(fused.dtype, 0), extent=count, body=substitute(body, values))


def _is_independent(loop: For) -> bool:
    """Return whether no iteration of a serial loop stores to an element that another one accesses."""
    if loop.kind is not ForKind.SERIAL or loop.annotations:
        return False
    parts = list(nodes(loop.body))
    stores = [part for part in parts if isinstance(part, BufferStore)]
    accesses = [part for part in parts if isinstance(part, (BufferLoad, BufferStore))]
    if not stores or any(isinstance(part, Stmt) and not isinstance(part, _STATEMENTS) for part in parts):
        return False
    if any(store.value.dtype.is_vector for store in stores) or not all(
        can_drop(part) for part in parts if isinstance(part, Expr)
    ):
        return False
    inner = [part for part in parts if isinstance(part, For)]
    return all(
        _are_apart(store, access, loop, inner)
        for store in stores
        for access in accesses
        if access.buffer.data is store.buffer.data
    )


def _are_apart(store: BufferStore, access: BufferLoad | BufferStore, loop: For, inner: list[For]) -> bool:
    """Return whether the elements of a store and of an access in two iterations are never the same."""
    if access.buffer.dtype is not store.buffer.dtype:
        return False
    analyzer = Analyzer()
    step = Var("step", loop.loop_var.dtype)
    others: dict[Var, Expr] = {each.loop_var: Var(each.loop_var.name, each.loop_var.dtype) for each in inner}
    analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent))
    for each in inner:
        other = others[each.loop_var]
        assert isinstance(other, Var)
        analyzer.bind(each.loop_var, Range.from_min_extent(each.min, each.extent))
        analyzer.bind(other, Range.from_min_extent(substitute(each.min, others), substitute(each.extent, others)))
    most = loop.extent.value if isinstance(loop.extent, IntImm) else _MOST
    analyzer.bind(step, Range.from_min_extent(1, max(most - 1, 1)))
    pairs = [(flat_index(store.buffer, store.indices), flat_index(access.buffer, access.indices))]
    if access.buffer is store.buffer:
        pairs += zip(store.indices, access.indices, strict=True)
    return all(
        any(_never_zero(Sub(*match_types(place, substitute(other, moved))), analyzer) for place, other in pairs)
        for moved in ({**others, loop.loop_var: loop.loop_var + step * sign} for sign in (1, -1))
    )


def _never_zero(distance: Expr, analyzer: Analyzer) -> bool:
    bounds = analyzer.const_int_bound(analyzer.simplify(distance))
    return bounds.min_value > 0 or bounds.max_value < 0
