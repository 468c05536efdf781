"""Attention of single queries, whose keys and values are in pages: parts of sequences, then their combination.

W. Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023; T. Dao et al.,
"Flash-Decoding for long-context inference", 2023.
"""

from __future__ import annotations

import math
from typing import Final

from tvmscript.ir.core import DType
from tvmscript.ir.tir import PrimFunc
from tvmscript.kernels.errors import NoSuchKernel
from tvmscript.parser.entry import from_source

_THREADS: Final = 128
#: query heads of a block at most, for eight elements of a thread: it has those of each head in registers
_MOST_SHARED: Final = 8
#: bytes of a load
_VECTOR: Final = 16
_WARP: Final = 32
_DTYPES: Final = ("float16", "bfloat16", "float32")
#: elements of a head at most: 16 a thread
_MOST_ELEMENTS: Final = 512

# A block has a part of a sequence and a head of keys, with query heads that share it. A group of lanes has a key, each
# lane some elements; each group has its own maximum and sums, which are combined through shared memory. There, planes
# have the chunks of all lanes, in other banks: vectors of neighbouring threads are neighbours.
KERNEL = """
@T.prim_func
def main(queries: T.handle, keys: T.handle, values: T.handle, table: T.handle, rows: T.handle, lengths: T.handle,
         parts: T.handle, sums: T.handle, result: T.handle, factor: T.float32):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    n, m, r, w, p = T.int64(), T.int64(), T.int64(), T.int64(), T.int64()
    Q = T.match_buffer(queries, (n, {heads}, {size}), "{dtype}")
    K = T.match_buffer(keys, (m, {page}, {kv_heads}, {size}), "{dtype}")
    V = T.match_buffer(values, (m, {page}, {kv_heads}, {size}), "{dtype}")
    Table = T.match_buffer(table, (r, w), "int32")
    Row = T.match_buffer(rows, (n,), "int32")
    Lengths = T.match_buffer(lengths, (n,), "int32")
    Parts = T.match_buffer(parts, (n, {heads}, p, {size}), "float32")
    Sums = T.match_buffer(sums, (n, {heads}, p, 2), "float32")
    O = T.match_buffer(result, (n, {heads}, {size}), "{dtype}")
    with T.launch_thread("blockIdx.x", n) as query:
        heads = T.launch_thread("blockIdx.y", {heads} // {shared})
        part = T.launch_thread("blockIdx.z", p)
        tx = T.launch_thread("threadIdx.x", {threads})
        SO = T.decl_buffer(({groups} * {shared} * {planes} * {plane},), "float32", scope="shared.dyn")
        SM = T.decl_buffer(({groups} * {shared},), "float32", scope="shared.dyn")
        SL = T.decl_buffer(({groups} * {shared},), "float32", scope="shared.dyn")
        q = T.decl_buffer(({shared} * {own},), "float32", scope="local")
        k = T.decl_buffer(({own},), "{dtype}", scope="local")
        v = T.decl_buffer(({own},), "{dtype}", scope="local")
        s = T.decl_buffer(({shared},), "float32", scope="local")
        o = T.decl_buffer(({shared} * {own},), "float32", scope="local")
        top = T.decl_buffer(({shared},), "float32", scope="local")
        old = T.decl_buffer((1,), "float32", scope="local")
        total = T.decl_buffer(({shared},), "float32", scope="local")
        place = T.decl_buffer((1,), "int32", scope="local")
        count = T.decl_buffer((1,), "int32", scope="local")
        end = T.decl_buffer((1,), "int32", scope="local")
        own = T.decl_buffer((1,), "int32", scope="local")
        for i in T.unroll({own}):
            k[i] = T.cast(0, "{dtype}")
            v[i] = T.cast(0, "{dtype}")
        for h in T.unroll({shared}):
            top[h] = T.float32(-1e30)
            total[h] = T.float32(0)
            for c in T.unroll({own} // {vector}):
                if {has_chunk}:
                    for i in T.vectorized({vector}):
                        k[c * {vector} + i] = Q[query, heads * {shared} + h,
                                                (c * {lanes} + tx % {lanes}) * {vector} + i]
            for i in T.unroll({own}):
                q[h * {own} + i] = T.cast(k[i], "float32") * factor
                o[h * {own} + i] = T.float32(0)
        count[0] = T.cast((Lengths[query] + p - 1) // p, "int32")
        end[0] = T.min(T.cast((part + 1) * count[0], "int32"), Lengths[query])
        for t in range((count[0] + {groups} - 1) // {groups}):
            place[0] = T.cast(part * count[0], "int32") + t * {groups} + tx // {lanes}
            for h in T.unroll({shared}):
                s[h] = T.float32(0)
            if place[0] < end[0]:
                for c in T.unroll({own} // {vector}):
                    if {has_chunk}:
                        for i in T.vectorized({vector}):
                            k[c * {vector} + i] = K[Table[Row[query], place[0] // {page}], place[0] % {page},
                                                    {kv_head}, (c * {lanes} + tx % {lanes}) * {vector} + i]
                        for i in T.vectorized({vector}):
                            v[c * {vector} + i] = V[Table[Row[query], place[0] // {page}], place[0] % {page},
                                                    {kv_head}, (c * {lanes} + tx % {lanes}) * {vector} + i]
                for h in T.unroll({shared}):
                    for i in T.unroll({own}):
                        s[h] = s[h] + q[h * {own} + i] * T.cast(k[i], "float32")
            for h in T.unroll({shared}):
                for j in T.unroll({steps}):
                    s[h] = s[h] + T.tvm_warp_shuffle(T.tvm_warp_activemask(), s[h],
                                                     T.bitwise_xor(tx % 32, T.shift_left(1, j)), 32, 32)
            if place[0] < end[0]:
                for h in T.unroll({shared}):
                    old[0] = top[h]
                    top[h] = T.max(top[h], s[h])
                    old[0] = T.exp2(old[0] - top[h])
                    s[h] = T.exp2(s[h] - top[h])
                    total[h] = total[h] * old[0] + s[h]
                    for i in T.unroll({own}):
                        o[h * {own} + i] = o[h * {own} + i] * old[0] + s[h] * T.cast(v[i], "float32")
        for h in T.unroll({shared}):
            SM[tx // {lanes} * {shared} + h] = top[h]
            SL[tx // {lanes} * {shared} + h] = total[h]
            for j in T.unroll({planes}):
                for i in T.vectorized({chunk}):
                    SO[((tx // {lanes} * {shared} + h) * {planes} + j) * {plane} + tx % {lanes} * {chunk} + i] = (
                        o[h * {own} + j * {chunk} + i])
        T.tvm_storage_sync("shared.dyn")
        for e in range(({shared} * {size} + {threads} - 1) // {threads}):
            if e * {threads} + tx < {shared} * {size}:
                place[0] = (e * {threads} + tx) // {size}
                count[0] = (e * {threads} + tx) % {size}
                own[0] = count[0] // ({lanes} * {vector}) * {vector} + count[0] % {vector}
                top[0] = T.float32(-1e30)
                for g in range({groups}):
                    top[0] = T.max(top[0], SM[g * {shared} + place[0]])
                total[0] = T.float32(0)
                o[0] = T.float32(0)
                for g in range({groups}):
                    old[0] = T.exp2(SM[g * {shared} + place[0]] - top[0])
                    total[0] = total[0] + SL[g * {shared} + place[0]] * old[0]
                    o[0] = o[0] + old[0] * SO[((g * {shared} + place[0]) * {planes} + own[0] // {chunk}) * {plane}
                                              + count[0] // {vector} % {lanes} * {chunk} + own[0] % {chunk}]
                Parts[query, heads * {shared} + place[0], part, count[0]] = o[0]
                if count[0] == 0:
                    Sums[query, heads * {shared} + place[0], part, 0] = top[0]
                    Sums[query, heads * {shared} + place[0], part, 1] = total[0]
    with T.launch_thread("blockIdx.x", n) as query_1:
        head = T.launch_thread("blockIdx.y", {heads})
        tx_1 = T.launch_thread("threadIdx.x", {size})
        most = T.decl_buffer((1,), "float32", scope="local")
        sum = T.decl_buffer((2,), "float32", scope="local")
        weight = T.decl_buffer((1,), "float32", scope="local")
        most[0] = T.float32(-1e30)
        for i in range(p):
            most[0] = T.max(most[0], Sums[query_1, head, i, 0])
        sum[0] = T.float32(0)
        sum[1] = T.float32(0)
        for i in range(p):
            weight[0] = T.exp2(Sums[query_1, head, i, 0] - most[0])
            sum[0] = sum[0] + Parts[query_1, head, i, tx_1] * weight[0]
            sum[1] = sum[1] + Sums[query_1, head, i, 1] * weight[0]
        O[query_1, head, tx_1] = T.cast(sum[0] / T.max(sum[1], T.float32(1e-30)), "{dtype}")
"""


def paged_attention(heads: int, kv_heads: int, size: int, page: int, dtype: str = "float16") -> PrimFunc:
    """Return the kernels of attention of n queries, each to the first keys of a sequence.

    Parameters, in this order:

    - queries (n, heads, size); keys and values (pages, page, kv_heads, size). `heads // kv_heads` neighbouring heads of
      queries share one of keys;
    - the table (rows, w) of int32 with the pages of each sequence in order; for each query its row in the table and the
      number of keys, both int32. A query without keys gives 0;
    - two arrays of float32 for the results between the kernels, (n, heads, p, size) and (n, heads, p, 2): keys are
      taken in p parts at a time;
    - the result (n, heads, size);
    - the scale of the scores times log2(e), a float32.

    Raises `NoSuchKernel`.
    """
    if min(heads, kv_heads, page) < 1 or heads % kv_heads or not 1 <= size <= _MOST_ELEMENTS or dtype not in _DTYPES:
        reason = (
            f"heads have up to {_MOST_ELEMENTS} elements of {', '.join(_DTYPES)}; an equal number shares each of keys"
        )
        given = f"{heads} heads of {size} of {dtype}, {kv_heads} of keys, pages of {page}"
        raise NoSuchKernel(kernel="paged_attention", given=given, reason=reason)
    sharing = heads // kv_heads
    vector = math.gcd(size, _VECTOR * 8 // DType(dtype).bits)
    own = vector * -(-size // (vector * _WARP))
    most = max(1, _MOST_SHARED // max(1, own // 8))
    shared = max(count for count in range(1, most + 1) if sharing % count == 0)
    lanes = 1 << (-(-size // own) - 1).bit_length()
    chunk = math.gcd(own, 4)
    func = from_source(
        KERNEL.format(
            heads=heads, kv_heads=kv_heads, size=size, page=page, dtype=dtype, shared=shared, vector=vector, own=own,
            lanes=lanes, threads=_THREADS, groups=_THREADS // lanes, steps=lanes.bit_length() - 1, chunk=chunk,
            planes=own // chunk, plane=lanes * chunk + 16,
            kv_head=f"heads // {sharing // shared}",
            has_chunk=f"(c * {lanes} + tx % {lanes}) * {vector} < {size}",
        )
    )  # fmt: skip
    assert isinstance(func, PrimFunc)
    return func
