"""The HTML view: well-formed, self-contained, and complete."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tvmscript
from tests.tvmscript.differ.test_cases import CASES, name, sections

_VOID = {"meta", "col", "br"}


class _Reader(HTMLParser):
    """Checks that elements are closed in order, and collects the cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.tags: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open and "span" not in self.open:
            self.cells[-1] += data


@pytest.mark.parametrize("path", CASES, ids=name)
def test_page(path: Path) -> None:
    parts = sections(path.read_text())
    before, after = (tvmscript.from_source(parts[key], check_well_formed=False) for key in ("before", "after"))
    difference = tvmscript.diff(before, after)
    text = difference.html()
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    assert re.findall(r'(?:src|href)="', text) == []
    if difference:
        shown = set(reader.cells)
        for program in (before, after):
            changed = [row for row in difference.rows if row.kind != " "]
            assert changed
            assert all({row.left_text, row.right_text} & shown for row in changed)
            assert program.script().split("\n")[0] in text
        assert reader.tags.get("mark", 0) > 0 or all(row.kind in " <>+-" for row in difference.rows)


def test_texts_are_escaped() -> None:
    function = '@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n    T.evaluate(T.call_extern("int32", "{}"))'
    text = tvmscript.diff(function.format("<b>&"), function.format("<script>alert(1)</script>")).html()
    assert "<b>" not in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_keys_and_themes() -> None:
    text = tvmscript.diff("T.int32(1)", "T.int32(2)").html()
    assert "prefers-color-scheme: dark" in text
    assert 'event.key === "n"' in text
    assert 'event.key === "p"' in text
