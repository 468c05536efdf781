"""Case files: two programs and the view of their difference.

Below `# before` and `# after` are the programs; below `# shown` is the view, below `# changes` each change.
`UPDATE_GOLDEN=1 pytest` writes both anew: read what it wrote.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tvmscript
from tests.golden import is_updating
from tvmscript import Diff
from tvmscript.ir.core.equality.equal import assert_structural_equal

CASES = sorted((Path(__file__).parents[2] / "cases" / "diff").glob("*.txt"))


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^# (before|after|shown|changes)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def name(path: Path) -> str:
    return path.stem


def test_there_are_cases() -> None:
    assert len(CASES) >= 15


@pytest.mark.parametrize("path", CASES, ids=name)
def test_case(path: Path) -> None:
    parts = sections(path.read_text())
    before, after = (tvmscript.from_source(parts[key], check_well_formed=False) for key in ("before", "after"))
    difference = tvmscript.diff(before, after)
    shown = f"{difference.text()}\n"
    changes = "".join(f"{change}\n" for change in difference.changes)
    if is_updating():
        result = f"# before\n{parts['before']}# after\n{parts['after']}# shown\n{shown}# changes\n{changes}"
        path.write_text(result)
        parts = sections(result)
    assert shown == parts["shown"]
    assert changes == parts["changes"]


@pytest.mark.parametrize("path", CASES, ids=name)
def test_case_applies(path: Path) -> None:
    parts = sections(path.read_text())
    before, after = (tvmscript.from_source(parts[key], check_well_formed=False) for key in ("before", "after"))
    for a, b in ((before, after), (after, before)):
        result = Diff.from_json(tvmscript.diff(a, b).json()).apply(a)
        assert_structural_equal(result, b)
        assert result.script() == b.script()


@pytest.mark.parametrize("path", CASES, ids=name)
def test_spans_show_the_parts(path: Path) -> None:
    parts = sections(path.read_text())
    before, after = (tvmscript.from_source(parts[key], check_well_formed=False) for key in ("before", "after"))
    lines = before.script().split("\n"), after.script().split("\n")
    for change in tvmscript.diff(before, after).changes:
        for text, span in zip(lines, (change.left_span, change.right_span), strict=True):
            if span is not None:
                assert 1 <= span.line <= span.end_line <= len(text)
                assert span.column <= len(text[span.line - 1]) + 1
                assert span.end_column <= len(text[span.end_line - 1]) + 1
                assert (span.line, span.column) < (span.end_line, span.end_column)
