"""Matrix products on tensor cores: `mma.sync` on tiles in registers, copies to shared memory that run ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, NamedTuple

from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.gpu.flat_product import (
    FlatProduct,
    Product,
    Tile,
    can_split_terms,
    flatten_product,
    has_terms_last,
    product_blocks,
)
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule
from tvmscript.ir.schedule.default.gpu.last_wave import forms_of_products
from tvmscript.ir.schedule.default.gpu.shared_tiles import (
    allows_tf32,
    cache_operand,
    forbids_tensor_cores,
    spread_copy,
    transpose_copy,
    vectorize_pairs,
)
from tvmscript.ir.schedule.default.gpu.tile_model import (
    WarpTiling,
    arch_of,
    cheapest_tiling,
    multiprocessors,
    rows_of_whole_waves,
)
from tvmscript.ir.schedule.intrinsics.mma import register_layout
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, Expr, PrimFunc

#: rows and columns of a fragment, threads of a warp
_FRAGMENT, _LANES = 16, 32
#: fragments along the terms in shared memory, and tiles of them of which copies are under way
_TERMS, _STAGES = 2, 3
#: a warp has at most 64 x 64 elements of the result: 128 registers a thread
_TILINGS: Final = (
    WarpTiling(128, 128, 2, 2), WarpTiling(128, 256, 2, 4), WarpTiling(256, 128, 4, 2), WarpTiling(64, 128, 2, 2),
    WarpTiling(128, 64, 2, 2), WarpTiling(64, 64, 2, 2), WarpTiling(32, 64, 2, 2), WarpTiling(64, 32, 2, 2),
    WarpTiling(32, 32, 2, 2), WarpTiling(128, 128, 2, 4),
)  # fmt: skip


class _Kind(NamedTuple):
    """The instructions for a dtype of operands."""

    #: name of the operands in intrinsics
    name: str
    #: terms of a fragment
    terms: int
    #: dtype of the result -> its name in intrinsics
    results: dict[str, str]
    #: whether ldmatrix transposes
    is_transposable: bool = False
    first_arch: int = 80
    #: elements of the result that a warp may have; compilers widen 8-bit floats to float16 in registers
    most_elements: int = 64 * 64


_FLOAT: Final = {"float32": "f32"}
_KINDS: Final = {
    "float16": _Kind("f16", 16, {"float16": "f16", **_FLOAT}, True),
    "bfloat16": _Kind("bf16", 16, _FLOAT, True),
    "float32": _Kind("tf32", 8, _FLOAT),
    "int8": _Kind("i8", 32, {"int32": "i32"}),
    "e4m3_float8": _Kind("e4m3", 32, _FLOAT, first_arch=89, most_elements=64 * 32),
    "e5m2_float8": _Kind("e5m2", 32, _FLOAT, first_arch=89, most_elements=64 * 32),
}


class MatmulTensorization(GPURule):
    """Compute a product on tensor cores, with batches and an epilogue; convolutions are products, too.

    Operands are float16, bfloat16, int8, 8-bit floats, or float32 in functions with the attribute `dlight.allow_tf32`.

    rewrite:
        C[i, j] += A[i, k] * B[k, j]  -->  128 x 128 of C a block of 4 warps, 4 x 4 fragments a warp
    """

    #: dtypes of operands
    dtypes: ClassVar[frozenset[str]] = frozenset(_KINDS)

    def forms(self, func: PrimFunc, target: Target) -> Iterator[PrimFunc]:
        def choose_rows(stmt: Block, product: Product, size: tuple[int, int, int]) -> int | None:
            kind = _kind_of(stmt, product)
            return None if kind is None else rows_of_whole_waves(_tilings(kind), target, size, kind.terms * _TERMS)

        yield from forms_of_products(func, choose_rows)

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        if forbids_tensor_cores(sch):
            return None

        def choose_tile(
            stmt: Block, product: Product, extents: tuple[int | None, int | None, int | None]
        ) -> Tile | None:
            kind = _kind_of(stmt, product)
            if kind is None or arch_of(target) < kind.first_arch or kind not in map(_KINDS.get, self.dtypes):
                return None
            if kind.name == "tf32" and not allows_tf32(sch):
                return None
            step = kind.terms * _TERMS if can_split_terms(product) else 0
            tiling = cheapest_tiling(_tilings(kind), target, extents, step)
            return Tile(tiling.rows, tiling.columns, kind.terms * _TERMS, tiling.row_warps, tiling.column_warps)

        choices: list[str] = []
        for block in product_blocks(sch, root):
            flat = flatten_product(sch, block, choose_tile, columns_last=False, at_once=multiprocessors(target))
            if flat is None:
                return None
            choices.append(_tile(sch, flat))
        return "; ".join(choices) or None


class MatmulInt8Tensorization(MatmulTensorization):
    """Compute a product of int8 on tensor cores: `MatmulTensorization` for these operands alone."""

    dtypes: ClassVar[frozenset[str]] = frozenset({"int8"})


def _tilings(kind: _Kind) -> list[WarpTiling]:
    """Return the tiles whose elements fit in registers."""
    return [tiling for tiling in _TILINGS if tiling.elements_of_warp <= kind.most_elements]


def _kind_of(stmt: Block, product: Product) -> _Kind | None:
    """Return the instructions for what a block multiplies, None where there are none."""
    dtypes = {stmt.reads[place].buffer.dtype for place in product.operands}
    kind = _KINDS.get(str(dtypes.pop())) if len(dtypes) == 1 else None
    return kind if kind is not None and str(stmt.writes[0].buffer.dtype) in kind.results else None


def _tile(sch: Schedule, flat: FlatProduct) -> str:
    block, tile = flat.block, flat.tile
    stmt = sch.get(block)
    kind = _kind_of(stmt, flat.product)
    assert kind is not None
    result = kind.results[str(stmt.writes[0].buffer.dtype)]
    batch, row, column, term = flat.loops
    rows, warp_row, own_row, in_row = sch.split(
        row, [None, tile.row_warps, tile.rows // tile.row_warps // _FRAGMENT, _FRAGMENT]
    )
    columns, warp_column, own_column, in_column = sch.split(
        column, [None, tile.column_warps, tile.columns // tile.column_warps // _FRAGMENT, _FRAGMENT]
    )
    terms, inner_terms, in_term = sch.split(term, [None, _TERMS, kind.terms])
    sch.reorder(
        batch, rows, columns, warp_row, warp_column, terms, inner_terms, own_row, own_column, in_row, in_column, in_term
    )
    bound = {
        "blockIdx.z": batch, "blockIdx.y": rows, "blockIdx.x": columns, "threadIdx.z": warp_row,
        "threadIdx.y": warp_column,
    }  # fmt: skip
    for axis, loop in bound.items():
        sch.bind(loop, axis)
    if flat.store is None:
        store = sch.cache_write(block, 0, "warp")
    else:
        sch.set_scope(block, 0, "warp")
        store = flat.store
    sch.reverse_compute_at(store, warp_column)
    sch.transform_layout(block, ("write", 0), _by_registers(register_layout("float16", "a", False).place, (16, 16)))
    marks = ""
    for place, side in zip(flat.product.operands, "ab", strict=True):
        is_transposed = _load_operand(sch, flat, kind, place, side, (terms, inner_terms))
        marks += f"_trans_{side}" if is_transposed else ""
    _store_fragments(sch, flat, store)
    inner = sch.blockize(in_row)
    init = sch.decompose_reduction(inner, terms)
    sch.tensorize(init, f"mma_fill_16x16_{result}")
    sch.tensorize(inner, f"mma_{kind.name}{kind.name}{result}{marks}")
    sch.annotate(terms, "software_pipeline_stage", [0, 0, _STAGES - 1])
    sch.annotate(terms, "software_pipeline_order", [0, 1, 2])
    sch.annotate(terms, "software_pipeline_async_stages", [0])
    return f"tiles of {tile.rows} x {tile.columns} on tensor cores"


def _by_registers(
    place: Callable[[Expr, Expr], tuple[Expr, Expr]], size: tuple[int, int]
) -> Callable[..., tuple[Expr, ...]]:
    """Return the index map from matrices to fragments, their threads and registers."""
    height, width = size

    def index_map(*index: Expr) -> tuple[Expr, ...]:
        *outer, row, column = index
        return (*outer, row // height, column // width, *place(row % height, column % width))

    return index_map


def _load_operand(
    sch: Schedule,
    flat: FlatProduct,
    kind: _Kind,
    place: int,
    side: str,
    loops: tuple[LoopRV, LoopRV],
) -> bool:
    """Copy a tile of an operand to shared memory by all threads, and its fragments from there to registers.

    Returns whether the fragments are (sum, row) of the left operand, or (column, sum) of the right one.
    Rows in shared memory are longer by 16 bytes: the eight rows that ldmatrix reads at a time are in other banks.
    """
    block = flat.block
    terms, inner_terms = loops
    is_terms_last = has_terms_last(sch.get(block), place, flat.product)
    is_transposed_by_copy = not kind.is_transposable and not is_terms_last
    is_transposed = (is_terms_last or is_transposed_by_copy) is (side == "b")
    dtype = sch.get(block).reads[place].buffer.dtype
    vector = 16 // dtype.itemsize
    shared = cache_operand(sch, block, place)
    if is_transposed_by_copy:
        transpose_copy(sch, shared)
    fragments = sch.cache_read(block, place, "warp")
    sch.compute_at(fragments, inner_terms)
    sch.compute_at(shared, terms)
    spread_copy(sch, shared, {"z": flat.tile.row_warps, "y": flat.tile.column_warps, "x": _LANES})
    sch.storage_align(shared, 0, -2, 2 * vector, vector)
    layout = register_layout(str(dtype), side, is_transposed)
    size = layout.rows, layout.columns
    sch.transform_layout(fragments, ("write", 0), _by_registers(layout.place, size))
    row, column = sch.get_loops(fragments)[-2:]
    outer_row, in_row = sch.split(row, [None, size[0]])
    outer_column, in_column = sch.split(column, [None, size[1]])
    sch.reorder(outer_row, outer_column, in_row, in_column)
    trans = "_trans" if is_transposed else ""
    sch.tensorize(in_row, f"mma_ldmatrix_{kind.name}_{side}{trans}_dyn")
    return is_transposed


def _store_fragments(sch: Schedule, flat: FlatProduct, store: BlockRV) -> None:
    """Let each thread store, or compute from, the elements that it has: pairs side by side."""
    row, column = sch.get_loops(store)[-2:]
    outer_row, half_row, thread_row = sch.split(row, [None, 2, 8])
    outer_column, half_column, thread_column, pair = sch.split(column, [None, 2, 4, 2])
    sch.reorder(outer_row, outer_column, half_row, half_column, thread_row, thread_column, pair)
    sch.bind(sch.fuse(thread_row, thread_column), "threadIdx.x")
    vectorize_pairs(sch, flat, store, pair)
