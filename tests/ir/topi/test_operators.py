"""The operator inventory: texts beside TVM, and values beside NumPy, from one registry (`tests/cases/topi`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ir.te.cases import check_golden
from tests.ir.topi.cases import FILES, check_values, load, peers_texts, text_of

CASES = [(path, name) for path in FILES for name in load(path)[0]]
#: every case is tested behind the marker fuzz
SAMPLE = CASES[::12]


def _name(item: Path | str) -> str:
    return item.stem if isinstance(item, Path) else item


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_texts(path: Path) -> None:
    cases, _ = load(path)
    check_golden(path, {name: text_of(case) for name, case in cases.items()})


@pytest.mark.oracle
@pytest.mark.parametrize("path", FILES, ids=_name)
def test_same_texts_as_tvm(oracle: Any, path: Path) -> None:
    cases, different = load(path)
    theirs = peers_texts()[path.stem]
    assert theirs.keys() == cases.keys()
    for name, case in cases.items():
        is_same = True
        for dtype, text in zip(("int32", "int64"), theirs[name], strict=True):
            ours = text_of(case, dtype)
            is_same &= ours == text.rstrip("\n") or (ours.startswith("refused") and text.startswith("refused"))
        assert is_same is (name not in different), name


@pytest.mark.parametrize(("path", "name"), SAMPLE, ids=_name)
def test_some_values(path: Path, name: str) -> None:
    check_values(load(path)[0][name], all_sizes=False)


@pytest.mark.fuzz
@pytest.mark.parametrize(("path", "name"), CASES, ids=_name)
def test_values(path: Path, name: str) -> None:
    check_values(load(path)[0][name], all_sizes=True)
