"""Constant arrays as lists of numbers, every element of them."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.formats import FORMATS, value_of
from tvmscript.printer.literals import float_literal


def constant_data(data: Any, dtype: DType) -> str:
    """The elements in memory order: `[1, 2.5]`; bit patterns of narrow floats as the values they stand for."""
    items: list[Any] = data.reshape(-1).tolist() if hasattr(data, "reshape") else data.tolist()
    if dtype in FORMATS:
        items = [value_of(item, FORMATS[dtype]) for item in items]
    return f"[{', '.join([_float(item) if isinstance(item, float) else str(int(item)) for item in items])}]"


def _float(item: float) -> str:
    literal = float_literal(item)
    if literal is None:
        return f'"{item}"'
    return literal if literal == "-0.0" else literal.removesuffix(".0")
