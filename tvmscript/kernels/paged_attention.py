"""Attention of one query a sequence, whose keys and values are in pages: parts of sequences, then their combination.

W. Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023; T. Dao et al.,
"Flash-Decoding for long-context inference", 2023.
"""

from __future__ import annotations

import math
from typing import Final

from tvmscript.ir.tir import PrimFunc
from tvmscript.kernels.errors import NoSuchKernel
from tvmscript.parser.entry import from_source

#: sizes of heads, whose rows are loaded by 16 bytes a thread
_SIZES: Final = (64, 128, 256)
#: query heads that share a key at most: a thread has eight elements of each in registers
_MOST_SHARED: Final = 8

# A block has a part of a sequence and a head of keys, with all query heads that share it. Size // 8 threads have a key,
# 16 bytes each; each of these groups has its own maximum and sums, which are combined through shared memory. There the
# two halves of what a thread has are apart, and in other banks: vectors of neighbouring threads are neighbours.
KERNEL = """
@T.prim_func
def main(Q: T.Buffer(({batch}, {heads}, {size}), "float16"),
         K: T.Buffer(({pages}, {page}, {kv_heads}, {size}), "float16"),
         V: T.Buffer(({pages}, {page}, {kv_heads}, {size}), "float16"),
         Table: T.Buffer(({batch}, {most_pages}), "int32"), Lengths: T.Buffer(({batch},), "int32"),
         Parts: T.Buffer(({batch}, {heads}, {parts}, {size}), "float32"),
         Sums: T.Buffer(({batch}, {heads}, {parts}, 2), "float32"),
         O: T.Buffer(({batch}, {heads}, {size}), "float16")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    with T.launch_thread("blockIdx.z", {batch}) as sequence:
        head = T.launch_thread("blockIdx.y", {kv_heads})
        part = T.launch_thread("blockIdx.x", {parts})
        tx = T.launch_thread("threadIdx.x", 128)
        SO = T.decl_buffer(({groups} * {shared} * 2 * {half},), "float32", scope="shared.dyn")
        SM = T.decl_buffer(({groups} * {shared},), "float32", scope="shared.dyn")
        SL = T.decl_buffer(({groups} * {shared},), "float32", scope="shared.dyn")
        q = T.decl_buffer(({shared} * 8,), "float32", scope="local")
        k = T.decl_buffer((8,), "float16", scope="local")
        v = T.decl_buffer((8,), "float16", scope="local")
        s = T.decl_buffer(({shared},), "float32", scope="local")
        o = T.decl_buffer(({shared} * 8,), "float32", scope="local")
        top = T.decl_buffer(({shared},), "float32", scope="local")
        old = T.decl_buffer((1,), "float32", scope="local")
        total = T.decl_buffer(({shared},), "float32", scope="local")
        place = T.decl_buffer((1,), "int32", scope="local")
        count = T.decl_buffer((1,), "int32", scope="local")
        end = T.decl_buffer((1,), "int32", scope="local")
        for h in T.unroll({shared}):
            top[h] = T.float32(-1e30)
            total[h] = T.float32(0)
            for i in T.vectorized(8):
                k[i] = Q[sequence, head * {shared} + h, tx % {lanes} * 8 + i]
            for i in T.unroll(8):
                q[h * 8 + i] = T.cast(k[i], "float32") * T.float32({scale})
                o[h * 8 + i] = T.float32(0)
        count[0] = (Lengths[sequence] + {parts} - 1) // {parts}
        end[0] = T.min((part + 1) * count[0], Lengths[sequence])
        for t in range((count[0] + {groups} - 1) // {groups}):
            place[0] = part * count[0] + t * {groups} + tx // {lanes}
            if place[0] < end[0]:
                for i in T.vectorized(8):
                    k[i] = K[Table[sequence, place[0] // {page}], place[0] % {page}, head, tx % {lanes} * 8 + i]
                for i in T.vectorized(8):
                    v[i] = V[Table[sequence, place[0] // {page}], place[0] % {page}, head, tx % {lanes} * 8 + i]
                for h in T.unroll({shared}):
                    s[h] = T.float32(0)
                    for i in T.unroll(8):
                        s[h] = s[h] + q[h * 8 + i] * T.cast(k[i], "float32")
            for h in T.unroll({shared}):
                for m in T.unroll({steps}):
                    s[h] = s[h] + T.tvm_warp_shuffle(T.tvm_warp_activemask(), s[h],
                                                     T.bitwise_xor(tx % 32, T.shift_left(1, m)), 32, 32)
            if place[0] < end[0]:
                for h in T.unroll({shared}):
                    old[0] = top[h]
                    top[h] = T.max(top[h], s[h])
                    old[0] = T.exp2(old[0] - top[h])
                    s[h] = T.exp2(s[h] - top[h])
                    total[h] = total[h] * old[0] + s[h]
                    for i in T.unroll(8):
                        o[h * 8 + i] = o[h * 8 + i] * old[0] + s[h] * T.cast(v[i], "float32")
        for h in T.unroll({shared}):
            SM[tx // {lanes} * {shared} + h] = top[h]
            SL[tx // {lanes} * {shared} + h] = total[h]
            for j in T.unroll(2):
                for i in T.vectorized(4):
                    SO[((tx // {lanes} * {shared} + h) * 2 + j) * {half} + tx % {lanes} * 4 + i] = o[h * 8 + j * 4 + i]
        T.tvm_storage_sync("shared.dyn")
        for e in range(({shared} * {size} + 127) // 128):
            if e * 128 + tx < {shared} * {size}:
                place[0] = (e * 128 + tx) // {size}
                top[0] = T.float32(-1e30)
                for g in range({groups}):
                    top[0] = T.max(top[0], SM[g * {shared} + place[0]])
                total[0] = T.float32(0)
                o[0] = T.float32(0)
                for g in range({groups}):
                    old[0] = T.exp2(SM[g * {shared} + place[0]] - top[0])
                    total[0] = total[0] + SL[g * {shared} + place[0]] * old[0]
                    o[0] = o[0] + old[0] * SO[((g * {shared} + place[0]) * 2 + tx % 8 // 4) * {half}
                                              + (e * 128 + tx) % {size} // 8 * 4 + tx % 4]
                Parts[sequence, head * {shared} + place[0], part, (e * 128 + tx) % {size}] = o[0]
                if (e * 128 + tx) % {size} == 0:
                    Sums[sequence, head * {shared} + place[0], part, 0] = top[0]
                    Sums[sequence, head * {shared} + place[0], part, 1] = total[0]
    with T.launch_thread("blockIdx.y", {batch}) as sequence_1:
        head_1 = T.launch_thread("blockIdx.x", {heads})
        tx_1 = T.launch_thread("threadIdx.x", {size})
        most = T.decl_buffer((1,), "float32", scope="local")
        result = T.decl_buffer((2,), "float32", scope="local")
        most[0] = T.float32(-1e30)
        for p in range({parts}):
            most[0] = T.max(most[0], Sums[sequence_1, head_1, p, 0])
        weight = T.decl_buffer((1,), "float32", scope="local")
        result[0] = T.float32(0)
        result[1] = T.float32(0)
        for p in range({parts}):
            weight[0] = T.exp2(Sums[sequence_1, head_1, p, 0] - most[0])
            result[0] = result[0] + Parts[sequence_1, head_1, p, tx_1] * weight[0]
            result[1] = result[1] + Sums[sequence_1, head_1, p, 1] * weight[0]
        O[sequence_1, head_1, tx_1] = T.cast(result[0] / T.max(result[1], T.float32(1e-30)), "float16")
"""


def paged_attention(
    batch: int,
    heads: int,
    kv_heads: int,
    size: int,
    pages: int,
    page: int,
    most_pages: int,
    *,
    parts: int = 8,
    scale: float | None = None,
) -> PrimFunc:
    """Return the kernels of attention of one query for each of `batch` sequences.

    Queries are (batch, heads, size), keys and values (pages, page, kv_heads, size); `heads // kv_heads` neighbouring
    heads of queries share one of keys. The table (batch, most_pages) has the pages of each sequence in order, and
    lengths (batch) say how many of their places count. A sequence is computed in `parts` at a time; their results, in
    two arrays of float32, come before the result. A sequence of length 0 gives 0. Raises `NoSuchKernel`.
    """
    given = f"{heads} heads of {size}, {kv_heads} of keys"
    if min(batch, heads, kv_heads, pages, page, most_pages, parts) < 1:
        raise NoSuchKernel(kernel="paged_attention", given=given, reason="counts and sizes are at least 1")
    shared = heads // kv_heads
    if size not in _SIZES or heads % kv_heads or shared > _MOST_SHARED:
        reason = f"heads have {', '.join(map(str, _SIZES))} elements, and up to {_MOST_SHARED} share a key"
        raise NoSuchKernel(kernel="paged_attention", given=given, reason=reason)
    lanes = size // 8
    func = from_source(
        KERNEL.format(
            batch=batch, heads=heads, kv_heads=kv_heads, size=size, pages=pages, page=page, most_pages=most_pages,
            parts=parts, shared=shared, lanes=lanes, half=size // 2 + 16, groups=128 // lanes,
            steps=lanes.bit_length() - 1,
            scale=repr(math.log2(math.e) * (size**-0.5 if scale is None else scale)),
        )
    )  # fmt: skip
    assert isinstance(func, PrimFunc)
    return func
