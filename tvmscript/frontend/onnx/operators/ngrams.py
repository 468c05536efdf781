"""Counts of n-grams, short sequences of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import Array, rank_of, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

#: most distances of neighbours that are unrolled
_MOST_DISTANCES: Final = 256


@operator("TfIdfVectorizer")
def count_ngrams(context: Context, node: Node) -> RelaxExpr:
    """Return how often the n-grams of a pool are in each row, how they are weighted, or both."""
    if "pool_strings" in node.attrs:
        raise node.invalid("its pool has texts, which are not supported")
    x = R.astype(node.tensor(0), "int64")
    is_row = rank_of(x) == 1
    rows = context.emit(R.expand_dims(x, [0]) if is_row else x)
    (length,) = node.static(sizes_of(rows)[1:], "the length of its rows")
    per_length = [_count(context, rows, length, pool, distances) for pool, distances in _pools(node, length)]
    counts = context.emit(R.concat(per_length, 1))
    columns, mode = node.integers("ngram_indexes"), node.text("mode")
    if sizes_of(counts)[1] != len(columns) or min(columns, default=-1) < 0:
        raise node.invalid(f"{len(columns)} indexes do not place the {sizes_of(counts)[1]} n-grams of its pool")
    if mode == "IDF":
        counts = context.emit(R.minimum(counts, R.const(1, "float32")))
    shape = node.static([len(columns), max(columns) + 1], "the table of its indexes")
    to_columns = np.zeros(shape, "float32")
    to_columns[np.arange(len(columns)), columns] = 1.0 if mode == "TF" else node.reals("weights", [1.0] * len(columns))
    result = R.matmul(counts, R.const(to_columns, "float32"))
    return R.squeeze(result, [0]) if is_row else result


def _pools(node: Node, row_length: int) -> Iterator[tuple[Array, range]]:
    """Yield the n-grams of each length, and the distances of neighbours that are counted."""
    pool = np.array(node.integers("pool_int64s"), "int64")
    shortest, longest = node.integer("min_gram_length"), node.integer("max_gram_length")
    starts = [*node.integers("ngram_counts"), pool.size]
    for length, (start, end) in enumerate(pairwise(starts), 1):
        if not 0 <= start <= end or (end - start) % length:
            raise node.invalid(f"its pool has no n-grams of {length} numbers from {start} to {end}")
        farthest = min(1 + node.integer("max_skip_count"), (row_length - 1) // (length - 1)) if length > 1 else 1
        if farthest > _MOST_DISTANCES:
            raise node.invalid(f"it counts neighbours at {farthest:,} distances, of which {_MOST_DISTANCES} are taken")
        is_counted = shortest <= length <= longest and start < end and row_length
        yield pool[start:end].reshape(-1, length), range(1, 1 + farthest) if is_counted else range(0)


def _count(context: Context, rows: RelaxExpr, row_length: int, pool: Array, distances: range) -> RelaxExpr:
    """Return how often each n-gram of a pool is in each row."""
    count, size = pool.shape
    total = context.emit(R.zeros([sizes_of(rows)[0], count], "float32"))
    for distance in distances:
        places = row_length - (size - 1) * distance
        matches = context.emit(_is_equal(rows, pool[:, 0], 0, places))
        for index in range(1, size):
            also = _is_equal(rows, pool[:, index], index * distance, places)
            matches = context.emit(R.logical_and(matches, also))
        total = context.emit(R.add(total, R.sum(R.astype(matches, "float32"), [1])))
    return total


def _is_equal(rows: RelaxExpr, numbers: Array, start: int, places: int) -> RelaxExpr:
    """Return whether each place of a window in the rows has each number."""
    window = R.strided_slice(rows, [1], [start], [start + places])
    return R.equal(R.expand_dims(window, [2]), R.const(numbers, "int64"))
