"""Warp-level WMMA matrix products: fill, load, multiply, store.

Tiles are `wmma.matrix_a`, `wmma.matrix_b` and `wmma.accumulator` memory; the instructions number them by where they
are in the buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tvmscript.ir.schedule.intrinsics.builders import (
    Maker,
    buffer,
    call_stmt,
    copy,
    function,
    load,
    multiply,
    nest,
    pointer,
)
from tvmscript.ir.tir import Buffer, Expr, const
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

#: m, n, k
Shape = tuple[int, int, int]
_DTYPES = {"f16": "float16", "f32": "float32", "s8": "int8", "s4": "int4", "s32": "int32"}
_ORDER = {False: "row_major", True: "col_major"}


def make_tile(name: str, rows: int, columns: int, dtype: str, scope: str, *, is_strided: bool) -> Buffer:
    """Construct a tile buffer; its offset is a multiple of its columns."""
    return buffer(name, (rows, columns), dtype, scope, columns, is_strided=is_strided)


def tile_index(target: Buffer) -> Expr:
    """The index of a tile in its buffer, row by row."""
    rows, columns = target.shape
    stride = target.strides[0]
    row, column = target.elem_offset // stride, target.elem_offset % stride
    return row // rows * (stride // columns) + column // columns


def fill(shape: Shape, dtype: str) -> TensorIntrin:
    """Fill an accumulator with 0."""
    rows, columns, _ = shape
    zero = const(0, dtype)
    c = make_tile("C", rows, columns, dtype, "wmma.accumulator", is_strided=False)
    desc = function((c,), (), (c,), nest((rows, columns), "SS", "init", lambda i, j: (load(c, i, j), zero)))
    c = make_tile("C", rows, columns, dtype, "wmma.accumulator", is_strided=True)
    return TensorIntrin(
        desc,
        function((c,), (), (c,), call_stmt("tvm_fill_fragment", c.data, *shape, tile_index(c), const(0.0, "float32"))),
    )


def load_tile(shape: Shape, dtype: str, side: str, memory: str, is_transposed: bool) -> TensorIntrin:
    """Load a tile of the left or right factor ("a", "b")."""
    m, n, k = shape
    rows, columns = (m, k) if side == "a" else (k, n)
    if is_transposed:
        rows, columns = columns, rows
    scopes = memory, f"wmma.matrix_{side}"
    a, c = (make_tile(x, rows, columns, dtype, y, is_strided=False) for x, y in zip("AC", scopes, strict=True))
    loops = copy((rows, columns), "load", lambda i, j: (load(c, i, j), load(a, i, j)))
    desc = function((a, c), (a,), (c,), loops)
    a, c = (make_tile(x, rows, columns, dtype, y, is_strided=True) for x, y in zip("AC", scopes, strict=True))
    address = pointer(a, a.strides[0] * rows, "r")
    body = call_stmt(
        "tvm_load_matrix_sync", c.data, *shape, tile_index(c), address, a.strides[0], _ORDER[is_transposed]
    )
    return TensorIntrin(desc, function((a, c), (a,), (c,), body))


def store_tile(shape: Shape, dtype: str, memory: str) -> TensorIntrin:
    """Store an accumulator."""
    rows, columns, _ = shape
    scopes = "wmma.accumulator", memory
    a, c = (make_tile(x, rows, columns, dtype, y, is_strided=False) for x, y in zip("AC", scopes, strict=True))
    loops = copy((rows, columns), "store", lambda i, j: (load(c, i, j), load(a, i, j)))
    desc = function((a, c), (a,), (c,), loops)
    a, c = (make_tile(x, rows, columns, dtype, y, is_strided=True) for x, y in zip("AC", scopes, strict=True))
    address = pointer(c, c.strides[0] * rows, "w")
    body = call_stmt("tvm_store_matrix_sync", a.data, *shape, tile_index(a), address, c.strides[0], "row_major")
    return TensorIntrin(desc, function((a, c), (a,), (c,), body))


def sync(shape: Shape, dtype: str, total: str, is_transposed: bool) -> TensorIntrin:
    """Add the product of two tiles to an accumulator; the right one may be transposed."""
    m, n, k = shape

    def tiles(*, is_strided: bool) -> tuple[Buffer, Buffer, Buffer]:
        a = make_tile("A", m, k, dtype, "wmma.matrix_a", is_strided=is_strided)
        b = make_tile("B", *((n, k) if is_transposed else (k, n)), dtype, "wmma.matrix_b", is_strided=is_strided)
        return a, b, make_tile("C", m, n, total, "wmma.accumulator", is_strided=is_strided)

    a, b, c = tiles(is_strided=False)
    loops = multiply(
        total,
        shape,
        "SSR",
        "",
        lambda i, j, r: (load(c, i, j), load(a, i, r), load(b, *((j, r) if is_transposed else (r, j)))),
    )
    desc = function((a, b, c), (c, a, b), (c,), loops)
    a, b, c = tiles(is_strided=True)
    tiles_of = [part for item in (c, a, b, c) for part in (item.data, tile_index(item))]
    return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), call_stmt("tvm_mma_sync", *tiles_of)))


_CUBE: Shape = (16, 16, 16)
_FLAT: Shape = (8, 8, 32)
_SHARED = {"shared": "shared", "shared_dyn": "shared.dyn"}


def _makers() -> Iterator[tuple[str, Maker]]:
    for factor, totals in (("f16", ("f32", "f16")), ("s8", ("s32",))):
        for total in totals:
            for suffix, is_transposed in (("", False), ("_trans", True)):
                name = f"wmma_sync_16x16x16_{factor}{factor}{total}{suffix}"
                yield name, partial(sync, _CUBE, _DTYPES[factor], _DTYPES[total], is_transposed)
        for side in "ab":
            for suffix, is_transposed in (("", False), ("_trans", True)):
                for short, memory in _SHARED.items():
                    name = f"wmma_load_16x16x16_{factor}_{side}{suffix}_{short}"
                    yield name, partial(load_tile, _CUBE, _DTYPES[factor], side, memory, is_transposed)
    yield "wmma_sync_8x8x32_s4s4s32_trans", partial(sync, _FLAT, "int4", "int32", True)
    for short, memory in _SHARED.items():
        yield f"wmma_load_8x8x32_s4_a_{short}", partial(load_tile, _FLAT, "int4", "a", memory, False)
        yield f"wmma_load_8x8x32_s4_b_trans_{short}", partial(load_tile, _FLAT, "int4", "b", memory, True)
    for shape, total in ((_CUBE, "f32"), (_CUBE, "f16"), (_CUBE, "s32"), (_FLAT, "s32")):
        size = "x".join(map(str, shape))
        yield f"wmma_fill_{size}_{total}", partial(fill, shape, _DTYPES[total])
        for short, memory in {**_SHARED, "global": "global"}.items():
            yield f"wmma_store_{size}_{total}_{short}", partial(store_tile, shape, _DTYPES[total], memory)


MAKERS: dict[str, Maker] = dict(_makers())
