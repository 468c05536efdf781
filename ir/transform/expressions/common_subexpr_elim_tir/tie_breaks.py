"""Short texts of expressions, by which TVM breaks ties."""

from __future__ import annotations

from typing import Final

from tvmscript.ir import tir
from tvmscript.ir.core import INT32

_OPERATORS: Final[dict[type[tir.BinaryOp], str]] = {
    tir.Add: "({} + {})",
    tir.Sub: "({} - {})",
    tir.Mul: "({}*{})",
    tir.Div: "({}/{})",
    tir.Mod: "({} % {})",
    tir.FloorDiv: "floordiv({}, {})",
    tir.FloorMod: "floormod({}, {})",
    tir.Min: "min({}, {})",
    tir.Max: "max({}, {})",
    tir.EQ: "({} == {})",
    tir.NE: "({} != {})",
    tir.LT: "({} < {})",
    tir.LE: "({} <= {})",
    tir.GT: "({} > {})",
    tir.GE: "({} >= {})",
    tir.And: "({} && {})",
    tir.Or: "({} || {})",
}
#: bits of a float constant -> suffix
_SUFFIX: Final = {64: "", 32: "f", 16: "h"}


def prefix_text(expr: object) -> str:
    """Return the text of an expression without calls and loads; variables have their own names."""
    if isinstance(expr, tir.Var):
        return expr.name
    if isinstance(expr, tir.IntImm):
        return str(expr.value) if expr.dtype is INT32 else f"({expr.dtype}){int(expr.value)}"
    if isinstance(expr, tir.FloatImm):
        return f"{expr.value:g}{_SUFFIX.get(expr.dtype.bits, '')}"
    if isinstance(expr, tir.BinaryOp):
        return _OPERATORS[type(expr)].format(prefix_text(expr.a), prefix_text(expr.b))
    if isinstance(expr, tir.Cast):
        return f"{expr.dtype}({prefix_text(expr.value)})"
    if isinstance(expr, tir.Not):
        return f"!{prefix_text(expr.a)}"
    if isinstance(expr, tir.Select):
        return f"select({_texts(expr.condition, expr.true_value, expr.false_value)})"
    if isinstance(expr, tir.Ramp):
        return f"ramp({_texts(expr.base, expr.stride)}, {expr.lanes})"
    if isinstance(expr, tir.Broadcast):
        return f"x{expr.lanes}({prefix_text(expr.value)})"
    return str(expr)


def _texts(*parts: tir.Expr) -> str:
    return ", ".join(map(prefix_text, parts))
