"""Constant data of every dtype is read, printed and read back."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.values.constant_data import pack


@pytest.mark.parametrize(
    ("dtype", "written", "printed"),
    [
        ("float32", '[0.5, -2.25, "inf", "nan"]', '[0.5, -2.25, "inf", "nan"]'),
        ("bfloat16", '[0.5, -2.25, "inf", "nan"]', '[0.5, -2.25, "inf", "nan"]'),
        ("e5m2_float8", '[0.5, 3, "-inf", "nan"]', '[0.5, 3, "-inf", "nan"]'),
        ("e4m3_float8", "[0.5, -2.25, 448, 0.0]", "[0.5, -2.25, 448, 0]"),  # 448 is the largest value
        ("int8", "[0, -1, 127, -128]", "[0, -1, 127, -128]"),
        ("bool", "[0, 1, 0, 1]", "[0, 1, 0, 1]"),
        ("uint64", "[0, 1, 2, 18446744073709551615]", "[0, 1, 2, 18446744073709551615]"),
    ],
)
def test_reads_back(dtype: str, written: str, printed: str) -> None:
    func = tvmscript.from_source(
        f'@T.prim_func\ndef f(A: T.Buffer((4,), "{dtype}")):\n'
        f'    c = T.allocate_const({written}, "{dtype}", [4])\n'
        f'    C = T.decl_buffer((4,), "{dtype}", data=c)\n    A[0] = C[1]\n'
    )
    text = func.script()
    # the memory is called after its buffer, as in TVM
    assert f'C = T.allocate_const({printed}, "{dtype}", [4])' in text
    assert_structural_equal(func, tvmscript.from_source(text))


def test_narrow_floats_are_rounded_to_patterns() -> None:
    # bfloat16 is the upper half of a float32: 1.0 is 0x3F800000
    assert pack([1.0, -2.0, 1.00001], DType("bfloat16"), (3,)).tolist() == [0x3F80, 0xC000, 0x3F80]


@pytest.mark.parametrize(("values", "dtype"), [([300], "int8"), ([1], "handle"), ([0.5], "int32"), ([1], "int24")])
def test_refused(values: list[float], dtype: str) -> None:
    with pytest.raises(WrongType, match="constant data"):
        pack(values, DType(dtype), (1,))
