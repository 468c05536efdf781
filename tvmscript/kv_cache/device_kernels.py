"""Kernels of the paged KV cache for CUDA devices: arguments and layouts are those of `kernels.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from tvmscript import driver
from tvmscript.kv_cache.kernels import HeadShape
from tvmscript.language import T

#: threads of a block of attention: each has a position, then an element of the head
_LANES: Final = 32


@cache
def append_kernel(shape: HeadShape, is_rotary: bool) -> Callable[..., Any]:
    """Return a kernel that splits qkv, rotates queries and keys, and writes keys and values to their pages.

    A block has a token and a head of queries, keys or values; a thread two of its elements, which are rotated together.
    """
    HQ, HK, D, P, dtype = shape.num_qo_heads, shape.num_kv_heads, shape.head_dim, shape.page_size, shape.dtype
    heads, half = HQ + 2 * HK, D // 2
    rotary = is_rotary

    @T.prim_func
    def append(
        qkv: T.handle, queries: T.handle, keys: T.handle, values: T.handle, pages: T.handle, places: T.handle,
        positions: T.handle, angles: T.handle,
    ) -> None:  # fmt: skip
        n, m = T.int64(), T.int64()
        X = T.match_buffer(qkv, (n, heads, D), dtype)
        Q = T.match_buffer(queries, (n, HQ, D), "float32")
        K = T.match_buffer(keys, (m, HK, D, P), dtype)
        V = T.match_buffer(values, (m, HK, P, D), dtype)
        page = T.match_buffer(pages, (n,), "int32")
        place = T.match_buffer(places, (n,), "int32")
        position = T.match_buffer(positions, (n,), "float32")
        angle = T.match_buffer(angles, (half,), "float32")
        for b in T.thread_binding(n * heads, "blockIdx.x"):
            for i in T.thread_binding(half, "threadIdx.x"):
                t = b // heads
                h = b % heads
                turn = T.if_then_else(rotary and h < HQ + HK, position[t] * angle[i], T.float32(0))
                # the fast functions of the device are wrong for many turns
                cos = T.call_pure_extern("float32", "cosf", turn)
                sin = T.call_pure_extern("float32", "sinf", turn)
                first = T.Cast("float32", X[t, h, i])
                second = T.Cast("float32", X[t, h, i + half])
                low = first * cos - second * sin
                high = second * cos + first * sin
                if h < HQ:
                    Q[t, h, i] = low
                    Q[t, h, i + half] = high
                else:
                    if h < HQ + HK:
                        K[page[t], h - HQ, i, place[t]] = T.Cast(dtype, low)
                        K[page[t], h - HQ, i + half, place[t]] = T.Cast(dtype, high)
                    else:
                        V[page[t], h - HQ - HK, place[t], i] = X[t, h, i]
                        V[page[t], h - HQ - HK, place[t], i + half] = X[t, h, i + half]

    return driver.build(append, target="cuda").entry_func


@cache
def attention_kernel(shape: HeadShape) -> Callable[..., Any]:
    """Return a kernel of causal attention over pages; a token attends to the positions up to its own.

    A block has a token and a head of queries. It takes 32 positions at a time, with a running maximum.
    """
    HQ, HK, D, P, dtype = shape.num_qo_heads, shape.num_kv_heads, shape.head_dim, shape.page_size, shape.dtype
    group, lanes, parts = HQ // HK, _LANES, -(-D // _LANES)

    @T.prim_func
    def attention(
        queries: T.handle, keys: T.handle, values: T.handle, table: T.handle, sequences: T.handle, lengths: T.handle,
        result: T.handle, factor: T.float32,
    ) -> None:  # fmt: skip
        n, m, s, w = T.int64(), T.int64(), T.int64(), T.int64()
        Q = T.match_buffer(queries, (n, HQ, D), "float32")
        K = T.match_buffer(keys, (m, HK, D, P), dtype)
        V = T.match_buffer(values, (m, HK, P, D), dtype)
        page = T.match_buffer(table, (s, w), "int32")
        sequence = T.match_buffer(sequences, (n,), "int32")
        length = T.match_buffer(lengths, (n,), "int32")
        Out = T.match_buffer(result, (n, HQ, D), dtype)
        scores = T.alloc_buffer((lanes,), "float32", scope="shared")
        sums = T.alloc_buffer((parts,), "float32", scope="local")
        # the running maximum, the sum of weights, the factor of both and a score, a weight
        state = T.alloc_buffer((4,), "float32", scope="local")
        for b in T.thread_binding(n * HQ, "blockIdx.x"):
            for lane in T.thread_binding(lanes, "threadIdx.x"):
                t = b // HQ
                h = b % HQ
                state[0] = T.float32(-3e38)
                state[1] = T.float32(0)
                for r in T.unroll(parts):
                    sums[r] = T.float32(0)
                for c in range((length[t] + (lanes - 1)) // lanes):
                    own = c * lanes + lane
                    state[2] = T.float32(-3e38)
                    if own < length[t]:
                        state[2] = T.float32(0)
                        for i in range(D):
                            key = T.Cast("float32", K[page[sequence[t], own // P], h // group, i, own % P])
                            state[2] = state[2] + Q[t, h, i] * key
                        state[2] = state[2] * factor
                    scores[lane] = state[2]
                    T.tvm_storage_sync("shared")
                    state[2] = state[0]
                    for j in range(lanes):
                        state[0] = T.max(state[0], scores[j])
                    state[2] = T.exp(state[2] - state[0])
                    state[1] = state[1] * state[2]
                    for r in T.unroll(parts):
                        sums[r] = sums[r] * state[2]
                    for j in range(lanes):
                        if c * lanes + j < length[t]:
                            other = c * lanes + j
                            state[3] = T.exp(scores[j] - state[0])
                            state[1] = state[1] + state[3]
                            for r in T.unroll(parts):
                                if r * lanes + lane < D:
                                    value = V[page[sequence[t], other // P], h // group, other % P, r * lanes + lane]
                                    sums[r] = sums[r] + state[3] * T.Cast("float32", value)
                    T.tvm_storage_sync("shared")
                for r in T.unroll(parts):
                    if r * lanes + lane < D:
                        Out[t, h, r * lanes + lane] = T.Cast(dtype, sums[r] / state[1])

    return driver.build(attention, target="cuda").entry_func
