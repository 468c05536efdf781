"""Data types."""

from __future__ import annotations

import copy
import pickle

import pytest

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import InvalidDType


@pytest.mark.parametrize(
    ("name", "code", "bits", "lanes"),
    [
        ("float32", "float", 32, 1),
        ("float32x4", "float", 32, 4),
        ("int1", "int", 1, 1),
        ("uint64x16", "uint", 64, 16),
        ("bool", "uint", 1, 1),
        ("boolx8", "uint", 1, 8),
        ("bfloat16", "bfloat", 16, 1),
        ("bfloat16x2", "bfloat", 16, 2),
        ("e4m3_float8", "e4m3_float8", 8, 1),
        ("e5m2_float8x16", "e5m2_float8", 8, 16),
        ("float8_e8m0fnu", "float8_e8m0fnu", 8, 1),
        ("handle", "handle", 64, 1),
        ("void", "void", 0, 1),
        ("int47", "int", 47, 1),
    ],
)
def test_parts(name: str, code: str, bits: int, lanes: int) -> None:
    dtype = DType(name)
    assert (dtype.code, dtype.bits, dtype.lanes, str(dtype)) == (code, bits, lanes, name)
    assert dtype == name


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("", "void"),
        ("bf16x2", "bfloat16x2"),
        ("u8", "uint8"),
        ("f32", "float32"),
        ("uint1", "bool"),
        ("int", "int32"),
        ("float8_e5m2", "e5m2_float8"),
    ],
)
def test_aliases_are_the_same_object(alias: str, name: str) -> None:
    assert DType(alias) is DType(name)


@pytest.mark.parametrize(
    "name",
    [
        "int0",
        "int65",
        "float8",
        "float31",
        "int032",
        "int32x0",
        "x4",
        "voidx2",
        "INT32",
        "int32 ",
        "int32x4x4",
        "int32x-1",
    ],
)
def test_refused(name: str) -> None:
    with pytest.raises(InvalidDType, match="is not a data type"):
        DType(name)


def test_interned_through_copies() -> None:
    dtype = DType("float16x8")
    assert copy.deepcopy(dtype) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert dtype.element is DType("float16")
    assert dtype.element.with_lanes(8) is dtype


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("int8", -128, 127), ("uint8", 0, 255), ("bool", 0, 1), ("int1", -1, 0), ("uint128", 0, 2**128 - 1)],
)
def test_limits(name: str, low: int, high: int) -> None:
    assert (DType(name).min_value, DType(name).max_value) == (low, high)
