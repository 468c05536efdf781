"""TVM's helpers for Relax expressions: `relax.utils.convert_to_expr`, `relax.get_shape_of`, `relax.extern`."""

from __future__ import annotations

from typing import Any, cast

from tvmscript.ir.core import GlobalVar, WrongType
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import ExternFunc, PrimValue, StringImm, Tuple
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.variables import copy_with_new_vars as copy_with_new_vars
from tvmscript.ir.tir import Expr, const
from tvmscript.relax.op import op


def convert_to_expr(value: object) -> Any:
    """Convert a Python number, string, tuple, or TIR expression to a Relax expression. Raises `WrongType`."""
    if isinstance(value, (RelaxExpr, GlobalVar)):
        return value
    if isinstance(value, (tuple, list)):
        return Tuple(tuple([convert_to_expr(item) for item in cast("tuple[Any, ...]", value)]))
    if isinstance(value, str):
        return StringImm(value)
    if isinstance(value, float):
        return PrimValue(const(value, "float64"))
    if isinstance(value, (bool, int, Expr)):
        return PrimValue(value)
    raise WrongType(where="convert_to_expr", expected="a number, a string, a tuple or a value", got=repr(value))


def get_shape_of(expr: RelaxExpr) -> RelaxExpr:
    """Return the shape of a tensor, or a call of `R.shape_of`. Raises `InvalidCall` for other values."""
    info = expr.struct_info
    if isinstance(info, TensorStructInfo) and info.shape is not None:
        return info.shape
    call: RelaxExpr = op.shape_of(expr)
    return call


def extern(name: str) -> ExternFunc:
    """Return an external function."""
    return ExternFunc(name)


# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
