"""`create_prim_func`: the texts of several hundred definitions, also beside TVM."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.te.cases import FOLDER, arrays_of, check_golden, load, peers_texts, text_of
from tvmscript import te
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.te.errors import NotAnArgument

FILES = sorted((FOLDER / "definitions").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts(path: Path) -> None:
    values, different = load(path)
    assert different.keys() <= values.keys()
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


#: the first and the last index of each row: `dependent_axes.rows`
_ROWS = np.arange(17, dtype="int32") ** 2 // 16


def _greatest_between(a: Any) -> Any:
    row, column = np.indices(a.shape)
    return np.where((column < row) & (column > 2), a, np.finfo("float32").min).max(1)


#: values of the definitions whose text is not TVM's
_VALUES: dict[str, Callable[..., Any]] = {
    "limits.max_int64": lambda a: np.full_like(a, np.iinfo("int64").max),
    "externs.between": lambda a, b: (a + 1 + b) * 2,
    "axes.int64": lambda a: a[:, 0, 0].sum(1),
    "conditions.where": lambda a: np.tril(a, -1).sum(1),
    "conditions.where_two": _greatest_between,
    "inits.constant": lambda a: a.sum(1) + 1,
    "inits.tensor": lambda a, first: a.sum(1) + first,
    "dependent_axes.triangle": lambda a: np.full(4, a @ np.arange(16, 0, -1)),
    "dependent_axes.rows": lambda a, rows: [a[low:high].sum() for low, high in pairwise(rows)],
    "int64_extents.constants": lambda a: a + 1,
    "int64_extents.mixed": lambda a: a + 1,
    "names.keyword": lambda a: a,
}


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_values_of_different_texts(target: str) -> None:
    """What a text that is not TVM's computes is what its definition says."""

    def add(first: Any, second: Any, result: Any) -> None:
        a: Any = np.from_dlpack(first)
        b: Any = np.from_dlpack(second)
        tvmscript.nd.array(a + b).copyto(tvmscript.nd.from_dlpack(result))

    tvmscript.register_func("my.add", add, override=True)
    definitions = {name: load(path)[0][name] for path in FILES for name in load(path)[1]}
    assert definitions.keys() == _VALUES.keys()
    for name, tensors in definitions.items():
        *inputs, result = arrays_of(tensors)
        inputs = [_ROWS if array.dtype == "int32" else array for array in inputs]
        tvmscript.build(te.create_prim_func(tensors), target)["main"](*inputs, result)
        np.testing.assert_allclose(result, _VALUES[name](*inputs), rtol=1e-5, err_msg=name)


def test_placeholders_are_arguments() -> None:
    A = te.placeholder((4,), name="A")
    with pytest.raises(NotAnArgument, match="placeholder A, which is no argument"):
        te.create_prim_func([te.compute((4,), lambda i: A[i], name="B")])
