"""Modules of graph functions with one thing wrong: what `verify` has to say about them.

for fault in faults_of(module):
    fault.module       # with `fault.error` in it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core.data import pack
from tvmscript.ir.core.dtype import BOOL, DType
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax import rules
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    If,
    SeqExpr,
    ShapeExpr,
    Tuple,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.operator_calls import call_of


@dataclass(frozen=True)
class Fault:
    """A module, and the error that it has."""

    module: IRModule
    error: type[Exception]
    words: str


def faults_of(module: IRModule) -> Iterator[Fault]:
    """The module with one thing wrong in `main`, in every way that it has room for."""
    main = next((func for gv, func in module.items() if gv.name_hint == "main"), None)
    if isinstance(main, Function) and isinstance(main.body, SeqExpr):
        yield from _faults(module, main, main.body)


#: where what was put in stands
HERE = Span(Source("x" * 9), 1, 2, 1, 3)
_TENSOR = TensorStructInfo([2, 3], "float32")


def _number() -> Constant:
    return Constant(pack([1.0], DType("float32"), ()), DType("float32"))


def _faults(module: IRModule, main: Function, body: SeqExpr) -> Iterator[Fault]:
    def made(func: Function, error: type[Exception], words: str) -> Fault:
        functions = {gv: func if gv.name_hint == "main" else other for gv, other in module.items()}
        return Fault(IRModule(functions, dict(module.attrs), dict(module.global_infos)), error, words)

    def returning(value: Any) -> Function:
        return main.replace(body=body.replace(body=value), ret_struct_info=None)

    def last(*bindings: Any, kind: type[BindingBlock] = BindingBlock) -> Function:
        return main.replace(body=body.replace(blocks=(*body.blocks, kind(bindings))))

    def bound(value: Any, info: Any = None, cls: type[Var] = Var) -> VarBinding:
        return VarBinding(cls("new", value.struct_info if info is None else info, span=HERE), value, span=HERE)

    stranger = Var("stranger", _TENSOR, span=HERE)
    yield made(returning(stranger), rules.UndefinedValue, "a variable that nothing binds is returned")
    yield made(
        last(bound(call_of("abs", stranger))), rules.UndefinedValue, "a variable that nothing binds is an argument"
    )
    yield made(last(bound(Tuple((_number(), stranger)))), rules.UndefinedValue, "one is in a tuple")
    yield from _scopes(body, returning, made)
    own = bound(_number())
    yield made(last(own, own), rules.BoundTwice, "a variable is bound twice")
    if main.params:
        again = VarBinding(main.params[0], main.params[0], span=HERE)
        yield made(last(again), rules.BoundTwice, "a parameter is bound again")
    size = SizeVar("new_size", "int64")
    yield made(last(bound(ShapeExpr([size]))), rules.UndefinedSize, "a shape has a size that nothing defines")
    say = call_of("print", _number(), format="text")
    if main.is_pure and "relax.force_pure" not in main.attrs:
        yield made(last(bound(say)), rules.ImpureCall, "a pure function prints")
    dataflow = last(bound(say), kind=DataflowBlock).replace(is_pure=False)
    if "relax.force_pure" not in main.attrs:
        yield made(dataflow, rules.ImpureCall, "a dataflow block prints")
    both = call_of("add", call_of("exp", _number()), _number())
    yield made(last(bound(both)), rules.NotNormal, "a call is an argument of another one")
    yes = Constant(pack([1], BOOL, ()), BOOL)
    choice = If(yes, SeqExpr((), _number()), SeqExpr((), _number()))
    yield made(last(bound(choice), kind=DataflowBlock), rules.ControlFlowInDataflow, "a dataflow block has an if")
    many = Constant(pack([1, 0], BOOL, (2,)), BOOL)
    for cond in (many, ShapeExpr([2]), Tuple(())):
        other = If(cond, SeqExpr((), _number()), SeqExpr((), _number()))
        yield made(last(bound(other)), rules.WrongCondition, "the condition of an if is no truth value")
    for known in (_TENSOR, TensorStructInfo((), "int8"), ShapeStructInfo(ndim=1), TupleStructInfo(())):
        yield made(last(bound(_number(), known)), rules.Contradiction, f"{known} is said of a number")
    for said in (ShapeStructInfo(ndim=7), TensorStructInfo(None, "int4", 9)):
        yield made(returning(_number()).replace(ret_struct_info=said), rules.WrongResult, f"{said} is said of a result")
    # a call of which all parts are known, but for the function
    gone = GlobalVar("gone", struct_info=None)
    call = Call(gone, [_number()], None, (_TENSOR,), struct_info=_TENSOR)
    yield made(last(bound(call)), rules.UndefinedGlobal, "a function that the module has not is called")
    named = main.replace(attrs={**main.attrs, "global_symbol": "other"})
    yield made(named, rules.WrongSymbol, "the function has the symbol of another one")
    forced = main.replace(is_pure=False, attrs={**main.attrs, "relax.force_pure": IntImm(BOOL, 1)})
    yield made(forced, rules.ForcedAndImpure, "a function is forced to be pure, and is not")
    param = Var("p", TensorStructInfo([size], "float32"), span=HERE)
    twin = Function((param,), SeqExpr((), param), None, True, {})
    yield Fault(
        IRModule({"f": twin, "g": Function((q := Var("q", param.struct_info),), SeqExpr((), q), None, True, {})}),
        rules.SharedSize,
        "two functions define one size",
    )


def _scopes(body: SeqExpr, returning: Any, made: Any) -> Iterator[Fault]:
    """Variables that are not seen any more are returned."""
    for block in body.blocks:
        for binding in block.bindings:
            if not isinstance(binding, VarBinding):
                continue
            var, value = binding.var, binding.value
            if isinstance(var, DataflowVar):
                yield made(returning(var), rules.DataflowVarOutside, "a variable of a dataflow block is returned")
            inside = [value.true_branch, value.false_branch] if isinstance(value, If) else []
            inside += [value.body] if isinstance(value, Function) else []
            for part in inside:
                for inner in nodes(part):
                    if isinstance(inner, VarBinding) and not isinstance(inner.var, DataflowVar):
                        yield made(returning(inner.var), rules.UndefinedValue, "a variable of a branch is returned")


__all__ = ["HERE", "Fault", "faults_of"]
