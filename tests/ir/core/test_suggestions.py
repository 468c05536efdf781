"""Proposals for misspelt names: which, and what they may cost."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.budget import CURRENT, Budget
from tvmscript.ir.core.suggestions import closest


@pytest.mark.parametrize(
    ("name", "known", "proposal"),
    [
        ("blok", ("block", "clock"), "block"),
        ("blok", ("_block",), None),
        ("blok", (3, "block"), "block"),
        ("blok", ("grid",), None),
        ("", ("block",), None),
        # 7 of 7 and 13 characters are alike: 2 * 7 / 20 is the least similarity, 0.7
        ("abcdefg", ("abcdefgzzzzzz",), "abcdefgzzzzzz"),
        ("abcdefg", ("abcdefgzzzzzzz",), None),
        ("abcdefgzzzzzz", ("abcdefg",), "abcdefg"),
        ("abcdefgzzzzzzz", ("abcdefg",), None),
        # the first 100 characters are compared
        ("a" * 200, ("a" * 100,), "a" * 100),
        ("a" * 200, ("a" * 200,), None),
    ],
)
def test_the_most_similar_name_is_proposed(name: str, known: tuple[str, ...], proposal: str | None) -> None:
    assert closest(name, known, "T.{}") == (None if proposal is None else f"did you mean T.{proposal}?")


def test_only_names_of_a_similar_length_cost_something() -> None:
    budget = Budget()
    token = CURRENT.set(budget)
    try:
        budget.compared = 30
        assert closest("abcdefg", ("abc", "abcd", "abcdefgzzzzzz", "abcdefgzzzzzzz")) == "did you mean abcd?"
        assert budget.compared == 30 - 4 - 13
        assert closest("abcdefg", ("abcdefgzzzzzz",)) == "did you mean abcdefgzzzzzz?"
        assert budget.compared == 0
        assert closest("abcdefg", ("abcdefg",)) is None
    finally:
        CURRENT.reset(token)
