"""Copies of what a block reads or writes, with the elements where a map of the block's axes puts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.int_set import eval_set
from tvmscript.ir.core.dtype import INT64
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.schedule.analysis.access_checks import accesses_unconditionally, in_bounds_condition, unproven_bounds
from tvmscript.ir.schedule.analysis.bindings import bind_outer, domain_of, loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import pipeline_scope, predicate_conjuncts
from tvmscript.ir.schedule.analysis.block_scope import is_before
from tvmscript.ir.schedule.analysis.region_cover import loops_between
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.cache_blocks import (
    CopySite,
    ElementRedirection,
    check_element_written,
    find_copy_site,
    insert_copy,
    make_copy_block,
    only_writer,
    readers_after,
    redirect_accesses,
    wrap_in_loops,
)
from tvmscript.ir.schedule.rewrite.index_dtypes import cast_index_map
from tvmscript.ir.schedule.rewrite.replace_buffer import (
    Side,
    check_storage_scope,
    region_at,
    require_buffer_index,
    with_scope,
)
from tvmscript.ir.schedule.tree import StmtRef, realize_of
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.stmt import Block, BlockRealize, For
from tvmscript.ir.tir.substitute import substitute, uses
from tvmscript.ir.tir.var import Var


class NotSinglePointAccess(ScheduleError):
    """A block has to access one element of the buffer, for its place to be one that its axes give."""

    code = "TS4172"
    message = "block {block} accesses more than one element: {region}"


class ReindexCacheReadWriteNotMatchError(ScheduleError):
    """The place of an element in the copy has to depend on the axes that its place in the buffer depends on."""

    code = "TS4173"
    message = "the axis {axis} of block {block} is in the indices of the {has}, but not of the {lacks}: {indices}"


def _normalize_index_map(sch: Recorder, values: dict[str, Any], index_map: Any) -> IndexMap:
    """A function of the axes of the block is a map of as many indices."""
    if isinstance(index_map, IndexMap):
        return index_map
    axes = sch.block(values["block"]).block.iter_vars
    dtype = axes[0].var.dtype if axes else INT64
    return IndexMap.from_func(index_map, len(axes) or None, index_dtype=dtype)


_NORMAL = {"index_map": _normalize_index_map}


class ReindexCache(Recorder):
    """reindex_cache_read, reindex_cache_write."""

    @primitive(
        "ReindexCacheRead",
        inputs=("block", "index_map"),
        attrs=("read_buffer_index", "storage_scope"),
        normal=_NORMAL,
        promises=Promises(keeps_values=False),  # reads under a condition are copied without it
    )
    def reindex_cache_read(
        self,
        block: BlockRV | str,
        read_buffer_index: int | str | Buffer,
        storage_scope: str,
        index_map: IndexMap | Callable[..., Any],
    ) -> BlockRV:
        """A new block copies what a block reads of a buffer to another memory, and the block reads the copy.

        `index_map` is where the element that is read stands in the copy: a function of the axes of the block. The new
        block comes back. Raises `BufferIndexOutOfRangeError`, `InvalidStorageScopeError`, `RootBlockError`,
        `NotStagePipelineError`, `NotSingleWriteBlock`, `NotSinglePointAccess`, `ReindexCacheReadWriteNotMatchError`,
        `WrongType`.
        """
        ref, index = self.block(block), require_buffer_index(read_buffer_index)
        return self.new_block(
            _reindex_cache(ref, index, "read", storage_scope, self.drawn(_require_index_map(index_map)))
        )

    @primitive(
        "ReindexCacheWrite",
        inputs=("block", "index_map"),
        attrs=("write_buffer_index", "storage_scope"),
        normal=_NORMAL,
        promises=Promises(keeps_values=False),  # reads under a condition are copied without it
    )
    def reindex_cache_write(
        self,
        block: BlockRV | str,
        write_buffer_index: int | str | Buffer,
        storage_scope: str,
        index_map: IndexMap | Callable[..., Any],
    ) -> BlockRV:
        """A block writes to another memory, and a new block behind it copies that to the buffer.

        `index_map`, what comes back and errors are those of `reindex_cache_read`; and `UnwrittenCopyError`.
        """
        ref, index = self.block(block), require_buffer_index(write_buffer_index)
        return self.new_block(
            _reindex_cache(ref, index, "write", storage_scope, self.drawn(_require_index_map(index_map)))
        )


def _require_index_map(index_map: IndexMap | Callable[..., Any]) -> IndexMap:
    """A map as one, which functions have become before."""
    if not isinstance(index_map, IndexMap):
        raise WrongType(where="a mapping", expected="an index map", got=repr(index_map))
    return index_map


def _reindex_cache(ref: StmtRef, index: int, side: Side, storage_scope: str, index_map: IndexMap) -> StmtRef:
    check_storage_scope(storage_scope, ref)
    region = region_at(ref, index, side)
    buffer, block = region.buffer, ref.block
    scope = pipeline_scope(ref, f"reindex_cache_{side}")
    writer = only_writer(scope, buffer)
    if side == "write":
        check_element_written(block, buffer)
        place = find_copy_site(scope, ref, readers_after(scope, ref))
    elif writer is not None and writer is not ref and is_before(writer, ref):
        place = find_copy_site(scope, writer, [ref])
    else:
        place = CopySite(scope, "first")
    there = _element(block, region)
    index_map = cast_index_map(index_map, [axis.var for axis in block.iter_vars])
    here = index_map.map_indices([axis.var for axis in block.iter_vars])
    # the copy stands outside of the loops that a domain may depend on
    loops = [loop.loop for loop in loops_between(ref, place.around)]
    outside = {axis: axis.replace(dom=_over(loops, domain_of(axis))) for axis in block.iter_vars}
    shape = index_map.map_shape([_end(axis) for axis in outside.values()])
    axes = [outside[axis] for axis in _touched(block, there, here)]
    made = with_scope(buffer, storage_scope).replace(shape=shape)
    new, stage = _stage(ref, place.around, axes, (buffer, there), (made, here), is_read=side == "read")
    redirect_accesses(ref, ElementRedirection(buffer, made, here, with_writers=side == "write"))
    return insert_copy(scope, place, stage, new, made)


def _over(loops: Sequence[For], domain: Range) -> Range:
    """All values of a domain while loops run, the innermost of which comes first."""
    for loop in loops:
        if loop.loop_var in uses((domain.min, domain.extent)):
            domain = eval_set(domain, loop_ranges([loop])).cover_range(domain) or domain
    return domain


def _end(axis: IterVar) -> Expr:
    """What all values of an axis are less than."""
    domain = domain_of(axis)
    return fold.add(domain.min, domain.extent)


def _element(block: Block, region: BufferRegion) -> list[Expr]:
    """The element that a region is. Raises `NotSinglePointAccess`."""
    if not all(isinstance(part.extent, IntImm) and part.extent.value == 1 for part in region.region):
        raise NotSinglePointAccess(block=block.name_hint, region=region, at=[block])
    return [part.min for part in region.region]


def _touched(block: Block, there: Sequence[Expr], here: Sequence[Expr]) -> list[IterVar]:
    """The axes that are in the indices of the buffer and of the copy. Raises `ReindexCacheReadWriteNotMatchError`."""
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


def _stage(
    ref: StmtRef,
    around: StmtRef,
    used_axes: Sequence[IterVar],
    there: tuple[Buffer, Sequence[Expr]],
    here: tuple[Buffer, Sequence[Expr]],
    *,
    is_read: bool,
) -> tuple[Block, Stmt]:
    """A block that copies an element over some axes of a block, and that in the loops which these axes need.

    The loops around the place where it is to stand are there already.
    """
    realize = realize_of(ref)
    bound = dict(zip((axis.var for axis in realize.block.iter_vars), realize.iter_values, strict=True))
    used = {name for axis in used_axes for name in uses(bound[axis.var])}
    loops_below = [loop.loop for loop in loops_between(ref, around)][::-1]
    for loop in reversed(loops_below):
        if loop.loop_var in used:
            used |= uses((loop.min, loop.extent))  # its bounds may depend on loops further out
    kept = [loop for loop in loops_below if loop.loop_var in used]
    variables = {loop.loop_var: loop.loop_var.replace() for loop in kept}
    own = {axis.var: axis.var.replace() for axis in used_axes}
    axes = [IterVar(axis.dom, own[axis.var], IterKind.DATA_PAR) for axis in used_axes]
    sides = [(buffer, [substitute(index, own) for index in indices]) for buffer, indices in (there, here)]
    source, target = sides if is_read else sides[::-1]
    predicate: Expr = fold.TRUE
    is_known = accesses_unconditionally(ref.block, there[0])
    # of the predicate, what other loops have no part in, or only with the one value that they have
    left = [loop for loop in loops_below if loop.loop_var not in used]
    others = {loop.loop_var for loop in left if not fold.is_const(loop.extent, 1)}
    known: dict[Var, Expr] = {**variables, **{loop.loop_var: loop.min for loop in left}}
    values = tuple([substitute(bound[axis.var], variables) for axis in used_axes])
    parts = predicate_conjuncts(realize.predicate)
    said = [part for part in parts if others.isdisjoint(uses(part))]
    for part in said:
        predicate = fold.logical_and(predicate, substitute(part, known))
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
    # an element that the block uses whenever it runs is there
    is_inside = fold.TRUE if is_known else _axes_in_bounds(axes, *sides[0])
    block = make_copy_block(here[0].name, axes, source, target, is_inside, is_read=is_read)
    return block, wrap_in_loops(loops, BlockRealize(values, predicate, block))


def _constrain_axes(
    predicate: Expr, axes: Sequence[IterVar], values: Sequence[Expr], ref: StmtRef, loops: dict[Var, Range]
) -> Expr:
    """A predicate of which a part is gone: it still keeps the axes to their domains."""
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
    """What has to hold of axes for an element to be one of a buffer."""
    analyzer = Analyzer()
    for axis in axes:
        analyzer.bind(axis.var, cast(Range, axis.dom))
    return in_bounds_condition(buffer, indices, analyzer)
