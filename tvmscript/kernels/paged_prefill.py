"""Attention of many queries of sequences whose keys and values are in pages, on tensor cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir.tir import PrimFunc
from tvmscript.kernels.attention import SHORT_NAMES, SIZES, TILE, AttentionProgram, Source
from tvmscript.kernels.errors import NoSuchKernel

HEADER: Final = """
@T.prim_func
def main(queries: T.handle, keys: T.handle, values: T.handle, table: T.handle, tiles: T.handle, result: T.handle,
         factor: T.float32):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    n, m, r, w, c = T.int64(), T.int64(), T.int64(), T.int64(), T.int64()
    Q = T.match_buffer(queries, (n, {heads}, {size}), "{dtype}")
    K = T.match_buffer(keys, (m, {page}, {kv_heads}, {size}), "{dtype}")
    V = T.match_buffer(values, (m, {page}, {kv_heads}, {size}), "{dtype}")
    Table = T.match_buffer(table, (r, w), "int32")
    Tiles = T.match_buffer(tiles, (c, 4), "int32")
    O = T.match_buffer(result, (n, {heads}, {size}), "{dtype}")
    block = T.launch_thread("blockIdx.x", c)
    head = T.launch_thread("blockIdx.y", {heads})
    tx = T.launch_thread("threadIdx.x", 128)
    sequence = Tiles[block, 0]
    first = Tiles[block, 1]
    count = Tiles[block, 2]
    last = Tiles[block, 3]
"""


def paged_prefill(heads: int, kv_heads: int, size: int, page: int, dtype: str = "float16") -> PrimFunc:
    """Return the kernel of causal attention of tiles of up to 64 neighbouring queries of a sequence.

    Parameters, in this order:

    - queries (n, heads, size), keys and values (pages, page, kv_heads, size) and the table of pages (rows, w), as
      `paged_attention` has them;
    - the tiles (c, 4) of int32: row in the table, first query, number of queries, and the number of keys of the last
      of them; a query before it has a key less;
    - the result (n, heads, size);
    - the scale of the scores times log2(e), a float32.

    Raises `NoSuchKernel`.
    """
    if min(heads, kv_heads, page) < 1 or heads % kv_heads or size not in SIZES or dtype not in SHORT_NAMES:
        reason = f"heads have {' or '.join(map(str, SIZES))} elements of {' or '.join(SHORT_NAMES)}"
        given = f"{heads} heads of {size} of {dtype}, {kv_heads} of keys, pages of {page}"
        raise NoSuchKernel(kernel="paged_prefill", given=given, reason=reason)
    own_page = f'T.cast(Table[sequence, T.min(T.cast({{row}} // {page}, "int64"), w - 1)], "int64")'
    return AttentionProgram(
        HEADER.format(heads=heads, kv_heads=kv_heads, size=size, page=page, dtype=dtype), size, dtype,
        Source(f'T.cast(first + {{row}}, "int64") * {heads} + head', "{row} < count"),
        Source(f"({own_page} * {page} + {{row}} % {page}) * {kv_heads} + head // {heads // kv_heads}", "{row} < last"),
        f"(last + {TILE - 1}) // {TILE}", ["{key} <= last - count + {query}"], "factor", "first + {query}, head",
    ).parse()  # fmt: skip


def query_tiles(counts: Sequence[int], lengths: Sequence[int]) -> npt.NDArray[np.int32]:
    """Return the tiles of the last `counts` tokens of sequences of `lengths`, those with the most keys first.

    Queries are in the order of the sequences, which have the rows of the table.

    >>> query_tiles([70, 1], [100, 200])
    array([[  1,  70,   1, 200],
           [  0,  64,   6, 100],
           [  0,   0,  64,  94]], dtype=int32)
    """
    tiles: list[tuple[int, int, int, int]] = []
    begin = 0
    for sequence, (count, length) in enumerate(zip(counts, lengths, strict=True)):
        for first in range(0, count, TILE):
            end = min(first + TILE, count)
            tiles.append((sequence, begin + first, end - first, length - count + end))
        begin += count
    return np.array(sorted(tiles, key=lambda tile: -tile[-1]), np.int32).reshape(-1, 4)
