"""Expressions of Relay, as those of graph functions: `relay.var`, `relay.Function`, `relay.Let`, `relay.If`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from tvmscript.backends.runtime.array import NDArray
from tvmscript.frontend.relay.errors import InvalidRelayExpr
from tvmscript.ir.core import GlobalVar as GlobalVar
from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.relax import expr as graph
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.function import Function as GraphFunction
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.variables import free_vars as variables_without_binding
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.language import R

Expr = RelaxExpr
Var = graph.Var
Constant = graph.Constant
Call = graph.Call
TupleGetItem = graph.TupleGetItem
#: how messages call what builds tensors
_SHAPE = "a shape: numbers, sizes, relay.Any()"


def unknown_size() -> SizeVar:
    """Return a size that is known at run time: `relay.Any()`."""
    return SizeVar("any_dim", "int64")


def TensorType(shape: Sequence[Any], dtype: str = "float32") -> TensorStructInfo:
    """Return the type of a tensor."""
    return TensorStructInfo(tuple(shape), dtype)


def TupleType(fields: Sequence[StructInfo]) -> TupleStructInfo:
    """Return the type of a tuple."""
    return TupleStructInfo(tuple(fields))


def scalar_type(dtype: str) -> TensorStructInfo:
    """Return the type of a tensor of rank 0."""
    return TensorType((), dtype)


def var(name_hint: str, type_annotation: Any = None, shape: Sequence[Any] | None = None, dtype: str = "float32") -> Var:
    """Return a variable: `relay.var("x", shape=(1, 784))`. Raises `InvalidRelayExpr` where it has no type."""
    if type_annotation is not None and shape is not None:
        raise InvalidRelayExpr(name="var", reason="a type and a shape are given, one of them says all")
    if isinstance(type_annotation, str):
        type_annotation, dtype, shape = None, type_annotation, ()
    info = TensorType(shape, dtype) if shape is not None else type_annotation
    if not isinstance(info, StructInfo):
        raise InvalidRelayExpr(name="var", reason=f"{name_hint} needs a type, or {_SHAPE}; types are not inferred")
    return Var(name_hint, info)


def const(value: Any, dtype: str | None = None) -> Constant:
    """Return a constant of a number, an array or nested lists."""
    constant: Any = R.const(value.numpy() if isinstance(value, NDArray) else value, dtype)
    return cast(Constant, constant)


def Tuple(fields: Sequence[RelaxExpr]) -> graph.Tuple:
    """Return a tuple of values."""
    return graph.Tuple(tuple(fields))


def Let(variable: Var, value: RelaxExpr, body: RelaxExpr) -> graph.SeqExpr:
    """Return the body with a variable bound to a value."""
    inner = body.blocks if isinstance(body, graph.SeqExpr) else ()
    result = body.body if isinstance(body, graph.SeqExpr) else body
    block = graph.BindingBlock((graph.VarBinding(variable, value),))
    return graph.SeqExpr((block, *inner), result)


def If(cond: RelaxExpr, true_branch: RelaxExpr, false_branch: RelaxExpr) -> graph.If:
    """Return the value of one branch, chosen at run time."""
    branches = [branch if isinstance(branch, graph.SeqExpr) else graph.SeqExpr((), branch)
                for branch in (true_branch, false_branch)]  # fmt: skip
    return graph.If(cond, *branches)


def free_vars(expr: RelaxExpr) -> list[Var]:
    """Return the variables that an expression uses but does not bind, in order."""
    return variables_without_binding(expr)


def Function(
    params: Iterable[Var],
    body: RelaxExpr,
    ret_type: StructInfo | None = None,
    type_params: object = None,
    attrs: Mapping[str, Any] | None = None,
) -> GraphFunction:
    """Return a graph function of an expression: one dataflow block where it has neither branches nor functions.

    Objects that occur several times in the body are computed once.
    """
    builder, variables = BlockBuilder(), tuple(params)
    is_dataflow = not any(isinstance(part, (graph.If, GraphFunction, graph.BindingBlock)) for part in nodes(body))
    with builder.function("main", variables, attrs=dict(attrs or {}), private=True):
        result: Any = body
        if is_dataflow:
            with builder.dataflow():
                result = builder.emit_output(body)
        builder.emit_func_output(result)
    func: Any = builder.get()["main"]
    return cast(GraphFunction, func)


def as_module(program: Any) -> IRModule:
    """Return a module of a module, a function, or an expression, whose variables become parameters."""
    if isinstance(program, IRModule):
        main = {var: func for var, func in program.functions.items() if var.name_hint == "main"}
        public = {var: _public(func) for var, func in main.items()}
        return program.replace(functions={**program.functions, **public}) if main else program
    if isinstance(program, GraphFunction):
        return IRModule({"main": _public(program)})
    if isinstance(program, RelaxExpr):
        return as_module(Function(free_vars(program), program))
    raise InvalidRelayExpr(name="build", reason=f"expected a module, a function or an expression, got {program!r}")


def _public(func: Any) -> Any:
    return func if "global_symbol" in func.attrs else func.with_attr("global_symbol", "main")
