"""Run graph functions: kernels by the interpreter, operators by their NumPy references."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends import interp
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax import expr
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.sequential import Sequential


def run(mod: IRModule, *args: Any, name: str = "main") -> Any:
    """The result of a function in the interpreter of graphs; operators are computed by their NumPy references."""
    executable = relax.build(mod, pipeline=Sequential([]), exec_mode="bytecode")
    return relax.VirtualMachine(executable, tvm.cpu())[name](*args)


def results(mod: IRModule, args: Sequence[Any], name: str = "main") -> Any:
    """The result of a function of static shapes."""
    kernels = {
        var.name_hint: func.with_attr("global_symbol", var.name_hint)
        for var, func in mod.items()
        if isinstance(func, PrimFunc)
    }
    func = mod[name]
    assert isinstance(func, Function)
    values: dict[Any, Any] = dict(zip(func.params, args, strict=True))
    for block in func.body.blocks:
        for binding in block.bindings:
            assert isinstance(binding, expr.VarBinding)
            values[binding.var] = _value(binding.value, values, kernels)
    return _value(func.body.body, values, kernels)


def _value(node: Any, values: Mapping[Any, Any], kernels: Mapping[str, PrimFunc]) -> Any:
    if isinstance(node, expr.Var):
        return values[node]
    if isinstance(node, expr.Constant):
        return np.array(node.data)
    if isinstance(node, expr.Tuple):
        return [_value(field, values, kernels) for field in node.fields]
    if isinstance(node, expr.TupleGetItem):
        return _value(node.tuple_value, values, kernels)[node.index]
    if isinstance(node, expr.ShapeExpr):
        return tuple(extent.value for extent in node.values if isinstance(extent, IntImm))
    if isinstance(node, expr.PrimValue):
        return getattr(node.value, "value", None)
    assert isinstance(node, expr.Call)
    if node.op is call_tir:
        return _call_kernel(node, values, kernels)
    args = [_value(arg, values, kernels) for arg in node.args]
    reference = node.op.reference
    parameters = inspect.signature(reference).parameters
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    if takes_all or set(node.attrs) <= set(parameters):
        return reference(np, *args, **node.attrs)
    return reference(np, *args, *node.attrs.values())


def _call_kernel(node: expr.Call, values: Mapping[Any, Any], kernels: Mapping[str, PrimFunc]) -> Any:
    callee: Any = node.args[0]
    name = callee.name_hint
    (info,) = node.sinfo_args
    fields = info.fields if isinstance(info, TupleStructInfo) else (info,)
    outputs = []
    for field in fields:
        assert isinstance(field, TensorStructInfo)
        extents = [extent.value for extent in field.extents or () if isinstance(extent, IntImm)]
        outputs.append(np.zeros(extents, str(field.dtype)))
    args = _value(node.args[1], values, kernels)
    interp.build(IRModule.from_expr(kernels[name]))[name](*[np.array(arg, order="C") for arg in args], *outputs)
    return outputs if isinstance(info, TupleStructInfo) else outputs[0]
