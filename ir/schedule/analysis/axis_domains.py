"""Solve for the domains of block axes that produce (or consume) required buffer regions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, intersect, union
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.core import WrongType, nodes
from tvmscript.ir.schedule.analysis.bindings import domain_of
from tvmscript.ir.schedule.analysis.region_cover import bind_region, loop_ranges_below
from tvmscript.ir.schedule.analysis.region_relaxation import relax_range
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.tree import StmtRef, realize_of
from tvmscript.ir.tir import Block, BlockRealize, Buffer, Expr, For, ForKind, Stmt, Var, match_types, substitute, uses
from tvmscript.ir.tir import expr as tir

Box = list[IntervalSet]


class RegionPatternError(ScheduleError, code="TS4139"):
    """The region cannot be solved for the axes: its indices must be an affine map of the axes, or each of them an axis,
    a multiple, a quotient or a remainder of one.
    """

    message = "cannot solve region {index} of {buffer} for the axes of block {block}"


@dataclass
class AxisDomain:
    """The domain of an axis: `run` is the required interval, `bound` the limit that a predicate enforces."""

    run: IntervalSet
    bound: IntervalSet
    #: a symbolic buffer size that may be 0; TVM adds a condition of its own for it
    size: Expr | None = None

    def widen(self, other: AxisDomain) -> None:
        """Take the union with another domain."""
        self.run = union((self.run, other.run))
        self.bound = union((self.bound, other.bound))

    def normalize(self, axis: tir.IterVar, analyzer: Analyzer) -> None:
        """Simplify both intervals, and drop the one that the other one implies."""
        whole = IntSet.from_range(domain_of(axis))
        self.size = _uncertain_size(self.bound, whole, analyzer)
        bound = whole if self.bound.is_nothing() or _contains(self.bound, whole, analyzer) else self.bound
        if bound is self.bound and not _contains(whole, bound, analyzer):
            bound = intersect((bound, whole))
        bound = _simplify(bound, analyzer)
        if self.run.is_nothing():
            self.run, self.bound = bound, IntSet.nothing()
            return
        run = _simplify(self.run, analyzer)
        if _contains(bound, run, analyzer):
            bound = IntSet.nothing()
        elif _contains(run, bound, analyzer):
            run, bound = bound, IntSet.nothing()
        self.run, self.bound = run, bound


def _uncertain_size(bound: IntervalSet, whole: IntervalSet, analyzer: Analyzer) -> Expr | None:
    """Return the size that bounds an axis if it may be 0 and differs from that of the axis (padding)."""
    last = bound.max_value if bound.has_upper_bound else None
    if not isinstance(last, tir.Max) or not whole.has_upper_bound:
        return None
    size = fold.add(last.a, tir.IntImm(last.dtype, 1))
    rest = analyzer.simplify(fold.sub(*match_types(last.a, whole.max_value)))
    return None if isinstance(rest, tir.IntImm) else analyzer.simplify(size)


def _simplify(interval: IntervalSet, analyzer: Analyzer) -> IntervalSet:
    low, high = interval.min_value, interval.max_value
    if isinstance(low, tir.IntImm) and isinstance(high, tir.IntImm):
        return interval
    low = analyzer.simplify(low) if interval.has_lower_bound else low
    high = low if high is interval.min_value else analyzer.simplify(high) if interval.has_upper_bound else high
    return IntSet.interval(low, high)


def _contains(outer: IntervalSet, inner: IntervalSet, analyzer: Analyzer) -> bool:
    """Whether one interval provably contains another."""
    if (outer.has_lower_bound and not inner.has_lower_bound) or (outer.has_upper_bound and not inner.has_upper_bound):
        return False
    return (not outer.has_lower_bound or _is_at_most(outer.min_value, inner.min_value, analyzer)) and (
        not outer.has_upper_bound or _is_at_most(inner.max_value, outer.max_value, analyzer)
    )


def _is_at_most(a: Expr, b: Expr, analyzer: Analyzer) -> bool:
    if a is b:
        return True
    if isinstance(a, tir.IntImm) and isinstance(b, tir.IntImm):
        return a.value <= b.value
    return analyzer.can_prove_greater_equal(b, a)


def required_regions(
    others: Iterable[StmtRef], buffers: Iterable[Buffer], loop: StmtRef, *, sizes: Collection[Var] = (), is_read: bool
) -> dict[Buffer, list[Box]]:
    """Return the regions of buffers that blocks read (or write) in one iteration of a loop around them.

    Reads of memory that threads share are relaxed over all these threads. `sizes` are at least 0.
    """
    boxes_of: dict[Buffer, list[Box]] = {buffer: [] for buffer in buffers}
    analyzer = Analyzer()
    with ExitStack() as known:
        for size in sizes:
            known.enter_context(analyzer.constraint(tir.GE(size, tir.IntImm(size.dtype, 0))))
        for other in others:
            realize = realize_of(other)
            for region in realize.block.reads if is_read else realize.block.writes:
                if region.buffer in boxes_of:
                    domains = loop_ranges_below(other, loop, region.buffer.storage_scope if is_read else "global")
                    box = [relax_range(part, domains, analyzer) for part in bind_region(region, realize)]
                    boxes_of[region.buffer].append(box)
    return boxes_of


def solve_axis_domains(
    block: Block, own: Sequence[tir.BufferRegion], needed: Mapping[Buffer, list[Box]], analyzer: Analyzer
) -> list[AxisDomain]:
    """Return the domain of each axis for which the block's own regions are the required ones.

    Raises `RegionPatternError`.
    """
    outcome = {axis.var: AxisDomain(IntSet.nothing(), IntSet.nothing()) for axis in block.iter_vars}
    provided: dict[Buffer, list[Box]] = {}
    for region in own:
        provided.setdefault(region.buffer, []).append([IntSet.from_range(part) for part in region.region])
    for buffer, boxes in provided.items():
        if not needed.get(buffer):
            continue
        box, wanted = _unite(boxes), _unite(needed[buffer])
        if not _solve_together(block, buffer, box, wanted, analyzer, outcome):
            for place, (part, want) in enumerate(zip(box, wanted, strict=True)):
                _solve_alone(block, buffer, place, part, want, analyzer, outcome)
    for axis in block.iter_vars:
        outcome[axis.var].normalize(axis, analyzer)
    return [*outcome.values()]


def _unite(boxes: list[Box]) -> Box:
    return [union(parts) for parts in zip(*boxes, strict=True)]


def _last_index(size: Expr) -> Expr:
    """Return the last index of a dimension."""
    return fold.make(tir.Max, fold.sub(size, tir.IntImm(size.dtype, 1)), tir.IntImm(size.dtype, 0))


def _solve_together(
    block: Block, buffer: Buffer, made: Box, wanted: Box, analyzer: Analyzer, axis_domains: dict[Var, AxisDomain]
) -> bool:
    """Solve all dimensions by the inverse of an affine map of the axes; False if the indices are not one."""
    if not all(part.is_single_point() or part.can_prove_single_point(analyzer) for part in made):
        return False
    if not all(part.has_lower_bound and part.has_upper_bound for part in wanted):
        return False
    domains = {axis.var: axis.dom for axis in block.iter_vars if axis.dom is not None}
    indices = [part.min_value for part in made]
    axes = [index for index in indices if isinstance(index, Var)]
    if len(axes) == len(indices) == len(domains) and domains.keys() == {*axes}:
        for axis, part, size in zip(axes, wanted, buffer.shape, strict=True):
            # required regions are not empty
            axis_domains[axis].widen(AxisDomain(part, _between(tir.IntImm(size.dtype, 0), _last_index(size), analyzer)))
        return True
    digits = detect_iter_map(
        indices, domains, True, IterMapLevel.Bijective, simplify_trivial_iterators=False, analyzer=analyzer
    ).indices
    if not digits:
        return False
    whole = [(tir.IntImm(size.dtype, 0), _last_index(size)) for size in buffer.shape]
    ends = [(part.min_value, part.max_value) for part in wanted]
    try:
        first, last = (inverse_affine_iter_map(digits, [end[side] for end in ends]) for side in (0, 1))
        lowest, highest = (inverse_affine_iter_map(digits, [end[side] for end in whole]) for side in (0, 1))
    except WrongType:
        return False
    for var in first:
        run, bound = _between(first[var], last[var], analyzer), _between(lowest[var], highest[var], analyzer)
        axis_domains[var].widen(AxisDomain(run, bound))
    return True


def _between(a: Expr, b: Expr, analyzer: Analyzer) -> IntervalSet:
    a, b = match_types(a, b)
    if isinstance(a, tir.IntImm) and isinstance(b, tir.IntImm) and a.value <= b.value:
        return IntSet.interval(a, b)
    if _is_at_most(a, b, analyzer):
        return IntSet.interval(analyzer.simplify(a), analyzer.simplify(b))
    return IntSet.interval(analyzer.simplify(fold.make(tir.Min, a, b)), analyzer.simplify(fold.make(tir.Max, a, b)))


def _solve_alone(
    block: Block,
    buffer: Buffer,
    place: int,
    made: IntervalSet,
    wanted: IntervalSet,
    analyzer: Analyzer,
    axis_domains: dict[Var, AxisDomain],
) -> None:
    """Solve one dimension for the axis in its index. Raises `RegionPatternError`."""
    first = analyzer.simplify(made.min_value)
    is_point = analyzer.can_prove_equal(first, analyzer.simplify(made.max_value))
    if is_point and isinstance(first, tir.IntImm):
        return
    solved = _solve_index(first, is_point, wanted, _last_index(buffer.shape[place]), analyzer)
    if solved is None or solved[0] not in axis_domains:
        raise RegionPatternError(block=block.name_hint, index=first, buffer=buffer.name, at=[block])
    axis_domains[solved[0]].widen(solved[1])


def _solve_index(
    first: Expr, is_point: bool, wanted: IntervalSet, last: Expr, analyzer: Analyzer
) -> tuple[Var, AxisDomain] | None:
    """Return the axis in an index, and its domain for the index to be in the required interval."""
    low, high = analyzer.simplify(wanted.min_value), analyzer.simplify(wanted.max_value)
    zero = tir.IntImm(last.dtype, 0)
    if isinstance(first, tir.Mul):
        var, factor = (first.a, first.b) if isinstance(first.a, Var) else (first.b, first.a)
        if not isinstance(var, Var):
            return None
        run = IntSet.interval(_floordiv(low, factor), _floordiv(high, factor))
        return var, AxisDomain(run, IntSet.interval(zero, _floordiv(last, factor)))
    if not is_point:
        return None
    if isinstance(first, Var):
        return first, AxisDomain(IntSet.interval(low, high), IntSet.interval(zero, last))
    if isinstance(first, tir.FloorDiv) and isinstance(first.a, Var):
        if not analyzer.can_prove_greater_equal(first.b, 1):
            return None
        rest = fold.sub(first.b, tir.IntImm(first.b.dtype, 1))

        def through(end: Expr) -> Expr:
            return analyzer.simplify(fold.add(*match_types(fold.mul(*match_types(end, first.b)), rest)))

        run = IntSet.interval(fold.mul(*match_types(low, first.b)), through(high))
        return first.a, AxisDomain(run, IntSet.interval(zero, through(last)))
    if isinstance(first, tir.FloorMod) and isinstance(first.a, Var):
        # any value of the axis may be required
        return first.a, AxisDomain(IntSet.nothing(), IntSet.nothing())
    return None


def _floordiv(value: Expr, by: Expr) -> Expr:
    return fold.make(tir.FloorDiv, *match_types(value, by))


def make_loop_nest(
    block: Block,
    domains: Sequence[AxisDomain],
    outer: Mapping[Var, tir.Range],
    analyzer: Analyzer,
    *,
    sizes: Collection[Var] = (),
    conditions: Iterable[Expr] = (),
    keep_unit_loops: bool,
) -> Stmt:
    """Make loops `ax0`, `ax1`, ... over the domains with the block in them, under a predicate for the bounds.

    `outer` are the ranges of the loops around them, `sizes` the variables that are sizes: at least 0, `conditions`
    further ones over the axes.
    """
    running = dict(outer)
    loops: list[tuple[Var, Expr]] = []
    values: list[Expr] = []
    inside: Expr = fold.TRUE
    below_sizes: Expr = fold.TRUE
    for axis, domain in zip(block.iter_vars, domains, strict=True):
        covering = domain.run.cover_range(axis.dom, analyzer)
        assert covering is not None, "axes have domains"
        first, extent = covering.min, covering.extent
        if keep_unit_loops or not (isinstance(extent, tir.IntImm) and extent.value == 1):
            first, extent = match_types(first, extent)
            var = Var(f"ax{len(loops)}", extent.dtype)
            loops.append((var, analyzer.simplify(extent)))
            running[var] = tir.Range.from_min_extent(tir.IntImm(var.dtype, 0), extent)
            analyzer.bind(var, running[var])
            values.append(fold.add(first, var))
        else:
            values.append(first)
        if domain.bound.is_nothing():
            continue
        if domain.bound.has_lower_bound:
            inside = _add_condition(
                inside, fold.make(tir.GE, *match_types(values[-1], domain.bound.min_value)), running, analyzer, sizes
            )
        if domain.bound.has_upper_bound:
            if domain.size is not None:
                below_sizes = fold.logical_and(below_sizes, _below_padded_size(values[-1], domain.size, running, outer))
            last = domain.bound.max_value
            for limit in (last.a, last.b) if isinstance(last, tir.Min) else (last,):
                end = fold.add(limit, tir.IntImm(limit.dtype, 1))
                below = fold.make(tir.LT, *match_types(values[-1], end))
                inside = _add_condition(inside, below, running, analyzer, sizes)
    at = {axis.var: value for axis, value in zip(block.iter_vars, values, strict=True)}
    for condition in conditions:
        inside = _add_condition(inside, substitute(condition, at), running, analyzer, sizes)
    predicate = fold.logical_and(below_sizes, analyzer.simplify(inside))
    stmt: Stmt = BlockRealize(tuple(values), predicate, block)
    for var, extent in reversed(loops):
        stmt = For(var, tir.IntImm(var.dtype, 0), extent, ForKind.SERIAL, stmt)
    return stmt


def _below_padded_size(
    value: Expr, size: Expr, running: Mapping[Var, tir.Range], outer: Mapping[Var, tir.Range]
) -> Expr:
    """Return the condition that an index is less than a padded size, or 0, in TVM's form.

    It is simplified without facts about the outer loops.
    """
    own = Analyzer()
    for var, dom in running.items():
        if var not in outer:
            own.bind(var, dom)
    value, size = match_types(value, size)
    less: Expr = own.simplify(tir.LT(value, size))
    zero = tir.IntImm(value.dtype, 0)
    if isinstance(less, tir.LT) and not any(var in running and var not in outer for var in uses(less)):
        value, less = less.a, tir.LT(fold.sub(less.a, less.b), zero)
    return tir.Or(less, tir.EQ(value, zero))


def _add_condition(
    inside: Expr, condition: Expr, running: Mapping[Var, tir.Range], analyzer: Analyzer, sizes: Collection[Var]
) -> Expr:
    if analyzer.can_prove(condition) or _holds_at_ends(condition, running, analyzer):
        return inside
    divisors = _divisor_factors(condition)
    with ExitStack() as known:
        for size in sizes:
            known.enter_context(analyzer.constraint(tir.GE(size, tir.IntImm(size.dtype, int(size in divisors)))))
        if sizes and (analyzer.can_prove(condition) or _holds_at_ends(condition, running, analyzer)):
            return inside
        return fold.logical_and(inside, condition)


def _divisor_factors(condition: Expr) -> set[Var]:
    """Return the variables that a divisor is a multiple of: where the condition has a value, they are not 0."""
    divisors = [node.b for node in nodes(condition) if isinstance(node, (tir.FloorDiv, tir.FloorMod))]
    return {factor for divisor in divisors for factor in _factors(divisor) if isinstance(factor, Var)}


def _factors(value: Expr) -> Iterator[Expr]:
    if isinstance(value, tir.Mul):
        yield from _factors(value.a)
        yield from _factors(value.b)
    else:
        yield value


def _holds_at_ends(condition: Expr, running: Mapping[Var, tir.Range], analyzer: Analyzer) -> bool:
    """Whether a comparison holds for the tightest values of its sides over the loop ranges."""
    if not isinstance(condition, (tir.GE, tir.LT)):
        return False
    bounds = eval_set(fold.sub(condition.a, condition.b), running, analyzer)
    if isinstance(condition, tir.GE):
        return bounds.has_lower_bound and analyzer.can_prove_greater_equal(bounds.min_value, 0)
    return bounds.has_upper_bound and analyzer.can_prove_less(bounds.max_value, 0)
