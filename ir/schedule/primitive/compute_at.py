"""Move a block into a loop of its consumers or producers: compute_at, reverse_compute_at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.int_set import IntSet, eval_set
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.core import WrongType
from tvmscript.ir.schedule import tree
from tvmscript.ir.schedule.analysis import block_properties
from tvmscript.ir.schedule.analysis.axis_domains import AxisDomain, make_loop_nest, required_regions, solve_axis_domains
from tvmscript.ir.schedule.analysis.bindings import bind_outer, loop_ranges
from tvmscript.ir.schedule.analysis.block_scope import buffers_of, consumers, is_before, producers
from tvmscript.ir.schedule.analysis.merge_order import find_shared_axis
from tvmscript.ir.schedule.analysis.predicate_loss import find_lost_conditions
from tvmscript.ir.schedule.analysis.region_cover import misses_values, taken_part
from tvmscript.ir.schedule.analysis.regions import symbolic_sizes
from tvmscript.ir.schedule.analysis.repeated_reduction import (
    RepeatedReductionError,
    is_invariant_in,
    runs_on_shared_memory,
)
from tvmscript.ir.schedule.analysis.unwritten_reads import reads_unwritten
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.primitive.compute_inline import inline_producer
from tvmscript.ir.schedule.primitive.for_kind import check_independent
from tvmscript.ir.schedule.primitive.reverse_compute_inline import inline_consumer
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import check_not_beside_blocks
from tvmscript.ir.schedule.rewrite.remove_block import removable_nest
from tvmscript.ir.tir import NOOP, Block, Expr, For, SeqStmt, Stmt, Var, match_types, substitute, uses
from tvmscript.ir.tir.expr import LE, IntImm, IterKind, IterVar, Max, Min, Range

#: values of symbolic sizes for which a predicate is tested
_SMALL_SIZES = (1, 2, 3, 5, 7)


class NotInSameScopeError(ScheduleError, code="TS4140"):
    """A block can only move into a loop of its own scope that does not contain it yet."""

    message = "block {block} cannot move into loop {loop}: {why}"


class NotAllRequiredBlocksAreVisitedError(ScheduleError, code="TS4141"):
    """All consumers of the block (compute_at) must be inside the loop. Of its producers (reverse_compute_at), one must
    be, and the others inside or complete before the loop begins; TVM wants all of them inside.
    """

    message = "{role} not inside loop {loop}, but {relation}"


class InsertionPointNotFoundError(ScheduleError, code="TS4142"):
    """The loop must have a position, or the requested one, after all producers and before all consumers."""

    message = "no insertion point for block {block} in loop {loop}: {why}"


class UncoveredAxisError(ScheduleError, code="TS4143"):
    """Inside the loop, the block would run only for the iterations that its producers feed. Elements that it computes
    without reading, such as padding, would be missing.
    """

    message = "block {block} in loop {loop} would run for {axis} in [{first}, {last}] only, not for its whole domain"


class PredicateLostError(ScheduleError, code="TS4148"):
    """A predicate excludes iterations of the block. Inside the loop, the block would run them. TVM moves such blocks:
    they access memory out of bounds, or write elements that were not written before.
    """

    message = "block {block} in loop {loop} would run iterations for which its predicate {predicate} is false"


class ComputeAt(Recorder):
    """Block placement."""

    @primitive("ComputeAt", inputs=("block", "loop"), attrs=("preserve_unit_loops", "index"))
    def compute_at(
        self, block: BlockRV | str, loop: LoopRV, preserve_unit_loops: bool = False, index: int = -1
    ) -> None:
        """Move a block into a loop of its consumers; it computes the region that one iteration of the loop needs.

        It is inserted at the last possible position (`index` -1), the first one (-2), or as statement `index`. Loops of
        extent 1 are omitted unless `preserve_unit_loops`. The loop may be a result of `sample_compute_location`. Raises
        `RootBlockError`, `NotStagePipelineError`, `NotCompleteOrReductionBlockError`, `NotInSameScopeError`,
        `OutputBlockError`, `OnlyLeafError`, `NotAllRequiredBlocksAreVisitedError`, `InsertionPointNotFoundError`,
        `RegionPatternError`, `PredicateLostError`, `OpaqueAccessError`.
        """
        place, ref = self.location(loop), self.block(block)
        if place is tree.INLINE_MARK:
            inline_producer(ref)
        elif place is not tree.ROOT_MARK:
            BlockMove(ref, place, index, to_consumers=True).apply(keep_unit_loops=preserve_unit_loops)

    @primitive("ReverseComputeAt", inputs=("block", "loop"), attrs=("preserve_unit_loops", "index"))
    def reverse_compute_at(
        self, block: BlockRV | str, loop: LoopRV, preserve_unit_loops: bool = False, index: int = -1
    ) -> None:
        """Move a block into a loop of its producers; it consumes the region that one iteration of the loop writes.

        Options and errors are those of `compute_at`, but the block may be an output. Also raises
        `UncoveredAxisError`, `RepeatedReductionError`, `NotRegionCoverError`, `ReorderedDependenceError`.
        """
        place, ref = self.location(loop), self.block(block)
        if place is tree.INLINE_MARK:
            inline_consumer(ref)
        elif place is not tree.ROOT_MARK:
            BlockMove(ref, place, index, to_consumers=False).apply(keep_unit_loops=preserve_unit_loops)


class BlockMove:
    """The move of a block into a loop; the constructor runs the checks. Raises the errors of `compute_at`."""

    def __init__(self, block: tree.StmtRef, loop: tree.StmtRef, index: int = -1, *, to_consumers: bool) -> None:
        self.block = block
        self.loop = loop
        self.to_consumers = to_consumers
        self.primitive = "compute_at" if to_consumers else "reverse_compute_at"
        scope = block_properties.pipeline_scope(block, self.primitive)
        for region in block.block.writes:
            check_not_beside_blocks(region.buffer, block)
        self.producers, self.consumers = producers(block), consumers(block)
        block_properties.check_complete_or_reduction_block(block, scope)
        self._check_scope(scope)
        self._check_own_iterations()
        if to_consumers:
            block_properties.check_not_output_block(block, scope)
        self.removed = removable_nest(block)
        self.parts = _stmts_of(loop.loop.body)
        self.place = self._find_place(index)
        #: whether conditions of the block hold for parts of its new domain only, and are kept
        self.keeps_conditions = False

    @property
    def targets(self) -> list[tree.StmtRef]:
        """The consumers or producers that determine the required region."""
        return self.consumers if self.to_consumers else pending_producers(self.block, self.loop)

    def apply(self, *, keep_unit_loops: bool) -> None:
        """Move the block."""
        was_affine = block_properties.is_affine_binding(self.block)
        self._replace(self.plan(keep_unit_loops=keep_unit_loops))
        if not self.to_consumers and reads_unwritten(self.block):
            raise block_properties.NotRegionCoverError(block=self.block.block.name_hint, at=[self.block.block])
        if not self.to_consumers and self.block.tree.enable_check:
            self._check_independent_iterations()
        if was_affine and self.keeps_conditions:
            block_properties.assume_affine_binding(self.block)  # each axis has a loop of its own
        else:
            block_properties.recompute_affine_binding(self.block)

    def plan(self, *, keep_unit_loops: bool) -> For:
        """Return the loop with the block in it. Raises `RegionPatternError`."""
        block, analyzer = self.block.block, Analyzer()
        outer = self._outer_ranges()
        bind_outer(analyzer, self.loop)
        analyzer.bind(self.loop.loop.loop_var, outer[self.loop.loop.loop_var])
        own = block.writes if self.to_consumers else block.reads
        sizes = symbolic_sizes(self.block.tree.func)
        needed = required_regions(self.targets, buffers_of(own), self.loop, sizes=sizes, is_read=self.to_consumers)
        domains = solve_axis_domains(block, own, needed, analyzer)
        nest = make_loop_nest(
            block,
            domains,
            outer,
            analyzer,
            sizes=sizes,
            conditions=self._lost_conditions(domains),
            keep_unit_loops=keep_unit_loops,
        )
        if not self.to_consumers:
            self._check_covered(domains)
            self._check_not_more(domains)
            self._check_not_repeated(domains)
        parts = (*self.parts[: self.place], nest, *self.parts[self.place :])
        return self.loop.loop.replace(body=SeqStmt(parts))

    def _outer_ranges(self) -> dict[Var, Range]:
        """Return the ranges of the loops around the new position."""
        return loop_ranges(around.loop for around in (*tree.loops_above(self.loop), self.loop))

    def _check_own_iterations(self) -> None:
        """Raise `InsertionPointNotFoundError` if the block passes on values inside of a loop that it would leave."""
        state, block = self.block.tree, self.block.block
        for buffer in buffers_of((*block.reads, *block.writes)):
            users = {**state.readers.get(buffer, {}), **state.writers.get(buffer, {})}
            pairs = [
                (writer, user)
                for writer in state.writers.get(buffer, {})
                for user in users
                if user is not writer and self.block in (writer, user)
            ]
            for writer, user in pairs:
                shared = {ref.loop.loop_var for ref in tree.loops_above(writer) if ref in tree.loops_above(user)}
                axis = find_shared_axis(writer, buffer, shared) if shared else None
                if axis is None:
                    continue
                why = (
                    f"block {writer.block.name_hint} writes elements of {buffer.name} again for each {axis.name}, "
                    f"and block {user.block.name_hint} uses them in the same iteration"
                )
                name = self.loop.loop.loop_var.name
                raise InsertionPointNotFoundError(
                    block=block.name_hint, loop=name, why=why, at=[writer.block, user.block]
                )

    def _lost_conditions(self, domains: Sequence[AxisDomain]) -> list[Expr]:
        """Return the conditions, over the axes, that hold where the block runs now, and not in all of its new domain.

        TVM drops them: its blocks access memory out of bounds, or write elements that were not written before.
        """
        lost = self._lost_predicates(domains)
        if not self.to_consumers:
            lost += find_lost_conditions(self.block, domains, self._outer_ranges())
        self.keeps_conditions = bool(lost)
        return list(dict.fromkeys(lost))

    def _lost_predicates(self, domains: Sequence[AxisDomain]) -> list[Expr]:
        """Return the parts of the predicate that are false at a corner of the new domain, over the axes.

        Symbolic sizes count as false if the predicate is false for one of some small values. Raises
        `PredicateLostError` if such a part depends on loops that no axis uses.
        """
        realize = tree.realize_of(self.block)
        if is_true(realize.predicate):
            return []
        loops = loop_ranges([ref.loop for ref in tree.loops_above(self.block)])
        digits = detect_iter_map(realize.iter_values, loops).indices
        if not digits:
            return []
        analyzer, outer = Analyzer(), self._outer_ranges()
        for variable, domain in (loops | outer).items():
            analyzer.bind(variable, domain)
        axes = self.block.block.iter_vars
        ends = [_axis_ends(axis, domain, outer) for axis, domain in zip(axes, domains, strict=True)]
        once = {variable: domain.min for variable, domain in loops.items() if fold.is_const(domain.extent, 1)}
        # loops that no axis uses run the block again: it must run in the first iteration of them
        bound = uses(realize.iter_values)
        repeating = {variable: domain.min for variable, domain in loops.items() if variable not in bound}
        lost: dict[Expr, None] = {}
        for corner in zip(*ends, strict=True):
            try:
                at = once | repeating | inverse_affine_iter_map(digits, corner)
            except WrongType:
                return []
            for condition in block_properties.predicate_conjuncts(realize.predicate):
                there = analyzer.simplify(substitute(condition, at))
                if analyzer.can_prove(fold.logical_not(there)) or _fails_for_a_size(there, ends):
                    if not uses(condition).isdisjoint(repeating.keys() - once.keys()):
                        raise self._predicate_lost(condition)
                    lost[condition] = None
        if not lost:
            return []
        at = once | inverse_affine_iter_map(digits, [axis.var for axis in axes])
        for axis in axes:
            analyzer.bind(axis.var, cast(Range, axis.dom))
        return [analyzer.simplify(substitute(condition, at)) for condition in lost]

    def _predicate_lost(self, condition: Expr) -> PredicateLostError:
        return PredicateLostError(
            loop=self.loop.loop.loop_var.name,
            block=self.block.block.name_hint,
            predicate=condition,
            at=[self.block.block, self.loop.loop],
        )

    def _check_covered(self, domains: Sequence[AxisDomain]) -> None:
        """Raise `UncoveredAxisError` if the block provably runs fewer iterations than before."""
        outer = self._outer_ranges()
        analyzer = Analyzer()
        for axis, domain in zip(self.block.block.iter_vars, domains, strict=True):
            for result in (eval_set(domain.run, outer), domain.bound):
                if result.is_nothing() or not misses_values(result, cast(Range, axis.dom), analyzer):
                    continue
                raise UncoveredAxisError(
                    loop=self.loop.loop.loop_var.name,
                    block=self.block.block.name_hint,
                    axis=axis.var.name,
                    first=result.min_value,
                    last=result.max_value,
                    at=[self.block.block, self.loop.loop],
                )

    def _check_not_more(self, domains: Sequence[AxisDomain]) -> None:
        """Raise `PredicateLostError` if axes would take values that the loops of the block exclude now."""
        realize, outer = tree.realize_of(self.block), self._outer_ranges()
        analyzer = Analyzer()
        for variable, around in outer.items():
            analyzer.bind(variable, around)
        running = loop_ranges([ref.loop for ref in tree.loops_above(self.block)])
        for axis, value, domain in zip(self.block.block.iter_vars, realize.iter_values, domains, strict=True):
            whole = IntSet.from_range(cast(Range, axis.dom))
            taken = taken_part(value, running, cast(Range, axis.dom), analyzer)
            if taken is None:
                continue
            new_sets = [
                result for result in (eval_set(domain.run, outer), domain.bound, whole) if not result.is_nothing()
            ]
            lows = [result.min_value for result in new_sets if result.has_lower_bound]
            highs = [result.max_value for result in new_sets if result.has_upper_bound]
            is_kept = any(analyzer.can_prove(LE(*match_types(taken.min_value, low))) for low in lows) and any(
                analyzer.can_prove(LE(*match_types(high, taken.max_value))) for high in highs
            )
            if not is_kept:
                raise self._predicate_lost(
                    fold.logical_and(
                        LE(*match_types(taken.min_value, axis.var)), LE(*match_types(axis.var, taken.max_value))
                    )
                )

    def _check_not_repeated(self, domains: Sequence[AxisDomain]) -> None:
        """Raise `RepeatedReductionError` if loops around the new position would repeat reduction steps."""
        outer = self._outer_ranges()
        steps = [
            domain.run
            for axis, domain in zip(self.block.block.iter_vars, domains, strict=True)
            if axis.iter_type is not IterKind.DATA_PAR
        ]
        first = [domain.run.min_value for domain in domains]
        if all(uses((run.min_value, run.max_value)).isdisjoint(outer) for run in steps):
            around = [ref.loop for ref in (self.loop, *tree.loops_above(self.loop))]
            written = {region.buffer for region in self.block.block.writes}
            again = next(
                (loop for loop in around if runs_on_shared_memory(loop.kind, written) and is_invariant_in(loop, first)),
                None,
            )
            if steps and again is not None:
                raise RepeatedReductionError(
                    loop=again.loop_var.name, block=self.block.block.name_hint, at=[self.block.block, again]
                )
            return
        if not detect_iter_map(first, outer, True, IterMapLevel.Bijective).indices:
            raise RepeatedReductionError(
                loop=self.loop.loop.loop_var.name,
                block=self.block.block.name_hint,
                at=[self.block.block, self.loop.loop],
            )

    def _check_independent_iterations(self) -> None:
        """Raise `ReorderedDependenceError` if parallel iterations around the new position share what it writes."""
        written = buffers_of(self.block.block.writes)
        for around in tree.loops_above(self.block):
            if runs_on_shared_memory(around.loop.kind, written):
                check_independent(around)

    def _replace(self, loop: For) -> None:
        """Remove and insert in one replacement, so that the reference of the block stays valid."""
        around = tree.common_ancestor([self.removed, self.loop])
        stmt = cast("For | Block", around.stmt)
        body: Stmt = stmt.body
        for target, result in ((self.removed, NOOP), (self.loop, loop)):
            body = tree.replace_child(body, *tree.replace_below(target, result, around))
        new_stmt = stmt.replace(body=body)
        blocks = {new_stmt: stmt} if isinstance(new_stmt, Block) and isinstance(stmt, Block) else None
        self.block.tree.replace(around, new_stmt, blocks)

    def _check_scope(self, scope: tree.StmtRef) -> None:
        loop = self.loop
        if tree.scope_root(loop) is scope and not tree.is_inside(self.block, loop):
            # a use of a loop variable would be undefined at the new position; TVM does not check it
            staying = {ref.loop.loop_var for ref in (loop, *tree.loops_above(loop))}
            left = {ref.loop.loop_var for ref in tree.loops_above(self.block)} - staying
            used = next((var for var in uses(self.block.block) if var in left), None)
            if used is None:
                return
            why = f"the block uses loop variable {used.name}, which is undefined there"
        elif tree.is_inside(self.block, loop):
            why = "the block is already inside it"
        else:
            why = f"the loop is not in the block's scope {scope.block.name_hint}"
        raise NotInSameScopeError(
            block=self.block.block.name_hint,
            loop=loop.loop.loop_var.name,
            why=why,
            at=[self.block.block, loop.loop],
            legal=self._legal_loops(),
        )

    def _find_place(self, index: int) -> int:
        at = {item: place for place, part in enumerate(self.parts) for item in tree.child_stmts(part)}
        places = [
            [at[_child_containing(ref, self.loop)] for ref in refs if tree.is_inside(ref, self.loop)]
            for refs in self._both()
        ]
        missing = [ref for ref in self.targets if not tree.is_inside(ref, self.loop)]
        name, loop = self.block.block.name_hint, self.loop.loop.loop_var.name
        stmts = [self.block.block, self.loop.loop]
        if missing:
            names = listed([ref.block.name_hint for ref in missing])
            roles = ("consumer", "consumers") if self.to_consumers else ("producer", "producers")
            role = f"{roles[0]} {names} is" if len(missing) == 1 else f"{roles[1]} {names} are"
            verb = "reads" if len(missing) == 1 and self.to_consumers else "read"
            pronoun = "it" if len(missing) == 1 else "they"
            relation = (
                f"{pronoun} {verb} {name}"
                if self.to_consumers
                else f"{name} reads {'it' if len(missing) == 1 else 'them'}"
            )
            raise NotAllRequiredBlocksAreVisitedError(
                role=role,
                loop=loop,
                relation=relation,
                at=[*stmts, *(ref.block for ref in missing)],
                legal=self._legal_loops(),
            )
        earliest, latest = max(places[0], default=-1) + 1, min(places[1], default=len(self.parts))
        consumer_before = any(is_before(ref, self.loop) for ref in self.consumers if not tree.is_inside(ref, self.loop))
        producer_behind = any(is_before(self.loop, ref) for ref in self.producers if not tree.is_inside(ref, self.loop))
        if earliest > latest or consumer_before or producer_behind:
            why = "a consumer precedes the loop" if consumer_before else "a producer follows it"
            raise InsertionPointNotFoundError(block=name, loop=loop, why=why, at=stmts, legal=self._legal_loops())
        chosen = latest if index == -1 else earliest if index == -2 else index
        if not earliest <= chosen <= latest:
            raise InsertionPointNotFoundError(
                block=name,
                loop=loop,
                why=f"position {index} is not after all producers and before all consumers",
                at=stmts,
                legal=f"index must be -1, -2, or from {earliest} to {latest}",
            )
        return chosen

    def _both(self) -> tuple[list[tree.StmtRef], list[tree.StmtRef]]:
        return self.producers, self.consumers

    def _legal_loops(self) -> str | None:
        """Return a hint with the loops that the block can move into."""
        if not self.targets:
            return None
        loops = tree.loops_above(self.targets[0])
        items = [loop for loop in loops if can_move(self.block, loop, to_consumers=self.to_consumers)]
        return f"{self.primitive} works for: {listed([loop.loop.loop_var.name for loop in items])}" if items else None


def _axis_ends(axis: IterVar, domain: AxisDomain, outer: Mapping[Var, Range]) -> tuple[Expr, Expr]:
    """Return the first and last value of an axis over all iterations of the outer loops."""
    whole = IntSet.from_range(cast(Range, axis.dom))
    sets = [result for result in (eval_set(domain.run, outer), domain.bound) if not result.is_nothing()]
    low, high = whole.min_value, whole.max_value
    for result in sets:
        low = fold.make(Max, *match_types(low, result.min_value)) if result.has_lower_bound else low
        high = fold.make(Min, *match_types(high, result.max_value)) if result.has_upper_bound else high
    return low, high


def _fails_for_a_size(condition: Expr, ends: Sequence[tuple[Expr, Expr]]) -> bool:
    """Whether a condition is false for a small value of the symbolic sizes that leaves no axis empty."""
    sizes = {var for var in uses((condition, ends)) if isinstance(var, Var)}
    has_values = [LE(*match_types(low, high)) for low, high in ends]

    def at_size(expr: Expr, size: int) -> Expr:
        return Analyzer().simplify(substitute(expr, {var: IntImm(var.dtype, size) for var in sizes}))

    return bool(sizes) and any(
        fold.is_const(at_size(condition, size), 0)
        and all(fold.is_const(at_size(nonempty, size), 1) for nonempty in has_values)
        for size in _SMALL_SIZES
    )


def pending_producers(block: tree.StmtRef, loop: tree.StmtRef) -> list[tree.StmtRef]:
    """Return the producers of a block without those that are complete when a loop begins, if others are inside of it.

    A producer is complete if it precedes the loop, and the block is in all loops that contain both.
    """
    refs = producers(block)
    if not any(tree.is_inside(ref, loop) for ref in refs):
        return refs
    others = [around for around in tree.loops_above(loop) if not tree.is_inside(block, around)]
    return [
        ref
        for ref in refs
        if tree.is_inside(ref, loop)
        or not is_before(ref, loop)
        or any(tree.is_inside(ref, around) for around in others)
    ]


def can_move(block: tree.StmtRef, loop: tree.StmtRef, *, to_consumers: bool) -> bool:
    """Whether the loop contains all consumers (or producers) of a block, with a position after its producers."""
    others = consumers(block) if to_consumers else pending_producers(block, loop)
    if tree.is_inside(block, loop) or not all(tree.is_inside(ref, loop) for ref in others):
        return False
    at = {item: place for place, part in enumerate(_stmts_of(loop.loop.body)) for item in tree.child_stmts(part)}
    before = [at[_child_containing(ref, loop)] for ref in producers(block) if tree.is_inside(ref, loop)]
    behind = [at[_child_containing(ref, loop)] for ref in consumers(block) if tree.is_inside(ref, loop)]
    return max(before, default=-1) < min(behind, default=len(at))


def _stmts_of(body: Stmt) -> Sequence[Stmt]:
    return body.seq if isinstance(body, SeqStmt) else (body,)


def _child_containing(ref: tree.StmtRef, around: tree.StmtRef) -> For | Block:
    """Return the loop or block directly in `around` that contains `ref`."""
    while ref.parent is not around and ref.parent is not None:
        ref = ref.parent
    return cast("For | Block", ref.stmt)
