"""Caches with a custom layout: reindex_cache_read, reindex_cache_write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, cast

from tvmscript.ir.analysis.access.compile_index import Code, NoValue, code_of
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.int_set import eval_set
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import INT64, WrongType
from tvmscript.ir.schedule.analysis.access_checks import accesses_unconditionally, in_bounds_condition, unproven_bounds
from tvmscript.ir.schedule.analysis.bindings import bind_outer, domain_of, loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import pipeline_scope, predicate_conjuncts
from tvmscript.ir.schedule.analysis.block_scope import is_before
from tvmscript.ir.schedule.analysis.region_cover import loops_between
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite import cache_blocks, replace_buffer
from tvmscript.ir.schedule.rewrite.index_dtypes import cast_index_map
from tvmscript.ir.schedule.tree import StmtRef, realize_of
from tvmscript.ir.tir import Block, BlockRealize, Buffer, Expr, For, Stmt, Var, substitute, uses
from tvmscript.ir.tir.expr import BufferRegion, IntImm, IterKind, IterVar, Range


class NotSinglePointAccess(ScheduleError, code="TS4172"):
    """The block must access a single element of the buffer."""

    message = "block {block} must access a single element, but accesses {region}"


class ReindexCacheReadWriteNotMatchError(ScheduleError, code="TS4173"):
    """The index in the copy must depend on the same axes as the index in the buffer."""

    message = "axis {axis} of block {block} indexes the {has} but not the {lacks}: {indices}"


class NotInjectiveIndexMapError(ScheduleError, code="TS4197"):
    """`index_map` must give different elements of the buffer different places in the copy. TVM does not check this."""

    message = "index map {index_map} puts different elements of {buffer} in one place of the copy"


def _normalize_index_map(sch: Recorder, values: dict[str, Any], index_map: Any) -> IndexMap:
    """Convert a function of the axes of the block to an index map."""
    if isinstance(index_map, IndexMap):
        return index_map
    axes = sch.block(values["block"]).block.iter_vars
    dtype = axes[0].var.dtype if axes else INT64
    return IndexMap.from_func(index_map, len(axes) or None, index_dtype=dtype)


_NORMAL = {"index_map": _normalize_index_map}


class ReindexCache(Recorder):
    """Buffer copies."""

    @primitive(
        "ReindexCacheRead",
        inputs=("block", "index_map"),
        attrs=("read_buffer_index", "storage_scope"),
        normal=_NORMAL,
    )
    def reindex_cache_read(
        self,
        block: BlockRV | str,
        read_buffer_index: int | str | Buffer,
        storage_scope: str,
        index_map: IndexMap | Callable[..., Any],
    ) -> BlockRV:
        """Copy what a block reads of a buffer to another storage scope, and let the block read the copy.

        `index_map` is the index in the copy, as a function of the axes of the block. Returns the new block. Raises
        `BufferIndexOutOfRangeError`, `InvalidStorageScopeError`, `RootBlockError`, `NotStagePipelineError`,
        `NotSingleWriteBlock`, `NotSinglePointAccess`, `ReindexCacheReadWriteNotMatchError`,
        `NotInjectiveIndexMapError`, `WrongType`.
        """
        ref, index = self.block(block), replace_buffer.require_buffer_index(read_buffer_index)
        return self.new_block(
            _reindex_cache(ref, index, "read", storage_scope, self.substitute_samples(_require_index_map(index_map)))
        )

    @primitive(
        "ReindexCacheWrite",
        inputs=("block", "index_map"),
        attrs=("write_buffer_index", "storage_scope"),
        normal=_NORMAL,
    )
    def reindex_cache_write(
        self,
        block: BlockRV | str,
        write_buffer_index: int | str | Buffer,
        storage_scope: str,
        index_map: IndexMap | Callable[..., Any],
    ) -> BlockRV:
        """Let a block write to another storage scope, and copy that to the buffer by a new block after it.

        Arguments, result and errors are those of `reindex_cache_read`; also raises `UnwrittenCopyError`.
        """
        ref, index = self.block(block), replace_buffer.require_buffer_index(write_buffer_index)
        return self.new_block(
            _reindex_cache(ref, index, "write", storage_scope, self.substitute_samples(_require_index_map(index_map)))
        )


def _require_index_map(index_map: IndexMap | Callable[..., Any]) -> IndexMap:
    """Return the index map; functions were normalized before."""
    if not isinstance(index_map, IndexMap):
        raise WrongType(where="a mapping", expected="an index map", got=repr(index_map))
    return index_map


def _reindex_cache(
    ref: StmtRef, index: int, side: replace_buffer.Side, storage_scope: str, index_map: IndexMap
) -> StmtRef:
    replace_buffer.check_storage_scope(storage_scope, ref)
    region = replace_buffer.region_at(ref, index, side)
    buffer, block = region.buffer, ref.block
    scope = pipeline_scope(ref, f"reindex_cache_{side}")
    writer = cache_blocks.only_writer(scope, buffer)
    if side == "write":
        cache_blocks.check_element_written(block, buffer)
        place = cache_blocks.find_copy_site(scope, ref, cache_blocks.readers_after(scope, ref))
    elif writer is not None and writer is not ref and is_before(writer, ref):
        place = cache_blocks.find_copy_site(scope, writer, [ref])
    else:
        place = cache_blocks.CopySite(scope, "first")
    there = _single_element(block, region)
    index_map = cast_index_map(index_map, [axis.var for axis in block.iter_vars])
    here = index_map.map_indices([axis.var for axis in block.iter_vars])
    # the copy is outside of loops that the domain may depend on
    loops = [loop.loop for loop in loops_between(ref, place.around)]
    outside = {axis: axis.replace(dom=_relax_domain(loops, domain_of(axis))) for axis in block.iter_vars}
    shape = index_map.map_shape([_end(axis) for axis in outside.values()])
    axes = [outside[axis] for axis in _indexing_axes(block, there, here)]
    if not _tells_elements_apart(here, there, axes):
        raise NotInjectiveIndexMapError(index_map=index_map, buffer=buffer.name, at=[block])
    new_buffer = replace_buffer.new_memory(buffer, storage_scope).replace(shape=shape, strides=())
    new, stage = _make_copy_stage(ref, place.around, axes, (buffer, there), (new_buffer, here), is_read=side == "read")
    cache_blocks.redirect_accesses(
        ref, cache_blocks.ElementRedirection(buffer, new_buffer, here, with_writers=side == "write")
    )
    return cache_blocks.insert_copy(scope, place, stage, new, new_buffer)


def _relax_domain(loops: Sequence[For], domain: Range) -> Range:
    """Relax a domain over loops, innermost first."""
    for loop in loops:
        if loop.loop_var in uses((domain.min, domain.extent)):
            domain = eval_set(domain, loop_ranges([loop])).cover_range(domain) or domain
    return domain


def _end(axis: IterVar) -> Expr:
    """Return the exclusive end of the domain of an axis."""
    domain = domain_of(axis)
    return fold.add(domain.min, domain.extent)


def _single_element(block: Block, region: BufferRegion) -> list[Expr]:
    """Return the indices of a single-element region. Raises `NotSinglePointAccess`."""
    if not all(isinstance(part.extent, IntImm) and part.extent.value == 1 for part in region.region):
        raise NotSinglePointAccess(block=block.name_hint, region=region, at=[block])
    return [part.min for part in region.region]


def _indexing_axes(block: Block, there: Sequence[Expr], here: Sequence[Expr]) -> list[IterVar]:
    """Return the axes that index both buffer and copy. Raises `ReindexCacheReadWriteNotMatchError`."""
    in_buffer, in_copy = ({name for index in indices for name in uses(index)} for indices in (there, here))
    for axis in block.iter_vars:
        if (axis.var in in_buffer) is not (axis.var in in_copy):
            has, lacks = ("buffer", "copy") if axis.var in in_buffer else ("copy", "buffer")
            raise ReindexCacheReadWriteNotMatchError(
                axis=axis.var.name,
                block=block.name_hint,
                has=has,
                lacks=lacks,
                indices=f"[{listed([str(i) for i in there])}] and [{listed([str(i) for i in here])}]",
                at=[block],
            )
    return [axis for axis in block.iter_vars if axis.var in in_copy]


def _tells_elements_apart(here: Sequence[Expr], there: Sequence[Expr], axes: Sequence[IterVar]) -> bool:
    """Whether different elements `there` provably have different places `here`, for axes in their domains."""
    if all(any(expr_deep_equal(index, place) for place in here) for index in there):
        return True
    domains = {axis.var: domain_of(axis) for axis in axes}
    is_bijective = bool(detect_iter_map(here, domains, check_level=IterMapLevel.Bijective).indices)
    if is_bijective and uses((*here, *there)) <= domains.keys():
        return True
    sizes = [(domain.min, domain.extent) for domain in domains.values()]
    values = [
        range(low.value, low.value + extent.value)
        for low, extent in sizes
        if isinstance(low, IntImm) and isinstance(extent, IntImm)
    ]
    codes = [[code_of(index) for index in indices] for indices in (here, there)]
    is_known = len(values) == len(axes) and None not in codes[0] and None not in codes[1]
    if is_known and prod(map(len, values)) <= _MAX_ENUMERATED:
        return _has_one_element_each(axes, values, *([code for code in side if code is not None] for side in codes))
    return is_bijective


#: elements of a copy that are enumerated
_MAX_ENUMERATED = 1 << 16


def _has_one_element_each(
    axes: Sequence[IterVar], values: Sequence[range], here: Sequence[Code], there: Sequence[Code]
) -> bool:
    """Whether no place of a copy stands for two elements, for all values of the axes."""
    elements: dict[tuple[int, ...], tuple[int, ...]] = {}
    for point in product(*values):
        at = {axis.var: value for axis, value in zip(axes, point, strict=True)}
        try:
            place, element = (tuple([code(at) for code in codes]) for codes in (here, there))
        except NoValue:
            return False
        if elements.setdefault(place, element) != element:
            return False
    return True


def _make_copy_stage(
    ref: StmtRef,
    around: StmtRef,
    used_axes: Sequence[IterVar],
    there: tuple[Buffer, Sequence[Expr]],
    here: tuple[Buffer, Sequence[Expr]],
    *,
    is_read: bool,
) -> tuple[Block, Stmt]:
    """Make a block that copies elements over some axes of a block, in copies of the loops that these axes depend on.

    Loops around the insertion point are not copied.
    """
    realize = realize_of(ref)
    bound = dict(zip((axis.var for axis in realize.block.iter_vars), realize.iter_values, strict=True))
    used = {name for axis in used_axes for name in uses(bound[axis.var])}
    loops_below = [loop.loop for loop in loops_between(ref, around)][::-1]
    for loop in reversed(loops_below):
        if loop.loop_var in used:
            used |= uses((loop.min, loop.extent))  # its bounds may depend on outer loops
    kept = [loop for loop in loops_below if loop.loop_var in used]
    variables = {loop.loop_var: loop.loop_var.replace() for loop in kept}
    own = {axis.var: axis.var.replace() for axis in used_axes}
    axes = [IterVar(axis.dom, own[axis.var], IterKind.DATA_PAR) for axis in used_axes]
    sides = [(buffer, [substitute(index, own) for index in indices]) for buffer, indices in (there, here)]
    source, target = sides if is_read else sides[::-1]
    predicate: Expr = fold.TRUE
    is_known = accesses_unconditionally(ref.block, there[0])
    # keep the conditions that do not depend on dropped loops; unit loops take their only value
    left = [loop for loop in loops_below if loop.loop_var not in used]
    others = {loop.loop_var for loop in left if not fold.is_const(loop.extent, 1)}
    substitution: dict[Var, Expr] = {**variables, **{loop.loop_var: loop.min for loop in left}}
    values = tuple([substitute(bound[axis.var], variables) for axis in used_axes])
    parts = predicate_conjuncts(realize.predicate)
    said = [part for part in parts if others.isdisjoint(uses(part))]
    for part in said:
        predicate = fold.logical_and(predicate, substitute(part, substitution))
    loops = [
        (
            variables[loop.loop_var],
            Range.from_min_extent(substitute(loop.min, variables), substitute(loop.extent, variables)),
        )
        for loop in kept
    ]
    if len(said) < len(parts):
        is_known = False
        predicate = _constrain_axes(predicate, used_axes, values, ref, dict(loops))
    # an element that the block accesses unconditionally is in bounds
    is_inside = fold.TRUE if is_known else _axes_in_bounds(axes, *sides[0])
    block = cache_blocks.make_copy_block(here[0].name, axes, source, target, is_inside, is_read=is_read)
    return block, cache_blocks.wrap_in_loops(loops, BlockRealize(values, predicate, block))


def _constrain_axes(
    predicate: Expr, axes: Sequence[IterVar], values: Sequence[Expr], ref: StmtRef, loops: dict[Var, Range]
) -> Expr:
    """Add the conditions that keep the axes in their domains to a weakened predicate."""
    analyzer = Analyzer()
    bind_outer(analyzer, ref)
    for variable, domain in loops.items():
        analyzer.bind(variable, domain)
    with analyzer.constraint(predicate):
        for axis, value in zip(axes, values, strict=True):
            for condition in unproven_bounds(value, _end(axis), analyzer):
                predicate = fold.logical_and(predicate, condition)
    return predicate


def _axes_in_bounds(axes: Sequence[IterVar], buffer: Buffer, indices: Sequence[Expr]) -> Expr:
    """Return the condition that an element is in bounds, for axes in their domains."""
    analyzer = Analyzer()
    for axis in axes:
        analyzer.bind(axis.var, cast(Range, axis.dom))
    return in_bounds_condition(buffer, indices, analyzer)
