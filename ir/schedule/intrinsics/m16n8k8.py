"""Products of 16x8 and 8x8 tiles on one warp, with register tiles in the scopes m16n8k8.matrixA, B and C.

Loads take four tiles at once. Which registers a tile has follows from where it is in its buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tvmscript.ir.schedule.intrinsics.builders import (
    Maker,
    buffer,
    call_stmt,
    copy,
    for_each_thread,
    function,
    integer,
    load,
    multiply,
    nest,
    pointer,
    store,
)
from tvmscript.ir.tir import Buffer, Expr, For, ForKind, IntImm, Stmt, Var, const
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

_WARP = 32


def _tile_origin(target: Buffer) -> tuple[Expr, Expr, Expr]:
    """The row and column of the origin of a tile, and the row stride."""
    stride = target.strides[0]
    return target.elem_offset // stride, target.elem_offset % stride, stride


def _registers_a(target: Buffer) -> Expr:
    row, column, stride = _tile_origin(target)
    return (row // 32 * (stride // 8) + column // 8) * 8 + row % 32 // 16 * 4


def _registers_b(target: Buffer) -> Expr:
    row, column, stride = _tile_origin(target)
    return (row // 8 * (stride // 32) + column // 32) * 8 + column % 32 // 8 * 2


def _registers_c(target: Buffer) -> Expr:
    row, column, stride = _tile_origin(target)
    return row // 8 // 2 * 2 * (stride // 8) + row // 8 % 2 + column // 8 * 2


def init(dtype: str) -> TensorIntrin:
    """Fill an accumulator tile with 0."""
    zero = const(0, dtype)

    def target() -> Buffer:
        return buffer("dst", (16, 8), dtype, "m16n8k8.matrixC", 1)

    dst = target()
    desc = function((dst,), (), (dst,), nest((16, 8), "SS", "init", lambda i, j: (load(dst, i, j), zero)))
    dst = target()

    def body(tx: Var) -> Stmt:
        half, lane = Var("half", "int32"), Var("lane", "int32")
        inner = store(dst, zero, half * 8 + tx // 4, tx % 4 * 2 + lane)
        pair = For(lane, integer(0), integer(2), ForKind.VECTORIZED, inner)
        return For(half, integer(0), integer(2), ForKind.SERIAL, pair)

    return TensorIntrin(desc, function((dst,), (), (dst,), for_each_thread(_WARP, body)))


def load_tiles(side: str, dtype: str, memory: str) -> TensorIntrin:
    """Load four tiles of a factor from shared memory by ldmatrix."""
    rows, columns = (32, 8) if side == "A" else (8, 32)

    def buffers(*, is_strided: bool) -> tuple[Buffer, Buffer]:
        src = buffer("src", (rows, columns), dtype, memory, 1, is_strided=is_strided)
        return src, buffer("dst", (rows, columns), dtype, f"m16n8k8.matrix{side}", 1, is_strided=is_strided)

    src, dst = buffers(is_strided=False)
    loops = copy((rows, columns), "root", lambda i, j: (load(dst, i, j), load(src, i, j)))
    desc = function((src, dst), (src,), (dst,), loops)
    src, dst = buffers(is_strided=True)
    stride = src.strides[0]

    def body(tx: Var) -> Stmt:
        registers = _registers_a(dst) if side == "A" else _registers_b(dst)
        row = tx * stride if side == "A" else tx % 8 * stride + tx // 8 * 8
        swaps = IntImm("bool", int(side == "B"))
        address = pointer(src, stride * rows, "r")
        return call_stmt("ptx_ldmatrix", dtype, swaps, 4, ".b16", dst.data, registers, address, row)

    return TensorIntrin(desc, function((src, dst), (src,), (dst,), for_each_thread(_WARP, body)))


def sync(dtype: str, total: str) -> TensorIntrin:
    """Add the product of two tiles to a tile."""

    def buffers(*, is_strided: bool) -> tuple[Buffer, Buffer, Buffer]:
        a = buffer("A", (16, 8), dtype, "m16n8k8.matrixA", 1, is_strided=is_strided)
        b = buffer("B", (8, 8), dtype, "m16n8k8.matrixB", 1, is_strided=is_strided)
        return a, b, buffer("C", (16, 8), total, "m16n8k8.matrixC", 1, is_strided=is_strided)

    a, b, c = buffers(is_strided=False)
    loops = multiply(
        total, (16, 8, 8), "SSR", "m16n8k8_sync", lambda i, j, k: (load(c, i, j), load(a, i, k), load(b, k, j))
    )
    desc = function((a, b, c), (c, a, b), (c,), loops)
    a, b, c = buffers(is_strided=True)
    registers = a.data, _registers_a(a), b.data, _registers_b(b), c.data, _registers_c(c)
    kinds = "m16n8k8", "row", "col", dtype, dtype, total
    body = call_stmt("ptx_mma", total, *kinds, *registers, IntImm("bool", 0))
    return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), body))


def store_tile(dtype: str) -> TensorIntrin:
    """Store an accumulator tile; the implementation is the copy itself."""
    src, dst = buffer("src", (16, 8), dtype, "m16n8k8.matrixC", 1), buffer("dst", (16, 8), dtype, "shared.dyn", 1)
    loops = copy((16, 8), "m16n8k8_store", lambda i, j: (load(dst, i, j), load(src, i, j)))
    func = function((src, dst), (src,), (dst,), loops)
    return TensorIntrin(func, func)


def _makers() -> Iterator[tuple[str, Maker]]:
    for side in "AB":
        yield f"mma_load_m16n8k8_f16_{side}_shared_dyn", partial(load_tiles, side, "float16", "shared.dyn")
    for short, dtype in (("f16", "float16"), ("f32", "float32")):
        yield f"mma_init_m16n8k8_{short}", partial(init, dtype)
        yield f"mma_sync_m16n8k8_f16f16{short}", partial(sync, "float16", dtype)
        yield f"mma_store_m16n8k8_{short}_global", partial(store_tile, dtype)


MAKERS: dict[str, Maker] = dict(_makers())
