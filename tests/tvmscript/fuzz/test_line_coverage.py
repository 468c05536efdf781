"""Lines that run, and those that do not."""

from __future__ import annotations

import sys

import pytest

from tvmscript.fuzz.line_coverage import FileCoverage, reached_lines, unreached_lines
from tvmscript.fuzz.parser import names


def test_what_does_not_run_is_listed() -> None:
    packages = ["tvmscript.fuzz.parser"]
    listed = {each.file.name: each for each in unreached_lines(packages, {})}
    assert listed["names.py"].count == len(listed["names.py"].unreached) > 5
    reached = {str(names.__file__): set(listed["names.py"].unreached)}
    assert "names.py" not in {each.file.name for each in unreached_lines(packages, reached)}
    assert str(FileCoverage(listed["names.py"].file, 9, (3, 4, 5, 9))).endswith("names.py: 3-5, 9")


def test_what_runs_is_recorded() -> None:
    packages = ["tvmscript.fuzz.parser"]
    if sys.version_info < (3, 12):
        with pytest.raises(RuntimeError, match=r"Python 3\.12"), reached_lines(packages):
            pass
        return
    with reached_lines(packages) as reached:
        names.check_names("x = 1\n")
    (lines,) = [each.unreached for each in unreached_lines(packages, reached) if each.file.name == "names.py"] or [()]
    before = {each.file.name: each for each in unreached_lines(packages, {})}["names.py"]
    assert len(lines) < len(before.unreached)
