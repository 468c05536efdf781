"""Sample a loop for `compute_at`: sample_compute_location."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial

from tvmscript.ir.schedule import tree
from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope
from tvmscript.ir.schedule.analysis.block_scope import consumers
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.compute_at import BlockMove
from tvmscript.ir.schedule.primitive.compute_inline import inline_producer
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.tir import IntImm, IterKind, Var, uses

#: Decisions that are not loops.
INLINE, ROOT = -2, -1


class SampleComputeLocation(Recorder):
    """Sampling."""

    @primitive("SampleComputeLocation", inputs=("block",), attrs=(), pure=True, decides=True)
    def sample_compute_location(self, block: BlockRV | str, decision: int | None = None) -> LoopRV:
        """Sample a loop for `compute_at` among the loops of the first consumer that the block can move into.

        The decision is the index of the loop, outermost first; -1 keeps the block in place, -2 inlines it. If the block
        cannot move into a given loop, the next legal one outwards is taken. Raises `RootBlockError`.
        """
        places = dict(_candidate_locations(self.block(block)))
        numbers = [*places]
        if decision is None:
            chosen = numbers[self.random.below(0, len(numbers))]
        else:
            at = bisect_left(numbers, decision)
            if at < len(numbers) and numbers[at] == decision:
                chosen = decision
            else:
                chosen = numbers[at - 1] if at else ROOT
        self.decision = chosen
        return self.new_loop(places[chosen])


def _candidate_locations(block: tree.StmtRef) -> Iterator[tuple[int, tree.StmtRef]]:
    """Yield the legal decisions with their locations: inline, in place, loops of the first consumer.

    Unit loops are skipped, as are spatial loops inside of reduction loops and reduction loops inside of the last
    spatial one.
    """
    enclosing_scope(block, "sample_compute_location")
    if _succeeds(partial(inline_producer, block, only_check=True)):
        yield INLINE, tree.INLINE_MARK
    yield ROOT, tree.ROOT_MARK
    others = consumers(block)
    if not others:
        return
    innermost = tree.common_ancestor(others) if len(others) > 1 else others[0].parent
    loops = tree.loops_above(others[0])
    if innermost not in loops:
        return
    loops = loops[: loops.index(innermost) + 1]
    spatial = [_is_spatial(loop) for loop in loops]
    last_spatial = max((number for number, is_spatial in enumerate(spatial) if is_spatial), default=-1)
    has_other = False
    for number, (loop, is_spatial) in enumerate(zip(loops, spatial, strict=True)):
        extent = loop.loop.extent
        if isinstance(extent, IntImm) and extent.value == 1:
            continue
        if is_spatial and has_other:
            return
        if not is_spatial:
            has_other = True
            if number > last_spatial:
                return
        if _succeeds(partial(_try_move, block, loop)):
            yield number, loop


def _try_move(block: tree.StmtRef, loop: tree.StmtRef) -> None:
    BlockMove(block, loop, to_consumers=True).plan(keep_unit_loops=True)


def _succeeds(step: Callable[[], object]) -> bool:
    try:
        step()
    except ScheduleError:
        return False
    return True


def _is_spatial(loop: tree.StmtRef) -> bool:
    """Whether only spatial axes depend on a loop."""
    var = loop.loop.loop_var
    kinds = {kind for block in tree.blocks_below(loop) for kind in _axis_kinds(block, var)}
    return kinds <= {IterKind.DATA_PAR}


def _axis_kinds(block: tree.StmtRef, var: Var) -> Iterator[IterKind]:
    realize = tree.realize_of(block)
    for axis, value in zip(block.block.iter_vars, realize.iter_values, strict=True):
        if var in uses(value):
            yield axis.iter_type
