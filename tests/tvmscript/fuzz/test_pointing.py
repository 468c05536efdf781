"""Areas pointed at what executes a line, and laws that a seed checks."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tvmscript.fuzz.areas import area
from tvmscript.fuzz.laws import Checks, LawBroken, LawTable, require, require_refusal
from tvmscript.fuzz.pointing import areas_at, point
from tvmscript.ir.tir import slices

EXECUTED = {"arith": {"set": {"a.py": {1, 2}}, "proof": {"a.py": {2}}}, "printer": {"": {"b.py": {3}}}}


@pytest.mark.parametrize(
    ("file", "lines", "names"),
    [
        ("a.py", {1}, ["arith:set"]),
        ("a.py", {2}, ["arith"]),
        ("b.py", {3, 4}, ["printer"]),
        ("b.py", {5}, ["arith", "printer"]),
    ],
)
def test_subjects_that_execute_a_line(file: str, lines: set[int], names: list[str]) -> None:
    assert point(EXECUTED, file, lines) == names


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12")
def test_laws_of_a_line() -> None:
    file = Path(slices.__file__)
    line = file.read_text().splitlines().index("    if item.stop is None:") + 1
    (pointed,) = areas_at([area("nodes")], f"{file}:{line}")
    assert "slices" in pointed.name
    assert "nan" not in pointed.name


def test_a_law_that_is_broken() -> None:
    def law(rng: random.Random) -> None:
        require("even", "a number", rng.randrange(2), 0)

    table = LawTable("module", {"even": law})
    with pytest.raises(LawBroken, match="even: a number is 1 and not 0"):
        table.check(Checks("even", 3))
    assert "check(Checks(law='even', seed=3))" in table.write(Checks("even", 3))


def test_values_and_refusals() -> None:
    require("law", "nan", float("nan"), float("nan"))
    require_refusal("law", "a number", ValueError, lambda: int("x"))
    with pytest.raises(LawBroken):
        require("law", "types", 1, 1.0)
    with pytest.raises(LawBroken):
        require_refusal("law", "it", ValueError, int)
