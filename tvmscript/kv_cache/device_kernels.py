"""Kernels of the paged KV cache for CUDA devices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from tvmscript import driver
from tvmscript.backends.runtime.array import array, empty
from tvmscript.backends.runtime.device import Device
from tvmscript.kernels import NoSuchKernel, paged_attention, paged_prefill
from tvmscript.kernels.paged_prefill import query_tiles
from tvmscript.kv_cache.kernels import Attend, HeadShape, Index, token_rows
from tvmscript.kv_cache.pages import Array
from tvmscript.language import T

#: thread blocks of 128 threads that a multiprocessor has at once: loads of some hide the time of others
_BLOCKS: Final = 4
#: keys of a part of a sequence at least
LEAST_KEYS: Final = 256


class DeviceKernels:
    """Pages of keys and of values have the layout (pages, page_size, heads, head_dim)."""

    def __init__(self, shape: HeadShape, device: Device) -> None:
        self.shape, self.device = shape, device
        self.query_dtype = shape.dtype
        self.key_page = self.value_page = shape.page_size, shape.num_kv_heads, shape.head_dim

    def key_index(self, pages: Array, places: Array) -> Index:
        """Return the index of rows of keys in an array of pages."""
        return pages, places

    value_index = key_index

    def append_kernel(self, is_rotary: bool) -> Callable[..., Any]:
        """Return the kernel that writes keys and values to pages."""
        return append_kernel(self.shape, is_rotary)

    def plan_attention(self, counts: Sequence[int], lengths: Sequence[int]) -> Attend:
        """Return attention of the last `counts` tokens of sequences of `lengths`, each up to its own key.

        Single tokens have parts of their sequences in blocks of their own; more tokens share tiles of keys.
        """
        shape = self.shape
        log2e = math.log2(math.e)
        if max(counts, default=1) > 1 and (prefill := prefill_kernel(shape)) is not None:
            tiles = array(query_tiles(counts, lengths), self.device)

            def attend_tiles(queries: Any, keys: Any, values: Any, table: Any, result: Any, factor: float) -> None:
                prefill(queries, keys, values, table, tiles, result, factor * log2e)

            return attend_tiles
        rows, ends = token_rows(counts, lengths)
        heads, width = shape.num_qo_heads, shape.head_dim
        blocks = len(rows) * shape.num_kv_heads
        wanted = _BLOCKS * int(self.device.multi_processor_count or 1) // max(blocks, 1)
        parts = max(1, min(wanted, max(lengths, default=0) // LEAST_KEYS))
        sums = [empty((len(rows), heads, parts, size), "float32", self.device) for size in (width, 2)]
        own = [array(each, self.device) for each in (rows, ends)]
        decode = decode_kernel(shape)

        def attend(queries: Any, keys: Any, values: Any, table: Any, result: Any, factor: float) -> None:
            decode(queries, keys, values, table, *own, *sums, result, factor * log2e)

        return attend


@cache
def prefill_kernel(shape: HeadShape) -> Callable[..., Any] | None:
    """Return the kernel of many tokens of a sequence, None where tensor cores do not have heads of this kind."""
    try:
        func = paged_prefill(*shape.sizes)
    except NoSuchKernel:
        return None
    return driver.build(func, target="cuda").entry_func


@cache
def decode_kernel(shape: HeadShape) -> Callable[..., Any]:
    return driver.build(paged_attention(*shape.sizes), target="cuda").entry_func


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
        Q = T.match_buffer(queries, (n, HQ, D), dtype)
        K = T.match_buffer(keys, (m, P, HK, D), dtype)
        V = T.match_buffer(values, (m, P, HK, D), dtype)
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
                    Q[t, h, i] = T.Cast(dtype, low)
                    Q[t, h, i + half] = T.Cast(dtype, high)
                else:
                    if h < HQ + HK:
                        K[page[t], place[t], h - HQ, i] = T.Cast(dtype, low)
                        K[page[t], place[t], h - HQ, i + half] = T.Cast(dtype, high)
                    else:
                        V[page[t], place[t], h - HQ - HK, i] = X[t, h, i]
                        V[page[t], place[t], h - HQ - HK, i + half] = X[t, h, i + half]

    return driver.build(append, target="cuda").entry_func
