"""What `tvmscript fuzz` and campaigns found and made small: the scripts, in `tests/cases/found`, pass now."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOUND = sorted((Path(__file__).parents[2] / "cases" / "found").glob("*.py"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_found(path: Path) -> None:
    """A script raises what was found, or runs to its end: its last line is the check of the area."""
    assert path.read_text(encoding="utf-8").splitlines()[-1].startswith("check(")
    found = runpy.run_path(str(path))
    assert found["check"].__module__.startswith(("tvmscript.fuzz.", "tests.campaign."))
