"""Constant arrays as lists of numbers, every element of them."""

from __future__ import annotations

from typing import Any

from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_literal


def constant_data(data: Any) -> str:
    """The elements in memory order: `[1, 2.5]`. Raises `NoText` for an array of neither numbers nor bools."""
    kind = data.dtype.kind
    items: list[Any] = data.reshape(-1).tolist()
    if kind == "f":
        return f"[{', '.join([_float(item) for item in items])}]"
    if kind in "iub":
        return f"[{', '.join([str(int(item)) for item in items])}]"
    raise NoText(what=f"an array of {data.dtype}")


def _float(item: float) -> str:
    literal = float_literal(item)
    if literal is None:
        return f'float("{item}")'
    return literal.removesuffix(".0") if item != 0 else literal
