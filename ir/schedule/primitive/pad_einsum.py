"""Pad the iteration domain of an einsum block to multiples: pad_einsum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.schedule.analysis.access_checks import writes_unconditionally
from tvmscript.ir.schedule.analysis.bindings import domain_of, loop_ranges
from tvmscript.ir.schedule.analysis.block_properties import output_read_elsewhere, pipeline_scope
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.replace_buffer import BufferReplacer, own_offset
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above, realize_of, replace_child
from tvmscript.ir.tir import Buffer, Expr, IntImm, Stmt, Var, const, uses
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, ForKind, seq


class InvalidPaddingError(ScheduleError, code="TS4153"):
    """`padding` must hold one positive number for each axis of the block."""

    message = "padding {padding} is invalid for block {block} with {count} axes"


class NonEinsumError(ScheduleError, code="TS4152"):
    """An einsum block accesses each buffer at one element, indexed by its axes, and covers whole buffers; inputs may be
    indexed by sums of multiples of axes, as in convolutions. Over a padded reduction axis it must sum products with a
    factor that is loaded at this axis, since that is zero in the padding.
    """

    message = "block {block} is not a paddable einsum: {why}"


class PadEinsum(Recorder):
    """Reductions and padding."""

    @primitive("PadEinsum", inputs=("block",), attrs=("padding",))
    def pad_einsum(self, block: BlockRV | str, padding: Sequence[int]) -> None:
        """Pad the extents of a block's axes to multiples of these numbers.

        New blocks copy the inputs into larger buffers padded with zeros, and the result back. Inputs may be indexed by
        sums of multiples of axes, as in convolutions. Raises `RootBlockError`,
        `NotStagePipelineError`, `InvalidPaddingError`, `NonEinsumError`.
        """
        ref = self.block(block)
        scope = pipeline_scope(ref, "pad_einsum")
        stmt = ref.block
        sizes = [int(self.evaluate(size)) for size in padding]
        if len(sizes) != len(stmt.iter_vars) or min(sizes, default=1) <= 0:
            legal = f"give one positive number for each of {', '.join(axis.var.name for axis in stmt.iter_vars)}"
            count = len(stmt.iter_vars)
            raise InvalidPaddingError(block=stmt.name_hint, count=count, padding=sizes, at=[stmt], legal=legal)
        extents = _padded_extents(stmt, sizes)
        _check_accesses(stmt, extents)
        if extents:
            _check_padding_is_safe(ref, extents)
            _pad(scope, ref, extents)


#: Padded axis -> its new extent
Extents = Mapping[Expr, Expr]


class _PaddedBuffer(NamedTuple):
    """A buffer and its padded replacement."""

    old: Buffer
    new: Buffer


def _padded_extents(block: Block, sizes: Sequence[int]) -> dict[Expr, Expr]:
    """Return the new extents of the padded axes."""
    analyzer = Analyzer()
    new_extents: dict[Expr, Expr] = {}
    for axis, size in zip(block.iter_vars, sizes, strict=True):
        extent = domain_of(axis).extent
        step = tir.IntImm(extent.dtype, size)
        above = fold.add(extent, tir.IntImm(extent.dtype, size - 1))
        padded = analyzer.simplify(fold.mul(fold.make(tir.FloorDiv, above, step), step))
        if not analyzer.can_prove_equal(padded, extent):
            new_extents[axis.var] = padded
    return new_extents


# checks


def _einsum_error(block: Block, why: str) -> NonEinsumError:
    return NonEinsumError(block=block.name_hint, why=why, at=[block])


def _check_accesses(block: Block, extents: Extents) -> None:
    """Raise `NonEinsumError` unless each buffer is accessed at one element, indexed by axes and constants.

    Inputs may also be indexed by other expressions without padded axes, and by sums that grow with the padded axes.
    """
    axes = {axis.var for axis in block.iter_vars}
    seen: set[Buffer] = set()
    for region in (*block.reads, *block.writes):
        if region.buffer in seen:
            raise _einsum_error(block, f"{region.buffer.name} is accessed at several elements")
        seen.add(region.buffer)
        is_input = region in block.reads
        for part in region.region:
            is_plain = isinstance(part.min, tir.IntImm) or part.min in axes
            is_window = is_input and _last_index(block, part.min, extents) is not None
            if not fold.is_const(part.extent, 1) or not (is_plain or is_window):
                raise _einsum_error(block, f"{region.buffer.name} is indexed by more than axes and constants")


def _last_index(block: Block, index: Expr, extents: Extents) -> int | None:
    """Return the greatest value of an index in the padded block: -1 without padded axes, None if it is unknown."""
    used = [axis for axis in block.iter_vars if axis.var in uses(index)]
    padded = [axis for axis in used if axis.var in extents]
    if not padded:
        return -1
    if any(axis.iter_type is not tir.IterKind.DATA_PAR for axis in padded):
        return None  # the input is not zero there
    parts = detect_linear_equation(index, [axis.var for axis in used])
    last = [
        fold.add(axis.dom.min, fold.sub(extents.get(axis.var, axis.dom.extent), IntImm(axis.var.dtype, 1)))
        for axis in used
        if axis.dom is not None
    ]
    numbers = [part.value for part in (*parts, *last) if isinstance(part, IntImm) and part.value >= 0]
    count = len(used)
    if len(numbers) != 2 * count + 1 or len(parts) != count + 1:
        return None
    products = [scale * end for scale, end in zip(numbers[:count], numbers[count + 1 :], strict=True)]
    return numbers[count] + sum(products)


def _check_padding_is_safe(ref: StmtRef, extents: Extents) -> None:
    """Raise `NonEinsumError` if padding would change the result."""
    block, realize = ref.block, realize_of(ref)
    loops = [item.loop for item in loops_above(ref)]
    domains: dict[Expr, tir.Range] = {axis.var: axis.dom for axis in block.iter_vars if axis.dom is not None}
    for region in (*block.reads, *block.writes):
        for part, size in zip(region.region, region.buffer.shape, strict=True):
            if part.min in extents and not _covers(domains[part.min], size):
                raise _einsum_error(block, f"axis {part.min} does not cover its dimension of {region.buffer.name}")
    mixed = output_read_elsewhere(block)
    if mixed is not None:
        raise _einsum_error(block, f"it reads other elements of its output {mixed.name}")
    for padded in _make_padded_buffers(block, block.writes, extents):
        _check_whole_output(block, padded.old, domains)
    sums = detect_iter_map(realize.iter_values, loop_ranges(loops), realize.predicate).indices
    is_whole = len(sums) == len(block.iter_vars) and all(
        fold.is_const(fold.sub(index.base, domains[axis.var].min), 0)
        and _is_equal(index.args[0].extent if index.args else tir.IntImm(index.dtype, 1), domains[axis.var].extent)
        for axis, index in zip(block.iter_vars, sums, strict=True)
    )
    if not is_whole:
        raise _einsum_error(block, "its loops do not cover the domains of its axes")
    _check_other_blocks(ref, extents)
    for axis, region in product(block.iter_vars, block.writes):
        is_index = any(part.min is axis.var for part in region.region)
        if axis.var in extents and axis.iter_type is not tir.IterKind.COMM_REDUCE and not is_index:
            raise _einsum_error(block, f"padded axis {axis.var.name} would repeat elements of {region.buffer.name}")
    for axis in block.iter_vars:
        if axis.iter_type is tir.IterKind.COMM_REDUCE and axis.var in extents and not _step_adds_zero(block, axis.var):
            raise _einsum_error(block, f"it does not sum products of values loaded at reduction axis {axis.var.name}")


def _check_whole_output(block: Block, buffer: Buffer, domains: Mapping[Expr, tir.Range]) -> None:
    """Raise `NonEinsumError` unless a block writes a whole buffer: all of it is copied back."""
    region = next(region for region in block.writes if region.buffer is buffer)
    one = tir.Range.from_min_extent(tir.IntImm("int32", 0), tir.IntImm("int32", 1))
    for part, size in zip(region.region, buffer.shape, strict=True):
        if not _covers(domains.get(part.min, one), size) or (isinstance(part.min, tir.IntImm) and part.min.value):
            raise _einsum_error(block, f"index {part.min} does not cover its dimension of {buffer.name}")
    indices = [part.min for part in region.region if part.min in domains]
    if any(index is other for index, other in combinations(indices, 2)):
        raise _einsum_error(block, f"it writes only a diagonal of {buffer.name}")
    if not writes_unconditionally(block, buffer):
        raise _einsum_error(block, f"it writes {buffer.name} only under a condition")


def _covers(domain: tir.Range, size: Expr) -> bool:
    """Whether a domain is a whole dimension."""
    return fold.is_const(domain.min, 0) and _is_equal(domain.extent, size)


def _check_other_blocks(ref: StmtRef, extents: Extents) -> None:
    """Raise `NonEinsumError` if other blocks share a padded loop, or write a padded buffer."""
    block, loops = ref.block, loops_above(ref)
    padded = {padded.old for padded in _make_padded_buffers(block, (*block.reads, *block.writes), extents)}
    for item in loops:
        others = [other.block for other in blocks_below(item) if other is not ref]
        for axis, value in zip(block.iter_vars, realize_of(ref).iter_values, strict=True):
            if others and axis.var in extents and value is item.loop.loop_var:
                raise _einsum_error(block, f"loop {item.loop.loop_var.name} would be padded, but contains other blocks")
        for other in others:
            if any(region.buffer in padded for region in other.writes):
                raise _einsum_error(block, f"block {other.name_hint} in the same loops writes a padded buffer")


def _is_equal(a: Expr, b: Expr) -> bool:
    return Analyzer().can_prove_equal(a, b)


def _step_adds_zero(block: Block, axis: Var) -> bool:
    """Whether the update adds zero if the values loaded at the axis are zero."""
    store = block.body
    if not isinstance(store, BufferStore) or not isinstance(store.value, tir.Add):
        return False
    so_far = store.value.a
    return (
        isinstance(so_far, tir.BufferLoad)
        and so_far.buffer is store.buffer
        and all(map(expr_deep_equal, so_far.indices, store.indices))
        and _is_zero_outside(store.value.b, axis)
    )


def _is_zero_outside(value: Expr, axis: Var) -> bool:
    """Whether an expression is zero if the values loaded at the axis are zero."""
    if isinstance(value, tir.BufferLoad):
        return axis in value.indices
    if isinstance(value, tir.Mul):
        return _is_zero_outside(value.a, axis) or _is_zero_outside(value.b, axis)
    if isinstance(value, (tir.Add, tir.Sub)):
        return _is_zero_outside(value.a, axis) and _is_zero_outside(value.b, axis)
    return isinstance(value, tir.Cast) and _is_zero_outside(value.value, axis)


# the new blocks


def _pad(scope: StmtRef, ref: StmtRef, extents: Extents) -> None:
    block, realize = ref.block, realize_of(ref)
    inputs = _make_padded_buffers(block, block.reads, extents)
    outputs = _make_padded_buffers(block, block.writes, extents)
    axes = tuple(
        [
            axis.replace(dom=tir.Range.from_min_extent(axis.dom.min, extents[axis.var]))
            if axis.var in extents and axis.dom
            else axis
            for axis in block.iter_vars
        ]
    )
    grown: dict[Expr, Expr] = {
        value: extents[axis.var]
        for axis, value in zip(block.iter_vars, realize.iter_values, strict=True)
        if isinstance(value, Var) and axis.var in extents
    }
    made_block = block.replace(iter_vars=axes)
    stmt: Stmt = realize.replace(block=made_block)
    old: For | Block = block
    for item in reversed(loops_above(ref)):
        body = replace_child(item.loop.body, old, stmt)
        old = item.loop
        stmt = old.replace(body=body, extent=grown.get(old.loop_var, old.extent))
    instead = BufferReplacer({padded.old: padded.new for padded in (*inputs, *outputs)})
    stmt = instead.rewrite(stmt)
    before = [_make_copy_nest(padded.old, padded.new, padded.new) for padded in inputs]
    after = [_make_copy_nest(padded.new, padded.old, padded.new) for padded in outputs]
    body = replace_child(scope.block.body, old, seq(*before, stmt, *after))
    new_scope = scope.block.replace(
        body=body, alloc_buffers=(*scope.block.alloc_buffers, *(padded.new for padded in (*inputs, *outputs)))
    )
    blocks = {new: block if was is made_block else was for new, was in instead.blocks.items()}
    scope.tree.replace(scope, new_scope, {new_scope: scope.block, made_block: block, **blocks})


def _make_padded_buffers(block: Block, regions: Sequence[tir.BufferRegion], extents: Extents) -> list[_PaddedBuffer]:
    """Make padded replacements for the buffers that are indexed by padded axes."""
    padded_buffers: list[_PaddedBuffer] = []
    for region in regions:
        old = region.buffer
        mins = [part.min for part in region.region]
        if not any(extents.keys() & uses(first) for first in mins):
            continue
        shape = [_padded_size(block, first, size, extents) for first, size in zip(mins, old.shape, strict=True)]
        data = Var(f"{old.data.name}_pad", old.data.dtype, old.data.pointer_type)
        padded_buffers.append(
            _PaddedBuffer(
                old,
                old.replace(
                    name=f"{old.name}_pad", shape=tuple(shape), data=data, strides=(), elem_offset=own_offset(old)
                ),
            )
        )
    return padded_buffers


def _padded_size(block: Block, index: Expr, size: Expr, extents: Extents) -> Expr:
    if fold.is_const(index, 0):
        return tir.IntImm(size.dtype, 1)  # a dimension with a constant index needs one element
    if index in extents or isinstance(index, Var):
        return extents.get(index, size)
    last = _last_index(block, index, extents)
    assert last is not None, "see _check_accesses"
    return fold.make(tir.Max, size, tir.IntImm(size.dtype, last + 1))


def _make_copy_nest(source: Buffer, target: Buffer, padded: Buffer) -> Stmt:
    """Make a block that copies a buffer to one of another shape; elements outside of the source are zero."""
    axes: list[tir.IterVar] = []
    loops: list[Var] = []
    is_inside: Expr = tir.IntImm("bool", 1)
    for place, (size, limit) in enumerate(zip(target.shape, source.shape, strict=True)):
        axis = Var(f"v{place}", size.dtype)
        axes.append(
            tir.IterVar(tir.Range.from_min_extent(tir.IntImm(size.dtype, 0), size), axis, tir.IterKind.DATA_PAR)
        )
        loops.append(Var(f"i{place}", size.dtype))
        if target is padded and not expr_deep_equal(size, limit):
            is_inside = fold.logical_and(is_inside, axis < limit)
    indices = tuple([axis.var for axis in axes])
    value: Expr = tir.BufferLoad(source, indices)
    if target is padded:
        value = if_then_else(is_inside, value, const(0, source.dtype))
    point = tuple([tir.Range.from_min_extent(index, tir.IntImm(index.dtype, 1)) for index in indices])
    block = Block(
        tuple(axes),
        (tir.BufferRegion(source, point),),
        (tir.BufferRegion(target, point),),
        padded.name,
        BufferStore(target, value, indices),
    )
    stmt: Stmt = BlockRealize(tuple(loops), tir.IntImm("bool", 1), block)
    for loop, size in reversed([*zip(loops, target.shape, strict=True)]):
        stmt = For(loop, tir.IntImm(size.dtype, 0), size, ForKind.SERIAL, stmt)
    return stmt
