"""Loop interchange, and permutation of block axes: reorder, reorder_block_iter_var."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.extent_arithmetic import ExtentArithmetic
from tvmscript.ir.arith.iter_map.iter_sum import IterMark, IterSumExpr, Size
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import (
    NotAffineBindingError,
    binds_affinely,
    check_reads_only_updated,
    is_affine_binding,
)
from tvmscript.ir.schedule.analysis.merge_order import find_reordered_dependence
from tvmscript.ir.schedule.analysis.overlapping_iterations import RepeatedUpdateError, check_no_overlaps
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError, listed
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.primitive.split_fuse import DependentLoopError
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above, realize_of
from tvmscript.ir.tir import For, IterKind, Var, uses


class LoopMultiAppearanceError(ScheduleError, code="TS4118"):
    """A loop is given twice."""

    message = "loop {loop} is given more than once"


class LoopsNotAChainError(ScheduleError, code="TS4119"):
    """Loops to reorder must be in one perfect nest of one block."""

    message = "the loops are not in one perfect nest: {why}"


class BlockPropertyError(ScheduleError, code="TS4120"):
    """A block in the loops has an axis that is neither spatial nor a reduction, so its iterations are ordered."""

    message = "loops around block {block} cannot be reordered: its axis {axis} is neither spatial nor a reduction"


class InitNotFirstError(ScheduleError, code="TS4147"):
    """The first step of a reduction must stay first, since it runs the init. The order of loops that determine both a
    spatial and a reduction axis cannot change. TVM 0.17 reorders such loops and computes other values.
    """

    message = (
        "the init of block {block} would not run first: spatial axis {spatial} and reduction axis {reduced} "
        "share loops {loops}"
    )
    advice = "apply decompose_reduction first, or reorder before fuse"


class ReorderedDependenceError(ScheduleError, code="TS4182"):
    """Iterations of different blocks in the loops depend on each other, and would run in another order."""

    message = (
        "running iterations of {loops} in another order may change which values of {buffer} block {first} and block "
        "{second} share"
    )
    advice = "Schedule(..., enable_check=False) does it without this check"


class InvalidReorderIndex(ScheduleError, code="TS4121"):
    """`new_order` must be a permutation of the indices of the block's axes."""

    message = "{order} is not a permutation of the {count} axes of block {block}"


class Reorder(Recorder):
    """Loops."""

    @primitive(
        "Reorder",
        inputs=("*ordered_loops",),
        promises=Promises(is_exact=False, is_idempotent=True, undone_by="reorder"),
    )
    def reorder(self, *ordered_loops: LoopRV) -> None:
        """Reorder loops of one nest, outermost first; loops between them that are not given keep their places.

        Raises `LoopMultiAppearanceError`, `LoopsNotAChainError`, `BlockPropertyError`, `NotAffineBindingError`,
        `DependentLoopError`, `InitNotFirstError`, `RepeatedUpdateError`, `OverlappingStepsError`,
        `NotReductionBlockError`, `ReorderedDependenceError`.
        """
        if len(ordered_loops) > 1:
            _reorder([self.loop(loop) for loop in ordered_loops], is_checked=self.enable_check)

    @primitive(
        "ReorderBlockIterVar", inputs=("block", "new_order"), promises=Promises(undone_by="reorder_block_iter_var")
    )
    def reorder_block_iter_var(self, block: BlockRV, new_order: Sequence[int]) -> None:
        """Permute the axes of a block; `new_order` holds their indices.

        Raises `InvalidReorderIndex`, `RootBlockError`.
        """
        ref = self.block(block)
        stmt = ref.block
        order = [int(self.evaluate(place)) for place in new_order]
        if sorted(order) != [*range(len(stmt.iter_vars))]:
            raise InvalidReorderIndex(order=order, count=len(stmt.iter_vars), block=stmt.name_hint, at=[stmt])
        if ref.parent is None:
            raise RootBlockError(primitive="reorder_block_iter_var", at=[stmt])
        realize = realize_of(ref)
        new_block = stmt.replace(iter_vars=tuple(stmt.iter_vars[place] for place in order))
        values = tuple(realize.iter_values[place] for place in order)
        ref.tree.replace(ref, realize.replace(iter_values=values, block=new_block), {new_block: stmt})


def _reorder(ordered: Sequence[StmtRef], *, is_checked: bool) -> None:
    chosen = dict.fromkeys(ordered)
    if len(chosen) < len(ordered):
        twice = next(ref for place, ref in enumerate(ordered) if ref in ordered[:place])
        raise LoopMultiAppearanceError(loop=twice.loop.loop_var.name, at=[twice.loop])
    chain = _find_chain(chosen)
    _check_blocks(chain[0], chain[-1])
    waiting = [*ordered]
    body = chain[-1].loop.body
    inner: dict[Var, For] = {}
    for ref in reversed(chain):
        loop = waiting.pop().loop if ref in chosen else ref.loop
        used = next((var for var in uses((loop.min, loop.extent)) if var in inner), None)
        if used is not None:
            raise DependentLoopError(inner=loop.loop_var.name, outer=used.name, at=[inner[used], loop])
        inner[loop.loop_var] = loop
        body = loop if loop.body is body else loop.replace(body=body)
    for block in blocks_below(chain[-1]):
        check_reads_only_updated(block.block)
        if block.block.init is not None:
            _check_not_repeated(block, chain, [*reversed(inner)])
            _check_init_first(block, [ref.loop.loop_var for ref in chain], [*reversed(inner)])
    if is_checked:
        _check_dependences(chain, [*reversed(inner)])
    chain[0].tree.replace(chain[0], body)


def _check_dependences(chain: Sequence[StmtRef], after: Sequence[Var]) -> None:
    """Raise `ReorderedDependenceError` if dependent iterations of different blocks would change their order."""
    blocks, before = blocks_below(chain[-1]), [ref.loop.loop_var for ref in chain]
    if len(blocks) < 2 or before == [*after]:
        return
    accesses = find_reordered_dependence(chain[0].tree.func, blocks, before, after)
    if accesses is not None:
        names = [next(each for each in blocks if access.stmt in nodes(each.block)).block for access in accesses]
        raise ReorderedDependenceError(
            loops=listed([var.name for var in before]),
            buffer=accesses[0].buffer.name,
            first=names[0].name_hint,
            second=names[1].name_hint,
            at=[chain[0].loop, *names],
        )


def _find_chain(chosen: dict[StmtRef, None]) -> list[StmtRef]:
    """Return the loops from the outermost to the innermost chosen one. Raises `LoopsNotAChainError`."""
    nests = {ref: [*loops_above(ref), ref] for ref in chosen}
    longest = max(nests.values(), key=len)
    outside = [ref for ref in chosen if ref not in longest]
    if outside:
        raise LoopsNotAChainError(
            why=f"{outside[0].loop.loop_var.name} and {longest[-1].loop.loop_var.name} are not nested",
            at=[outside[0].loop, longest[-1].loop],
        )
    first = next(place for place, ref in enumerate(longest) if ref in chosen)
    chain = longest[first:]
    for outer, inner in itertools.pairwise(chain):
        if outer.loop.body is not inner.loop:
            raise LoopsNotAChainError(
                why=f"{inner.loop.loop_var.name} is not the only statement in {outer.loop.loop_var.name}",
                at=[outer.loop, inner.loop],
            )
    return chain


def _check_blocks(top: StmtRef, bottom: StmtRef) -> None:
    """Raise an error unless the blocks inside have spatial and reduction axes with affine bindings."""
    for block in blocks_below(bottom):
        for axis in block.block.iter_vars:
            if axis.iter_type not in (IterKind.DATA_PAR, IterKind.COMM_REDUCE):
                raise BlockPropertyError(axis=axis.var.name, block=block.block.name_hint, at=[top.loop, block.block])
            if not is_affine_binding(block) and not _is_affine_below(block, top):
                raise NotAffineBindingError(block=block.block.name_hint, at=[top.loop, block.block])


def _is_affine_below(block: StmtRef, top: StmtRef) -> bool:
    loops = loops_above(block)
    return binds_affinely(realize_of(block), loops[loops.index(top) :])


def _check_not_repeated(block: StmtRef, chain: Sequence[StmtRef], after: Sequence[Var]) -> None:
    """Raise an error if a loop that repeats a reduction would move into a loop of the reduction.

    `RepeatedUpdateError` if no axis depends on the loop, `OverlappingStepsError` if spatial axes do.
    """
    realize = realize_of(block)
    used = uses((*realize.iter_values, realize.predicate))
    axes = zip(block.block.iter_vars, realize.iter_values, strict=True)
    reduced = uses([value for axis, value in axes if axis.iter_type is IterKind.COMM_REDUCE])
    places = {var: place for place, var in enumerate(after)}
    loops = loops_above(block)
    repeating: list[StmtRef] = []
    outside: list[StmtRef] = []
    for ref in chain:
        loop = ref.loop
        if fold.is_const(loop.extent, 1):
            continue
        if loop.loop_var not in used:
            repeating.append(ref)
        elif loop.loop_var in reduced:
            for outer in repeating:
                if places[outer.loop.loop_var] > places[loop.loop_var]:
                    at = [outer.loop, loop, block.block]
                    name = outer.loop.loop_var.name
                    raise RepeatedUpdateError(block=block.block.name_hint, loop=name, at=at)
            if any(places[other.loop.loop_var] > places[loop.loop_var] for other in outside):
                check_no_overlaps(block, loops[loops.index(chain[0]) :])
        else:
            outside.append(ref)


def _check_init_first(block: StmtRef, before: Sequence[Var], after: Sequence[Var]) -> None:
    """Raise `InitNotFirstError` unless the first step for each element of a reduction stays first.

    It does if no loop determines both spatial and reduction axes, or such loops keep their order, or the digits of each
    loop variable belong to one axis each.
    """
    realize = realize_of(block)
    axes = [*zip(block.block.iter_vars, realize.iter_values, strict=True)]
    spatial, reduced = (
        uses([value for axis, value in axes if axis.iter_type is kind])
        for kind in (IterKind.DATA_PAR, IterKind.COMM_REDUCE)
    )
    shared = (spatial & reduced).intersection(before)
    if not shared:
        return
    mixed = [(axis, value) for axis, value in axes if not uses(value).isdisjoint(shared)]
    used = uses([value for _, value in mixed])
    if [var for var in before if var in used] == [var for var in after if var in used]:
        return
    loops = loop_ranges([ref.loop for ref in loops_above(block)])
    values = [value for _, value in mixed]
    outcome = (detect_iter_map(values, loops, predicate).indices for predicate in (True, realize.predicate))
    digits = next((result for result in outcome if result), None)
    if digits is not None and _are_aligned(digits):
        return
    names = [
        listed([axis.var.name for axis, _ in mixed if axis.iter_type is kind])
        for kind in (IterKind.DATA_PAR, IterKind.COMM_REDUCE)
    ]
    raise InitNotFirstError(
        block=block.block.name_hint,
        spatial=names[0],
        reduced=names[1],
        loops=listed([var.name for var in before if var in used]),
        at=[ref.loop for ref in loops_above(block) if ref.loop.loop_var in used] + [block.block],
    )


def _are_aligned(digits: Sequence[IterSumExpr]) -> bool:
    """Whether each digit belongs to one loop: the strides of a sum of loops and its divisors form a divisor chain."""
    sizes: dict[IterMark, list[Size]] = {}
    arithmetic = ExtentArithmetic()
    for split in (split for total in digits for split in total.args):
        mark, divisor = split.source, split.lower
        while isinstance(mark.source, IterSumExpr) and len(mark.source.args) == 1 and mark.source.args[0].step == 1:
            inner = mark.source.args[0]
            mark, divisor = inner.source, arithmetic.mul(divisor, inner.lower)
        if isinstance(mark.source, IterSumExpr):
            if any(isinstance(part.source.source, IterSumExpr) for part in mark.source.args):
                return False
            sizes.setdefault(mark, [part.step for part in mark.source.args]).append(divisor)
    return all(_divide_each_other(result) for result in sizes.values())


def _divide_each_other(sizes: Sequence[Size]) -> bool:
    numbers = sorted(size for size in sizes if isinstance(size, int) and size > 0)
    return len(numbers) == len(sizes) and all(b % a == 0 for a, b in itertools.pairwise(numbers))
