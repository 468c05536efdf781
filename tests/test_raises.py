"""Raise statements that a run reached are not listed, others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import raises

TEXT = """\
def f(x):
    if x:
        raise ValueError(
            "first"
        )
    try:
        raise KeyError("second")
    except KeyError:
        raise
"""


def test_statements_that_were_not_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raises, "ROOT", tmp_path)
    file = tmp_path / "ir" / "a.py"
    file.parent.mkdir()
    file.write_text(TEXT)
    (tmp_path / "1.txt").write_text(f"{file}:4\n")
    assert [(str(path), node.lineno) for path, node in raises.unreached(tmp_path)] == [("ir/a.py", 7)]
    (tmp_path / "2.txt").write_text(f"{file}:7\n")
    assert not list(raises.unreached(tmp_path))
