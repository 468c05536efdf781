"""Every pattern of every narrow format, and their rounding, against ml_dtypes."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tvmscript.backends.runtime.small_floats import decode, encode, storage_of, values_of
from tvmscript.ir.core.values.float_formats import FORMATS, encoder

NAMES = {"e4m3_float8": "float8_e4m3fn", "e5m2_float8": "float8_e5m2"}


def peer(dtype: str) -> Any:
    """The dtype of ml_dtypes."""
    return getattr(ml_dtypes, NAMES.get(dtype, dtype))


def interesting(dtype: str) -> Any:
    """All values, the middles between them, their neighbours, random numbers, and the special ones, as float32."""
    values = np.unique(decode(np.arange(1 << FORMATS[dtype].bits).astype(storage_of(FORMATS[dtype])), dtype))
    values = values[np.isfinite(values)]
    with np.errstate(all="ignore"):
        middles = values[1:] / 2 + values[:-1] / 2
        near = [np.nextafter(middles, np.float32(sign) * np.float32(np.inf)) for sign in (1, -1)]
    generator = np.random.default_rng(1)
    scattered = generator.integers(0, 2**32, 40_000, dtype=np.uint32).view(np.float32)
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45], np.float32)
    return np.concatenate([values, middles, *near, scattered, special])


@pytest.mark.parametrize("dtype", FORMATS)
def test_every_pattern(dtype: str) -> None:
    form = FORMATS[dtype]
    patterns = np.arange(1 << form.bits).astype(storage_of(form))
    wanted = patterns.view(peer(dtype)).astype(np.float32)
    got = decode(patterns, dtype)
    assert np.array_equal(np.isnan(got), np.isnan(wanted))
    real = ~np.isnan(wanted)
    assert np.array_equal(got[real].view(np.uint32), wanted[real].view(np.uint32))
    back = encode(got, dtype)
    assert np.array_equal(back[real], patterns[real])
    # whatever stands above a narrow pattern in its byte
    values = np.array(values_of(dtype), "float32")
    assert np.array_equal(values, np.resize(got, len(values)), equal_nan=True)


@pytest.mark.parametrize("dtype", FORMATS)
def test_rounding(dtype: str) -> None:
    values = interesting(dtype)
    with np.errstate(all="ignore"):
        wanted = values.astype(peer(dtype)).view(storage_of(FORMATS[dtype]))
    got = encode(values, dtype)
    # the payload and the sign of nan say nothing
    nan = np.isnan(values) & np.isnan(decode(got, dtype))
    assert np.array_equal(got[~nan], wanted[~nan])


@pytest.mark.parametrize("dtype", FORMATS)
def test_one_number_at_a_time(dtype: str) -> None:
    one = encoder(dtype)
    values = interesting(dtype)[::7]
    assert [one(float(value)) for value in values] == encode(values, dtype).tolist()


@given(st.floats(allow_nan=False), st.sampled_from(sorted(FORMATS)))
def test_doubles_are_rounded_once(value: float, dtype: str) -> None:
    """No other finite value of the format is nearer."""
    form = FORMATS[dtype]
    finite = [v for v in values_of(dtype)[: 1 << form.bits] if math.isfinite(v)]
    if form.unsigned or dtype == "bfloat16" or not min(finite) <= value <= max(finite):
        return
    got = values_of(dtype)[encoder(dtype)(value)]
    assert abs(got - value) == min(abs(other - value) for other in finite)


def test_narrow_formats_ignore_the_rest_of_their_byte() -> None:
    assert values_of("float4_e2m1fn")[0xF7] == values_of("float4_e2m1fn")[0x07] == 6.0


def test_half_is_a_table() -> None:
    assert values_of("float16")[0x3C00] == 1.0
    assert values_of("float16")[0xFC00] == -math.inf
