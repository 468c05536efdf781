"""`PagedKVCache`: keys and values of sequences in pages, and attention over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import NDArray, empty
from tvmscript.backends.runtime.array import array as as_ndarray
from tvmscript.backends.vm.values import OpaqueValue
from tvmscript.kv_cache.errors import WrongCacheCall
from tvmscript.kv_cache.kernels import HeadShape, append_kernel, attention_kernel
from tvmscript.kv_cache.pages import PageTable

Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class CacheLimits:
    """The sizes of a cache, as TVM's `cache_config` has them."""

    max_sequences: int
    max_tokens: int
    prefill_chunk_size: int
    page_size: int


@dataclass(frozen=True)
class Rotation:
    """Rotary positions: whether keys and queries are rotated, the factor of positions, the base of the angles."""

    is_rotary: bool
    scale: float
    theta: float


@dataclass(frozen=True)
class _Forward:
    """The tokens of a forward pass: sequence, position, page and place in the page of each, and the table of pages."""

    sequences: Array
    positions: Array
    lengths: Array
    pages: Array
    places: Array
    table: Array


class PagedKVCache(OpaqueValue):
    """Keys and values of all layers. A forward pass appends tokens to sequences, and attends to all tokens before."""

    def __init__(self, limits: CacheLimits, num_layers: int, shape: HeadShape, rotation: Rotation) -> None:
        self.limits, self.shape, self.rotation = limits, shape, rotation
        num_pages = -(-limits.max_tokens // limits.page_size)
        heads, width, page = shape.num_kv_heads, shape.head_dim, shape.page_size
        self.keys = [empty((num_pages, heads, width, page), shape.dtype) for _ in range(num_layers)]
        self.values = [empty((num_pages, heads, page, width), shape.dtype) for _ in range(num_layers)]
        self.table = self._new_table()
        half = shape.head_dim // 2
        self._angles = (rotation.theta ** (-np.arange(half) / half)).astype(np.float32)
        self._forward: _Forward | None = None

    def _new_table(self) -> PageTable:
        num_pages = self.keys[0].shape[0]
        return PageTable(num_pages, self.limits.page_size, self.limits.max_sequences, self._copy_page)

    def _copy_page(self, source: int, target: int) -> None:
        for part in (*self.keys, *self.values):
            part.storage[target] = part.storage[source]

    # ---- sequences

    def clear(self) -> None:
        """Remove all sequences."""
        self.table = self._new_table()
        self._forward = None

    def add_sequence(self, seq_id: int) -> None:
        """Add an empty sequence."""
        self.table.add(seq_id)

    def remove_sequence(self, seq_id: int) -> None:
        """Remove a sequence, and give its pages back."""
        self.table.remove(seq_id)

    def popn(self, seq_id: int, count: int) -> None:
        """Remove the last tokens of a sequence."""
        self.table.pop(seq_id, count)

    def fork_sequence(self, parent: int, child: int, position: int = -1) -> None:
        """Add a sequence with the first tokens of another one, all for -1."""
        self.table.fork(parent, child, self.table[parent].length if position == -1 else position)

    @property
    def num_available_pages(self) -> int:
        """The number of pages that no sequence has."""
        return self.table.num_free_pages

    @property
    def total_sequence_length(self) -> int:
        """The number of tokens of all sequences."""
        return sum(sequence.length for sequence in self.table.sequences.values())

    # ---- forward passes

    def begin_forward(self, seq_ids: Sequence[int], append_lengths: Sequence[int]) -> None:
        """Append so many tokens to each sequence: attention of all layers writes them. Raises `WrongCacheCall`."""
        if len(set(seq_ids)) != len(append_lengths) or len(seq_ids) != len(append_lengths):
            reason = f"there are {len(set(seq_ids))} sequences and {len(append_lengths)} lengths"
            raise WrongCacheCall(method="begin_forward", reason=reason)
        total = sum(append_lengths)
        if total > self.limits.prefill_chunk_size:
            reason = f"{total} tokens are more than prefill_chunk_size, {self.limits.prefill_chunk_size}"
            raise WrongCacheCall(method="begin_forward", reason=reason)
        starts = [self.table[seq_id].length for seq_id in seq_ids]
        self.table.append(dict(zip(seq_ids, append_lengths, strict=True)))
        rows = [self.table[seq_id].pages for seq_id in seq_ids]
        table = np.zeros((len(rows), max([1, *map(len, rows)])), np.int32)
        for row, pages in zip(table, rows, strict=True):
            row[: len(pages)] = pages
        sequences = np.repeat(np.arange(len(rows), dtype=np.int32), append_lengths)
        spans = [np.arange(start, start + count) for start, count in zip(starts, append_lengths, strict=True)]
        positions = np.concatenate([np.zeros(0, np.int64), *spans]).astype(np.int32)
        size = self.limits.page_size
        pages_of = table[sequences, positions // size]
        self._forward = _Forward(sequences, positions, positions + 1, pages_of, positions % size, table)

    def end_forward(self) -> None:
        """End a forward pass."""
        self._forward = None

    def _started(self, method: str) -> _Forward:
        if self._forward is None:
            raise WrongCacheCall(method=method, reason="it comes before begin_forward")
        return self._forward

    def query_positions(self) -> NDArray:
        """Return the position of each token of the forward pass."""
        return as_ndarray(self._started("get_query_positions").positions)

    def attention(self, layer: int, factor: float, qkv: NDArray, result: NDArray) -> None:
        """Append the keys and values of a layer, and write attention of the queries into the result.

        `qkv` has the shape (tokens, num_qo_heads + 2 * num_kv_heads, head_dim), the result (tokens, num_qo_heads,
        head_dim), each with further dimensions of 1. Scores are multiplied by `factor` / sqrt(head_dim). Raises
        `WrongCacheCall`.
        """
        forward = self._started("attention_with_fused_qkv")
        shape = self.shape
        tokens, width = len(forward.positions), shape.head_dim
        fused = (tokens, shape.num_qo_heads + 2 * shape.num_kv_heads, width)
        given = self._reshaped(qkv, fused)
        written = self._reshaped(result, (tokens, shape.num_qo_heads, width))
        if not 0 <= layer < len(self.keys):
            reason = f"there are {len(self.keys)} layers, no layer {layer}"
            raise WrongCacheCall(method="attention_with_fused_qkv", reason=reason)
        queries = np.empty((tokens, shape.num_qo_heads, width), np.float32)
        keys, values = self.keys[layer], self.values[layer]
        turns = (forward.positions * self.rotation.scale).astype(np.float32)
        append = append_kernel(shape, self.rotation.is_rotary)
        append(given, queries, keys, values, forward.pages, forward.places, turns, self._angles)
        attend = attention_kernel(shape)
        scale = factor * width**-0.5
        attend(queries, keys, values, forward.table, forward.sequences, forward.lengths, written, scale)

    def _reshaped(self, tensor: NDArray, shape: tuple[int, ...]) -> NDArray:
        """Return the memory of a tensor under another shape. Raises `WrongCacheCall`."""
        if tensor.storage.size != np.prod(shape) or str(tensor.dtype) != self.shape.dtype:
            reason = f"it takes {self.shape.dtype} of shape {shape}, not {tensor.dtype} of shape {tensor.shape}"
            raise WrongCacheCall(method="attention_with_fused_qkv", reason=reason)
        return NDArray(tensor.storage.reshape(shape), tensor.dtype)

    def get_kv(self, seq_id: int, start: int, end: int, keys: NDArray, values: NDArray) -> None:
        """Copy keys and values at positions of a sequence to arrays (layers, end - start, num_kv_heads, head_dim)."""
        positions = np.arange(start, end)
        pages = np.array(self.table[seq_id].pages, np.int64)[positions // self.limits.page_size]
        places = positions % self.limits.page_size
        for layer in range(len(self.keys)):
            keys.storage[layer] = self.keys[layer].storage[pages, :, :, places]
            values.storage[layer] = self.values[layer].storage[pages, :, places]
