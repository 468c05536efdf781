"""Copies of matrix fragments in registers: whole tiles are loaded and stored by a warp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, is_const
from tvmscript.ir.core.dtype import INT32, DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    Add,
    BufferLoad,
    BufferRegion,
    FloorDiv,
    FloorMod,
    IntImm,
    IterKind,
    IterVar,
    Mul,
    Range,
    StringImm,
)
from tvmscript.ir.tir.intrin.matrix import tvm_load_matrix_sync, tvm_store_matrix_sync
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import (
    AttrStmt,
    Block,
    BlockRealize,
    BufferStore,
    Evaluate,
    For,
    ForKind,
    MatchBufferRegion,
    seq,
)
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.memory.lower_auto_copy.coalescing import coalesced
from tvmscript.ir.transform.memory.lower_auto_copy.copy_loops import Copy, inside, load_of, nest, the_store

#: rows and columns of a tile of wmma, and of results of m16n8k8
_WMMA = 16
_MMA = 8
#: Rows of tiles in shared memory are cut into banks of so many elements.
_ROW_ALIGNMENT = 8


class Tiled(NamedTuple):
    """A nest whose two innermost loops are cut into tiles: the loops around, over tiles, in a tile; what they do."""

    around: list[For]
    tiles: list[For]
    within: list[For]
    store: BufferStore


def tiled(stmt: Stmt, size: int) -> Tiled | None:
    """The tiles of a copy; None where they do not come out even."""
    loops, _ = nest(stmt)
    store = the_store(stmt)
    if store is None or len(loops) < 2:
        return None
    extents = [loop.extent.value if isinstance(loop.extent, IntImm) else 1 for loop in loops[-2:]]
    if any(extent % size for extent in extents) or not all(is_const(loop.min, 0) for loop in loops[-2:]):
        return None
    tiles: list[For] = []
    within: list[For] = []
    values: dict[Var, Expr] = {}
    for loop, extent in zip(loops[-2:], extents, strict=True):
        dtype = loop.loop_var.dtype
        outer, inner = (Var(f"{loop.loop_var.name}_{part}", dtype) for part in (0, 1))
        values[loop.loop_var] = Add(Mul(outer, IntImm(dtype, size)), inner)
        tiles.append(loop.replace(loop_var=outer, extent=IntImm(dtype, extent // size)))
        within.append(loop.replace(loop_var=inner, extent=IntImm(dtype, size)))
    return Tiled(loops[:-2], tiles, within, substitute(store, values))


def load_fragments(stmt: Stmt, copy: Copy) -> Stmt:
    """Tiles in shared memory go to fragments of a warp."""
    tiles = tiled(stmt, _WMMA)
    if tiles is None or not isinstance(tiles.store.value, BufferLoad):
        return stmt
    load, store = tiles.store.value, tiles.store
    copy.alignment[load.buffer] = _ROW_ALIGNMENT
    source = _matched("src", _region(load.buffer, load.indices, tiles.within), _WMMA, is_strided=True)
    target = _matched("tgt", _region(store.buffer, store.indices, tiles.within), _WMMA, is_strided=False)
    layout = "row_major" if store.buffer.storage_scope == "wmma.matrix_a" else "col_major"
    call = tvm_load_matrix_sync(
        *_tile(target.buffer), _address(source.buffer, 1), _row(source.buffer), StringImm(layout)
    )
    return inside([*tiles.around, *tiles.tiles], _block("wmma_load", source, target, Evaluate(call)))


def store_fragments(stmt: Stmt, copy: Copy) -> Stmt:
    """Fragments of a warp go to tiles in shared memory."""
    tiles = tiled(stmt, _WMMA)
    if tiles is None:
        return stmt
    copy.alignment[tiles.store.buffer] = _ROW_ALIGNMENT
    return inside([*tiles.around, *tiles.tiles], _stored(tiles, _WMMA))


def fragments_to_global(stmt: Stmt, copy: Copy) -> Stmt:
    """Tiles of wmma go through shared memory, a row of them at a time."""
    return _to_global(stmt, copy, _WMMA)


def results_to_global(stmt: Stmt, copy: Copy) -> Stmt:
    """Tiles of results of m16n8k8 go through shared memory, a row of them at a time."""
    return _to_global(stmt, copy, _MMA)


def _to_global(stmt: Stmt, copy: Copy, size: int) -> Stmt:
    tiles = tiled(stmt, size)
    if tiles is None or copy.source is None:
        return stmt
    fragment = copy.source.buffer
    load = load_of(tiles.store.value, fragment)
    if load is None:
        return stmt
    # the tiles of a row, for each warp: threads around the copy have places of their own
    relaxed = [*copy.thread_loops, tiles.tiles[1], *tiles.within]
    name = f"{fragment.name}_shared_dyn"
    data = Var(name, PointerType(PrimType(fragment.dtype), "shared.dyn"))
    shape = tuple([loop.extent for loop in relaxed])
    cache = Buffer(data, fragment.dtype, shape, (), IntImm(INT32, 0), name)
    copy.allocated.append(cache)
    copy.alignment[cache] = _ROW_ALIGNMENT
    place = tuple([loop.loop_var for loop in relaxed])
    first = _stored(tiles._replace(store=BufferStore(cache, load, place)), size)
    # the same places by other names, in whatever order threads come to them
    renamed = {loop.loop_var: Var(f"{loop.loop_var.name}_cache", loop.loop_var.dtype) for loop in relaxed}
    second = substitute(_Cached(fragment, BufferLoad(cache, place)).rewrite(tiles.store), renamed)
    for loop in reversed(relaxed):
        second = For(renamed[loop.loop_var], IntImm(loop.min.dtype, 0), loop.extent, ForKind.SERIAL, second)
    row = tiles.tiles[1].replace(body=first)
    return inside([*tiles.around, tiles.tiles[0]], seq(row, coalesced(second, copy)))


class _Cached(TirRewriter):
    """Elements of a fragment are read from its copy."""

    def __init__(self, fragment: Buffer, load: BufferLoad) -> None:
        super().__init__()
        self.fragment = fragment
        self.instead = load

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        return self.instead if node.buffer is self.fragment else super().load(node)


def _stored(tiles: Tiled, size: int) -> Stmt:
    """A block that stores a tile."""
    store = tiles.store
    load = store.value
    assert isinstance(load, BufferLoad), "fragments are stored as they are"
    source = _matched("src", _region(load.buffer, load.indices, tiles.within), size, is_strided=False)
    target = _matched("tgt", _region(store.buffer, store.indices, tiles.within), size, is_strided=True)
    if size == _MMA:
        return _block("mma_store", source, target, _results(source.buffer, target.buffer))
    address, row = _address(target.buffer, 2), _row(target.buffer)
    call = tvm_store_matrix_sync(*_tile(source.buffer), address, row, StringImm("row_major"))
    return _block("wmma_store", source, target, Evaluate(call))


def _results(source: Buffer, target: Buffer) -> Stmt:
    """Each thread of a warp stores the two results that it has."""
    lane, element = Var("tx", INT32), Var("vec", INT32)
    row = FloorDiv(lane, _int(4))
    column = Add(Mul(FloorMod(lane, _int(4)), _int(2)), element)
    store = BufferStore(target, BufferLoad(source, (row, column)), (row, column))
    loop = For(element, _int(0), _int(2), ForKind.VECTORIZED, store)
    axis = IterVar(Range.from_min_extent(_int(0), _int(32)), lane, IterKind.THREAD_INDEX, "threadIdx.x")
    return AttrStmt(axis, "thread_extent", _int(32), loop)


def _int(value: int) -> IntImm:
    return IntImm(INT32, value)


def _region(buffer: Buffer, indices: Sequence[Expr], loops: Sequence[For]) -> BufferRegion:
    """What is accessed while loops run."""
    analyzer = Analyzer()
    first = {loop.loop_var: loop.min for loop in loops}
    last = {loop.loop_var: loop.min + loop.extent - IntImm(loop.extent.dtype, 1) for loop in loops}
    ranges: list[Range] = []
    for index in indices:
        low, high = (analyzer.simplify(substitute(index, values)) for values in (first, last))
        ranges.append(Range.from_min_extent(low, analyzer.simplify(high - low + IntImm(index.dtype, 1))))
    return BufferRegion(buffer, tuple(ranges))


def _matched(name: str, region: BufferRegion, size: int, *, is_strided: bool) -> MatchBufferRegion:
    """A tile by its own name."""
    dtype: DType = region.buffer.dtype
    data = Var(name, PointerType(PrimType(dtype), region.buffer.storage_scope))
    strides = (Var("s1", INT32), Var("s0", INT32)) if is_strided else ()
    offset = Var(f"{name}_elem_offset", INT32)
    return MatchBufferRegion(Buffer(data, dtype, (_int(size), _int(size)), strides, offset, name, 64, size), region)


def _tile(buffer: Buffer) -> tuple[Expr, ...]:
    """Which fragment: its data, the sizes of a tile, and how many tiles are in front."""
    size = _int(_WMMA)
    whole = _int(_WMMA * _WMMA)
    number = Add(FloorDiv(buffer.elem_offset, whole), FloorDiv(FloorMod(buffer.elem_offset, whole), size))
    return buffer.data, size, size, size, number


def _address(buffer: Buffer, access: int) -> Expr:
    extent = Mul(buffer.strides[0], _int(_WMMA))
    return tvm_access_ptr(type_annotation(str(buffer.dtype)), buffer.data, buffer.elem_offset, extent, _int(access))


def _row(buffer: Buffer) -> Expr:
    return buffer.strides[0]


def _block(name: str, source: MatchBufferRegion, target: MatchBufferRegion, body: Stmt) -> Stmt:
    block = Block((), (source.source,), (target.source,), name, body, None, (), (source, target))
    return BlockRealize((), TRUE, block)
