"""`PagedKVCache`: keys and values of sequences in pages, and attention over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import NDArray, empty
from tvmscript.backends.runtime.array import array as as_ndarray
from tvmscript.backends.runtime.device import Device, cpu, is_cuda
from tvmscript.backends.vm.values import OpaqueValue
from tvmscript.kv_cache.device_kernels import DeviceKernels
from tvmscript.kv_cache.errors import WrongCacheCall
from tvmscript.kv_cache.kernels import Attend, CpuKernels, HeadShape
from tvmscript.kv_cache.pages import Array, CachedSequence, PageTable, Window

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class CacheLimits:
    """The sizes of a cache, as TVM's `cache_config` has them."""

    max_sequences: int
    max_tokens: int
    prefill_chunk_size: int
    page_size: int
    #: whether sequences may have a sliding window; keys are rotated when they are read then
    slides: bool = False


@dataclass(frozen=True)
class Rotation:
    """Rotary positions: whether keys and queries are rotated, the factor of positions, the base of the angles."""

    is_rotary: bool
    scale: float
    theta: float


@dataclass(frozen=True)
class _Forward:
    """The tokens of a forward pass: their sequences and positions."""

    seq_ids: Sequence[int]
    positions: Array
    #: page, place in the page, and turns of each token, for the kernel that appends
    appended: Sequence[Any]
    #: table of the pages of each sequence
    table: Any
    #: attention of the tokens
    attend: Attend


class PagedKVCache(OpaqueValue):
    """Keys and values of all layers. A forward pass appends tokens to sequences, and attends to all tokens before."""

    def __init__(
        self, limits: CacheLimits, num_layers: int, shape: HeadShape, rotation: Rotation, device: Device | None = None
    ) -> None:
        self.limits, self.shape, self.rotation = limits, shape, rotation
        #: where keys and values are
        self.device = device or cpu()
        self._kernels = DeviceKernels(shape, self.device) if is_cuda(self.device) else CpuKernels(shape)
        num_pages = -(-limits.max_tokens // limits.page_size)
        pages = self._kernels.key_page, self._kernels.value_page
        self.keys, self.values = (
            [empty((num_pages, *page), shape.dtype, device) for _ in range(num_layers)] for page in pages
        )
        self.table = self._new_table()
        half = shape.head_dim // 2
        self._angles = (rotation.theta ** (-np.arange(half) / half)).astype(np.float32)
        self._native_angles = self._place(self._angles)
        self._forward: _Forward | None = None

    def _new_table(self) -> PageTable:
        num_pages = self.keys[0].shape[0]
        return PageTable(num_pages, self.limits.page_size, self.limits.max_sequences, self._copy_page)

    def _copy_page(self, source: int, target: int) -> None:
        for part in (*self.keys, *self.values):
            _page(part, target).set_elements(_page(part, source))

    def _place(self, values: npt.NDArray[Any]) -> Any:
        """Return an array for kernels: on the device of the cache."""
        return as_ndarray(values, self.device) if is_cuda(self.device) else values

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
        ends = [self.table[seq_id].length for seq_id in seq_ids]
        spans = [np.arange(start, end, dtype=np.int32) for start, end in zip(starts, ends, strict=True)]
        positions = _concatenate(spans)
        places = _concatenate([self.table[seq_id].places(span) for seq_id, span in zip(seq_ids, spans, strict=True)])
        size = self.limits.page_size
        pages_of = table[sequences, places // size]
        appended = [self._place(each) for each in (pages_of, places % size, self._turns(positions))]
        attend = self._kernels.plan_attention(append_lengths, ends)
        self._forward = _Forward(list(seq_ids), positions, appended, self._place(table), attend)

    def end_forward(self) -> None:
        """End a forward pass; sequences that are longer than their window slide."""
        for seq_id in self._forward.seq_ids if self._forward is not None else ():
            if seq_id in self.table.sequences:
                self.table.slide(seq_id)
        self._forward = None

    def enable_sliding_window(self, seq_id: int, window_size: int, sink_size: int) -> None:
        """Let a sequence keep its first `sink_size` tokens and the last ones, `window_size` in all.

        Positions count the tokens that are kept (G. Xiao et al., "Efficient Streaming Language Models with Attention
        Sinks", 2024). Raises `WrongCacheCall`.
        """
        if not self.limits.slides:
            reason = "the cache was created without sliding windows"
            raise WrongCacheCall(method="enable_sliding_window_for_seq", reason=reason)
        self.table.enable_window(seq_id, Window(window_size, sink_size))

    def _started(self, method: str) -> _Forward:
        if self._forward is None:
            raise WrongCacheCall(method=method, reason="it comes before begin_forward")
        return self._forward

    def query_positions(self) -> NDArray:
        """Return the position of each token of the forward pass."""
        return as_ndarray(self._started("get_query_positions").positions, self.device)

    def attention(self, layer: int, factor: float, qkv: NDArray, result: NDArray) -> None:
        """Append the keys and values of a layer, and write attention of the queries into the result.

        `qkv` has the shape (tokens, num_qo_heads + 2 * num_kv_heads, head_dim), the result (tokens, num_qo_heads,
        head_dim), each with further dimensions of 1. Scores are multiplied by `factor` / sqrt(head_dim). Raises
        `WrongCacheCall`.
        """
        forward = self._started("attention_with_fused_qkv")
        shape = self.shape
        tokens, width = len(forward.positions), shape.head_dim
        fused_shape = (tokens, shape.num_qo_heads + 2 * shape.num_kv_heads, width)
        fused = self._reshaped(qkv, fused_shape)
        output = self._reshaped(result, (tokens, shape.num_qo_heads, width))
        if not 0 <= layer < len(self.keys):
            reason = f"there are {len(self.keys)} layers, no layer {layer}"
            raise WrongCacheCall(method="attention_with_fused_qkv", reason=reason)
        queries = empty((tokens, shape.num_qo_heads, width), self._kernels.query_dtype, self.device)
        keys, values = self.keys[layer], self.values[layer]
        is_rotated_first = self.rotation.is_rotary and not self.limits.slides
        append = self._kernels.append_kernel(is_rotated_first)
        append(fused, queries, keys, values, *forward.appended, self._native_angles)
        table = forward.table
        if self.limits.slides:
            keys, values, table = self._copy_window(layer, forward)
            if self.rotation.is_rotary:
                rotated = self._rotate(queries.numpy(), forward.positions)
                queries = as_ndarray(rotated, queries.dtype, self.device)
        forward.attend(queries, keys, values, table, output, factor * width**-0.5)

    def _turns(self, positions: Array) -> Floats:
        return (positions * self.rotation.scale).astype(np.float32)

    def _rotate(self, rows: npt.NDArray[Any], positions: Array) -> Floats:
        """Rotate keys or queries of shape (tokens, heads, head_dim)."""
        turns = np.outer(self._turns(positions), self._angles)[:, None]
        low, high = np.split(rows.astype(np.float32), 2, axis=-1)
        cos, sin = np.cos(turns), np.sin(turns)
        return np.concatenate([low * cos - high * sin, high * cos + low * sin], axis=-1)

    def _copy_window(self, layer: int, forward: _Forward) -> tuple[NDArray, NDArray, Any]:
        """Return new pages of the tokens that sequences have kept, with rotated keys, and the table of these pages.

        The CPU makes them, also where the cache is on a device.
        """
        size = self.limits.page_size
        index_keys, index_values = self._kernels.key_index, self._kernels.value_index
        sequences = [self.table[seq_id] for seq_id in forward.seq_ids]
        counts = [-(-sequence.length // size) for sequence in sequences]
        firsts = np.cumsum([0, *counts])
        table = np.zeros((len(sequences), max([1, *counts])), np.int32)
        own_keys, own_values = self.keys[layer].numpy(), self.values[layer].numpy()
        keys, values = (np.zeros((firsts[-1], *each.shape[1:]), each.dtype) for each in (own_keys, own_values))
        for row, sequence, first, count in zip(table, sequences, firsts[:-1], counts, strict=True):
            row[:count] = np.arange(first, first + count)
            positions = np.arange(sequence.length, dtype=np.int32)
            pages, places = self._locate(sequence, positions)
            rows = own_keys[index_keys(pages, places)]
            if self.rotation.is_rotary:
                rows = self._rotate(rows, positions)
            new_pages, new_places = first + positions // size, positions % size
            keys[index_keys(new_pages, new_places)] = rows
            values[index_values(new_pages, new_places)] = own_values[index_values(pages, places)]
        copies = [as_ndarray(each, self.shape.dtype, self.device) for each in (keys, values)]
        return copies[0], copies[1], self._place(table)

    def _locate(self, sequence: CachedSequence, positions: Array) -> tuple[Array, Array]:
        """Return page and place in the page of tokens."""
        places = sequence.places(positions)
        size = self.limits.page_size
        return np.array(sequence.pages, np.int32)[places // size], places % size

    def _reshaped(self, tensor: NDArray, shape: tuple[int, ...]) -> NDArray:
        """Return the memory of a tensor under another shape. Raises `WrongCacheCall`."""
        if math.prod(tensor.shape) != math.prod(shape) or str(tensor.dtype) != self.shape.dtype:
            reason = f"it takes {self.shape.dtype} of shape {shape}, not {tensor.dtype} of shape {tensor.shape}"
            raise WrongCacheCall(method="attention_with_fused_qkv", reason=reason)
        return tensor.view(shape)

    def get_kv(self, seq_id: int, start: int, end: int, keys: NDArray, values: NDArray) -> None:
        """Copy keys and values at positions of a sequence to arrays (layers, end - start, num_kv_heads, head_dim)."""
        pages, places = self._locate(self.table[seq_id], np.arange(start, end, dtype=np.int32))
        key_index, value_index = self._kernels.key_index(pages, places), self._kernels.value_index(pages, places)
        all_keys = [array.on_host()[key_index] for array in self.keys]
        all_values = [array.on_host()[value_index] for array in self.values]
        for target, rows in ((keys, all_keys), (values, all_values)):
            target.set_elements(NDArray(np.stack(rows), target.dtype))


def _page(part: NDArray, number: int) -> NDArray:
    """Return the memory of a page."""
    shape = part.shape[1:]
    return part.view(shape, None, number * (part.nbytes // part.shape[0]))


def _concatenate(arrays: Sequence[Array]) -> Array:
    return np.concatenate([np.zeros(0, np.int32), *arrays]).astype(np.int32)
