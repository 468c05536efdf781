"""Alignment of sequences against a table of all longest common subsequences."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.differ.sequence_diff import align, longest_increasing

short = st.lists(st.integers(0, 5), max_size=14)


def longest(left: list[int], right: list[int]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            same = table[i + 1][j + 1] + 1 if left[i] == right[j] else 0
            table[i][j] = max(same, table[i + 1][j], table[i][j + 1])
    return table[0][0]


def assert_valid(left: list[int], right: list[int]) -> int:
    pairs = align(left, right)
    assert all(left[i] == right[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    return len(pairs)


@settings(max_examples=300)
@given(short, short)
def test_pairs_are_equal_and_in_order(left: list[int], right: list[int]) -> None:
    result = assert_valid(left, right)
    # anchors may cost some elements, never equal ends
    assert result >= longest(left, right) * 0.5
    assert assert_valid(left, left) == len(left)


def test_removed_elements_are_found() -> None:
    generator = random.Random(1)
    left = [generator.randrange(3) for _ in range(5000)]
    right = [item for item in left if generator.random() > 0.1]
    assert assert_valid(left, right) > 0.97 * len(right)


def test_nothing_in_common() -> None:
    assert align([1] * 3000, [2] * 3000) == []
    assert align([], [1]) == []


@given(st.lists(st.integers(0, 9), max_size=9))
def test_longest_increasing(values: list[int]) -> None:
    chosen = [values[position] for position in longest_increasing(values)]
    assert chosen == sorted(set(chosen))
    subsets = range(1 << len(values))
    picks = ([v for k, v in enumerate(values) if mask >> k & 1] for mask in subsets)
    assert len(chosen) == max(len(pick) for pick in picks if pick == sorted(set(pick)))
