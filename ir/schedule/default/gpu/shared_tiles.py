"""Steps of products on tensor cores: tiles of operands in shared memory, and results in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.schedule.default.gpu.flat_product import FlatProduct
from tvmscript.ir.schedule.default.gpu.gpu_rule import fuse_all
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, BufferLoad, BufferStore, Expr, FloorDiv, IntImm, Range, Var, substitute
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_arrays import (
    bound_analyzer,
    copied_load,
    is_compact_array,
    merge_dimensions,
    reads_zeros_beside_alone,
    views_of,
)
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import box_axes

#: The attribute of functions whose float32 products may have factors of 10 bits.
ALLOW_TF32: Final = "dlight.allow_tf32"


def forbids_tensor_cores(sch: Schedule) -> bool:
    """Return whether the function has the attribute `dlight.do_not_tensorize`."""
    return "dlight.do_not_tensorize" in sch.mod["main"].attrs


def allows_tf32(sch: Schedule) -> bool:
    """Return whether float32 products may have factors of 10 bits."""
    return bool(sch.mod["main"].attrs.get(ALLOW_TF32))


def cache_operand(sch: Schedule, block: BlockRV, place: int) -> BlockRV:
    """Copy an operand to shared memory, with what is computed before it; return the block that copies."""
    shared = sch.cache_read(block, place, "shared.dyn", [block])
    while producers := sch.get_producers(shared):
        for producer in producers:
            sch.compute_inline(producer)
    return shared


def transpose_copy(sch: Schedule, shared: BlockRV) -> None:
    """Let a block that copies an operand exchange its last dimensions."""
    sch.transform_layout(shared, ("write", 0), lambda *index: (*index[:-2], index[-1], index[-2]))


def spread_copy(sch: Schedule, shared: BlockRV, threads: Mapping[str, int]) -> None:
    """Spread the copy of a tile over threads, by 16 bytes where it is a copy."""
    stmt = sch.get(shared)
    vector = 16 // stmt.writes[0].buffer.dtype.itemsize
    fused = fuse_all(sch, sch.get_loops(shared)[-2:], shared)
    _, *loops = sch.split(fused, [None, *threads.values(), *((vector,) if _is_copy(stmt) else ())])
    for loop, axis in zip(loops, threads, strict=False):
        sch.bind(loop, f"threadIdx.{axis}")
    for element in loops[len(threads) :]:
        sch.vectorize(element)


def _is_copy(stmt: Block) -> bool:
    """Return whether a block copies elements, or zeros beside them."""
    return isinstance(stmt.body, BufferStore) and copied_load(stmt.body.value) is not None


def can_copy_in_bulk(stmt: Block, row_box: tuple[int, ...], row_length: int) -> bool:
    """Return whether a block copies a tile of an array, without what is beside it, as tensor maps can.

    A tile consists of boxes of rows, if there are such, of a length.
    """
    loaded = copied_load(stmt.body.value) if isinstance(stmt.body, BufferStore) else None
    return loaded is not None and is_in_bulk(stmt, *loaded, row_box, row_length)


def is_in_bulk(
    stmt: Block, access: BufferLoad | BufferStore, condition: Expr, row_box: tuple[int, ...], row_length: int
) -> bool:
    """Return whether tensor maps describe tiles of the array that a block accesses where a condition says."""
    if not is_compact_array(access.buffer):
        return False
    analyzer = bound_analyzer((axis.var, axis.dom) for axis in stmt.iter_vars if axis.dom is not None)
    if not row_box:
        element = merge_dimensions(access, analyzer)
        last = [axis.var for axis in stmt.iter_vars[-2:]]
        axes = box_axes(element.indices, last, analyzer) or ()
        return {*last} == {*axes} - {None} and reads_zeros_beside_alone(element, condition, analyzer)
    values, inner = _split_axes(stmt, (row_box, (row_length,)), analyzer)
    element = next(views_of(substitute(access, values), analyzer))
    boxed = box_axes(element.indices, inner, analyzer) or ()
    return [var for var in boxed if var is not None] == inner and reads_zeros_beside_alone(
        element, substitute(condition, values), analyzer
    )


def _split_axes(stmt: Block, sizes: Sequence[tuple[int, ...]], analyzer: Analyzer) -> tuple[dict[Var, Expr], list[Var]]:
    """Split the last axes of a block by sizes; return their values, and the variables of the inner parts."""
    values: dict[Var, Expr] = {}
    inner: list[Var] = []
    for axis, box in zip(stmt.iter_vars[-len(sizes) :], sizes, strict=True):
        assert axis.dom is not None
        dtype = axis.var.dtype
        number = Var("number", dtype)
        value: Expr = number
        analyzer.bind(number, Range.from_min_extent(0, fold.make(FloorDiv, axis.dom.extent, IntImm(dtype, prod(box)))))
        for size in box:
            inner.append(Var("inner", dtype))
            analyzer.bind(inner[-1], Range.from_min_extent(0, size))
            value = value * size + inner[-1]
        values[axis.var] = value
    return values, inner


def is_transposing(stmt: Block) -> bool:
    """Return whether a block copies an array with its last two dimensions exchanged.

    It is asked before the layout of the copy changes.
    """
    loaded = copied_load(stmt.body.value) if isinstance(stmt.body, BufferStore) else None
    if loaded is None or len(stmt.iter_vars) < 2:
        return False
    last, before = (stmt.iter_vars[place].var for place in (-1, -2))
    return [index for index in loaded[0].indices if index is last or index is before] == [last, before]


def vectorize_pairs(sch: Schedule, flat: FlatProduct, store: BlockRV, pair: LoopRV) -> None:
    """Store two neighbours of a row at once where rows have an even length."""
    stmt = sch.get(store)
    columns = stmt.writes[0].buffer.shape[-1] if stmt.writes[0].buffer.shape else None
    is_even = flat.is_whole or (
        isinstance(columns, IntImm) and columns.value % 2 == 0 and len(flat.product.columns) == 1
    )
    if is_even and stmt.writes[0].region[-1].min is stmt.iter_vars[-1].var:
        sch.vectorize(pair)
