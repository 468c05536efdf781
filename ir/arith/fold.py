"""Constant folding with the semantics of the target: integers wrap to their dtype, floats are rounded to it.

`make(Add, a, b)` builds an operation and folds operations on constants and neutral elements. Divisions by zero and
conversions that overflow are not folded.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from typing import Final

from tvmscript.ir.core import BOOL, FLOAT32, FLOAT64, DType, Span
from tvmscript.ir.tir import EQ, GE, GT, LE, LT, NE, Add, And, Div, Expr, IntImm, Max, Min, Mod, Mul, Or, can_drop
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, Cast, CompareOp, FloatImm, FloorDiv, FloorMod, Not, Select, Sub
from tvmscript.ir.tir.operators import wrap

Rule = Callable[[Expr, Expr], Expr | None]

TRUE: Final = IntImm(BOOL, 1)
FALSE: Final = IntImm(BOOL, 0)


def truncdiv(a: int, b: int) -> int:
    """Return the quotient rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def truncmod(a: int, b: int) -> int:
    """Return the remainder of `truncdiv`, with the sign of a."""
    remainder = abs(a) % abs(b)
    return -remainder if a < 0 else remainder


#: Integer operators, before the result wraps. Divisors are not zero.
INTEGERS: Final[dict[type[BinaryOp], Callable[[int, int], int]]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    Div: truncdiv,
    Mod: truncmod,
    FloorDiv: operator.floordiv,
    FloorMod: operator.mod,
    Min: min,
    Max: max,
    And: operator.and_,
    Or: operator.or_,
}
COMPARISONS: Final[dict[type[BinaryOp], Callable[[float, float], bool]]] = {
    EQ: operator.eq,
    NE: operator.ne,
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
}
#: Integer operators that are calls.
BITWISE: Final[dict[str, Callable[[int, int], int]]] = {
    "tir.shift_left": operator.lshift,
    "tir.shift_right": operator.rshift,
    "tir.bitwise_and": operator.and_,
    "tir.bitwise_or": operator.or_,
    "tir.bitwise_xor": operator.xor,
}
DIVISIONS: Final = (Div, Mod, FloorDiv, FloorMod)
# Sums and products of two float32 have enough bits in double that rounding twice equals rounding once.
_FLOATS: Final[dict[type[BinaryOp], Callable[[float, float], float]]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
}


#: `struct` formats of the float dtypes that Python can round to
_PACKED: Final[dict[str, str]] = {"float16": "e", "float32": "f"}


def round_to_dtype(value: float, dtype: DType) -> float | None:
    """Round a float to its dtype. None if it overflows or the dtype is not an IEEE one."""
    if dtype is FLOAT64:
        return value
    form = _PACKED.get(dtype)
    if form is None or math.isnan(value) or math.isinf(value):
        return None if form is None else value
    try:
        return float(struct.unpack(form, struct.pack(form, value))[0])
    except OverflowError:
        return None


def is_const(expr: Expr, value: int) -> bool:
    """Whether the expression is this integer constant, or a vector of it."""
    if type(expr) is Broadcast:
        expr = expr.value
    return type(expr) is IntImm and expr.value == value


def is_true(condition: Expr | bool) -> bool:
    """Whether a condition is the constant true."""
    return condition is True or (isinstance(condition, IntImm) and condition.value == 1)


def conjuncts(condition: Expr) -> list[Expr]:
    """Return the operands of nested `and`, from left to right."""
    return [*conjuncts(condition.a), *conjuncts(condition.b)] if isinstance(condition, And) else [condition]


def _constants(cls: type[BinaryOp], a: IntImm, b: IntImm, span: Span | None) -> Expr | None:
    x, y, dtype = a.value, b.value, a.dtype
    compute = INTEGERS.get(cls)
    if compute is None:
        return TRUE if COMPARISONS[cls](x, y) else FALSE
    if cls in DIVISIONS and (y == 0 or (y == -1 and x == dtype.min_value)):
        return None
    value = compute(x, y)
    return IntImm(dtype, value if dtype.min_value <= value <= dtype.max_value else wrap(value, dtype), span)


def _float_constants(cls: type[BinaryOp], a: FloatImm, b: FloatImm, span: Span | None) -> Expr | None:
    x, y = round_to_dtype(a.value, a.dtype), round_to_dtype(b.value, a.dtype)
    if x is None or y is None:
        return None
    if (compare := COMPARISONS.get(cls)) is not None:
        return TRUE if compare(x, y) else FALSE
    if (compute := _FLOATS.get(cls)) is None:
        return None
    value = round_to_dtype(compute(x, y), a.dtype)
    return None if value is None or not math.isfinite(value) else FloatImm(a.dtype, value, span)


def _add(a: Expr, b: Expr) -> Expr | None:
    return a if is_const(b, 0) else b if is_const(a, 0) else None


def _sub(a: Expr, b: Expr) -> Expr | None:
    return a if is_const(b, 0) or _is_positive_zero(b) else None


def _is_positive_zero(expr: Expr) -> bool:
    """Whether x - expr is x for every float: x + 0.0 is not -0.0 for x = -0.0."""
    if isinstance(expr, Broadcast):
        expr = expr.value
    return isinstance(expr, FloatImm) and expr.value == 0 and math.copysign(1, expr.value) > 0


def _is_one(expr: Expr) -> bool:
    if isinstance(expr, Broadcast):
        expr = expr.value
    return isinstance(expr, (IntImm, FloatImm)) and expr.value == 1


def _mul(a: Expr, b: Expr) -> Expr | None:
    if _is_one(b):
        return a
    if _is_one(a):
        return b
    if is_const(b, 0):
        return b if can_drop(a) else None
    return a if is_const(a, 0) and can_drop(b) else None


def _div(a: Expr, b: Expr) -> Expr | None:
    return a if _is_one(b) or (is_const(a, 0) and isinstance(b, IntImm) and b.value != 0) else None


def _mod(a: Expr, b: Expr) -> Expr | None:
    if is_const(b, 1) and can_drop(a):
        return IntImm(a.dtype, 0) if a.dtype.lanes == 1 else Broadcast(IntImm(a.dtype.element, 0), a.dtype.lanes)
    return a if is_const(a, 0) and isinstance(b, IntImm) and b.value != 0 else None


def _and(a: Expr, b: Expr) -> Expr | None:
    # b is not evaluated if a decides the result
    if is_const(a, 1) or (is_const(b, 0) and can_drop(a)):
        return b
    return a if is_const(a, 0) or is_const(b, 1) else None


def _or(a: Expr, b: Expr) -> Expr | None:
    if is_const(a, 0) or (is_const(b, 1) and can_drop(a)):
        return b
    return a if is_const(a, 1) or is_const(b, 0) else None


def _same_operand(a: Expr, b: Expr) -> Expr | None:
    return a if a is b and a.dtype.is_integer else None


#: Rules for neutral and absorbing elements: the result, or None if they do not apply.
NEUTRAL: Final[dict[type[BinaryOp], Rule]] = {
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Div: _div,
    FloorDiv: _div,
    Mod: _mod,
    FloorMod: _mod,
    And: _and,
    Or: _or,
    Min: _same_operand,
    Max: _same_operand,
}


#: Folding needs one of these as an operand, or the same operand twice.
_LITERALS: Final = frozenset({IntImm, FloatImm, Broadcast})


def try_fold(cls: type[BinaryOp], a: Expr, b: Expr, span: Span | None = None) -> Expr | None:
    """Return the folded value of `cls(a, b)`, None if it does not fold."""
    kind = type(a)
    if kind not in _LITERALS and type(b) not in _LITERALS and a is not b:
        return None
    if kind is not type(b):
        pass
    elif isinstance(a, IntImm) and isinstance(b, IntImm):
        result = _constants(cls, a, b, span)
        if result is not None:
            return result
    elif isinstance(a, FloatImm) and isinstance(b, FloatImm):
        result = _float_constants(cls, a, b, span)
        if result is not None:
            return result
    rule = NEUTRAL.get(cls)
    return None if rule is None else rule(a, b)


def make(cls: type[BinaryOp], a: Expr, b: Expr, span: Span | None = None) -> Expr:
    """Return `cls(a, b)`, folded if operands are constants or neutral elements. Raises `DTypeMismatch`."""
    result = try_fold(cls, a, b, span)
    return cls(a, b, span=span) if result is None else result


def add(a: Expr, b: Expr) -> Expr:
    """Return a + b, folded."""
    return make(Add, a, b)


def sub(a: Expr, b: Expr) -> Expr:
    """Return a - b, folded."""
    return make(Sub, a, b)


def mul(a: Expr, b: Expr) -> Expr:
    """Return a * b, folded."""
    return make(Mul, a, b)


def logical_and(a: Expr, b: Expr) -> Expr:
    """Return a and b, folded."""
    return make(And, a, b)


def logical_or(a: Expr, b: Expr) -> Expr:
    """Return a or b, folded."""
    return make(Or, a, b)


def logical_not(a: Expr, span: Span | None = None) -> Expr:
    """Return not a, folded; the negation of a comparison is the opposite one, but for `<` of floats: see NaN."""
    if isinstance(a, IntImm):
        return FALSE if a.value else TRUE
    if isinstance(a, Not):
        return a.a
    if isinstance(a, CompareOp) and (a.a.dtype.is_integer or isinstance(a, (EQ, NE))):
        return OPPOSITE[type(a)](a.a, a.b, span=a.span)
    return Not(a, span=span)


#: not (a op b) of integers
OPPOSITE: Final[dict[type[BinaryOp], type[BinaryOp]]] = {EQ: NE, NE: EQ, LT: GE, GE: LT, GT: LE, LE: GT}
#: a op b as b op a
MIRRORED: Final[dict[type[BinaryOp], type[BinaryOp]]] = {LT: GT, GT: LT, LE: GE, GE: LE}


def select(condition: Expr, true_value: Expr, false_value: Expr, span: Span | None = None) -> Expr:
    """Return a Select, folded if the condition is constant."""
    if isinstance(condition, IntImm):
        return true_value if condition.value else false_value
    return Select(condition, true_value, false_value, span=span)


def cast(dtype: DType, value: Expr, span: Span | None = None) -> Expr:
    """Return a conversion, folded if the value is a constant whose result is exact or wraps."""
    if value.dtype is dtype:
        return value
    if isinstance(value, IntImm) and dtype.lanes == 1:
        if dtype.is_integer:
            return IntImm(dtype, wrap(value.value, dtype), span)
        if dtype.is_floating and dtype.bits >= 16 and abs(value.value) <= 256:
            return FloatImm(dtype, float(value.value), span)
    return Cast(dtype, value, span)


def cast_float(dtype: DType, value: FloatImm, span: Span | None = None) -> Expr | None:
    """Fold a conversion of a float constant. None if the result depends on the machine or cannot be computed here."""
    number = _round_exactly(value.value, value.dtype)
    if number is None or not math.isfinite(number):
        return None
    if dtype.is_integer and not dtype.is_bool and dtype.lanes == 1:
        whole = math.trunc(number)
        return IntImm(dtype, whole, span) if dtype.min_value <= whole <= dtype.max_value else None
    return FloatImm(dtype, number, span) if _round_exactly(number, dtype) is not None else None


def _round_exactly(value: float, dtype: DType) -> float | None:
    """Round a float to a dtype. None for bfloat16 unless the value is exact (the upper half of a float32)."""
    if dtype != "bfloat16":
        return round_to_dtype(value, dtype)
    if not math.isfinite(value) or round_to_dtype(value, FLOAT32) != value:
        return None
    (bits,) = struct.unpack("I", struct.pack("f", value))
    return None if bits & 0xFFFF else value
