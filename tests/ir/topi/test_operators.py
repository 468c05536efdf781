"""The operator inventory: texts beside TVM, and values beside NumPy, from one registry (`tests/cases/topi`)."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from tests.ir.te.cases import check_golden
from tests.ir.topi.cases import (
    FILES,
    OF_ANY_RANK,
    check_values,
    dtypes_of,
    load,
    of_rank_0,
    peers_names,
    peers_texts,
    text_of,
    with_dtype,
    without_rows,
)
from tvmscript import topi
from tvmscript.tvm_names import AbsentName

#: the same on every Python
pytestmark = pytest.mark.long

#: names that modules of TVM import for their own use
BORROWED: frozenset[str] = frozenset(
    {
        *("argsort", "binary_search", "cast", "cumsum", "gather", "get_const_int", "get_const_tuple", "get_pad_tuple"),
        *("nchw_pack_layout", "nchw_xc_layout", "pad", "reshape", "simplify"),
    }
)
#: functions of sizes, and parts of operators, which have no cases of their own
PARTS: frozenset[str] = frozenset(
    {
        *("const_vector", "declaration_conv2d_transpose_impl", "declaration_conv3d_transpose_impl", "equal_const_int"),
        *("generate_anchor", "get_pad_tuple1d", "get_pad_tuple3d", "get_pad_tuple_generic", "inventory", "lazy_names"),
        *("reg_bbox", "reg_iou", "scanop", "softmax_common", "sparse_dense_sp_lhs", "sparse_dense_sp_rhs"),
    }
)
CASES = [(path, name) for path in FILES for name in load(path)[0]]
#: every case is tested behind the marker fuzz
SAMPLE = CASES[::12]
#: cases with other dtypes
VARIANTS = [(path, name, dtype) for path, name in CASES for dtype in dtypes_of(path, load(path)[0][name])]
OF_RANK_0 = [item for item in CASES if item[0].stem in OF_ANY_RANK and of_rank_0(load(item[0])[0][item[1]]) is not None]

WITHOUT_ROWS = [item for item in CASES if without_rows(load(item[0])[0][item[1]]) is not None]


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


@pytest.mark.oracle
def test_names(oracle: Any) -> None:
    absent: list[str] = []
    for path, names in peers_names().items():
        module: Any = topi
        for part in path.split(".") if path else ():
            module = getattr(module, part)
        # modules of TVM have names of others too
        absent += [f"{path}.{name}" for name in names if not hasattr(module, name) and name not in BORROWED]
    assert absent == []


def test_every_operator_has_a_case() -> None:
    """A new operator brings its tests."""
    text = "".join(path.read_text() for path in FILES)
    missing = [
        name
        for module in (topi, topi.nn, topi.image, topi.vision, topi.random, topi.sparse)
        for name, item in vars(module).items()
        if inspect.isfunction(item) and not name.startswith("_") and not re.search(rf"\b{name}\b", text)
    ]
    assert sorted({*missing} - BORROWED - PARTS) == []


def test_refused_names() -> None:
    with pytest.raises(AbsentName, match=r"topi\.nn\.conv2d_legalize is absent: rules for operators of Relay"):
        topi.nn.conv2d_legalize()


@pytest.mark.parametrize(("path", "name"), SAMPLE, ids=_name)
def test_some_values(path: Path, name: str) -> None:
    check_values(load(path)[0][name], all_sizes=False)


@pytest.mark.parametrize(("path", "name", "dtype"), VARIANTS[::80], ids=_name)
def test_some_dtypes(path: Path, name: str, dtype: str) -> None:
    check_values(with_dtype(load(path)[0][name], dtype), all_sizes=False)


@pytest.mark.fuzz
@pytest.mark.parametrize(("path", "name", "dtype"), VARIANTS, ids=_name)
def test_dtypes(path: Path, name: str, dtype: str) -> None:
    check_values(with_dtype(load(path)[0][name], dtype), all_sizes=True)


@pytest.mark.parametrize(("path", "name"), WITHOUT_ROWS[::12], ids=_name)
def test_some_without_rows(path: Path, name: str) -> None:
    check_values(without_rows(load(path)[0][name]), all_sizes=False)


@pytest.mark.fuzz
@pytest.mark.parametrize(("path", "name"), WITHOUT_ROWS, ids=_name)
def test_without_rows(path: Path, name: str) -> None:
    check_values(without_rows(load(path)[0][name]), all_sizes=False)


@pytest.mark.parametrize(("path", "name"), OF_RANK_0, ids=_name)
def test_rank_0(path: Path, name: str) -> None:
    case = of_rank_0(load(path)[0][name])
    assert case is not None
    check_values(case, all_sizes=False)


@pytest.mark.fuzz
@pytest.mark.parametrize(("path", "name"), CASES, ids=_name)
def test_values(path: Path, name: str) -> None:
    check_values(load(path)[0][name], all_sizes=True)
