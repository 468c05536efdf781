"""Attention on tensor cores: online softmax, scores and weights in registers, tiles of keys and values ahead.

T. Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning", 2023.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

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
TILE: Final = 64
#: sizes of heads, whose rows have whole patterns of 128 bytes
SIZES: Final = (64, 128)
_FIRST_ARCH: Final = 80
#: dtype -> its name in instructions
SHORT_NAMES: Final = {"float16": "fp16", "bfloat16": "bf16"}

HEADER = """
@T.prim_func
def main(Q: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}"),
         K: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         V: T.Buffer(({batch}, {keys}, {heads}, {size}), "{dtype}"),
         O: T.Buffer(({batch}, {queries}, {heads}, {size}), "{dtype}")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    head = T.launch_thread("blockIdx.y", {batch} * {heads})
    block = T.launch_thread("blockIdx.x", ({queries} + 63) // 64)
    tx = T.launch_thread("threadIdx.x", 128)
"""
# A block has 64 queries, a warp 16 of them. A tile of 64 keys and values is in one of two buffers while the other one
# is filled; chunks of 16 bytes change places by the number of the row, against conflicts of banks.
BODY = """
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
        if {is_query}:
            for v in T.vectorized(2):
                O[{result}, i // 2 * 8 + tx % 4 * 2 + v] = T.cast(o[i * 2 + v] / total[i % 2], "{dtype}")
"""
COPY = """
for i in T.unroll({size} // 16):
    T.ptx_cp_async("{dtype}", S{array}.data, ({tile}) % 2 * 64 * {size} + {row} * {size}
                   + T.bitwise_xor((i * 128 + tx) % ({size} // 8), {row} % 8) * 8,
                   {array}.data, ({source}) * {size} + (i * 128 + tx) % ({size} // 8) * 8, 16, {condition})
"""


class Source(NamedTuple):
    """Where the rows of an array are that a block copies."""

    #: place of a row among all rows of the array, text with {row}, the row behind the first one
    place: str
    #: whether there is a row
    condition: str


class AttentionProgram(NamedTuple):
    """What the programs of attention on tensor cores differ in, as text. The row of a query in its tile is {query}."""

    header: str
    size: int
    dtype: str
    queries: Source
    keys: Source
    #: tiles of 64 keys of a block
    tiles: str
    #: conditions of a key {key} and a query of the tile
    masks: Sequence[str]
    #: scale of the scores times log2(e)
    factor: str
    #: indices of the result before the element of the head
    result: str

    def parse(self) -> PrimFunc:
        """Return the program."""

        def copies(names: str, tile: str, depth: int) -> str:
            row = f"((i * 128 + tx) // ({self.size} // 8))"
            texts = []
            for name in names:
                source = self.queries if name == "Q" else self.keys
                own = row if name == "Q" else f"(({tile}) * {TILE} + {row})"
                place, condition = source.place.format(row=own), source.condition.format(row=own)
                texts.append(
                    COPY.format(
                        size=self.size, dtype=self.dtype, array=name, tile=tile, row=row, source=place,
                        condition=condition,
                    )
                )  # fmt: skip
            return textwrap.indent("".join(texts), " " * depth)

        query = "tx // 32 * 16 + {} % 2 * 8 + tx % 32 // 4"
        scaled = f"s[i] * {self.factor}"
        key = f"t * {TILE} + i // 4 * 8 + tx % 4 * 2 + i % 2"
        masks = [f"({mask.format(key=key, query=query.format('i // 2'))})" for mask in self.masks]
        masked = f"T.if_then_else({' and '.join(masks)}, {scaled}, T.float32(-1e30))" if masks else scaled
        body = BODY.format(
            size=self.size, dtype=self.dtype, short=SHORT_NAMES[self.dtype], masked=masked, tiles=self.tiles,
            copy_queries=copies("Q", "0", 4), copy_first=copies("KV", "0", 4), copy_next=copies("KV", "t + 1", 12),
            is_query=self.queries.condition.format(row=f"({query.format('i')})"),
            result=self.result.format(query=query.format("i")),
        )  # fmt: skip
        func = from_source(self.header + body)
        assert isinstance(func, PrimFunc)
        return func


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
    sizes = HOPPER_SIZES if is_for_groups else SIZES
    if size not in sizes or dtype not in SHORT_NAMES:
        reason = f"heads have {' or '.join(map(str, sizes))} elements of {' or '.join(SHORT_NAMES)}"
        raise NoSuchKernel(kernel="attention", given=f"heads of {size} of {dtype}", reason=reason)
    if is_for_groups:
        return hopper_attention(Heads(batch, queries, keys, heads, size, dtype, causal, factor))

    tiles = -(-keys // TILE)
    place = f"(block * {TILE} + {{row}})"
    sequence = f"head // {heads}"
    masks = [f"{{key}} < {keys}"] if keys % TILE else []
    if causal:
        masks.append(f"{{key}} <= block * {TILE} + {{query}}")
    return AttentionProgram(
        HEADER.format(batch=batch, queries=queries, keys=keys, heads=heads, size=size, dtype=dtype), size, dtype,
        Source(f"({sequence} * {queries} + {place}) * {heads} + head % {heads}", f"{place} < {queries}"),
        Source(f"({sequence} * {keys} + {{row}}) * {heads} + head % {heads}", f"{{row}} < {keys}"),
        f"T.min(block + 1, {tiles})" if causal else str(tiles), masks, f"T.float32({factor!r})",
        f"{sequence}, block * {TILE} + {{query}}, head % {heads}",
    ).parse()  # fmt: skip


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
        if key[0] != batch or dtype not in SHORT_NAMES:
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
