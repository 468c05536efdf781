"""Attention on tensor cores: online softmax, scores and weights in registers, tiles of keys and values ahead.

Run it with `python examples/cuda/attention.py`: it runs a small size in the interpreter, without a GPU, and says what
the compiler makes of a large one.
"""

from __future__ import annotations

import math
import textwrap

import numpy as np

import tvmscript
from tvmscript.ir.tir import PrimFunc

# A block has 64 queries, a warp 16 of them. A tile of 64 keys and values is in one of two buffers while the other one
# is filled; chunks of 16 bytes change places by the number of the row, against conflicts of banks.
KERNEL = """
@T.prim_func
def main(Q: T.Buffer(({heads}, {length}, {size}), "float16"), K: T.Buffer(({heads}, {length}, {size}), "float16"),
         V: T.Buffer(({heads}, {length}, {size}), "float16"), O: T.Buffer(({heads}, {length}, {size}), "float16")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    head = T.launch_thread("blockIdx.y", {heads})
    block = T.launch_thread("blockIdx.x", {length} // 64)
    tx = T.launch_thread("threadIdx.x", 128)
    SQ = T.decl_buffer((64 * {size},), "float16", scope="shared.dyn")
    SK = T.decl_buffer((128 * {size},), "float16", scope="shared.dyn")
    SV = T.decl_buffer((128 * {size},), "float16", scope="shared.dyn")
    q = T.decl_buffer(({size} // 2,), "float16", scope="local")
    b = T.decl_buffer((8,), "float16", scope="local")
    s = T.decl_buffer((32,), "float32", scope="local")
    p = T.decl_buffer((32,), "float16", scope="local")
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
                T.ptx_ldmatrix("float16", False, 4, ".b16", q.data, k * 8, SQ.data,
                               (tx // 32 * 16 + tx % 16) * {size} + T.bitwise_xor(k * 2 + tx % 32 // 16, tx % 8) * 8)
        for i in T.unroll(32):
            s[i] = T.float32(0)
        for k in T.unroll({size} // 16):
            for n in T.unroll(4):
                T.ptx_ldmatrix("float16", False, 4, ".b16", b.data, 0, SK.data, t % 2 * 64 * {size}
                               + (n * 16 + tx % 32 // 16 * 8 + tx % 8) * {size}
                               + T.bitwise_xor(k * 2 + tx % 16 // 8, tx % 8) * 8)
                for h in T.unroll(2):
                    T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", q.data, k * 8, b.data, h * 4,
                              s.data, n * 8 + h * 4, False)
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
            p[i] = T.cast(s[i], "float16")
        for r in T.unroll(2):
            top[r] = new[r]
        for k in T.unroll(4):
            for n in T.unroll({size} // 16):
                T.ptx_ldmatrix("float16", True, 4, ".b16", b.data, 0, SV.data, t % 2 * 64 * {size}
                               + (k * 16 + tx % 16) * {size} + T.bitwise_xor(n * 2 + tx % 32 // 16, tx % 8) * 8)
                for h in T.unroll(2):
                    T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", p.data, k * 8, b.data, h * 4,
                              o.data, n * 8 + h * 4, False)
        T.tvm_storage_sync("shared.dyn")
    for r in T.unroll(2):
        for m in T.unroll(2):
            total[r] = total[r] + T.tvm_warp_shuffle(
                T.tvm_warp_activemask(), total[r], T.bitwise_xor(tx % 32, m + 1), 32, 32)
    for i in T.unroll({size} // 4):
        for v in T.vectorized(2):
            O[head, block * 64 + tx // 32 * 16 + i % 2 * 8 + tx % 32 // 4, i // 2 * 8 + tx % 4 * 2 + v] = T.cast(
                o[i * 2 + v] / total[i % 2], "float16")
"""
COPY = """
for i in T.unroll({size} // 16):
    T.ptx_cp_async("float16", {shared}.data, ({tile}) % 2 * 64 * {size} + (i * 128 + tx) // ({size} // 8) * {size}
                   + T.bitwise_xor((i * 128 + tx) % ({size} // 8), (i * 128 + tx) // ({size} // 8) % 8) * 8,
                   {given}.data, (head * {length} + ({first}) * 64 + (i * 128 + tx) // ({size} // 8)) * {size}
                   + (i * 128 + tx) % ({size} // 8) * 8, 16)
"""


def attention(heads: int, length: int, size: int, *, causal: bool = False) -> PrimFunc:
    """Return the kernel of softmax(Q @ K.T / sqrt(size)) @ V for lengths of whole tiles and sizes of 64 or 128."""
    assert length % 64 == 0
    assert size in (64, 128)

    def copies(names: str, tile: str, first: str, depth: int) -> str:
        texts = [
            COPY.format(size=size, length=length, shared=f"S{name}", given=name, tile=tile, first=first)
            for name in names
        ]
        return textwrap.indent("".join(texts), " " * depth)

    scaled = f"s[i] * T.float32({math.log2(math.e) / math.sqrt(size)!r})"
    column, row = (
        "t * 64 + i // 4 * 8 + tx % 4 * 2 + i % 2",
        "block * 64 + tx // 32 * 16 + i // 2 % 2 * 8 + tx % 32 // 4",
    )
    masked = f"T.if_then_else({column} <= {row}, {scaled}, T.float32(-1e30))" if causal else scaled
    func = tvmscript.from_source(
        KERNEL.format(
            heads=heads, length=length, size=size, masked=masked, tiles="block + 1" if causal else length // 64,
            copy_queries=copies("Q", "0", "block", 4), copy_first=copies("KV", "0", "0", 4),
            copy_next=copies("KV", "t + 1", "t + 1", 12),
        )
    )  # fmt: skip
    assert isinstance(func, PrimFunc)
    return func


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, *, causal: bool) -> np.ndarray:
    """Compute attention by NumPy."""
    scores = q.astype("float64") @ k.astype("float64").swapaxes(1, 2) / math.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(q.shape[1], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    result: np.ndarray = weights / weights.sum(-1, keepdims=True) @ v.astype("float64")
    return result


def main() -> None:
    """Run a small size, and report on a large one."""
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, 128, 64)).astype("float16") for _ in range(3))
    out = np.zeros_like(q)
    tvmscript.build(attention(1, 128, 64, causal=True), target="interp")["main"](q, k, v, out)
    print("largest difference from NumPy:", np.abs(out - reference(q, k, v, causal=True)).max())
    module = tvmscript.build(attention(32, 4096, 128), target="cuda -arch=sm_90a")
    for report in module.report():  # type: ignore[attr-defined]
        print(report)


if __name__ == "__main__":
    main()
