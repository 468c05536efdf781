"""Plans of temporary storage: nothing that lives at the same time overlaps, and little more than the peak is used."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT, Lifetime, align, peak_of_live_bytes, plan_memory

_LIVES = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 12), st.integers(0, 5)).map(
        lambda drawn: (drawn[0], Lifetime(drawn[1], drawn[1] + drawn[2]))
    ),
    max_size=12,
)


@given(_LIVES)
def test_storages_that_live_together_do_not_overlap(storages: list[tuple[int, Lifetime]]) -> None:
    sizes, lives = [size for size, _ in storages], [life for _, life in storages]
    plan = plan_memory(sizes, lives)
    for a, b in itertools.combinations(range(len(sizes)), 2):
        if set(range(lives[a].first, lives[a].last + 1)) & set(range(lives[b].first, lives[b].last + 1)):
            assert plan.offsets[a] + sizes[a] <= plan.offsets[b] or plan.offsets[b] + sizes[b] <= plan.offsets[a]
    assert all(offset % ALIGNMENT == 0 for offset in plan.offsets)
    assert all(offset + size <= plan.size for offset, size in zip(plan.offsets, sizes, strict=True))
    assert plan.size >= peak_of_live_bytes(sizes, lives)


@given(_LIVES)
def test_peak_is_the_largest_sum_of_live_sizes(storages: list[tuple[int, Lifetime]]) -> None:
    sums = [sum(align(size) for size, life in storages if life.first <= time <= life.last) for time in range(20)]
    assert peak_of_live_bytes([size for size, _ in storages], [life for _, life in storages]) == max(sums)


def test_chain_takes_two_buffers() -> None:
    """Each call of a chain reads the result of the one before: two of them live at any time."""
    lives = [Lifetime(number, number + 1) for number in range(8)]
    assert plan_memory([1000] * 8, lives).size == 2 * align(1000)


def test_chain_of_growing_sizes_reaches_the_peak() -> None:
    sizes = [64 * number for number in range(1, 20)]
    lives = [Lifetime(number, number + 1) for number in range(19)]
    assert plan_memory(sizes, lives).size == peak_of_live_bytes(sizes, lives) == 64 * (18 + 19)
