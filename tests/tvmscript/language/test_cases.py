"""Decorated functions: files that Python runs; `program` is what `EXPECTED` says, read as a text."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal

CASES = sorted((Path(__file__).parents[2] / "cases" / "language").glob("*.py"))


def name(path: Path) -> str:
    return path.stem


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_cases() -> None:
    assert len(CASES) >= 6


@pytest.mark.parametrize("path", CASES, ids=name)
def test_reads_as_the_text(path: Path) -> None:
    module = load(path)
    assert_structural_equal(module.program, tvmscript.from_source(module.EXPECTED))
