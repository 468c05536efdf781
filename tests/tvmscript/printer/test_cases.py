"""Case files: texts in normal form, which print to themselves here and in real TVM.

`tests/cases/printer` is the common part; `ours` below it holds what TVM writes in a way that does not read back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.printer import script_with_ranges

CASES = Path(__file__).parents[2] / "cases" / "printer"
COMMON = sorted(CASES.glob("*.py"))
OURS = sorted((CASES / "ours").glob("*.py"))


def read(text: str) -> Any:
    return tvmscript.from_source(text, check_well_formed=False)


def name(path: Path) -> str:
    return path.stem


def test_there_are_cases() -> None:
    assert len(COMMON) >= 60
    assert len(OURS) >= 10


@pytest.mark.parametrize("path", [*COMMON, *OURS], ids=name)
def test_prints_to_itself(path: Path) -> None:
    text = path.read_text()
    program = read(text)
    assert program.script() + "\n" == text
    assert_structural_equal(program, read(program.script()), map_free_vars=True)


@pytest.mark.parametrize("path", [*COMMON, *OURS], ids=name)
def test_other_spellings_read_back(path: Path) -> None:
    program = read(path.read_text())
    for options in ({"syntax_sugar": False}, {"indent_spaces": 1}, {"float_dtype": "float32"}):
        assert_structural_equal(program, read(program.script(**options)), map_free_vars=True)


@pytest.mark.parametrize("path", COMMON, ids=name)
def test_ranges_change_nothing(path: Path) -> None:
    program = read(path.read_text())
    text, ranges = script_with_ranges(program)
    assert text == program.script()
    assert all(text[item.begin : item.end].strip() for item in ranges)


@pytest.mark.oracle
@pytest.mark.parametrize("path", COMMON, ids=name)
def test_tvm_prints_the_same(path: Path, oracle: Any) -> None:
    text = path.read_text()
    assert oracle.print(text, check=False).rstrip() + "\n" == text
