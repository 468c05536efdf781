"""The cases of `calls` as our call nodes and NumPy arrays."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.ir.relax.infos import told
from tests.ir.relax.op.calls import Case, Made, plain
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax import expr, struct_info
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.op.script_functions import as_prim, script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.var import Var


def operator(name: str) -> Operator:
    """The operator `R.name`."""
    result = Op.get(f"relax.{name}")
    assert isinstance(result, Operator)
    return result


def made() -> Made:
    """What makes arguments of ours."""
    return Made(
        SimpleNamespace(**vars(struct_info), Var=expr.Var, PrimValue=as_prim),
        Var,
        lambda ndim, dtype: TensorStructInfo(None, dtype or "void", ndim),
        lambda fields: expr.Tuple(tuple(fields)),
    )


def call(case: Case) -> expr.Call:
    """The call that a case describes. Raises `InvalidCall`."""
    name, args, keywords = case
    library = made()
    return script_function_of(operator(name))(*[library.value(argument) for argument in args], **keywords)


def inferred(case: Case) -> Any:
    """What is inferred, and the attributes in their order, as JSON; a text where the call is refused."""
    try:
        result = call(case)
        # the oracle does not know what later TVMs have added
        attrs = [[name, plain(value)] for name, value in result.attrs.items() if name not in result.op.v0_27_attributes]
        return json.loads(json.dumps([told(result.struct_info), attrs]))
    except TVMScriptError as error:
        return f"refused: {error.text}"


def array(value: Any) -> Any:
    """A value of a program for NumPy: ones where it is a tensor; None where not all of it is known."""
    if isinstance(value, expr.PrimValue):
        return getattr(value.value, "value", None)
    if isinstance(value, expr.ShapeExpr):
        return numbers(value.values)
    if isinstance(value, expr.Tuple):
        fields = [array(field) for field in value.fields]
        return None if any(field is None for field in fields) else fields
    result = value.struct_info if isinstance(value, RelaxExpr) else None
    if not isinstance(result, TensorStructInfo) or result.extents is None or result.dtype == "void":
        return None
    shape = numbers(result.extents)
    return None if shape is None else np.ones(shape, str(result.dtype))


def numbers(extents: tuple[Any, ...]) -> tuple[int, ...] | None:
    """Extents as Python integers, None where one is not constant."""
    result = tuple(extent.value for extent in extents if isinstance(extent, IntImm))
    return result if len(result) == len(extents) else None


def describes(info: StructInfo | None, value: Any) -> bool:
    """Whether the struct info holds for what NumPy gives."""
    if isinstance(info, TupleStructInfo):
        return len(info.fields) == len(value) and all(map(describes, info.fields, value))
    assert isinstance(info, TensorStructInfo)
    shape = None if info.extents is None else numbers(info.extents)
    is_shape = info.ndim in (-1, value.ndim) if shape is None else shape == value.shape
    return is_shape and info.dtype in ("void", str(value.dtype))
