"""What TVM's Python offers around the graph level: `relax.utils.convert_to_expr`, `relax.get_shape_of`, ..."""

from __future__ import annotations

from typing import Any, cast

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import ExternFunc, PrimValue, StringImm, Tuple
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.operators import const
from tvmscript.relax.op import op


def convert_to_expr(value: Any) -> Any:
    """A value of Python as one of the graph: numbers and sizes, strings, tuples. Raises `WrongType`."""
    if isinstance(value, RelaxExpr | GlobalVar):
        return value
    if isinstance(value, tuple | list):
        return Tuple(tuple([convert_to_expr(item) for item in cast("tuple[Any, ...]", value)]))
    if isinstance(value, str):
        return StringImm(value)
    if isinstance(value, float):
        return PrimValue(const(value, "float64"))
    if isinstance(value, bool | int | Expr):
        return PrimValue(value)
    raise WrongType(where="convert_to_expr", expected="a number, a string, a tuple or a value", got=repr(value))


def get_shape_of(expr: RelaxExpr) -> RelaxExpr:
    """The shape of a tensor: what is known of it, or the call that finds it. Raises `InvalidCall` for no tensor."""
    known = expr.struct_info
    if isinstance(known, TensorStructInfo) and known.shape is not None:
        return known.shape
    made: RelaxExpr = op.shape_of(expr)
    return made


def extern(name: str) -> ExternFunc:
    """A function outside of the program."""
    return ExternFunc(name)
