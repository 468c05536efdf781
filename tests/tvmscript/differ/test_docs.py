"""grammar_docs/diff.md shows actual output."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "grammar_docs" / "diff.md"


def test_examples(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```(python|text)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert [kind for kind, _ in blocks] == ["python", "text", "python", "text", "python"]
    values: dict[str, Any] = {}
    printed = ""
    for kind, text in blocks:
        if kind == "python":
            exec(text, values)
            printed = capsys.readouterr().out
        else:
            assert printed == text
