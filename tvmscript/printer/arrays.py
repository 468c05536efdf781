"""Constant arrays as lists of numbers, every element of them."""

from __future__ import annotations

import struct
from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_literal


def constant_data(data: Any, dtype: DType) -> str:
    """The elements in memory order: `[1, 2.5]`; bfloat16 is widened from its bit patterns.

    Raises `NoText` for elements of a narrower float.
    """
    items: list[Any] = data.reshape(-1).tolist() if hasattr(data, "reshape") else data.tolist()
    if dtype.code == "bfloat":
        items = [struct.unpack("<f", struct.pack("<I", item << 16))[0] for item in items]
    elif dtype.is_floating and dtype.code != "float":
        raise NoText(what=f"constant data of {dtype}")
    return f"[{', '.join([_float(item) if isinstance(item, float) else str(int(item)) for item in items])}]"


def _float(item: float) -> str:
    literal = float_literal(item)
    if literal is None:
        return f'"{item}"'
    return literal.removesuffix(".0") if item != 0 else literal
