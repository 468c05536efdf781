"""Types and literals of C for dtypes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from tvmscript.ir.arith.fold import round_to_dtype
from tvmscript.ir.core import INT32, DType

_TYPES: Final = {
    **{f"{code}{bits}": f"{code}{bits}_t" for code in ("int", "uint") for bits in (8, 16, 32, 64)},
    "bool": "bool", "float16": "float16", "float32": "float", "float64": "double", "handle": "void *", "void": "void",
}  # fmt: skip
#: dtypes of scalars of C
C_DTYPES: Final = frozenset(_TYPES)


def c_type(dtype: DType) -> str:
    """Return the type of a value: that of C, or the name of the dtype, which languages that extend C define."""
    if dtype.is_vector:
        return f"Vec<{c_type(dtype.element)}, {dtype.lanes}>"
    return _TYPES.get(dtype, str(dtype))


def declare(dtype: DType, name: str) -> str:
    """Return a declaration of a variable."""
    kind = c_type(dtype)
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


#: levels of C's operators; one of a higher level binds tighter
PRIMARY, UNARY, PRODUCT, SUM, SHIFT, ORDER, EQUALITY, BIT_AND, BIT_XOR, BIT_OR, AND, OR, CHOICE = range(13, 0, -1)


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of C: its text, the level of its outermost operator, and the type that C gives it.

    The value is that of the TIR expression. Its type may be wider: sums of `int8_t` are of type `int`.
    """

    text: str
    level: int
    dtype: DType
    #: the value before a cast that changed how C reads its bits and nothing else
    counted: Value | None = None

    def inside(self, level: int) -> str:
        """Return the text as an operand of an operator of a level, parenthesized where it has to be."""
        return self.text if self.level >= level else f"({self.text})"

    def as_type(self, dtype: DType) -> Value:
        """Return the value with this C type, by a cast where it has another one."""
        if self.dtype is dtype:
            return self
        return Value(f"({c_type(dtype)}){self.inside(UNARY)}", UNARY, dtype)


def integer_literal(dtype: DType, value: int) -> Value:
    """Return an integer constant; one that fits in `int` is of that type."""
    if dtype.is_bool:
        return Value("true" if value else "false", PRIMARY, dtype)
    if not dtype.is_signed and dtype.bits >= 32:
        return Value(f"{value}u" if dtype.bits == 32 else f"UINT64_C({value})", PRIMARY, dtype)
    if INT32.min_value < value <= INT32.max_value:
        return Value(str(value), PRIMARY if value >= 0 else UNARY, INT32)
    if value == dtype.min_value:
        return Value(f"INT{dtype.bits}_MIN", PRIMARY, dtype)
    return Value(f"INT64_C({value})", PRIMARY, dtype)


def float_literal(dtype: DType, value: float) -> Value:
    """Return a float constant, in the shortest form that reads back to the same number."""
    if math.isnan(value):
        return Value("NAN", PRIMARY, dtype)
    if dtype == "float32":
        with np.errstate(over="ignore"):
            value, text = float(np.float32(value)), f"{np.float32(value)!s}f"
    elif dtype.bits < 32:
        rounded = round_to_dtype(value, dtype)
        value = value if rounded is None else rounded
        text = f"{value!r}f"
    else:
        text = repr(value)
    if math.isinf(value):
        text = "INFINITY" if value > 0 else "-INFINITY"
    literal = Value(text, UNARY if text.startswith("-") else PRIMARY, dtype)
    return Value(f"({c_type(dtype)}){literal.text}", UNARY, dtype) if dtype.bits < 32 else literal


def string_literal(text: str) -> str:
    """Return a string constant of C."""
    escaped = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode()
    )
    return f'"{escaped}"'
