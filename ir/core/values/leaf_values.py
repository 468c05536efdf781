"""Leaves of programs as structural equality and hashing compare them: floats by bits, constant data by bytes."""

from __future__ import annotations

import struct
from typing import Any


def float_bits(value: float) -> bytes:
    """Return the eight bytes of a float, which distinguish -0.0 from 0.0 and nan payloads."""
    return struct.pack("<d", value)


def is_array(value: object) -> bool:
    """Return whether the value is constant data: a NumPy array or `Data`."""
    return hasattr(value, "tobytes") and hasattr(value, "dtype")


def array_parts(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    """Return dtype, shape and bytes of constant data."""
    return str(value.dtype), tuple(value.shape), value.tobytes()
