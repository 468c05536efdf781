"""Attention by warp groups (wgmma, sm_90a): one group copies tiles of keys and values, two others compute.

J. Shah et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision", 2024.
"""

from __future__ import annotations

import textwrap
from typing import Final, NamedTuple

from tvmscript.ir.tir import PrimFunc
from tvmscript.parser.entry import from_source

ARCH: Final = "sm_90a"
#: elements of a head
SIZES: Final = (64, 128, 256)
#: queries of a block: 64 of each of two groups
_ROWS: Final = 128
#: bytes of shared memory of a block, without 1 KB for barriers and alignment
_SHARED_BYTES: Final = 226 * 1024
#: registers of a thread for scores, weights and sums, of 240: without a mask, with one
_REGISTERS: Final = (200, 176)
#: the time of a tile beside that of its keys, as a number of keys
_KEYS_OF_A_TILE: Final = 32

# Tiles have rows of 128 bytes, of 64 elements of a head, whose eight chunks of 16 bytes change places by the number of
# the row. Two tiles of keys and of values are in shared memory. Products of the next keys are under way beside those of
# the last values, and the softmax of the next scores beside the latter.
KERNEL = """
# from tvm.script import tirx as T
@T.prim_func
def main(Q: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}"),
         K: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         V: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         O: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
{maps}
    head = T.launch_thread("blockIdx.y", {batch} * {heads})
    bx = T.launch_thread("blockIdx.x", {blocks})
    group = T.launch_thread("threadIdx.y", 3)
    tx = T.launch_thread("threadIdx.x", 128)
    SQ = T.decl_buffer(({rows} * {size},), "{dtype}", scope="shared.dyn")
    SK = T.decl_buffer((2 * {tile} * {size},), "{dtype}", scope="shared.dyn")
    SV = T.decl_buffer((2 * {tile} * {size},), "{dtype}", scope="shared.dyn")
    full_q = T.decl_buffer((1,), "uint64", scope="shared")
    full_k = T.decl_buffer((2,), "uint64", scope="shared")
    full_v = T.decl_buffer((2,), "uint64", scope="shared")
    empty_k = T.decl_buffer((2,), "uint64", scope="shared")
    empty_v = T.decl_buffer((2,), "uint64", scope="shared")
    block: T.let[T.int32] = {block}
    tiles: T.let[T.int32] = {tiles}
    if group == 0 and tx == 0:
        T.ptx.mbarrier.init.shared__cta.b64(T.address_of(full_q[0]), T.uint32(1))
        for i in T.unroll(2):
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(full_k[i]), T.uint32(1))
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(full_v[i]), T.uint32(1))
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(empty_k[i]), T.uint32(8))
            T.ptx.mbarrier.init.shared__cta.b64(T.address_of(empty_v[i]), T.uint32(8))
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    if group == 2:
        T.ptx.setmaxnreg.dec.sync.aligned.u32(24)
        if tx == 0:
{copy_queries}
            for t in range(tiles):
{copy_tiles}
    else:
        T.ptx.setmaxnreg.inc.sync.aligned.u32(240)
        desc = T.decl_buffer((3,), "uint64", scope="local")
        s = T.decl_buffer(({tile} // 2,), "float32", scope="local")
        p = T.decl_buffer(({tile} // 4,), "uint32", scope="local")
        o = T.decl_buffer(({size} // 2,), "float32", scope="local")
        top = T.decl_buffer((2,), "float32", scope="local")
        new = T.decl_buffer((2,), "float32", scope="local")
        factor = T.decl_buffer((2,), "float32", scope="local")
        total = T.decl_buffer((2,), "float32", scope="local")
        limit = T.decl_buffer((2,), "int32", scope="local")
        first: T.let[T.int32] = block * {rows} + group * 64
        for i in T.unroll({size} // 2):
            o[i] = T.float32(0)
        for r in T.unroll(2):
            top[r] = T.float32(-1e30)
            total[r] = T.float32(0)
        T.cuda.wgmma.encode_matrix_descriptor(T.address_of(desc[0]), T.address_of(SQ[group * 4096]), 1, 64, 3)
        T.cuda.mbarrier_wait(T.address_of(full_q[0]), 0)
{first_scores}
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for t in range(tiles):
{weights}
            if t + 1 < tiles:
{scores}
{values}
            T.ptx.wgmma.wait_group.sync.aligned(1)
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for j in T.unroll({size} // 2):
            T.cuda.wgmma.noop_barrier(o[j])
        for r in T.unroll(2):
            for m in T.unroll(2):
                total[r] = total[r] + T.tvm_warp_shuffle(
                    T.tvm_warp_activemask(), total[r], T.bitwise_xor(tx % 32, m + 1), 32, 32)
            total[r] = T.float32(1) / total[r]
        for j in T.unroll({size} // 4):
            if first + tx // 32 * 16 + j % 2 * 8 + tx % 32 // 4 < {queries}:
                for v in T.vectorized(2):
                    O[head // {heads}, first + tx // 32 * 16 + j % 2 * 8 + tx % 32 // 4, head % {heads},
                      j // 2 * 8 + tx % 4 * 2 + v] = T.cast(o[j * 2 + v] * total[j % 2], "{dtype}")
"""
MAP = """
{name}_map: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
T.tensormap_encode_tiled(
    {name}_map, {name}.data, {size}, {heads}, {length}, {batch}, {size} * 2, {heads} * {size} * 2,
    {length} * {heads} * {size} * 2, 64, 1, {rows}, 1, 1, 1, 1, 1, descriptor_dtype="{dtype}", rank=4, interleave=0,
    swizzle=3, l2_promotion=2, oob_fill=0, force_cu_dtype=-1)
"""
#: the copy of a tile, 64 elements of its rows at a time
COPY = """
T.ptx.mbarrier.arrive.expect_tx.shared__cta.b64(T.address_of({barrier}), T.uint32({rows} * {size} * 2))
for part in T.unroll({size} // 64):
    T.ptx.cp(T.address_of(S{name}[{start} + part * {rows} * 64]), {name}_map, part * 64, head % {heads}, {row},
             head // {heads}, T.address_of({barrier}), "async", "bulk", "tensor", "4d", "shared::cluster", "global",
             "tile", "mbarrier::complete_tx::bytes", "mbarrier::report::disabled", "")
"""
SCORES = """
T.cuda.mbarrier_wait(T.address_of(full_k[{t} % 2]), {t} // 2 % 2)
T.cuda.wgmma.encode_matrix_descriptor(
    T.address_of(desc[1]), T.address_of(SK[{t} % 2 * {tile} * {size}]), 1, 64, 3)
T.ptx.wgmma.fence.sync.aligned()
for k in T.unroll({size} // 16):
    T.ptx.wgmma.mma_async.sync.aligned.m64n{tile}k16.f32.{ptx}.{ptx}(
        {registers}, desc[0] + T.cast(k // 4 * {rows} * 8 + k % 4 * 2, "uint64"),
        desc[1] + T.cast(k // 4 * {tile} * 8 + k % 4 * 2, "uint64"), k != 0, 1, 1, 0, 0)
T.ptx.wgmma.commit_group.sync.aligned()
"""
VALUES = """
T.cuda.mbarrier_wait(T.address_of(full_v[t % 2]), t // 2 % 2)
T.cuda.wgmma.encode_matrix_descriptor(
    T.address_of(desc[2]), T.address_of(SV[t % 2 * {tile} * {size}]), {tile} * 8, 64, 3)
T.ptx.wgmma.fence.sync.aligned()
for k in T.unroll({tile} // 16):
    T.ptx.wgmma.mma_async.sync.aligned.m64n{size}k16.f32.{ptx}.{ptx}(
        {registers}, p[k * 4], p[k * 4 + 1], p[k * 4 + 2], p[k * 4 + 3], desc[2] + T.cast(k * 128, "uint64"),
        True, 1, 1, 1)
T.ptx.wgmma.commit_group.sync.aligned()
"""
WEIGHTS = """
for j in T.unroll({tile} // 2):
    T.cuda.wgmma.noop_barrier(s[j])
T.cuda.warp_sync()
if tx % 32 == 0:
    T.ptx.mbarrier.arrive.shared__cta.b64(T.address_of(empty_k[t % 2]))
{mask}
for r in T.unroll(2):
    new[r] = top[r]
for j in T.unroll({tile} // 2):
    T.ptx.max.f32(new[j // 2 % 2], new[j // 2 % 2], s[j])
for r in T.unroll(2):
    for m in T.unroll(2):
        T.ptx.max.f32(new[r], new[r], T.tvm_warp_shuffle(
            T.tvm_warp_activemask(), new[r], T.bitwise_xor(tx % 32, m + 1), 32, 32))
    T.ptx.ex2.approx.ftz.f32(factor[r], (top[r] - new[r]) * T.float32({scale}))
    total[r] = total[r] * factor[r]
    top[r] = new[r]
    new[r] = new[r] * T.float32({scale})
for j in T.unroll({tile} // 2):
    T.ptx.ex2.approx.ftz.f32(s[j], s[j] * T.float32({scale}) - new[j // 2 % 2])
    total[j // 2 % 2] = total[j // 2 % 2] + s[j]
T.ptx.wgmma.wait_group.sync.aligned(0)
for j in T.unroll({size} // 2):
    T.cuda.wgmma.noop_barrier(o[j])
T.cuda.warp_sync()
if tx % 32 == 0 and t > 0:
    T.ptx.mbarrier.arrive.shared__cta.b64(T.address_of(empty_v[(t + 1) % 2]))
for j in T.unroll({size} // 2):
    o[j] = o[j] * factor[j // 2 % 2]
for j in T.unroll({tile} // 4):
    p[j] = T.reinterpret("uint32", T.Cast("{dtype}x2", s[T.Ramp(j * 2, 1, 2)]))
"""
#: keys after the last one have no weight, nor those that a causal query does not see
MASK = """
if {needed}:
    for r in T.unroll(2):
        limit[r] = {limit} - t * {tile} - tx % 4 * 2
    for j in T.unroll({tile} // 2):
        s[j] = T.if_then_else(j // 4 * 8 + j % 2 <= limit[j // 2 % 2], s[j], T.float32(-1e30))
"""


class Heads(NamedTuple):
    """What attention is computed of."""

    batch: int
    queries: int
    keys: int
    heads: int
    size: int
    dtype: str
    is_causal: bool
    #: of scores, before two is raised to the power of them
    scale: float


def choose_tile(heads: Heads) -> int:
    """Return how many keys a tile has: those that take the least time, of those that fit in registers and memory.

    The tiles of causal attention end where the queries of blocks do: few of them need a mask.

    >>> [choose_tile(Heads(4, 4096, 4096, 32, 128, "float16", causal, 1.0)) for causal in (False, True)]
    [176, 128]
    """

    def fits(tile: int) -> bool:
        bytes_of_a_key = heads.size * 2
        registers = tile * 3 // 4 + heads.size // 2
        return registers <= _REGISTERS[heads.is_causal] and (_ROWS + 4 * tile) * bytes_of_a_key <= _SHARED_BYTES

    def cost(tile: int) -> int:
        tiles = -(-heads.keys // tile)
        blocks = -(-heads.queries // _ROWS)
        counts = [min(-(-(block + 1) * _ROWS // tile), tiles) if heads.is_causal else tiles for block in range(blocks)]
        return sum(counts) * (tile + _KEYS_OF_A_TILE)

    tiles = (_ROWS, _ROWS // 2) if heads.is_causal else range(192, 48, -16)
    return min([tile for tile in tiles if fits(tile)], key=cost)


def hopper_attention(heads: Heads, tile: int | None = None) -> PrimFunc:
    """Return the kernel for sm_90a of softmax(Q @ K.T * scale) @ V for arrays (batch, length, heads, size).

    The scale is positive, the dtype float16 or bfloat16.
    """
    keys = choose_tile(heads) if tile is None else tile
    tiles, blocks = -(-heads.keys // keys), -(-heads.queries // _ROWS)
    shape = {name: getattr(heads, name) for name in ("batch", "queries", "keys", "heads", "size", "dtype")}
    shape |= {"tile": keys, "rows": _ROWS, "scale": repr(heads.scale)}
    ptx = "f16" if heads.dtype == "float16" else "bf16"

    def piece(depth: int, *texts: str, **values: object) -> str:
        return textwrap.indent("".join(texts).format(**(shape | values)).strip("\n"), " " * depth)

    def scores(t: str, depth: int) -> str:
        registers = ", ".join(f"s[{place}]" for place in range(keys // 2))
        return piece(depth, SCORES, t=t, ptx=ptx, registers=registers)

    def values(depth: int) -> str:
        registers = ", ".join(f"o[{place}]" for place in range(heads.size // 2))
        return piece(depth, VALUES, ptx=ptx, registers=registers)

    def weights(depth: int) -> str:
        needed, limit = [], "first + tx // 32 * 16 + r * 8 + tx % 32 // 4"
        if heads.is_causal:
            needed.append(f"t * {keys} + {keys - 1} > first")
        if heads.keys % keys:
            needed.append(f"t == {tiles - 1}")
            limit = f"T.min({limit}, {heads.keys - 1})" if heads.is_causal else f"{heads.keys - 1}"
        mask = piece(0, MASK, needed=" or ".join(needed), limit=limit) if needed else ""
        return piece(depth, WEIGHTS, mask=mask)

    def copies(name: str, row: str, barrier: str, start: str, rows: int, depth: int) -> str:
        return piece(depth, COPY, name=name, row=row, barrier=barrier, start=start, rows=rows)

    lengths = {"Q": (heads.queries, _ROWS), "K": (heads.keys, keys), "V": (heads.keys, keys)}
    waits = {name: f"T.cuda.mbarrier_wait(T.address_of(empty_{name}[t % 2]), (t // 2 + 1) % 2)\n" for name in "kv"}
    func = from_source(
        KERNEL.format(
            **shape, blocks=blocks, block=f"{blocks - 1} - bx" if heads.is_causal else "bx",
            tiles=f"T.min((block * {_ROWS} + {_ROWS - 1}) // {keys} + 1, {tiles})" if heads.is_causal else tiles,
            maps="\n".join(piece(4, MAP, name=name, length=each, rows=rows) for name, (each, rows) in lengths.items()),
            copy_queries=copies("Q", f"block * {_ROWS}", "full_q[0]", "0", _ROWS, 12),
            copy_tiles="\n".join(
                textwrap.indent(waits[name], " " * 16)
                + copies(name.upper(), f"t * {keys}", f"full_{name}[t % 2]", f"t % 2 * {keys} * {heads.size}", keys, 16)
                for name in "kv"
            ),
            first_scores=scores("0", 8), weights=weights(12), scores=scores("(t + 1)", 16), values=values(12),
        )
    )  # fmt: skip
    assert isinstance(func, PrimFunc)
    return func
