"""Numbers, strings and dtypes as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from tvmscript.ir.core import DType
from tvmscript.ir.core.values.nan import nan_text

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def tuple_text(items: Sequence[str]) -> str:
    """Return `(a, b)`, or `(a,)`."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def string(value: str) -> str:
    """Return a string literal in double quotes, unprintable characters escaped."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + "".join([_ESCAPES.get(c) or (c if c.isprintable() else _escape(ord(c))) for c in value]) + '"'


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@lru_cache(maxsize=1024)
def _digits(value: float) -> str:
    return f"{value:.17g}"


def float_digits(value: float) -> str:
    """Return 17 digits, as TVM does by C's `%.17g`; a negative zero is `-0.0`, which keeps its sign when read."""
    if value == 0.0:
        return "0" if math.copysign(1.0, value) > 0 else "-0.0"
    return _digits(value)


def float_call(dtype: str, value: float, *, has_point: bool = False) -> str:
    """Return the call of a float constant without prefix: `float32(0.5)`, `float32("inf")`. With `has_point`, a whole
    number has a point too: `float32(2.0)`.
    """
    if math.isfinite(value):
        return f"{dtype}({(float_literal if has_point else float_digits)(value)})"
    if math.isnan(value):
        return f'{dtype}("{nan_text(DType(dtype), value)}")'
    return f'{dtype}("inf")' if value > 0 else f'{dtype}("-inf")'


def float_literal(value: float) -> str | None:
    """Return a Python literal that is a float, None for inf and nan."""
    if not math.isfinite(value):
        return None
    digits = float_digits(value)
    return f"{digits}.0" if digits.lstrip("-").isdigit() else digits
