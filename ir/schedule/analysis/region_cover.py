"""Region cover: do earlier blocks write all that a block reads? Writes are underestimated, reads overestimated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, intersect, union_region_lower_bound
from tvmscript.ir.arith.region_bound import estimate_region_lower_bound, estimate_region_upper_bound
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.schedule.analysis.bindings import analyzer_of_loops, loop_ranges
from tvmscript.ir.schedule.analysis.block_scope import buffers_of, read_producers
from tvmscript.ir.schedule.analysis.regions import first_region
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, common_ancestor, loops_above, realize_of, scope_root
from tvmscript.ir.tir import BlockRealize, Buffer, Expr, ForKind, Stmt, Var, match_types, substitute, uses
from tvmscript.ir.tir.expr import LE, LT, BufferRegion, IntImm, IterVar, Ramp, Range
from tvmscript.ir.tir.stmt import BufferStore, For, IfThenElse, While

Box = list[IntervalSet]


def is_covered(consumer: StmtRef) -> bool:
    """Whether earlier blocks of the scope write all that a block reads of their buffers.

    Producers with the same lowest common ancestor are combined: in one iteration of it, their writes must cover the
    reads.
    """
    meeting: dict[StmtRef, list[StmtRef]] = {}
    for producer in read_producers(consumer):
        meeting.setdefault(common_ancestor([producer, consumer]), []).append(producer)
    return all(_is_covered_in(consumer, around, producers) for around, producers in meeting.items())


def _is_covered_in(consumer: StmtRef, around: StmtRef, producers: list[StmtRef]) -> bool:
    read = {
        buffer: [r for r in consumer.block.reads if r.buffer is buffer] for buffer in buffers_of(consumer.block.reads)
    }
    written: dict[Buffer, list[tuple[StmtRef, BufferRegion]]] = {}
    for producer in producers:
        for region in producer.block.writes:
            if region.buffer in read:
                written.setdefault(region.buffer, []).append((producer, region))
    for buffer, regions in written.items():
        if any(writes_whole_buffer(producer, region, around) for producer, region in regions):
            continue
        analyzer = analyzer_of_loops(ref.loop for ref in loops_above(consumer))
        boxes = [_produced_box(producer, region, around, analyzer) for producer, region in regions]
        produced = union_region_lower_bound([box for box in boxes if box is not None], analyzer)
        if len(produced) != len(buffer.shape):
            return not buffer.shape
        if _is_whole_buffer(buffer, produced):
            continue
        for region in read[buffer]:
            if not contains_box(buffer, produced, _consumed_box(consumer, region, around, analyzer), analyzer):
                return False
    return True


def writes_whole_buffer(producer: StmtRef, region: BufferRegion, around: StmtRef) -> bool:
    """Whether a block writes a whole buffer, each dimension at once or by a loop of its own."""
    realize = realize_of(producer)
    if not isinstance(realize.predicate, IntImm) or not realize.predicate.value:
        return False
    values = dict(zip((axis.var for axis in producer.block.iter_vars), realize.iter_values, strict=True))
    extents = {loop.loop.loop_var: loop.loop for loop in loops_between(producer, around)}
    for part, size in zip(region.region, region.buffer.shape, strict=True):
        if is_const(part.min, 0) and _same_size(part.extent, size):
            continue
        value = values.get(part.min) if isinstance(part.min, Var) else None
        loop = extents.pop(value, None) if isinstance(value, Var) else None
        starts_at_zero = loop is not None and isinstance(loop.min, IntImm) and loop.min.value == 0
        if loop is None or not starts_at_zero or not _same_size(loop.extent, size):
            return False
    return True


def writes_whole_box(producer: StmtRef, region: BufferRegion, box: Sequence[Range], around: StmtRef) -> bool:
    """Whether a block provably writes all elements of a box in its buffer, in one iteration of `around`."""
    if writes_whole_buffer(producer, region, around):
        return True
    realize = realize_of(producer)
    analyzer = analyzer_of_loops([ref.loop for ref in loops_above(producer)])
    parts = bind_region(region, realize)
    predicate: Expr = realize.predicate
    with ExitStack() as known:
        for part, size in zip(parts, region.buffer.shape, strict=True):
            last = fold.add(*match_types(part.min, fold.sub(part.extent, IntImm(part.extent.dtype, 1))))
            known.enter_context(analyzer.constraint(LT(*match_types(last, size))))
            known.enter_context(analyzer.constraint(LE(*match_types(IntImm(size.dtype, 0), part.min))))
        if analyzer.can_prove(predicate):
            predicate = fold.TRUE  # the predicate excludes only elements out of bounds
    domains = loop_ranges_below(producer, around, region.buffer.storage_scope)
    if not _is_about(predicate, domains.keys(), producer):
        return False  # the predicate depends on outer loops, or on sizes alone
    covered = estimate_region_lower_bound(parts, domains, predicate, analyzer=analyzer)
    return covered is not None and contains_box(
        region.buffer, covered, [IntSet.from_range(part) for part in box], analyzer
    )


def _is_about(predicate: Expr, running: Set[Var], block: StmtRef) -> bool:
    """Whether each condition of a predicate compares loop variables of `running` with sizes of the program."""
    outer: set[Var] = set()
    at: StmtRef | None = block
    while at is not None:
        outer.update(ref.loop.loop_var for ref in loops_above(at))
        at = scope_root(at)
        outer.update(axis.var for axis in (at.block.iter_vars if at is not None else ()))
    outer -= running
    return fold.is_true(predicate) or all(
        uses(condition).isdisjoint(outer)
        and not uses(condition).isdisjoint(running)
        and not any(isinstance(name, Buffer) for name in uses(condition))
        for condition in fold.conjuncts(predicate)
    )


def writes_own_region(block: StmtRef, region: BufferRegion) -> bool:
    """Whether each iteration of a block provably writes all of a region that it says to write.

    Regions are boxes around what loops and nested blocks write. What calls write is believed.
    """
    buffer = region.buffer
    for inner in blocks_below(block):
        written = first_region(inner.block.writes, buffer)
        if written is not None and writes_whole_box(inner, written, region.region, block):
            return writes_own_region(inner, written)
    stores = _Stores(buffer)
    stores.visit(block.block)
    if not stores.is_anywhere:
        return True
    if any(not loops and _is_same_box(points, region.region) for points, loops in stores.unconditional):
        return True
    box, analyzer = [IntSet.from_range(part) for part in region.region], Analyzer()
    for points, loops in stores.unconditional:
        covered = estimate_region_lower_bound(points, loop_ranges(loops), True, analyzer)
        if covered is not None and contains_box(buffer, covered, box, analyzer):
            return True
    return False


def _is_same_box(a: Sequence[Range], b: Sequence[Range]) -> bool:
    return all(
        expr_deep_equal(left.min, right.min) and expr_deep_equal(left.extent, right.extent)
        for left, right in zip(a, b, strict=True)
    )


def _point(index: Expr) -> Range | None:
    """The indices of a scalar or of consecutive lanes."""
    if index.dtype.lanes == 1:
        return Range.from_min_extent(index, IntImm(index.dtype, 1))
    if isinstance(index, Ramp) and is_const(index.stride, 1) and index.lanes > 0:
        return Range.from_min_extent(index.base, IntImm(index.base.dtype, index.lanes))
    return None


class _Stores(Visitor):
    """Find the stores of a block to a buffer, and the loops around those outside of conditions and nested blocks."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.loops: list[For] = []
        self.is_anywhere = False
        self.unconditional: list[tuple[list[Range], list[For]]] = []

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer is self.buffer:
            self.is_anywhere = True
            points = [_point(index) for index in node.indices]
            if None not in points and node.predicate is None:
                self.unconditional.append(([part for part in points if part is not None], list(self.loops)))

    @on(For)
    def loop(self, node: For) -> None:
        self.loops.append(node)
        self.visit(node.body)
        self.loops.pop()

    @on(IfThenElse, While, BlockRealize)
    def maybe(self, node: Stmt) -> None:
        before = len(self.unconditional)
        self.walk(node)
        del self.unconditional[before:]


def covers_axis_domains(block: StmtRef, axes: Sequence[IterVar]) -> bool:
    """Whether axes of a block provably take all combinations of values of their domains."""
    realize = realize_of(block)
    values = dict(zip((axis.var for axis in block.block.iter_vars), realize.iter_values, strict=True))
    box = [Range.from_min_extent(values[axis.var], IntImm(axis.var.dtype, 1)) for axis in axes]
    covered = estimate_region_lower_bound(box, loop_ranges_below(block, None), realize.predicate) if box else []
    if covered is None:
        return False
    analyzer = Analyzer()
    return all(
        analyzer.can_prove(LE(*match_types(part.min_value, whole.min_value)))
        and analyzer.can_prove(LE(*match_types(whole.max_value, part.max_value)))
        for part, whole in zip(covered, (IntSet.from_range(axis.dom) for axis in axes if axis.dom), strict=True)
    )


def axis_with_missed_values(block: StmtRef) -> IterVar | None:
    """Return an axis whose domain the loops of a block provably do not cover; None if there is none."""
    running = loop_ranges([ref.loop for ref in loops_above(block)])
    analyzer, realize = Analyzer(), realize_of(block)
    for axis, value in zip(block.block.iter_vars, realize.iter_values, strict=True):
        if axis.dom is not None and taken_part(value, running, axis.dom, analyzer) is not None:
            return axis
    return None


def taken_part(value: Expr, running: Mapping[Var, Range], domain: Range, analyzer: Analyzer) -> IntervalSet | None:
    """Return the values that a binding takes if they provably are not all of a domain, else None."""
    loop = running.get(value) if isinstance(value, Var) else None
    if loop is not None and expr_deep_equal(loop.min, domain.min) and expr_deep_equal(loop.extent, domain.extent):
        return None
    taken = eval_set(value, running)
    return taken if not taken.is_nothing() and misses_values(taken, domain, analyzer) else None


def misses_values(taken: IntervalSet, domain: Range, analyzer: Analyzer) -> bool:
    """Whether an interval provably misses values of a domain."""
    whole = IntSet.from_range(domain)
    return (taken.has_lower_bound and analyzer.can_prove_less(whole.min_value, taken.min_value)) or (
        taken.has_upper_bound and analyzer.can_prove_less(taken.max_value, whole.max_value)
    )


def _is_whole_buffer(buffer: Buffer, produced: Sequence[IntervalSet]) -> bool:
    """Whether a box covers a buffer of constant shape."""
    return all(
        isinstance(part.min_value, IntImm)
        and part.min_value.value <= 0
        and isinstance(part.max_value, IntImm)
        and isinstance(size, IntImm)
        and part.max_value.value >= size.value - 1
        for part, size in zip(produced, buffer.shape, strict=True)
    )


def _same_size(a: object, b: object) -> bool:
    return a is b or (isinstance(a, IntImm) and isinstance(b, IntImm) and a.value == b.value)


def contains_box(buffer: Buffer, produced: Sequence[IntSet], consumed: Sequence[IntSet], analyzer: Analyzer) -> bool:
    """Whether one box provably contains another, clipped to the buffer."""
    for outer, inner, size in zip(produced, consumed, buffer.shape, strict=True):
        if _is_same_interval(outer, inner) or _is_inside(inner, outer, analyzer):
            continue
        whole = IntSet.from_range(Range.from_min_extent(IntImm(size.dtype, 0), size))
        held, needed = intersect((outer, whole), analyzer), intersect((inner, whole), analyzer)
        if held.is_nothing() or not held.has_lower_bound or not held.has_upper_bound:
            return False
        if needed.is_nothing():
            continue
        if not analyzer.can_prove(LE(*match_types(held.min_value, needed.min_value))):
            return False
        if not analyzer.can_prove(LE(*match_types(needed.max_value, held.max_value))):
            return False
    return True


def _is_same_interval(a: IntSet, b: IntSet) -> bool:
    """Whether two bounded intervals have the same ends as expressions."""
    if not isinstance(a, IntervalSet) or not isinstance(b, IntervalSet):
        return False
    is_bounded = a.has_lower_bound and a.has_upper_bound
    return is_bounded and expr_deep_equal(a.min_value, b.min_value) and expr_deep_equal(a.max_value, b.max_value)


def _is_inside(inner: IntSet, outer: IntSet, analyzer: Analyzer) -> bool:
    """Whether one bounded interval provably lies in another."""
    if not isinstance(outer, IntervalSet) or not isinstance(inner, IntervalSet):
        return False
    if not all(each.has_lower_bound and each.has_upper_bound for each in (outer, inner)):
        return False
    return analyzer.can_prove(LE(*match_types(outer.min_value, inner.min_value))) and analyzer.can_prove(
        LE(*match_types(inner.max_value, outer.max_value))
    )


def _produced_box(producer: StmtRef, region: BufferRegion, around: StmtRef, analyzer: Analyzer) -> Box | None:
    realize = realize_of(producer)
    domains = loop_ranges_below(producer, around, region.buffer.storage_scope)
    return estimate_region_lower_bound(bind_region(region, realize), domains, realize.predicate, analyzer=analyzer)


def _consumed_box(consumer: StmtRef, region: BufferRegion, around: StmtRef, analyzer: Analyzer) -> Box:
    realize = realize_of(consumer)
    domains = loop_ranges_below(consumer, around, region.buffer.storage_scope)
    return estimate_region_upper_bound(bind_region(region, realize), domains, realize.predicate, analyzer=analyzer)


def bind_region(region: BufferRegion, realize: BlockRealize) -> list[Range]:
    """Substitute the bindings of a block into one of its regions."""
    values: Mapping[Var, object] = dict(
        zip((axis.var for axis in realize.block.iter_vars), realize.iter_values, strict=True)
    )
    return [substitute(part, values) for part in region.region]  # type: ignore[arg-type]


def loops_between(block: StmtRef, around: StmtRef | None) -> Iterator[StmtRef]:
    """Yield the loops around a block, innermost first, up to `around` (exclusive) or a block."""
    at = block.parent
    while at is not None and at is not around and not at.is_block:
        yield at
        at = at.parent


def loop_ranges_below(block: StmtRef, around: StmtRef | None, scope: str = "global") -> dict[Var, Range]:
    """Return the ranges of the loops around a block inside of `around`.

    For memory that threads share, the ranges of their outer thread loops are included.
    """
    ranges = loop_ranges(ref.loop for ref in loops_between(block, around))
    shares = scope.startswith("shared") or scope == "warp"
    at = around if shares else None
    while at is not None:
        if not at.is_block and at.loop.kind is ForKind.THREAD_BINDING and _is_shared_among(scope, at):
            ranges[at.loop.loop_var] = Range.from_min_extent(at.loop.min, at.loop.extent)
        at = at.parent
    return ranges


def _is_shared_among(scope: str, loop: StmtRef) -> bool:
    """Whether the threads of a loop share memory of this scope."""
    binding = loop.loop.thread_binding
    tag = "" if binding is None else binding.thread_tag
    if scope == "warp":
        return tag == "threadIdx.x"
    return tag.startswith(("threadIdx", "vthread", "cthread"))
