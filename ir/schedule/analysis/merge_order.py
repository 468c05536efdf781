"""Check that merging loop nests keeps the order of dependent accesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tvmscript.ir.analysis.access.access_conflicts import Answer, Apart, Instance, collision
from tvmscript.ir.analysis.access.access_summary import Touch, touches_of
from tvmscript.ir.analysis.access.access_walk import Loop
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import IntImm, PrimFunc, Var

#: loops of a nest, outermost first
Nest = Sequence[StmtRef]


def find_reversed_dependence(func: PrimFunc, nests: Sequence[Nest]) -> tuple[Touch, Touch] | None:
    """Return two dependent accesses whose order a merge of loop nests may reverse; None if it keeps all orders.

    The merged nest runs the bodies in the order of `nests`, at the place of the last one. The loops of a nest match
    those of the others in order.
    """
    summary = touches_of(func)
    sizes: dict[Var, int | None] = {var: None for var in func.params if var.dtype.is_integer}
    sizes |= {size: 0 for buffer in func.buffer_map.values() for size in buffer.shape if isinstance(size, Var)}
    inside = [[touch for touch in summary.touches if _loop_of(touch, nest[0]) is not None] for nest in nests]
    for moved in inside[:-1]:
        crossed = _crossed(summary.touches, moved, inside)
        for pair in _dependent_pairs(moved, crossed):
            return pair
    for place, other in combinations(range(len(nests)), 2):
        is_in_order = _first_order(inside[place]) < _first_order(inside[other])
        for a, b in _dependent_pairs(inside[place], inside[other]):
            if not is_in_order or not _keeps_order(a, b, nests[place], nests[other], sizes):
                return a, b
    return None


def _first_order(touches: Sequence[Touch]) -> int:
    return min((touch.order for touch in touches), default=0)


def _crossed(touches: Sequence[Touch], moved: Sequence[Touch], inside: Sequence[Sequence[Touch]]) -> list[Touch]:
    """Return the accesses between a nest that moves and the last nest, which are in none of the nests."""
    members = {touch for group in inside for touch in group}
    places = [touch.order for touch in (*moved, *inside[-1])]
    return [touch for touch in touches if touch not in members and places and min(places) < touch.order < max(places)]


def _dependent_pairs(some: Sequence[Touch], others: Sequence[Touch]) -> Iterator[tuple[Touch, Touch]]:
    """Yield the pairs of accesses of one memory of which at least one may write."""
    for a in some:
        for b in others:
            if a.data is b.data and (a.is_write or b.is_write or a.is_opaque or b.is_opaque):
                yield a, b


def _loop_of(touch: Touch, ref: StmtRef) -> Loop | None:
    return next((step for step in touch.path if isinstance(step, Loop) and step.node is ref.stmt), None)


def _keeps_order(a: Touch, b: Touch, first: Nest, second: Nest, sizes: dict[Var, int | None]) -> bool:
    """Whether no later iteration of the first nest touches what an earlier one of the second nest touches."""
    if a.is_opaque or b.is_opaque or a.is_loose or b.is_loose or len(a.indices) != len(b.indices):
        return False
    if a.buffer is not b.buffer and not (
        a.buffer.dtype == b.buffer.dtype
        and len(a.buffer.shape) == len(b.buffer.shape)
        and all(map(expr_deep_equal, a.buffer.shape, b.buffer.shape))
    ):
        return False
    pairs = [(ref.loop.loop_var, other.loop.loop_var) for ref, other in zip(first, second, strict=True)]
    if all(isinstance(ref.loop.extent, IntImm) and ref.loop.extent.value < 2 for ref in first):
        return True
    around = [step for step in a.path if isinstance(step, Loop) and step in b.path]
    equal = tuple((loop.var, loop.var, 0) for loop in around)
    # the run of the second nest is the earlier one
    apart = Apart(tuple((right, left) for left, right in pairs), equal, is_ordered=True)
    return collision(Instance(b.indices, b.path), Instance(a.indices, a.path), apart, sizes).answer is Answer.NEVER
