"""`create_prim_func`: the texts of several hundred definitions, also beside TVM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.ir.te.cases import FOLDER, check_golden, load, peers_texts, text_of
from tvmscript import te
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.te.errors import NotAnArgument

FILES = sorted((FOLDER / "definitions").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts(path: Path) -> None:
    values, _ = load(path)
    check_golden(path, {name: text_of(value) for name, value in values.items()})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts_read_back(path: Path) -> None:
    values, _ = load(path)
    for name, value in values.items():
        if not text_of(value).startswith("refused"):
            func = te.create_prim_func(**(value if isinstance(value, dict) else {"ops": value}))
            assert structural_equal(tvmscript.from_source(func.script()), func), name


@pytest.mark.oracle
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_texts_as_tvm(oracle: Any, path: Path) -> None:
    values, different = load(path)
    theirs = peers_texts("definitions")[path.stem]
    assert theirs.keys() == values.keys()
    for name, value in values.items():
        ours, text = text_of(value), theirs[name].rstrip("\n")
        is_same = ours == text or (ours.startswith("refused") and text.startswith("refused"))
        assert is_same is (name not in different), f"{name}\n{ours}\n{text}"


def test_placeholders_are_arguments() -> None:
    A = te.placeholder((4,), name="A")
    with pytest.raises(NotAnArgument, match="placeholder A, which is no argument"):
        te.create_prim_func([te.compute((4,), lambda i: A[i], name="B")])
