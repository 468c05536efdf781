"""Copies of matrix fragments: a warp loads and stores whole tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tvmscript.ir import tir
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core import INT32, DType, PointerType, PrimType, on
from tvmscript.ir.tir.intrin.matrix import tvm_load_matrix_sync, tvm_store_matrix_sync
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.transform.errors import NoCopy
from tvmscript.ir.transform.memory.lower_auto_copy.coalescing import coalesce
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import Copy, find_load, match_store, nest_in, perfect_nest

#: rows and columns of a tile of wmma, and of results of m16n8k8
_WMMA = 16
_MMA = 8
#: row strides of tiles in shared memory are multiples of this
_ROW_ALIGNMENT = 8


class TiledNest(NamedTuple):
    """A nest whose two innermost loops are tiled: outer loops, loops over tiles, loops in a tile, and the store."""

    outer: list[tir.For]
    tiles: list[tir.For]
    within: list[tir.For]
    store: tir.BufferStore


def tile_loops(stmt: tir.Stmt, size: int) -> TiledNest | None:
    """Tile the two innermost loops of a copy; None if their extents are not multiples of `size`."""
    loops, _ = perfect_nest(stmt)
    store = match_store(stmt)
    if store is None or len(loops) < 2:
        return None
    extents = [loop.extent.value if isinstance(loop.extent, tir.IntImm) else 1 for loop in loops[-2:]]
    if any(extent % size for extent in extents) or not all(is_const(loop.min, 0) for loop in loops[-2:]):
        return None
    tiles: list[tir.For] = []
    within: list[tir.For] = []
    values: dict[tir.Var, tir.Expr] = {}
    for loop, extent in zip(loops[-2:], extents, strict=True):
        dtype = loop.loop_var.dtype
        tile_var, inner = (tir.Var(f"{loop.loop_var.name}_{part}", dtype) for part in (0, 1))
        values[loop.loop_var] = tir.Add(tir.Mul(tile_var, tir.IntImm(dtype, size)), inner)
        tiles.append(loop.replace(loop_var=tile_var, extent=tir.IntImm(dtype, extent // size)))
        within.append(loop.replace(loop_var=inner, extent=tir.IntImm(dtype, size)))
    return TiledNest(loops[:-2], tiles, within, tir.substitute(store, values))


def load_fragments(stmt: tir.Stmt, copy: Copy) -> tir.Stmt:
    """Load tiles of shared memory to wmma fragments."""
    tiles = tile_loops(stmt, _WMMA)
    if tiles is None or not isinstance(tiles.store.value, tir.BufferLoad):
        return stmt
    load, store = tiles.store.value, tiles.store
    copy.alignment[load.buffer] = _ROW_ALIGNMENT
    source = _match_tile("src", _region(load.buffer, load.indices, tiles.within), _WMMA, is_strided=True)
    target = _match_tile("tgt", _region(store.buffer, store.indices, tiles.within), _WMMA, is_strided=False)
    layout = "row_major" if store.buffer.storage_scope == "wmma.matrix_a" else "col_major"
    call = tvm_load_matrix_sync(
        *_fragment_args(target.buffer), _address(source.buffer, 1), _row_stride(source.buffer), tir.StringImm(layout)
    )
    return nest_in([*tiles.outer, *tiles.tiles], _block("wmma_load", source, target, tir.Evaluate(call)))


def store_fragments(stmt: tir.Stmt, copy: Copy) -> tir.Stmt:
    """Store wmma fragments to tiles of shared memory."""
    tiles = tile_loops(stmt, _WMMA)
    if tiles is None:
        return stmt
    copy.alignment[tiles.store.buffer] = _ROW_ALIGNMENT
    return nest_in([*tiles.outer, *tiles.tiles], _store_block(tiles, _WMMA))


def fragments_to_global(stmt: tir.Stmt, copy: Copy) -> tir.Stmt:
    """Copy wmma fragments to global memory through shared memory, one row of tiles at a time."""
    return _stage_to_global(stmt, copy, _WMMA)


def results_to_global(stmt: tir.Stmt, copy: Copy) -> tir.Stmt:
    """Copy results of m16n8k8 to global memory through shared memory, one row of tiles at a time."""
    return _stage_to_global(stmt, copy, _MMA)


def _stage_to_global(stmt: tir.Stmt, copy: Copy, size: int) -> tir.Stmt:
    tiles = tile_loops(stmt, size)
    if tiles is None or copy.source is None:
        return stmt
    fragment = copy.source.buffer
    load = find_load(tiles.store.value, fragment)
    if load is None:
        return stmt
    # the tiles of a row, with separate memory for each enclosing thread
    relaxed = [*copy.thread_loops, tiles.tiles[1], *tiles.within]
    name = f"{fragment.name}_shared_dyn"
    data = tir.Var(name, PointerType(PrimType(fragment.dtype), "shared.dyn"))
    shape = tuple([loop.extent for loop in relaxed])
    cache = tir.Buffer(data, fragment.dtype, shape, (), tir.IntImm(INT32, 0), name)
    copy.allocated.append(cache)
    copy.alignment[cache] = _ROW_ALIGNMENT
    place = tuple([loop.loop_var for loop in relaxed])
    first = _store_block(tiles._replace(store=tir.BufferStore(cache, load, place)), size)
    # the same elements with fresh loop variables, distributed over threads anew
    renamed = {loop.loop_var: tir.Var(f"{loop.loop_var.name}_cache", loop.loop_var.dtype) for loop in relaxed}
    second = tir.substitute(_LoadRedirect(fragment, tir.BufferLoad(cache, place)).rewrite(tiles.store), renamed)
    for loop in reversed(relaxed):
        second = tir.For(renamed[loop.loop_var], tir.IntImm(loop.min.dtype, 0), loop.extent, tir.ForKind.SERIAL, second)
    row = tiles.tiles[1].replace(body=first)
    return nest_in([*tiles.outer, tiles.tiles[0]], tir.seq(row, coalesce(second, copy)))


class _LoadRedirect(tir.TirRewriter):
    """Read elements of a fragment from its copy."""

    def __init__(self, fragment: tir.Buffer, load: tir.BufferLoad) -> None:
        super().__init__()
        self.fragment = fragment
        self.replacement = load

    @on(tir.BufferLoad)
    def load(self, node: tir.BufferLoad) -> tir.Expr:
        return self.replacement if node.buffer is self.fragment else super().load(node)


def _store_block(tiles: TiledNest, size: int) -> tir.Stmt:
    """Return the block that stores a tile."""
    store = tiles.store
    load = store.value
    if not isinstance(load, tir.BufferLoad):
        raise NoCopy(key="auto_copy", reason="elements of fragments are stored as they are", span=store.span)
    source = _match_tile("src", _region(load.buffer, load.indices, tiles.within), size, is_strided=False)
    target = _match_tile("tgt", _region(store.buffer, store.indices, tiles.within), size, is_strided=True)
    if size == _MMA:
        return _block("mma_store", source, target, _store_results(source.buffer, target.buffer))
    address, row = _address(target.buffer, 2), _row_stride(target.buffer)
    call = tvm_store_matrix_sync(*_fragment_args(source.buffer), address, row, tir.StringImm("row_major"))
    return _block("wmma_store", source, target, tir.Evaluate(call))


def _store_results(source: tir.Buffer, target: tir.Buffer) -> tir.Stmt:
    """Return the statement in which each thread of a warp stores its two results."""
    lane, element = tir.Var("tx", INT32), tir.Var("vec", INT32)
    row = tir.FloorDiv(lane, _int(4))
    column = tir.Add(tir.Mul(tir.FloorMod(lane, _int(4)), _int(2)), element)
    store = tir.BufferStore(target, tir.BufferLoad(source, (row, column)), (row, column))
    loop = tir.For(element, _int(0), _int(2), tir.ForKind.VECTORIZED, store)
    axis = tir.IterVar(tir.Range.from_min_extent(_int(0), _int(32)), lane, tir.IterKind.THREAD_INDEX, "threadIdx.x")
    return tir.AttrStmt(axis, "thread_extent", _int(32), loop)


def _int(value: int) -> tir.IntImm:
    return tir.IntImm(INT32, value)


def _region(buffer: tir.Buffer, indices: Sequence[tir.Expr], loops: Sequence[tir.For]) -> tir.BufferRegion:
    """Return the region that the loops access."""
    analyzer = Analyzer()
    first = {loop.loop_var: loop.min for loop in loops}
    last = {loop.loop_var: loop.min + loop.extent - tir.IntImm(loop.extent.dtype, 1) for loop in loops}
    ranges: list[tir.Range] = []
    for index in indices:
        low, high = (analyzer.simplify(tir.substitute(index, values)) for values in (first, last))
        ranges.append(tir.Range.from_min_extent(low, analyzer.simplify(high - low + tir.IntImm(index.dtype, 1))))
    return tir.BufferRegion(buffer, tuple(ranges))


def _match_tile(name: str, region: tir.BufferRegion, size: int, *, is_strided: bool) -> tir.MatchBufferRegion:
    """Return a matched buffer for a tile."""
    dtype: DType = region.buffer.dtype
    data = tir.Var(name, PointerType(PrimType(dtype), region.buffer.storage_scope))
    strides = (tir.Var("s1", INT32), tir.Var("s0", INT32)) if is_strided else ()
    offset = tir.Var(f"{name}_elem_offset", INT32)
    return tir.MatchBufferRegion(
        tir.Buffer(data, dtype, (_int(size), _int(size)), strides, offset, name, 64, size), region
    )


def _fragment_args(buffer: tir.Buffer) -> tuple[tir.Expr, ...]:
    """Return the arguments of a fragment: data, tile sizes, and the number of the tile."""
    size = _int(_WMMA)
    whole = _int(_WMMA * _WMMA)
    number = tir.Add(
        tir.FloorDiv(buffer.elem_offset, whole), tir.FloorDiv(tir.FloorMod(buffer.elem_offset, whole), size)
    )
    return buffer.data, size, size, size, number


def _address(buffer: tir.Buffer, access: int) -> tir.Expr:
    extent = tir.Mul(buffer.strides[0], _int(_WMMA))
    return tvm_access_ptr(type_annotation(str(buffer.dtype)), buffer.data, buffer.elem_offset, extent, _int(access))


def _row_stride(buffer: tir.Buffer) -> tir.Expr:
    return buffer.strides[0]


def _block(name: str, source: tir.MatchBufferRegion, target: tir.MatchBufferRegion, body: tir.Stmt) -> tir.Stmt:
    block = tir.Block((), (source.source,), (target.source,), name, body, None, (), (source, target))
    return tir.BlockRealize((), TRUE, block)
