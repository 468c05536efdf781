"""Nan values keep their payload; NumPy tells what a bit pattern is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.values.nan import canonical_nan, nan_bits, nan_from_bits, nan_from_text, nan_text


@given(st.integers(0, 2**32 - 1))
def test_float32_patterns(bits: int) -> None:
    is_nan = bool(np.isnan(np.uint32(bits).view(np.float32)))
    value = nan_from_bits(DType("float32"), bits)
    assert (value is not None) == is_nan
    if value is not None:
        assert math.isnan(value)
        assert nan_bits(DType("float32"), value) == bits
        text = nan_text(DType("float32"), value)
        again = nan_from_text(DType("float32"), text)
        assert again is not None
        assert nan_bits(DType("float32"), again) == bits


def test_every_float16_pattern() -> None:
    for bits in range(2**16):
        value = nan_from_bits(DType("float16"), bits)
        assert (value is not None) == bool(np.isnan(np.uint16(bits).view(np.float16)))
        assert value is None or nan_bits(DType("float16"), value) == bits


def test_usual_nan_has_no_payload_in_text() -> None:
    for name in ("float16", "bfloat16", "float32", "float64", "e4m3_float8"):
        assert nan_text(DType(name), math.nan) == "nan"
    assert nan_text(DType("float32"), -math.nan) == "nan:0xffc00000"


def test_payload_that_does_not_fit_is_dropped() -> None:
    small = nan_from_bits(DType("float64"), 0x7FF0000000000001)
    assert small is not None
    assert nan_bits(DType("float32"), canonical_nan(DType("float32"), small)) == 0x7FC00000


@pytest.mark.parametrize("text", ["inf", "nan:", "nan:0x", "nan:0xzz", "nan:0x7f800000", "nan:0x1ffffffff", "nan:0x_1"])
def test_other_texts(text: str) -> None:
    assert nan_from_text(DType("float32"), text) is None
