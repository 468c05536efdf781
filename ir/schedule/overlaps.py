"""Whether iterations of loops compute the same elements: the windows of a stencil, for example."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.forms import IterSumExpr
from tvmscript.ir.schedule.bindings import domains_of
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.tree import Ref, realize_of
from tvmscript.ir.tir.substitute import uses


class OverlappingStepsError(ScheduleError):
    """Several iterations of loops compute the same element of a reduction, each from its init on. With the init in
    front of the loops, or loops of the reduction around them, they would add up; in TVM they do.
    """

    code = "TS4149"
    message = "block {block} computes the same elements in several iterations of {loops}"
    advice = "work at the loops inside of these"


def check_no_overlaps(block: Ref, loops: Sequence[Ref]) -> None:
    """Raise `OverlappingStepsError` where the axes of a block are known to have the same values in several iterations.

    The loops further out count as one iteration.
    """
    realize = realize_of(block)
    used = uses(realize.iter_values)
    inner = [ref.loop for ref in loops if ref.loop.loop_var in used]
    for predicate in (realize.predicate, True):
        digits = detect_iter_map(realize.iter_values, domains_of(inner), predicate).indices
        if digits:
            break
    if _overlap(digits):
        at = [*inner, block.block]
        names = listed([loop.loop_var.name for loop in inner])
        raise OverlappingStepsError(block=block.block.name_hint, loops=names, at=at)


def _overlap(digits: Iterable[IterSumExpr]) -> bool:
    """Whether a digit in one of the sums, of constant sizes, reaches to the next one."""
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
