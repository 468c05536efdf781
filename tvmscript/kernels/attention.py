"""Attention on tensor cores: online softmax, scores and weights in registers, tiles of keys and values ahead.

T. Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning", 2023.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Final

from tvmscript.ir.core import IRModule, Target
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.schedule.default.gpu.tile_model import arch_of
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.tir import Buffer, IntImm, PrimFunc
from tvmscript.ir.topi import graph
from tvmscript.kernels.errors import NoSuchKernel
from tvmscript.kernels.hopper_attention import ARCH as HOPPER
from tvmscript.kernels.hopper_attention import SIZES as HOPPER_SIZES
from tvmscript.kernels.hopper_attention import Heads, hopper_attention
from tvmscript.parser.entry import from_source

#: queries of a block, keys of a tile
_TILE: Final = 64
#: sizes of heads, whose rows have whole patterns of 128 bytes
_SIZES: Final = (64, 128)
_FIRST_ARCH: Final = 80
#: dtype -> its name in instructions
_SHORT_NAMES: Final = {"float16": "fp16", "bfloat16": "bf16"}

# A block has 64 queries, a warp 16 of them. A tile of 64 keys and values is in one of two buffers while the other one
# is filled; chunks of 16 bytes change places by the number of the row, against conflicts of banks.
KERNEL = """
@T.prim_func
def main(Q: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}"),
         K: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         V: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         O: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    head = T.launch_thread("blockIdx.y", {batch} * {heads})
    block = T.launch_thread("blockIdx.x", ({queries} + 63) // 64)
    tx = T.launch_thread("threadIdx.x", 128)
    SQ = T.decl_buffer((64 * {size},), "{dtype}", scope="shared.dyn")
    SK = T.decl_buffer((128 * {size},), "{dtype}", scope="shared.dyn")
    SV = T.decl_buffer((128 * {size},), "{dtype}", scope="shared.dyn")
    q = T.decl_buffer(({size} // 2,), "{dtype}", scope="local")
    b = T.decl_buffer((8,), "{dtype}", scope="local")
    s = T.decl_buffer((32,), "float32", scope="local")
    p = T.decl_buffer((32,), "{dtype}", scope="local")
    o = T.decl_buffer(({size} // 2,), "float32", scope="local")
    top = T.decl_buffer((2,), "float32", scope="local")
    new = T.decl_buffer((2,), "float32", scope="local")
    total = T.decl_buffer((2,), "float32", scope="local")
{copy_queries}
{copy_first}
    T.ptx_commit_group()
    for i in T.unroll({size} // 2):
        o[i] = T.float32(0)
    for i in T.unroll(2):
        top[i] = T.float32(-1e30)
        total[i] = T.float32(0)
    for t in range({tiles}):
        if t + 1 < {tiles}:
{copy_next}
        T.ptx_commit_group()
        T.ptx_wait_group(1)
        T.tvm_storage_sync("shared.dyn")
        if t == 0:
            for k in T.unroll({size} // 16):
                T.ptx_ldmatrix("{dtype}", False, 4, ".b16", q.data, k * 8, SQ.data,
                               (tx // 32 * 16 + tx % 16) * {size} + T.bitwise_xor(k * 2 + tx % 32 // 16, tx % 8) * 8)
        for i in T.unroll(32):
            s[i] = T.float32(0)
        for k in T.unroll({size} // 16):
            for n in T.unroll(4):
                T.ptx_ldmatrix("{dtype}", False, 4, ".b16", b.data, 0, SK.data, t % 2 * 64 * {size}
                               + (n * 16 + tx % 32 // 16 * 8 + tx % 8) * {size}
                               + T.bitwise_xor(k * 2 + tx % 16 // 8, tx % 8) * 8)
                for h in T.unroll(2):
                    T.ptx_mma("float32", "m16n8k16", "row", "col", "{short}", "{short}", "fp32", q.data, k * 8, b.data,
                              h * 4, s.data, n * 8 + h * 4, False)
        for r in T.unroll(2):
            new[r] = top[r]
        for i in T.unroll(32):
            s[i] = {masked}
            new[i // 2 % 2] = T.max(new[i // 2 % 2], s[i])
        for r in T.unroll(2):
            for m in T.unroll(2):
                new[r] = T.max(new[r], T.tvm_warp_shuffle(
                    T.tvm_warp_activemask(), new[r], T.bitwise_xor(tx % 32, m + 1), 32, 32))
            top[r] = T.exp2(top[r] - new[r])
            total[r] = total[r] * top[r]
        for i in T.unroll({size} // 2):
            o[i] = o[i] * top[i // 2 % 2]
        for i in T.unroll(32):
            s[i] = T.exp2(s[i] - new[i // 2 % 2])
            total[i // 2 % 2] = total[i // 2 % 2] + s[i]
            p[i] = T.cast(s[i], "{dtype}")
        for r in T.unroll(2):
            top[r] = new[r]
        for k in T.unroll(4):
            for n in T.unroll({size} // 16):
                T.ptx_ldmatrix("{dtype}", True, 4, ".b16", b.data, 0, SV.data, t % 2 * 64 * {size}
                               + (k * 16 + tx % 16) * {size} + T.bitwise_xor(n * 2 + tx % 32 // 16, tx % 8) * 8)
                for h in T.unroll(2):
                    T.ptx_mma("float32", "m16n8k16", "row", "col", "{short}", "{short}", "fp32", p.data, k * 8, b.data,
                              h * 4, o.data, n * 8 + h * 4, False)
        T.tvm_storage_sync("shared.dyn")
    for r in T.unroll(2):
        for m in T.unroll(2):
            total[r] = total[r] + T.tvm_warp_shuffle(
                T.tvm_warp_activemask(), total[r], T.bitwise_xor(tx % 32, m + 1), 32, 32)
    for i in T.unroll({size} // 4):
        if block * 64 + tx // 32 * 16 + i % 2 * 8 + tx % 32 // 4 < {queries}:
            for v in T.vectorized(2):
                O[head // {heads}, block * 64 + tx // 32 * 16 + i % 2 * 8 + tx % 32 // 4, head % {heads},
                  i // 2 * 8 + tx % 4 * 2 + v] = T.cast(o[i * 2 + v] / total[i % 2], "{dtype}")
"""
COPY = """
for i in T.unroll({size} // 16):
    T.ptx_cp_async("{dtype}", {shared}.data, ({tile}) % 2 * 64 * {size} + (i * 128 + tx) // ({size} // 8) * {size}
                   + T.bitwise_xor((i * 128 + tx) % ({size} // 8), (i * 128 + tx) // ({size} // 8) % 8) * 8,
                   {given}.data, ((head // {heads} * {length} + ({first}) * 64 + (i * 128 + tx) // ({size} // 8))
                                  * {heads} + head % {heads}) * {size} + (i * 128 + tx) % ({size} // 8) * 8, 16,
                   ({first}) * 64 + (i * 128 + tx) // ({size} // 8) < {length})
"""


def attention(
    batch: int,
    queries: int,
    keys: int,
    heads: int,
    size: int,
    *,
    causal: bool = False,
    scale: float | None = None,
    dtype: str = "float16",
    arch: str = "sm_80",
) -> PrimFunc:
    """Return the kernel of softmax(Q @ K.T * scale) @ V for arrays (batch, length, heads, size).

    With `causal`, a query has the keys up to its own place. The scale is 1 / sqrt(size) where none is given. For sm_90a
    warp groups multiply, and keys come ahead by tensor maps. Raises `NoSuchKernel`.
    """
    factor = math.log2(math.e) * (size**-0.5 if scale is None else scale)
    is_for_groups = arch == HOPPER and factor > 0
    sizes = HOPPER_SIZES if is_for_groups else _SIZES
    if size not in sizes or dtype not in _SHORT_NAMES:
        reason = f"heads have {' or '.join(map(str, sizes))} elements of {' or '.join(_SHORT_NAMES)}"
        raise NoSuchKernel(kernel="attention", given=f"heads of {size} of {dtype}", reason=reason)
    if is_for_groups:
        return hopper_attention(Heads(batch, queries, keys, heads, size, dtype, causal, factor))

    def copies(names: str, tile: str, first: str, depth: int) -> str:
        lengths = {"Q": queries, "K": keys, "V": keys}
        texts = [
            COPY.format(
                size=size, dtype=dtype, length=lengths[name], heads=heads, shared=f"S{name}", given=name, tile=tile,
                first=first,
            )
            for name in names
        ]  # fmt: skip
        return textwrap.indent("".join(texts), " " * depth)

    tiles = -(-keys // _TILE)
    scaled = f"s[i] * T.float32({factor!r})"
    column = "t * 64 + i // 4 * 8 + tx % 4 * 2 + i % 2"
    conditions = [f"{column} < {keys}"] if keys % _TILE else []
    if causal:
        conditions.append(f"{column} <= block * 64 + tx // 32 * 16 + i // 2 % 2 * 8 + tx % 32 // 4")
    masked = f"T.if_then_else({' and '.join(conditions)}, {scaled}, T.float32(-1e30))" if conditions else scaled
    func = from_source(
        KERNEL.format(
            batch=batch, queries=queries, keys=keys, heads=heads, size=size, masked=masked, dtype=dtype,
            short=_SHORT_NAMES[dtype],
            tiles=f"T.min(block + 1, {tiles})" if causal else tiles,
            copy_queries=copies("Q", "0", "block", 4), copy_first=copies("KV", "0", "0", 4),
            copy_next=copies("KV", "t + 1", "t + 1", 12),
        )
    )  # fmt: skip
    assert isinstance(func, PrimFunc)
    return func


class Attention(ScheduleRule):
    """Replace attention, as the operator defines it, by a kernel that keeps scores in registers.

    Scores and sums are float32, where the operator's definition rounds to float16 or bfloat16.
    """

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the kernel, None if the function is no attention that it computes."""
        buffers = [buffer for param in func.params if (buffer := func.buffer_map.get(param)) is not None]
        shapes = [_constant_shape(buffer) for buffer in buffers]
        dtypes = {str(buffer.dtype) for buffer in buffers}
        if target.kind != "cuda" or arch_of(target) < _FIRST_ARCH or len(func.params) != 4 or len(shapes) != 4:
            return None
        query, key, value, result = shapes
        if len(dtypes) != 1 or len(query) != 4 or query != result or key != value or query[2:] != key[2:]:
            return None
        (dtype,) = dtypes
        batch, queries, heads, size = query
        if key[0] != batch or dtype not in _SHORT_NAMES:
            return None
        for mask in (None, "TopLeft"):
            if structural_equal(_definition(query, key, mask, dtype).replace(attrs={}), func.replace(attrs={})):
                arch = str(target.options.get("arch"))
                is_causal = mask is not None
                try:
                    kernel = attention(batch, queries, key[1], heads, size, causal=is_causal, dtype=dtype, arch=arch)
                except NoSuchKernel:
                    return None
                return Schedule(IRModule({"main": kernel}))
        return None


def _constant_shape(buffer: Buffer) -> tuple[int, ...]:
    """Return the shape of a buffer, empty where it is no constant."""
    extents = [extent.value for extent in buffer.shape if isinstance(extent, IntImm)]
    return tuple(extents) if len(extents) == len(buffer.shape) else ()


def _definition(query: Sequence[int], key: Sequence[int], mask: str | None, dtype: str) -> PrimFunc:
    """Return the program of the operator."""
    q, k, v = (placeholder(shape, dtype, name) for shape, name in ((query, "q"), (key, "k"), (key, "v")))
    return create_prim_func([q, k, v, graph.attention(q, k, v, None, None, mask, None)])
