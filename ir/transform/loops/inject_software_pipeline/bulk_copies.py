"""Bulk copies of tiles by tensor maps (TMA, sm_90): which copies are, and what a thread issues for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import flat_index
from tvmscript.ir.core import INT64, IRError, nodes
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Cast,
    Evaluate,
    Expr,
    For,
    ForKind,
    IntImm,
    Range,
    Stmt,
    StringImm,
    Var,
    match_types,
    seq,
    substitute,
    uses,
)
from tvmscript.ir.tir.expr import Add, Mul, Sub
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS
from tvmscript.ir.tir.intrin.memory import address_of, tvm_stack_alloca
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.tir.stmt import LetStmt
from tvmscript.ir.tir.tile import TensorMapType
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_arrays import (
    ArrayElement,
    bound_analyzer,
    copied_load,
    is_compact_array,
    reads_zeros_beside_alone,
    views_of,
)

#: annotation of a block that copies a tile, and its only value: rows of 128 bytes, permuted as "permuted_layout" does
BULK_COPY: Final = "bulk_copy"
ROWS_OF_128_BYTES: Final = "128B"
#: annotation of such a block: all blocks of a cluster copy the same tile, each one a part of it to all of them
MULTICAST: Final = "bulk_copy_multicast"
CLUSTER_TAG: Final = "clusterCtaIdx.x"
#: blocks of a cluster that share copies, at most: as many as every device has
_MOST_BLOCKS: Final = 8
_ROW_BYTES: Final = 128
#: rows after which the permutation repeats
_PATTERN_ROWS: Final = 8
#: elements of a tile along a dimension, at most
_MOST_ELEMENTS: Final = 256
#: codes of cuda.h: permutation of 128 bytes, promotion to 128 bytes in L2
_SWIZZLE_128B, _PROMOTE_128B = 3, 2
_COPY_WORDS: Final = ("shared::cluster", "global", "tile", "mbarrier::complete_tx::bytes", "mbarrier::report::disabled")
_MULTICAST_WORDS: Final = (*_COPY_WORDS[:-1], "multicast::cluster", "", "")
_STORE_WORDS: Final = ("global", "shared::cta", "tile", "bulk_group", "")


class NotBulkCopy(IRError, code="TS4054"):
    """A block with the annotation `bulk_copy` does not copy a tile of an array as tensor maps of sm_90 can. It stands
    in an asynchronous stage of a software pipeline in a launch of whole warps, and copies rows of 128 bytes of a
    compact array in global memory, whose rows are multiples of 16 bytes, to shared memory. A condition says no more
    than that the element exists: those beside the array are zeros. A block that copies such rows from shared memory to
    an array stands in no pipeline; the outermost of its loops is over the warps of the innermost axis of the launch.
    With `bulk_copy_multicast`, a producer copies, and blocks of a cluster run the same copies of a tile that they can
    part.
    """

    message = "the bulk copy of block {block} is not possible: {problem}"


class BulkCopy(NamedTuple):
    """A tile in shared memory and the part of an array that it is; loops over parts go around."""

    tile: Buffer
    #: where the first element of a part is in the tile
    place: tuple[Expr, ...]
    array: Buffer
    #: where the first element of a part is in the array
    coordinates: tuple[Expr, ...]
    #: elements of a part along each dimension
    box: tuple[int, ...]
    parts: tuple[For, ...]
    #: the dimension of the tile in which the first dimension of a part runs, and by how much a step of it does
    row_dimension: int
    row_step: int
    #: the axis of the blocks that share the copy
    cluster: For | None = None

    def part_of_block(self) -> BulkCopy | None:
        """Return what a block of the cluster copies, None where the tile has no equal parts."""
        if self.cluster is None:
            return self
        count, rank = constant_extent(self.cluster), self.cluster.loop_var
        if self.parts:
            first, *others = self.parts
            extent, rest = divmod(constant_extent(first), count)
            index = fold.make(Add, *match_types(first.loop_var, fold.make(Mul, rank, IntImm(rank.dtype, extent))))
            place, coordinates = (
                tuple([substitute(each, {first.loop_var: index}) for each in indices])
                for indices in (self.place, self.coordinates)
            )
            parts = (first.replace(extent=IntImm(first.loop_var.dtype, extent)), *others)
            return None if rest else self._replace(place=place, coordinates=coordinates, parts=parts)
        row = next(number for number, extent in enumerate(self.box) if extent > 1)
        extent, rest = divmod(self.box[row], count)
        box = (*self.box[:row], extent, *self.box[row + 1 :])
        if rest or prod(box[:-1]) % _PATTERN_ROWS:
            return None
        start, own_start = (fold.make(Mul, rank, IntImm(rank.dtype, extent * step)) for step in (1, self.row_step))
        return self._replace(
            place=_moved(self.place, self.row_dimension, own_start), box=box,
            coordinates=_moved(self.coordinates, row, start),
        )  # fmt: skip

    @property
    def byte_count(self) -> int:
        """The bytes of the tile, those beside the array included."""
        elements = prod(self.box) * prod(constant_extent(loop) for loop in self.parts)
        return elements * self.tile.dtype.itemsize

    def issue(self, tensor_map: Var, barrier: Expr) -> Stmt:
        """Return the instructions by which one thread starts the copy of the tile, which completes with a barrier."""
        operands = (self._address, tensor_map, *self._position, barrier)
        if self.cluster is None:
            return self._for_each_part(_COPY_WORDS, operands)
        blocks = IntImm("uint16", (1 << constant_extent(self.cluster)) - 1)
        return self._for_each_part(_MULTICAST_WORDS, (*operands, blocks))

    def issue_store(self, tensor_map: Var) -> Stmt:
        """Return the instructions by which one thread starts the copy from the tile, in its group of copies."""
        return self._for_each_part(_STORE_WORDS, (tensor_map, *self._position, self._address))

    @property
    def _address(self) -> Expr:
        return address_of(BufferLoad(self.tile, self.place))

    @property
    def _position(self) -> list[Expr]:
        """The coordinates as tensor maps have them."""
        return [Cast("int32", index) if index.dtype.bits > 32 else index for index in reversed(self.coordinates)]

    def _for_each_part(self, words: tuple[str, ...], operands: tuple[Expr, ...]) -> Stmt:
        all_words = ("async", "bulk", "tensor", f"{len(self.box)}d", *words)
        stmt: Stmt = Evaluate(ptx_call("cp", all_words, PtxOperands(operands)))
        for loop in reversed(self.parts):
            stmt = For(loop.loop_var, loop.min, loop.extent, ForKind.UNROLLED, stmt)
        return stmt


def _moved(indices: tuple[Expr, ...], dimension: int, start: Expr) -> tuple[Expr, ...]:
    """Return indices that begin later in a dimension."""
    moved = fold.make(Add, *match_types(indices[dimension], start))
    return (*indices[:dimension], moved, *indices[dimension + 1 :])


def constant_extent(loop: For) -> int:
    """Return the extent of a loop, 0 where it is no constant."""
    return loop.extent.value if isinstance(loop.extent, IntImm) else 0


def find_bulk_copy(block: Block, around: Iterable[For], *, is_async: bool) -> BulkCopy | None:
    """Return what a statement of a pipeline copies in bulk, None where it is not marked. Raises `NotBulkCopy`."""
    marked = next((node for node in nodes(block) if isinstance(node, Block) and BULK_COPY in node.annotations), None)
    if marked is None:
        return None
    copy, problem = _parse(block, around)
    if not is_async:
        problem = "it is in no asynchronous stage"
    if copy is not None and not problem and MULTICAST in marked.annotations:
        copy, problem = _shared_by_cluster(copy, tuple(around))
    if copy is None or problem:
        raise refuse(marked, problem)
    return copy


def _shared_by_cluster(copy: BulkCopy, around: Sequence[For]) -> tuple[BulkCopy | None, str]:
    """Return the copy that the blocks of a cluster share, or why they do not run the same one."""
    axes = {loop.thread_binding.thread_tag: loop for loop in around if loop.thread_binding is not None}
    cluster, blocks = axes.get(CLUSTER_TAG), axes.get("blockIdx.x")
    size = constant_extent(cluster) if cluster is not None else 0
    if blocks is None or not 1 < size <= _MOST_BLOCKS or constant_extent(blocks) % size:
        return None, f"the launch has no clusters of up to {_MOST_BLOCKS} blocks along x"
    shared = copy._replace(cluster=cluster)
    if shared.part_of_block() is None:
        return None, "the blocks of a cluster cannot part the tile"
    analyzer = _bound_analyzer(around)
    number = Var("cluster", blocks.loop_var.dtype)
    analyzer.bind(number, Range.from_min_extent(0, constant_extent(blocks) // size))
    inner = around[around.index(blocks) + 1 :]
    values = [*copy.coordinates, *[value for loop in inner for value in (loop.min, loop.extent)]]
    first = fold.make(Mul, number, IntImm(number.dtype, size))
    for rank in range(1, size):
        for value in values:
            one, other = (
                substitute(value, {blocks.loop_var: place})
                for place in (first, fold.make(Add, first, IntImm(number.dtype, rank)))
            )
            if not analyzer.can_prove_equal(one, other):
                return None, "the blocks of a cluster do not run the same copies"
    return shared, ""


def refuse(block: Block, problem: str) -> NotBulkCopy:
    """Return the error of a block that cannot be copied in bulk."""
    return NotBulkCopy(block=block.name_hint, problem=problem, span=block.span)


def _parse(block: Block, around: Iterable[For]) -> tuple[BulkCopy | None, str]:
    """Return the copy of a nest of loops, or what is wrong with it."""
    nest, problem = _nest_of(block)
    if nest is None:
        return None, problem
    loops, store, predicate = nest
    loaded = copied_load(store.value)
    if loaded is None:
        return None, "it does not store what it loads, or zeros beside an array"
    load, condition = loaded[0], fold.logical_and(predicate, loaded[1])
    if not is_compact_array(load.buffer) or not store.buffer.storage_scope.startswith("shared"):
        return (
            None,
            "it does not copy a compact array in global memory, in rows of multiples of 16 bytes, to shared memory",
        )
    analyzer = _bound_analyzer((*around, *loops))
    problem = ""
    for element in views_of(load, analyzer):
        if not reads_zeros_beside_alone(element, condition, analyzer):
            return None, "its condition excludes elements of the array"
        copy, problem = _boxed(store, element, loops, analyzer)
        if copy is not None:
            return copy, ""
    return None, problem


def _nest_of(stmt: Stmt) -> tuple[tuple[list[For], BufferStore, Expr] | None, str]:
    """Return the loops around the one store of a nest, and its condition, or what is wrong with it."""
    loops: list[For] = []
    condition: Expr = fold.TRUE
    while not isinstance(stmt, BufferStore):
        if isinstance(stmt, For) and constant_extent(stmt):
            loops.append(stmt)
            stmt = stmt.body
        elif isinstance(stmt, Block):
            if stmt.annotations.get(BULK_COPY, ROWS_OF_128_BYTES) != ROWS_OF_128_BYTES:
                return None, f'the annotation is not "{ROWS_OF_128_BYTES}"'
            stmt = stmt.body
        elif isinstance(stmt, BlockRealize):
            condition = fold.logical_and(condition, stmt.predicate)
            stmt = stmt.block
        else:
            return None, "it is no nest of loops of constant extents around one store"
    return (loops, stmt, condition), ""


def _bound_analyzer(loops: Iterable[For]) -> Analyzer:
    return bound_analyzer((loop.loop_var, Range.from_min_extent(loop.min, loop.extent)) for loop in loops)


def marked_store(nest: For) -> Block | None:
    """Return the block of a nest of loops that is to copy a tile from shared memory in bulk, if it has one."""
    stmt: Stmt = nest
    while isinstance(stmt, For) and stmt.thread_binding is None:
        stmt = stmt.body
    if not isinstance(stmt, BlockRealize) or BULK_COPY not in stmt.block.annotations:
        return None
    body = stmt.block.body
    is_from_tile = isinstance(body, BufferStore) and any(
        isinstance(node, BufferLoad) and node.buffer.storage_scope.startswith("shared") for node in nodes(body.value)
    )
    return stmt.block if is_from_tile else None


def find_bulk_store(nest: For, marked: Block, around: Sequence[For]) -> BulkCopy:
    """Return the copy of a tile from shared memory. Raises `NotBulkCopy`."""
    parsed, problem = _nest_of(nest)
    copy: BulkCopy | None = None
    if parsed is not None:
        loops, store, condition = parsed
        tile = store.value
        is_copy = isinstance(tile, BufferLoad) and is_compact_array(store.buffer) and fold.is_const(condition, 1)
        problem = "" if is_copy else "it does not copy a tile to a compact array in rows of multiples of 16 bytes"
        if isinstance(tile, BufferLoad) and is_copy:
            analyzer = _bound_analyzer((*around, *loops))
            for element in views_of(store, analyzer):
                copy, problem = _boxed(tile, element, loops, analyzer, over_parts=1)
                if copy is not None:
                    break
    if copy is None or problem:
        raise refuse(marked, problem)
    return copy


def _boxed(
    tile: BufferLoad | BufferStore, element: ArrayElement, loops: list[For], analyzer: Analyzer, *, over_parts: int = 0
) -> tuple[BulkCopy | None, str]:
    """Find the loops over a box of the array, of which an element is copied; others, and the first, are over parts."""
    loop_of = {loop.loop_var: loop for loop in loops if constant_extent(loop) > 1}
    inner = [loop.loop_var for loop in loops[over_parts:] if loop.loop_var in loop_of]
    axes = box_axes(element.indices, inner, analyzer)
    if axes is None:
        return None, "it copies no box of the array"
    if axes[-1] is None or _unit_var(tile.indices[-1], [axes[-1]], analyzer) is None:
        return None, "neighbours of a row are no neighbours in shared memory"
    boxed = [var for var in axes if var is not None]
    box = tuple([1 if var is None else constant_extent(loop_of[var]) for var in axes])
    parts = tuple([loop for loop in loop_of.values() if loop.loop_var not in boxed])
    start = {loop.loop_var: IntImm(loop.loop_var.dtype, 0) for loop in loops if loop not in parts}
    place, coordinates = (
        tuple([analyzer.simplify(substitute(index, start)) for index in indices])
        for indices in (tile.indices, element.indices)
    )
    offset, first_offset = (flat_index(tile.buffer, indices) for indices in (tile.indices, place))
    number: Expr = IntImm(offset.dtype, 0)
    for var in boxed:
        number = fold.make(Add, *match_types(fold.make(Mul, *match_types(number, loop_of[var].extent)), var))
    if not analyzer.can_prove_equal(Sub(offset, first_offset), number):
        return None, "dimensions have another order in shared memory, or the tile has gaps there"
    row_bytes = box[-1] * tile.buffer.dtype.itemsize
    if row_bytes != _ROW_BYTES or prod(box[:-1]) % _PATTERN_ROWS or max(box) > _MOST_ELEMENTS:
        return None, "the tile does not have rows of 128 bytes, a multiple of 8 of them and at most 256 a dimension"
    if not analyzer.modular(first_offset).is_multiple_of(_PATTERN_ROWS * box[-1]):
        return None, "the tile in shared memory has gaps"
    rows = next(number for number, index in enumerate(tile.indices) if boxed[0] in uses(index))
    second = substitute(tile.indices[rows], {**start, boxed[0]: IntImm(boxed[0].dtype, 1)})
    step = analyzer.simplify(Sub(second, place[rows]))
    if not isinstance(step, IntImm):
        return None, "dimensions have another order in shared memory"
    return BulkCopy(tile.buffer, place, element.array, coordinates, box, parts, rows, step.value), ""


def box_axes(indices: Sequence[Expr], loop_vars: Sequence[Var], analyzer: Analyzer) -> list[Var | None] | None:
    """Return the variable that runs along each dimension of a box, None for one that none does; None if it is no box.

    Of several variables that an index adds, the innermost one runs; others, and those of no index, are over parts.
    """
    axes = [_unit_var(index, loop_vars, analyzer) for index in indices]
    boxed = [var for var in axes if var is not None]
    start = {var: IntImm(var.dtype, 0) for var in boxed}
    is_box = len(start) == len(boxed) and all(
        analyzer.can_prove_equal(Sub(index, substitute(index, start)), IntImm(index.dtype, 0) if var is None else var)
        for index, var in zip(indices, axes, strict=True)
    )
    return axes if is_box else None


def _unit_var(index: Expr, loop_vars: Sequence[Var], analyzer: Analyzer) -> Var | None:
    """Return the variable of which an index is the value and something else, the innermost one of several."""
    units = [
        var
        for var in loop_vars
        if analyzer.can_prove_equal(Sub(index, substitute(index, {var: IntImm(var.dtype, 0)})), var)
    ]
    return units[-1] if units else None


class TensorMaps:
    """The tensor maps of a launch, which the host makes."""

    def __init__(self) -> None:
        self._maps: dict[tuple[Buffer, tuple[int, ...]], Var] = {}

    def map_of(self, copy: BulkCopy) -> Var:
        """Return the tensor map of what is copied."""
        key = copy.array, copy.box
        if key not in self._maps:
            self._maps[key] = Var(f"{copy.array.name}_map", TensorMapType())
        return self._maps[key]

    def define_around(self, launch: Stmt) -> Stmt:
        """Return a launch after the host has made its maps."""
        for (array, box), var in reversed(self._maps.items()):
            place = tvm_stack_alloca(StringImm("tensormap"), 1)
            launch = LetStmt(var, place, seq(Evaluate(_encode(var, array, box)), launch))
        self._maps.clear()
        return launch


def _encode(tensor_map: Var, array: Buffer, box: tuple[int, ...]) -> Expr:
    """Return the call that makes a tensor map; it has the innermost dimension first, and strides in bytes."""
    sizes = [Cast(INT64, extent) if extent.dtype is not INT64 else extent for extent in reversed(array.shape)]
    strides: list[Expr] = []
    stride: Expr = IntImm(INT64, array.dtype.itemsize)
    for size in sizes[:-1]:
        stride = stride * size
        strides.append(stride)
    return INSTRUCTIONS["tensormap_encode_tiled"](
        tensor_map, array.data, *sizes, *strides, *reversed(box), *[1] * len(box), descriptor_dtype=str(array.dtype),
        rank=len(box), swizzle=_SWIZZLE_128B, l2_promotion=_PROMOTE_128B,
    )  # fmt: skip
