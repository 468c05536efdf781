"""Raise statements that a run reached are not listed, others are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

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


class Base:
    def visit(self):
        'Visit a node.'
        raise NotImplementedError

    def describe(self):
        raise NotImplementedError(type(self).__name__)
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


def test_what_is_raised_in_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Python 3.12 a trace function notes it."""
    monkeypatch.setattr(raises, "ROOT", tmp_path)
    monkeypatch.setattr(raises, "reached", set())
    file = str(tmp_path / "a.py")
    names: dict[str, Any] = {}
    exec(compile(TEXT, file, "exec"), names)
    before = sys.gettrace()
    sys.settrace(raises.trace)
    try:
        with pytest.raises(KeyError):
            names["f"](0)
    finally:
        sys.settrace(before)
    assert raises.reached == {(file, 7)}
