"""NaN payloads: sign and bits of not-a-number values in each dtype."""

from __future__ import annotations

import struct
from typing import Final

from tvmscript.ir.core.dtype import DType

#: dtype -> (exponent bits, fraction bits) of the IEEE formats whose nan carries a payload
_FORMATS: Final[dict[str, tuple[int, int]]] = {
    "float16": (5, 10),
    "bfloat16": (8, 7),
    "float32": (8, 23),
    "float64": (11, 52),
}
_PREFIX: Final = "nan:0x"


def _double_bits(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits


def nan_bits(dtype: DType, value: float) -> int | None:
    """Return the bit pattern of a nan in a dtype; None if the dtype has a single nan."""
    layout = _FORMATS.get(dtype)
    if layout is None:
        return None
    exponent, fraction = layout
    double = _double_bits(value)
    payload = (double & ((1 << 52) - 1)) >> (52 - fraction)
    if payload == 0:  # only bits that the narrower dtype has not: the quiet bit keeps it a nan
        payload = 1 << (fraction - 1)
    return (double >> 63) << (exponent + fraction) | ((1 << exponent) - 1) << fraction | payload


def nan_from_bits(dtype: DType, bits: int) -> float | None:
    """Return the double that represents a nan of a dtype; None for a pattern that is not a nan."""
    layout = _FORMATS.get(dtype)
    if layout is None:
        return None
    exponent, fraction = layout
    payload = bits & ((1 << fraction) - 1)
    sign = bits >> (exponent + fraction)
    if payload == 0 or sign > 1 or (bits >> fraction) & ((1 << exponent) - 1) != (1 << exponent) - 1:
        return None
    double = sign << 63 | 0x7FF << 52 | payload << (52 - fraction)
    value: float = struct.unpack("<d", struct.pack("<Q", double))[0]
    return value


def canonical_nan(dtype: DType, value: float) -> float:
    """Return the nan with its payload truncated to the dtype."""
    bits = nan_bits(dtype, value)
    canonical = None if bits is None else nan_from_bits(dtype, bits)
    return float("nan") if canonical is None else canonical


def nan_text(dtype: DType, value: float) -> str:
    """Return `nan`, or `nan:0x...` with the bit pattern if it is not the default one."""
    bits = nan_bits(dtype, value)
    return "nan" if bits is None or bits == nan_bits(dtype, float("nan")) else f"{_PREFIX}{bits:x}"


def nan_from_text(dtype: DType, text: str) -> float | None:
    """Return the value of a text of `nan_text`; None for another text."""
    if text == "nan":
        return float("nan")
    digits = text.removeprefix(_PREFIX)
    if digits == text or len(digits) > 16 or not digits.isalnum():
        return None
    try:
        return nan_from_bits(dtype, int(digits, 16))
    except ValueError:
        return None
