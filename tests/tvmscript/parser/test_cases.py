"""Case files: a text, `# output`, and what it prints to. The outputs are checked with real TVM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal

ROOT = Path(__file__).parents[2] / "cases"
CASES = sorted((ROOT / "parser").glob("*.py"))
SEEDS = sorted((ROOT / "seeds").glob("*.py"))


def name(path: Path) -> str:
    return path.stem


def split(path: Path) -> tuple[str, str]:
    text, mark, output = path.read_text().partition("\n# output\n")
    assert mark, f"{path} has no output"
    return text, output


def read(text: str) -> Any:
    return tvmscript.from_source(text, check_well_formed=False)


def test_there_are_cases() -> None:
    assert len(CASES) >= 18
    assert len(SEEDS) >= 2


@pytest.mark.parametrize("path", CASES, ids=name)
def test_prints_as_written_below(path: Path) -> None:
    text, output = split(path)
    assert read(text).script(comments=False) + "\n" == output


@pytest.mark.parametrize("path", CASES, ids=name)
def test_both_spellings_are_the_same_program(path: Path) -> None:
    text, output = split(path)
    assert_structural_equal(read(text), read(output), map_free_vars=True)


@pytest.mark.oracle
@pytest.mark.parametrize("path", CASES, ids=name)
def test_tvm_prints_the_same(path: Path, oracle: Any) -> None:
    text, output = split(path)
    assert oracle.print(text, check=False).strip() == output.strip()


@pytest.mark.parametrize("path", SEEDS, ids=name)
def test_seeds_read_and_print_to_themselves(path: Path) -> None:
    text = path.read_text()
    module = tvmscript.from_source(text)
    # TVM writes 0.0 as 0 since the page was made
    assert module.script().split() == text.replace("T.float32(0.0)", "T.float32(0)").split()


@pytest.mark.oracle
@pytest.mark.parametrize("path", SEEDS, ids=name)
def test_tvm_prints_the_seeds_the_same(path: Path, oracle: Any) -> None:
    assert oracle.print(path.read_text()).strip() == tvmscript.from_source(path.read_text()).script()
