"""Tables of operators: builders of IR, and functions on Python values."""

from __future__ import annotations

import ast
import operator
from numbers import Real
from typing import Any

from tvmscript.ir.tir import operators
from tvmscript.ir.tir.intrin import SURFACE

#: bits of the largest Python integer that is computed
MAX_BITS = 4096
#: length of the longest Python string or list that is computed
MAX_LENGTH = 1 << 20

SIMPLE = (int, str, float, bool, type(None))
PLAIN = (int, float, str, tuple, list, dict, type(None))

BINARY: dict[type, Any] = {
    ast.Add: operators.add,
    ast.Sub: operators.sub,
    ast.Mult: operators.mul,
    ast.Div: operators.div,
    ast.FloorDiv: operators.floordiv,
    ast.Mod: operators.floormod,
    ast.LShift: SURFACE["shift_left"],
    ast.RShift: SURFACE["shift_right"],
    ast.BitAnd: SURFACE["bitwise_and"],
    ast.BitOr: SURFACE["bitwise_or"],
    ast.BitXor: SURFACE["bitwise_xor"],
}
COMPARE: dict[type, Any] = {
    ast.Lt: operators.lt,
    ast.LtE: operators.le,
    ast.Gt: operators.gt,
    ast.GtE: operators.ge,
    ast.Eq: operators.eq,
    ast.NotEq: operators.ne,
}


UNARY: dict[type, Any] = {
    ast.USub: operators.neg,
    ast.UAdd: lambda value, span: value,
    ast.Not: operators.logical_not,
    ast.Invert: SURFACE["bitwise_not"],
}
PYTHON_UNARY: dict[type, Any] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
PYTHON_BINARY: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}
SYMBOLS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip

#: comparisons that only Python values support
WORDS: dict[type, str] = {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}


PYTHON_COMPARE: dict[type, Any] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right, ast.NotIn: lambda left, right: left not in right,
}  # fmt: skip


def is_number(value: object) -> bool:
    """Whether a Python value is a number, such as a NumPy scalar."""
    return hasattr(value, "__index__") or isinstance(value, Real)


def too_large(op: type, left: Any, right: Any) -> bool:
    """Whether the result of an operation on Python values exceeds its size limit."""
    if type(left) in (int, bool) and type(right) in (int, bool):
        if op is ast.Pow:
            return bool(right > 0 and left.bit_length() * right > MAX_BITS)
        if op is ast.LShift:
            return bool(right > MAX_BITS or left.bit_length() + right > MAX_BITS)
        return op is ast.Mult and left.bit_length() + right.bit_length() > MAX_BITS
    if op is ast.Mult:
        for items, count in ((left, right), (right, left)):
            if isinstance(items, (str, tuple, list)) and isinstance(count, int):
                return len(items) * count > MAX_LENGTH
    if op is ast.Add and isinstance(left, (str, tuple, list)) and isinstance(right, (str, tuple, list)):
        return len(left) + len(right) > MAX_LENGTH
    return op is ast.Mod and isinstance(left, str)
