"""Checks that iterations of loops do not compute the same elements, as overlapping windows do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from math import prod

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterSumExpr
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.tree import StmtRef, realize_of
from tvmscript.ir.tir import BlockRealize, For, IntImm, uses


class RepeatedUpdateError(ScheduleError, code="TS4146"):
    """A loop that no axis of the block depends on repeats the reduction. With the init before it, or inside of
    reduction loops, each repetition would accumulate onto the previous result, as it does in TVM.
    """

    message = "loop {loop} repeats the reduction of block {block}: no axis depends on it"


class OverlappingStepsError(ScheduleError, code="TS4149"):
    """Several iterations of loops compute the same element of a reduction. With the init before the loops, or reduction
    loops around them, the results would accumulate, as they do in TVM.
    """

    message = "block {block} computes the same elements in several iterations of {loops}"
    advice = "apply the primitive to loops inside of these"


def check_not_repeated(block: StmtRef, loops: Sequence[StmtRef]) -> None:
    """Raise `RepeatedUpdateError` if no axis of a block depends on one of these loops."""
    used = uses(realize_of(block).iter_values)
    for ref in loops:
        loop = ref.loop
        if loop.loop_var not in used and not fold.is_const(loop.extent, 1):
            at = [loop, block.block]
            raise RepeatedUpdateError(block=block.block.name_hint, loop=loop.loop_var.name, at=at)


def check_no_overlaps(block: StmtRef, loops: Sequence[StmtRef]) -> None:
    """Raise `OverlappingStepsError` if the axes of a block provably take the same values in several iterations.

    Outer loops are fixed.
    """
    realize = realize_of(block)
    used = uses(realize.iter_values)
    inner = [ref.loop for ref in loops if ref.loop.loop_var in used]
    for predicate in (realize.predicate, True):
        digits = detect_iter_map(realize.iter_values, loop_ranges(inner), predicate).indices
        if digits:
            break
    if _digits_overlap(digits) or _has_surplus_iterations(inner, realize):
        at = [*inner, block.block]
        names = listed([loop.loop_var.name for loop in inner])
        raise OverlappingStepsError(block=block.block.name_hint, loops=names, at=at)


def _has_surplus_iterations(loops: Sequence[For], realize: BlockRealize) -> bool:
    """Whether loops of constant extent have more iterations than the domains of the dependent axes."""
    if not is_true(realize.predicate):
        return False
    running = {loop.loop_var for loop in loops}
    domains = [
        axis.dom.extent
        for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True)
        if axis.dom is not None and not uses(value).isdisjoint(running)
    ]
    iterations, values = (
        prod(size.value for size in sizes if isinstance(size, IntImm))
        for sizes in ([loop.extent for loop in loops], domains)
    )
    return iterations > values and all(isinstance(size, IntImm) for size in domains)


def _digits_overlap(digits: Iterable[IterSumExpr]) -> bool:
    """Whether a digit of a sum, with constant sizes, overlaps the next one."""
    stack = [*digits]
    while stack:
        sizes: list[tuple[int, int]] = []
        for split in stack.pop().args:
            if isinstance(split.step, int) and isinstance(split.size, int) and split.size > 1:
                sizes.append((split.step, split.size))
            if isinstance(split.source.source, IterSumExpr):
                stack.append(split.source.source)
        if any(high < low * size for (low, size), (high, _) in itertools.pairwise(sorted(sizes))):
            return True
    return False
