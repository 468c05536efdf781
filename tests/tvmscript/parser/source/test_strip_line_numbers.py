"""Line numbers and carets of listings, which texts are read without."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.parser.diagnostics.errors import NothingDefined
from tvmscript.parser.source.strip_line_numbers import strip_line_numbers


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1 a\n2 b", "a\nb"),
        (" 9 a\n10 b", None),  # they begin at 1
        (" 1 a\n 2 b\n   ^", "a\nb"),
        ("1 a\n3 b", None),
        ("a\n2 b", None),
        ("1 a\nb", None),
        ("1\n2 x\n", "\nx"),
        ("a\n ^^", "a"),
        ("a", None),
        ("", None),
        ("\n", ""),
        (" ^ ^^\n^", ""),
    ],
)
def test_texts(text: str, plain: str | None) -> None:
    assert strip_line_numbers(text) == plain


def test_a_text_of_carets_alone_defines_nothing() -> None:
    with pytest.raises(NothingDefined):
        tvmscript.from_source("  ^^\n")
