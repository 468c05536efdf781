"""Recognize loop nests that copy contiguous elements of one buffer to another."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul, sub
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.tir import EQ, Buffer, BufferLoad, BufferStore, Expr, For, IntImm, Mul, Stmt, match_types
from tvmscript.ir.tir.substitute import substitute, uses


@dataclass(frozen=True)
class MemoryCopy:
    """Copy of `count` contiguous elements from `source_min` to `target_min`."""

    target: Buffer
    target_min: Expr
    source: Buffer
    source_min: Expr
    count: Expr


def identify_memcpy(loop: For, analyzer: Analyzer) -> MemoryCopy | None:
    """Return the copy that a loop nest around one store performs; None if it is not a contiguous copy.

    This is TVM's IdentifyMemCpy, for buffers of one dimension. The loops may run over the elements in any order.
    """
    loops: list[For] = []
    body: Stmt = loop
    while isinstance(body, For):
        loops.append(body)
        body = body.body
    if not isinstance(body, BufferStore) or not isinstance(body.value, BufferLoad):
        return None
    store, load = body, body.value
    if len(store.indices) != 1 or len(load.indices) != 1 or store.predicate is not None or load.predicate is not None:
        return None
    target, source = store.indices[0], load.indices[0]
    if target.dtype.lanes != 1 or source.dtype.lanes != 1:
        return None
    inner = {each.loop_var for each in loops}
    if any(not uses(part).isdisjoint(inner) for each in loops for part in (each.min, each.extent)):
        return None
    distance = analyzer.simplify(sub(*match_types(source, target)))
    first = _first_element(target, loops, analyzer)
    if first is None or not uses(distance).isdisjoint(inner):
        return None
    count: Expr = IntImm(loop.extent.dtype, 1)
    for each in loops:
        count = mul(*match_types(count, each.extent))
    source_min = analyzer.simplify(add(*match_types(first, distance)))
    return MemoryCopy(store.buffer, first, load.buffer, source_min, analyzer.simplify(count))


def _first_element(index: Expr, loops: list[For], analyzer: Analyzer) -> Expr | None:
    """Return the minimum of an index that takes each value of a range once; None otherwise."""
    for loop in loops:
        if is_const(loop.extent, 1):
            index = substitute(index, {loop.loop_var: loop.min})
    loops_left = [loop for loop in loops if not is_const(loop.extent, 1)]
    coefficients = detect_linear_equation(analyzer.simplify(index), [loop.loop_var for loop in loops_left])
    if not coefficients:
        return None
    *factors, first = coefficients
    steps = dict(zip(loops_left, factors, strict=True))
    reach: Expr = IntImm(index.dtype, 1)
    while steps:
        following = _following(steps, reach, analyzer)
        if following is None:
            return None
        loop, is_rising = following
        step = steps.pop(loop)
        start = loop.min if is_rising else sub(add(loop.min, loop.extent), IntImm(loop.extent.dtype, 1))
        first = add(*match_types(first, mul(*match_types(step, start))))
        reach = make(Mul, *match_types(reach, loop.extent))
    return analyzer.simplify(first)


def _following(steps: dict[For, Expr], reach: Expr, analyzer: Analyzer) -> tuple[For, bool] | None:
    """The loop whose steps are as long as what the loops so far fill, and whether it goes up."""
    for each, step in steps.items():
        for sign in (1, -1):
            if analyzer.can_prove(EQ(*match_types(mul(step, IntImm(step.dtype, sign)), reach))):
                return each, sign == 1
    return None
