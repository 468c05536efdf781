"""Short texts of expressions, by which TVM breaks ties."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import INT32
from tvmscript.ir.tir import Expr, Var
from tvmscript.ir.tir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    BinaryOp,
    Broadcast,
    Cast,
    Div,
    FloatImm,
    FloorDiv,
    FloorMod,
    IntImm,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Ramp,
    Select,
    Sub,
)

_OPERATORS: Final[dict[type[BinaryOp], str]] = {
    Add: "({} + {})",
    Sub: "({} - {})",
    Mul: "({}*{})",
    Div: "({}/{})",
    Mod: "({} % {})",
    FloorDiv: "floordiv({}, {})",
    FloorMod: "floormod({}, {})",
    Min: "min({}, {})",
    Max: "max({}, {})",
    EQ: "({} == {})",
    NE: "({} != {})",
    LT: "({} < {})",
    LE: "({} <= {})",
    GT: "({} > {})",
    GE: "({} >= {})",
    And: "({} && {})",
    Or: "({} || {})",
}
#: bits of a float constant -> suffix
_SUFFIX: Final = {64: "", 32: "f", 16: "h"}


def prefix_text(expr: object) -> str:
    """Return the text of an expression without calls and loads; variables have their own names."""
    if isinstance(expr, Var):
        return expr.name
    if isinstance(expr, IntImm):
        return str(expr.value) if expr.dtype is INT32 else f"({expr.dtype}){int(expr.value)}"
    if isinstance(expr, FloatImm):
        return f"{expr.value:g}{_SUFFIX.get(expr.dtype.bits, '')}"
    if isinstance(expr, BinaryOp):
        return _OPERATORS[type(expr)].format(prefix_text(expr.a), prefix_text(expr.b))
    if isinstance(expr, Cast):
        return f"{expr.dtype}({prefix_text(expr.value)})"
    if isinstance(expr, Not):
        return f"!{prefix_text(expr.a)}"
    if isinstance(expr, Select):
        return f"select({_texts(expr.condition, expr.true_value, expr.false_value)})"
    if isinstance(expr, Ramp):
        return f"ramp({_texts(expr.base, expr.stride)}, {expr.lanes})"
    if isinstance(expr, Broadcast):
        return f"x{expr.lanes}({prefix_text(expr.value)})"
    return str(expr)


def _texts(*parts: Expr) -> str:
    return ", ".join(map(prefix_text, parts))
