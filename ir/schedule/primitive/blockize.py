"""Insert a block around a loop nest or around sibling blocks: blockize."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import conjuncts, is_true
from tvmscript.ir.arith.int_set import eval_set, union
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterMark, IterSplitExpr, IterSumExpr
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.arith.iter_map.subspace import subspace_divide
from tvmscript.ir.core import on
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.schedule.analysis.bindings import domain_of
from tvmscript.ir.schedule.analysis.block_properties import (
    DEPENDENT_LOOPS,
    check_reads_only_updated,
    only_block,
    recompute_facts,
)
from tvmscript.ir.schedule.analysis.overlapping_iterations import check_no_overlaps, check_not_repeated
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError
from tvmscript.ir.schedule.primitive.for_kind import copy_thread_binding
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import BlockRewriter
from tvmscript.ir.schedule.tree import (
    StmtRef,
    blocks_below,
    common_ancestor,
    is_inside,
    realize_of,
    scope_root,
    visible_loops,
)
from tvmscript.ir.tir import Block, BlockRealize, Buffer, Expr, For, SeqStmt, Stmt, Var, seq, substitute, uses
from tvmscript.ir.tir.expr import BinaryOp, BufferRegion, IntImm, IterKind, IterVar, Range

#: For each axis, the marks of `outer * inner.extent + inner`; the last pair holds the predicates.
_Division = list[tuple[IterMark, IterMark]]


class SubspaceNotDivisibleError(ScheduleError, code="TS4180"):
    """The binding of each axis must be a sum of a part that depends on the inner loops and one that depends on the
    outer.
    """

    message = "the bindings of block {block} cannot be divided at loop {loop}: {why}"


class BlocksNotTogetherError(ScheduleError, code="TS4181"):
    """Blocks to blockize together must be consecutive, each alone in its loops."""

    message = "blocks {blocks} cannot be blockized together: {why}"


class Blockize(Recorder):
    """Blockization and tensorization."""

    @primitive("Blockize", inputs=("target",), attrs=("preserve_unit_iters",))
    def blockize(self, target: LoopRV | list[BlockRV], preserve_unit_iters: bool = True) -> BlockRV:
        """Insert a block around a loop nest, or around several blocks with their loops.

        The new block `B_o` around block `B` is returned. It has one axis for each axis of `B`: the part of its binding
        that depends on the outer loops. It takes over the init of a reduction. Blocks `B` and `C` get the block
        `outer_B_C_`. Without `preserve_unit_iters`, inner axes of extent 1 are replaced by 0. Raises
        `NonSingleChildBlockError`, `SubspaceNotDivisibleError`, `BlocksNotTogetherError`, `RootBlockError`,
        `WrongArgumentCount`; `RepeatedUpdateError`, `OverlappingStepsError` where TVM would repeat a reduction,
        and `NotReductionBlockError` for one that reads other elements of its output than it updates.
        """
        if isinstance(target, (list, tuple)):
            if len(target) < 2:
                raise WrongArgumentCount(where="blockize", expected="a loop, or several blocks", got=len(target))
            return self.new_block(_blockize_siblings([self.block(block) for block in target], preserve_unit_iters))
        return self.new_block(blockize_loop(self.loop(target), preserve_unit_iters))


def blockize_loop(place: StmtRef, preserve_unit_iters: bool) -> StmtRef:
    """Insert a block around a loop. Raises `NonSingleChildBlockError`, `SubspaceNotDivisibleError`."""
    block = only_block(place)
    blocks: dict[Block, Block] = {}
    stmt = make_outer_block(block, place, blocks, preserve_unit_iters)
    tree = place.tree
    tree.replace(place, stmt, blocks)
    return _with_new_facts(tree.refs[stmt.block])


def make_outer_block(
    block: StmtRef, place: StmtRef, blocks: dict[Block, Block], preserve_unit_iters: bool
) -> BlockRealize:
    """Make the block around a loop with one block in it; `blocks` maps each new block to its old one."""
    outer = _OuterBlock(preserve_unit_iters)
    body = outer.add(block, len(visible_loops(place)), blocks)
    name = block.block.name_hint
    init = None if outer.init is None else _make_outer_init(outer.init, outer.inside, outer.loops, name)
    reads, writes = ([_relax_region(region, outer.domains) for region in side] for side in (outer.reads, outer.writes))
    kept = {key: value for key, value in block.block.annotations.items() if key == DEPENDENT_LOOPS}
    new_block = Block(tuple(outer.axes), tuple(reads), tuple(writes), f"{name}_o", body, init, annotations=kept)
    return BlockRealize(tuple(outer.values), outer.predicate, new_block)


def _with_new_facts(ref: StmtRef) -> StmtRef:
    scope = scope_root(ref)
    if scope is not None:
        recompute_facts(scope)
    return ref


# the axes of the outer and the inner block


@dataclass
class _OuterBlock:
    """The new block under construction: its axes, and the blocks added to it."""

    preserve_unit_iters: bool
    axes: list[IterVar] = field(default_factory=list[IterVar])
    values: list[Expr] = field(default_factory=list[Expr])
    predicate: Expr = fold.TRUE
    #: the regions of the inner blocks in terms of outer and inner axes, and the domains of the inner axes
    reads: list[BufferRegion] = field(default_factory=list[BufferRegion])
    writes: list[BufferRegion] = field(default_factory=list[BufferRegion])
    domains: dict[Var, Range] = field(default_factory=dict[Var, Range])
    #: the block added last, its init, and its loops, innermost first
    inside: BlockRealize = field(init=False)
    init: Stmt | None = None
    loops: list[For] = field(default_factory=list[For])

    def add(self, ref: StmtRef, depth: int, blocks: dict[Block, Block]) -> Stmt:
        """Add a block with its loops except the `depth` outermost ones; return the loop nest."""
        realize = realize_of(ref)
        around = [item.loop for item in visible_loops(ref)]
        _check_nest(ref, around[depth:])
        if ref.block.init is not None:
            # the init will run before these loops
            check_not_repeated(ref, visible_loops(ref)[depth:])
            check_no_overlaps(ref, visible_loops(ref)[depth:])
            check_reads_only_updated(ref.block)
        self.loops = around[depth:][::-1]
        if not uses([(loop.min, loop.extent) for loop in self.loops]).isdisjoint(at.loop_var for at in around[:depth]):
            raise _divisibility_error(ref, self.loops, "the bounds of the inner loops depend on outer loops")
        division = _divide_axes(realize, self.loops, around[:depth], self.preserve_unit_iters)
        if not division:
            raise _divisibility_error(ref, self.loops, "they mix inner and outer loops")
        axes, values, table = self._divide_bindings(ref, division)
        outside, inside = _split_predicate(realize, division, self.loops, around[:depth])
        if outside is None:
            raise _divisibility_error(ref, self.loops, "the predicate mixes inner and outer loops")
        if len(self.domains) > 0 and not _is_equal(self.predicate, outside):
            raise _divisibility_error(ref, self.loops, "its outer predicate differs from that of the blocks before it")
        self.predicate = outside
        analyzer = Analyzer()
        for axis in axes:
            domain = domain_of(axis)
            self.domains[axis.var] = domain
            analyzer.bind(axis.var, domain)
        rebinding = _AxisSubstitution(table, analyzer)
        stmt: Block = rebinding.descend(ref.block)
        self.reads += stmt.reads
        self.writes += stmt.writes
        sums_up = stmt.init is not None and any(axis.iter_type is IterKind.COMM_REDUCE for axis in self.axes)
        reads = (*stmt.writes, *stmt.reads) if sums_up else stmt.reads
        new_block = stmt.replace(iter_vars=tuple(axes), reads=reads, init=None)
        blocks |= {**rebinding.blocks, new_block: ref.block}
        self.init, self.inside = stmt.init, BlockRealize(tuple(values), inside, new_block)
        body: Stmt = self.inside
        for loop in self.loops:
            body = loop.replace(body=body)
        return body

    def _divide_bindings(self, ref: StmtRef, division: _Division) -> tuple[list[IterVar], list[Expr], dict[Var, Expr]]:
        """Return the axes of the inner block, their bindings, and the old axes in terms of the new ones."""
        is_first = not self.axes
        if not is_first and len(self.axes) != len(ref.block.iter_vars):
            raise _divisibility_error(ref, self.loops, "its number of axes differs from that of the blocks before it")
        axes: list[IterVar] = []
        values: list[Expr] = []
        table: dict[Var, Expr] = {}
        for place, (axis, (outer_mark, inner_mark)) in enumerate(zip(ref.block.iter_vars, division[:-1], strict=True)):
            dtype = axis.var.dtype
            zero = IntImm(dtype, 0)
            outer_value, outer_base = _value_and_base(outer_mark)
            inner_value, base = _value_and_base(inner_mark)
            base = fold.add(fold.mul(outer_base, inner_mark.extent), base)
            whole = domain_of(axis).extent
            is_unit = fold.is_const(outer_mark.extent, 1)
            is_outer = fold.is_const(inner_mark.extent, 1)
            if is_first:
                extent = _clamp_extent(outer_mark.extent, whole) if is_outer else outer_mark.extent
                outer = IterVar(Range.from_min_extent(zero, extent), Var(f"{axis.var.name}_o", dtype), axis.iter_type)
                self.axes.append(outer)
                self.values.append(outer_value)
            elif not _is_equal(outer_value, self.values[place]) or axis.iter_type is not self.axes[place].iter_type:
                raise _divisibility_error(
                    ref, self.loops, "its outer bindings differ from those of the blocks before it"
                )
            above: Expr = self.axes[place].var
            if is_outer:
                table[axis.var] = fold.add(zero if is_unit and not self.preserve_unit_iters else above, base)
                continue
            extent = _clamp_extent(inner_mark.extent, whole) if is_unit else inner_mark.extent
            inner_axis = IterVar(Range.from_min_extent(zero, extent), Var(f"{axis.var.name}_i", dtype), axis.iter_type)
            axes.append(inner_axis)
            values.append(inner_value)
            place_of = inner_axis.var if is_unit else fold.add(fold.mul(above, inner_mark.extent), inner_axis.var)
            table[axis.var] = fold.add(place_of, base)
        return axes, values, table


def _clamp_extent(extent: Expr, limit: Expr) -> Expr:
    """Return the smaller of two constants; the extent if they are not constant."""
    if isinstance(extent, IntImm) and isinstance(limit, IntImm) and extent.value > limit.value:
        return limit
    return extent


def _value_and_base(mark: IterMark) -> tuple[Expr, Expr]:
    """Return the value of an iterator without its base, and the base."""
    source = mark.source
    assert isinstance(source, IterSumExpr), "subspaces are sums of digits"
    return normalize_iter_map_to_expr(IterSumExpr(source.args, 0, source.dtype)), source.base


def _divisibility_error(block: StmtRef, loops: Sequence[For], why: str) -> SubspaceNotDivisibleError:
    name = loops[-1].loop_var.name if loops else "around it"
    at = [*loops[-1:], block.block]
    return SubspaceNotDivisibleError(block=block.block.name_hint, loop=name, why=why, at=at)


def _is_equal(a: Expr, b: Expr) -> bool:
    return a is b or Analyzer().can_prove_equal(a, b)


def _check_nest(block: StmtRef, loops: Sequence[For]) -> None:
    """Raise `BlocksNotTogetherError` unless the block is alone in these loops."""
    body: Stmt = realize_of(block)
    for loop in reversed(loops):
        if loop.body is not body:
            why = f"the block is not alone in loop {loop.loop_var.name}"
            raise BlocksNotTogetherError(blocks=block.block.name_hint, why=why, at=[loop, block.block])
        body = loop


def _divide_axes(
    realize: BlockRealize, inside: Sequence[For], outside: Sequence[For], preserve_unit_iters: bool
) -> _Division:
    domains = {loop.loop_var: Range.from_min_extent(loop.min, loop.extent) for loop in (*inside, *outside)}
    inner_vars = [loop.loop_var for loop in inside]
    division = subspace_divide(
        realize.iter_values, domains, inner_vars, realize.predicate, IterMapLevel.Surjective, not preserve_unit_iters,
        in_each=DEPENDENT_LOOPS in realize.block.annotations,
    )  # fmt: skip
    return division or _divide_trivially(realize, {*inner_vars}, {loop.loop_var for loop in outside})


def _split_predicate(
    realize: BlockRealize, division: _Division, inside: Sequence[For], outside: Sequence[For]
) -> tuple[Expr | None, Expr]:
    """Split the predicate into those of the outer and the inner block; None if a condition depends on both sides.

    The extents of a division may imply only a part of a condition; the rest is added here.
    """
    outer, inner = (mark.extent for mark in division[-1])
    if is_true(realize.predicate):
        return outer, inner
    analyzer = Analyzer()
    for loop in (*inside, *outside):
        analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent))
    variables = {loop.loop_var for loop in outside}, {loop.loop_var for loop in inside}
    for condition in conjuncts(realize.predicate):
        with analyzer.constraint(outer), analyzer.constraint(inner):
            if analyzer.can_prove(condition):
                continue
        condition = analyzer.simplify(condition)
        used = uses(condition)
        if used.isdisjoint(variables[1]):
            outer = fold.logical_and(outer, condition)
        elif used.isdisjoint(variables[0]):
            inner = fold.logical_and(inner, condition)
        else:
            return None, inner
    return outer, inner


def _divide_trivially(realize: BlockRealize, inside: set[Var], outside: set[Var]) -> _Division:
    """Divide bindings that depend on one side only; empty if one mixes both, or there is a predicate."""
    if not is_true(realize.predicate):
        return []
    division: _Division = []
    for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True):
        used = uses(value)
        unit = IterMark(IterSumExpr((), 0, value.dtype), 1)
        first, extent = domain_of(axis).min, domain_of(axis).extent
        counted = IterSplitExpr(IterMark(fold.sub(value, first), extent))
        whole = IterMark(IterSumExpr((counted,), first, value.dtype), extent)
        constant = IterMark(IterSumExpr((), value, value.dtype), 1)
        is_inner, is_outer = not used.isdisjoint(inside), not used.isdisjoint(outside)
        if is_inner and is_outer:
            return []
        division.append((whole, unit) if is_outer else (unit, whole if is_inner else constant))
    if division:
        nothing = IterSumExpr(())
        division.append((IterMark(nothing, fold.TRUE), IterMark(nothing, fold.TRUE)))
    return division


class _AxisSubstitution(BlockRewriter):
    """Substitute expressions of the new axes for the old ones; simplify what changes."""

    def __init__(self, table: Mapping[Var, Expr], analyzer: Analyzer) -> None:
        super().__init__()
        self.renamed.update(table.items())
        self.analyzer = analyzer

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        expr: Expr = super().binary(node)
        return expr if expr is node or not expr.dtype.is_integer else self.analyzer.simplify(expr)


# regions and init of the new block


def _relax_region(region: BufferRegion, domains: Mapping[Var, Range]) -> BufferRegion:
    """Relax a region over the inner axes."""
    parts: list[Range] = []
    for part, size in zip(region.region, region.buffer.shape, strict=True):
        whole = Range.from_min_extent(IntImm(size.dtype, 0), size)
        parts.append(eval_set(part, domains).cover_range(whole) or whole)
    return BufferRegion(region.buffer, tuple(parts))


def _join_regions(regions: Sequence[BufferRegion], domains: Mapping[Var, Range]) -> tuple[BufferRegion, ...]:
    """Return the union of the regions of each buffer."""
    regions_of_buffer: dict[Buffer, list[BufferRegion]] = {}
    for region in regions:
        regions_of_buffer.setdefault(region.buffer, []).append(_relax_region(region, domains))
    items: list[BufferRegion] = []
    for buffer, parts in regions_of_buffer.items():
        box: list[Range] = []
        for size, *sides in zip(buffer.shape, *(part.region for part in parts), strict=True):
            whole = Range.from_min_extent(IntImm(size.dtype, 0), size)
            box.append(union([eval_set(side, {}) for side in sides]).cover_range(whole) or whole)
        items.append(BufferRegion(buffer, tuple(box)))
    return tuple(items)


def _make_outer_init(init: Stmt, inside: BlockRealize, loops: Sequence[For], name: str) -> Stmt:
    """Make the init of the outer block: the inner init in copies of the loops that it depends on."""
    stmt = inside.block
    used = uses(init)
    table: dict[Var, Expr] = {}
    axes: list[IterVar] = []
    values: list[Expr] = []
    for axis, value in zip(stmt.iter_vars, inside.iter_values, strict=True):
        if axis.iter_type is IterKind.DATA_PAR and axis.var in used:
            var = Var(f"{axis.var.name}_init", axis.var.dtype)
            table[axis.var] = var
            axes.append(axis.replace(var=var))
            values.append(value)
    needed = uses(tuple(values))
    absent = {loop.loop_var for loop in loops} - needed
    predicate: Expr = fold.TRUE
    for condition in conjuncts(inside.predicate):
        if uses(condition).isdisjoint(absent):
            predicate = fold.logical_and(predicate, condition)
    body: Stmt = substitute(init, table)
    writes = tuple(substitute(region, table) for region in stmt.writes)
    nest: Stmt = BlockRealize(tuple(values), predicate, Block(tuple(axes), (), writes, f"{name}_init", body))
    for loop in loops:
        if loop.loop_var in needed:
            var = Var(loop.loop_var.name, loop.loop_var.dtype)
            body = substitute(nest, {loop.loop_var: var})
            nest = loop.replace(loop_var=var, body=body, thread_binding=copy_thread_binding(loop))
    return nest


# several blocks


def _blockize_siblings(targets: Sequence[StmtRef], preserve_unit_iters: bool) -> StmtRef:
    names = ", ".join(ref.block.name_hint for ref in targets)
    for ref in targets:
        if ref.parent is None:
            raise RootBlockError(primitive="blockize", at=[ref.block])

    def not_together(why: str) -> BlocksNotTogetherError:
        return BlocksNotTogetherError(blocks=names, why=why, at=[ref.block for ref in targets])

    if any(a is not b and is_inside(a, b) for a in targets for b in targets):
        raise not_together("one of them is inside another one")
    around = common_ancestor([*targets])
    stmt: For | Block = around.block if around.is_block else around.loop
    parts = stmt.body.seq if isinstance(stmt.body, SeqStmt) else ()
    chosen = _sibling_range(around, parts, targets)
    if chosen is None:
        raise not_together("they are not consecutive, or not alone in their loops")
    outer = _OuterBlock(preserve_unit_iters)
    blocks: dict[Block, Block] = {}
    depth = sum(is_inside(around, loop) for loop in visible_loops(targets[0]))
    body = seq(*(outer.add(ref, depth, blocks) for ref in targets))
    for ref in targets:
        if ref.block.init is not None:
            raise not_together(f"{ref.block.name_hint} is a reduction with an init; blockize it alone")
    reads, writes = _join_regions(outer.reads, outer.domains), _join_regions(outer.writes, outer.domains)
    name = "outer_" + "".join(f"{ref.block.name_hint}_" for ref in targets)
    outer_block = Block(tuple(outer.axes), reads, writes, name, body)
    realize = BlockRealize(tuple(outer.values), outer.predicate, outer_block)
    first, last = chosen
    new_stmt = stmt.replace(body=seq(*parts[:first], realize, *parts[last + 1 :]))
    if isinstance(new_stmt, Block):
        blocks[new_stmt] = around.block
    around.tree.replace(around, new_stmt, blocks)
    return _with_new_facts(around.tree.refs[outer_block])


def _sibling_range(around: StmtRef, parts: Sequence[Stmt], targets: Sequence[StmtRef]) -> tuple[int, int] | None:
    """Return the indices of the first and last statement of the blocks; None if they are not consecutive and alone."""
    place_of = {part.block if isinstance(part, BlockRealize) else part: place for place, part in enumerate(parts)}
    places: list[int] = []
    for ref in targets:
        top = ref
        while top.parent is not around and top.parent is not None:
            top = top.parent
        if top.stmt not in place_of or (top is not ref and blocks_below(top) != [ref]):
            return None
        places.append(place_of[top.stmt])
    if places != [*range(places[0], places[0] + len(places))]:
        return None
    return places[0], places[-1]
