"""Kernels of the paged KV cache: append keys and values with rotary positions, attend to pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from tvmscript import driver
from tvmscript.kv_cache.pages import Array
from tvmscript.language import T


@dataclass(frozen=True)
class HeadShape:
    """The sizes that kernels are compiled for."""

    num_qo_heads: int
    num_kv_heads: int
    head_dim: int
    page_size: int
    dtype: str

    @property
    def sizes(self) -> tuple[int, int, int, int, str]:
        """The arguments of `tvmscript.kernels`."""
        return self.num_qo_heads, self.num_kv_heads, self.head_dim, self.page_size, self.dtype


#: index of rows of tokens in an array of pages
Index = tuple[Array | slice, ...]


class Attend(Protocol):
    """Attention of the tokens of a forward pass in one layer. Scores are multiplied by the factor."""

    def __call__(self, queries: Any, keys: Any, values: Any, table: Any, result: Any, factor: float) -> None: ...


class CpuKernels:
    """Pages of keys have the layout (pages, heads, head_dim, page_size), those of values that of (keys, head_dim).

    The loops over the elements that lie behind one another need no reductions.
    """

    query_dtype = "float32"

    def __init__(self, shape: HeadShape) -> None:
        self.shape = shape
        self.key_page = shape.num_kv_heads, shape.head_dim, shape.page_size
        self.value_page = shape.num_kv_heads, shape.page_size, shape.head_dim

    def key_index(self, pages: Array, places: Array) -> Index:
        """Return the index of rows of keys in an array of pages."""
        return pages, slice(None), slice(None), places

    def value_index(self, pages: Array, places: Array) -> Index:
        """Return the index of rows of values in an array of pages."""
        return pages, slice(None), places

    def append_kernel(self, is_rotary: bool) -> Callable[..., Any]:
        """Return the kernel that writes keys and values to pages."""
        return _append_kernel(self.shape, is_rotary)

    def plan_attention(self, counts: Sequence[int], lengths: Sequence[int]) -> Attend:
        """Return attention of the last `counts` tokens of sequences of `lengths`, each up to its own key."""
        own = token_rows(counts, lengths)
        kernel = _attention_kernel(self.shape)

        def attend(queries: Any, keys: Any, values: Any, table: Any, result: Any, factor: float) -> None:
            kernel(queries, keys, values, table, *own, result, factor)

        return attend


def token_rows(counts: Sequence[int], lengths: Sequence[int]) -> tuple[Array, Array]:
    """Return the sequence of each token of a forward pass, and the number of its keys.

    >>> token_rows([2, 1], [5, 9])
    (array([0, 0, 1], dtype=int32), array([4, 5, 9], dtype=int32))
    """
    sequences = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    firsts = np.subtract(lengths, np.cumsum(counts), dtype=np.int32)
    keys: Array = firsts[sequences] + np.arange(1, len(sequences) + 1, dtype=np.int32)
    return sequences, keys


@cache
def _append_kernel(shape: HeadShape, is_rotary: bool) -> Callable[..., Any]:
    """Return a kernel that splits qkv, rotates queries and keys, and writes keys and values to their pages.

    Arguments: qkv of shape (tokens, num_qo_heads + 2 * num_kv_heads, head_dim), queries in float32, pages of keys and
    of values, for each token its page, its place in the page and its position, the angles of the first position
    (J. Su et al., "RoFormer", 2021).
    """
    HQ, HK, D, P, dtype = shape.num_qo_heads, shape.num_kv_heads, shape.head_dim, shape.page_size, shape.dtype
    heads, half = HQ + HK, D // 2
    rotary = is_rotary

    @T.prim_func
    def append(
        qkv: T.handle, queries: T.handle, keys: T.handle, values: T.handle, pages: T.handle, places: T.handle,
        positions: T.handle, angles: T.handle,
    ) -> None:  # fmt: skip
        T.func_attr({"tir.is_scheduled": True})
        n, m = T.int64(), T.int64()
        X = T.match_buffer(qkv, (n, HQ + 2 * HK, D), dtype)
        Q = T.match_buffer(queries, (n, HQ, D), "float32")
        K = T.match_buffer(keys, (m, HK, D, P), dtype)
        V = T.match_buffer(values, (m, HK, P, D), dtype)
        page = T.match_buffer(pages, (n,), "int32")
        place = T.match_buffer(places, (n,), "int32")
        position = T.match_buffer(positions, (n,), "float32")
        angle = T.match_buffer(angles, (half,), "float32")
        for t, h in T.grid(n, heads):
            for i in range(half):
                a = T.Cast("float32", X[t, h, i])
                b = T.Cast("float32", X[t, h, i + half])
                turn = T.if_then_else(rotary, position[t] * angle[i], T.float32(0))
                low = a * T.cos(turn) - b * T.sin(turn)
                high = b * T.cos(turn) + a * T.sin(turn)
                if h < HQ:
                    Q[t, h, i] = low
                    Q[t, h, i + half] = high
                else:
                    K[page[t], h - HQ, i, place[t]] = T.Cast(dtype, low)
                    K[page[t], h - HQ, i + half, place[t]] = T.Cast(dtype, high)
        for t, h, i in T.grid(n, HK, D):
            V[page[t], h, place[t], i] = X[t, HQ + HK + h, i]

    return driver.build(append).entry_func


@cache
def _attention_kernel(shape: HeadShape) -> Callable[..., Any]:
    """Return a kernel of causal attention over pages; a token attends to the positions up to its own.

    Softmax is computed page by page with a running maximum (M. Milakov and N. Gimelshein, "Online normalizer
    calculation for softmax", 2018). Arguments: queries of shape (tokens, num_qo_heads, head_dim) in float32, pages of
    keys and of values, the table of pages of each sequence, for each token its sequence and the number of positions,
    the result of the shape of the queries, the factor of the scores.
    """
    HQ, HK, D, P, dtype = shape.num_qo_heads, shape.num_kv_heads, shape.head_dim, shape.page_size, shape.dtype
    group = HQ // HK

    @T.prim_func
    def attention(
        queries: T.handle, keys: T.handle, values: T.handle, table: T.handle, sequences: T.handle, lengths: T.handle,
        result: T.handle, factor: T.float32,
    ) -> None:  # fmt: skip
        T.func_attr({"tir.is_scheduled": True})
        n, m, s, w = T.int64(), T.int64(), T.int64(), T.int64()
        Q = T.match_buffer(queries, (n, HQ, D), "float32")
        K = T.match_buffer(keys, (m, HK, D, P), dtype)
        V = T.match_buffer(values, (m, HK, P, D), dtype)
        page = T.match_buffer(table, (s, w), "int32")
        sequence = T.match_buffer(sequences, (n,), "int32")
        length = T.match_buffer(lengths, (n,), "int32")
        Out = T.match_buffer(result, (n, HQ, D), dtype)
        for th in T.parallel(n * HQ):
            with T.block("head"):
                v = T.axis.spatial(n * HQ, th)
                T.reads()
                T.writes()
                scores = T.alloc_buffer((P,), "float32")
                sums = T.alloc_buffer((D,), "float32")
                state = T.alloc_buffer((3,), "float32")
                t = v // HQ
                h = v % HQ
                state[0] = T.float32(-3e38)
                state[1] = T.float32(0)
                for i in T.vectorized(D):
                    sums[i] = T.float32(0)
                for b in range((length[t] + (P - 1)) // P):
                    p = page[sequence[t], b]
                    for j in T.vectorized(P):
                        scores[j] = T.float32(0)
                    for i in range(D):
                        for j in T.vectorized(P):
                            scores[j] = scores[j] + Q[t, h, i] * T.Cast("float32", K[p, h // group, i, j])
                    state[2] = state[0]
                    for j in range(P):
                        scores[j] = T.if_then_else(b * P + j < length[t], scores[j] * factor, T.float32(-3e38))
                        state[0] = T.max(state[0], scores[j])
                    state[2] = T.exp(state[2] - state[0])
                    state[1] = state[1] * state[2]
                    for i in T.vectorized(D):
                        sums[i] = sums[i] * state[2]
                    for j in range(P):
                        if b * P + j < length[t]:
                            state[2] = T.exp(scores[j] - state[0])
                            state[1] = state[1] + state[2]
                            for i in T.vectorized(D):
                                sums[i] = sums[i] + state[2] * T.Cast("float32", V[p, h // group, j, i])
                for i in range(D):
                    Out[t, h, i] = T.Cast(dtype, sums[i] / state[1])

    return driver.build(attention).entry_func
