"""Choices that are drawn in one piece are random, and shrink."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvmscript.testing.choices import Choices, choices


def test_they_are_random() -> None:
    rng = Choices(random.Random(1).randbytes(40_000))
    letters = Counter(rng.choice("abcde") for _ in range(3000))
    assert letters.keys() == set("abcde")
    assert min(letters.values()) > 500
    assert 0.4 < sum(rng.random() for _ in range(1000)) / 1000 < 0.6
    assert {rng.below(3) for _ in range(50)} == {0, 1, 2}
    assert sorted(rng.sample(range(9), 9)) == list(range(9))
    assert {rng.getrandbits(20) >> 12 for _ in range(5000)} > set(range(200))


def test_the_same_bytes_are_the_same_choices() -> None:
    first, second = (Choices(bytes(range(40))) for _ in range(2))
    assert [first.randint(0, 99) for _ in range(20)] == [second.randint(0, 99) for _ in range(20)]


def test_what_is_used_up_is_the_first_of_all() -> None:
    rng = Choices(b"")
    assert (rng.choice("abc"), rng.randint(4, 9), rng.random(), rng.below(7)) == ("a", 4, 0.0, 0)


def test_they_shrink() -> None:
    written: list[str] = []

    @settings(max_examples=500, derandomize=True, database=None)
    @given(choices(64), st.just(None))
    def has_no_c(rng: Choices, _: None) -> None:
        word = "".join(rng.choice("abcd") for _ in range(rng.below(20)))
        written.append(word)
        assert "c" not in word

    with pytest.raises(AssertionError):
        has_no_c()
    assert written[-1] == "c"
