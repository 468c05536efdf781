"""Graph modules with one fault, and the error that `verify` has to report.

for fault in faults_of(module):
    fault.module       # with `fault.error` in it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tvmscript.ir.core import BOOL, DType, GlobalVar, IRModule, nodes
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax import errors
from tvmscript.ir.relax import expr as relax
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.operator_calls import call_of

#: the span of injected nodes
HERE = Span(Source("x" * 9), 1, 2, 1, 3)


@dataclass(frozen=True)
class Fault:
    """A module with one fault, and the error that it must raise."""

    module: IRModule
    error: type[Exception]
    words: str
    #: errors that may accompany it
    also: tuple[type[Exception], ...] = ()
    #: whether the error must point at `HERE`
    is_here: bool = True


_TENSOR = TensorStructInfo([2, 3], "float32")


def faults_of(module: IRModule) -> Iterator[Fault]:
    """Yield the module with each applicable fault in `main`."""
    main = next((func for gv, func in module.items() if gv.name_hint == "main"), None)
    if isinstance(main, Function) and isinstance(main.body, relax.SeqExpr):
        room = _Room(module, main, main.body)
        for kind in (_undefined, _out_of_scope, _bound_twice, _impure, _not_normal, _contradicting, _of_modules):
            yield from kind(room)


@dataclass(frozen=True)
class _Room:
    """A module, and its function `main` to inject faults into."""

    module: IRModule
    main: Function
    body: relax.SeqExpr

    def with_main(self, func: Function, error: type[Exception], words: str, *, is_here: bool = True) -> Fault:
        functions = {gv: func if gv.name_hint == "main" else other for gv, other in self.module.items()}
        module = IRModule(functions, dict(self.module.attrs), dict(self.module.global_infos))
        return Fault(module, error, words, is_here=is_here)

    def returning(self, value: Any) -> Function:
        return self.main.replace(body=self.body.replace(body=value), ret_struct_info=None)

    def ending(self, *bindings: Any, kind: type[relax.BindingBlock] = relax.BindingBlock) -> Function:
        """Append a block to the function."""
        return self.main.replace(body=self.body.replace(blocks=(*self.body.blocks, kind(bindings))))


def _bound(value: Any, info: StructInfo | None = None) -> relax.VarBinding:
    return relax.VarBinding(relax.Var("new", info or value.struct_info, span=HERE), value, span=HERE)


def _number() -> relax.Constant:
    return relax.Constant(pack([1.0], DType("float32"), ()), DType("float32"))


def _choice(condition: Any) -> relax.If:
    return relax.If(condition, relax.SeqExpr((), _number()), relax.SeqExpr((), _number()), span=HERE)


def _undefined(room: _Room) -> Iterator[Fault]:
    stranger = relax.Var("stranger", _TENSOR, span=HERE)
    undefined = errors.UndefinedValue
    yield room.with_main(room.returning(stranger), undefined, "a variable that nothing binds is returned")
    argument = room.ending(_bound(call_of("abs", stranger)))
    yield room.with_main(argument, undefined, "a variable that nothing binds is an argument")
    yield room.with_main(room.ending(_bound(relax.Tuple((_number(), stranger)))), undefined, "one is in a tuple")
    shape = relax.ShapeExpr([SizeVar("new_size", "int64")], span=HERE)
    yield room.with_main(room.ending(_bound(shape)), errors.UndefinedSizeVar, "a shape has a size that nothing defines")
    # a pure function without other faults
    gone = GlobalVar("gone", struct_info=FuncStructInfo(None, _TENSOR), span=HERE)
    call = relax.Call(gone, [_number()], None, (_TENSOR,), struct_info=_TENSOR, span=HERE)
    yield room.with_main(room.ending(_bound(call)), errors.UndefinedGlobal, "a function is called that is not there")


def _out_of_scope(room: _Room) -> Iterator[Fault]:
    """Return variables, and with them sizes, out of their scope."""
    for block in room.body.blocks:
        for binding in block.bindings:
            if not isinstance(binding, relax.VarBinding):
                continue
            if isinstance(binding.var, relax.DataflowVar):
                words = "a variable of a dataflow block is returned"
                func = room.returning(binding.var)
                yield _with_sizes(room.with_main(func, errors.DataflowVarOutside, words, is_here=False))
            for inner in _bound_inside(binding.value):
                words = "a variable of a branch is returned"
                yield _with_sizes(room.with_main(room.returning(inner), errors.UndefinedValue, words, is_here=False))


def _with_sizes(fault: Fault) -> Fault:
    return replace(fault, also=(errors.UndefinedSizeVar,))


def _bound_inside(value: Any) -> Iterator[relax.Var]:
    """Yield the variables of branches or a nested function."""
    parts = [value.true_branch, value.false_branch] if isinstance(value, relax.If) else []
    parts += [value.body] if isinstance(value, Function) else []
    for part in parts:
        for node in nodes(part):
            if isinstance(node, relax.VarBinding) and not isinstance(node.var, relax.DataflowVar):
                yield node.var


def _bound_twice(room: _Room) -> Iterator[Fault]:
    own = _bound(_number())
    yield room.with_main(room.ending(own, own), errors.DuplicateBinding, "a variable is bound twice")
    if room.main.params:
        first = room.main.params[0]
        again = room.ending(relax.VarBinding(first, first, span=HERE))
        yield room.with_main(again, errors.DuplicateBinding, "a parameter is bound again")


def _impure(room: _Room) -> Iterator[Fault]:
    if "relax.force_pure" not in room.main.attrs:
        say = _bound(call_of("print", _number(), format="text", span=HERE))
        if room.main.is_pure:
            yield room.with_main(room.ending(say), errors.ImpureCall, "a pure function prints")
        dataflow = room.ending(say, kind=relax.DataflowBlock).replace(is_pure=False)
        yield room.with_main(dataflow, errors.ImpureCall, "a dataflow block prints")
    forced = room.main.replace(is_pure=False, attrs={**room.main.attrs, "relax.force_pure": IntImm(BOOL, 1)})
    yield room.with_main(forced, errors.ImpureForcePure, "a function is forced to be pure, and is not", is_here=False)


def _not_normal(room: _Room) -> Iterator[Fault]:
    both = call_of("add", call_of("exp", _number(), span=HERE), _number())
    yield room.with_main(room.ending(_bound(both)), errors.NotInNormalForm, "a call is an argument of another one")
    choice = room.ending(_bound(_choice(relax.Constant(pack([1], BOOL, ()), BOOL))), kind=relax.DataflowBlock)
    yield room.with_main(choice, errors.ControlFlowInDataflow, "a dataflow block has an if")
    for condition in (relax.Constant(pack([1, 0], BOOL, (2,)), BOOL), relax.ShapeExpr([2]), relax.Tuple(())):
        other = room.ending(_bound(_choice(condition.replace(span=HERE))))
        yield room.with_main(other, errors.WrongCondition, "the condition of an if is no truth value")


def _contradicting(room: _Room) -> Iterator[Fault]:
    for known in (_TENSOR, TensorStructInfo((), "int8"), ShapeStructInfo(ndim=1), TupleStructInfo(())):
        func = room.ending(_bound(_number(), known))
        yield room.with_main(func, errors.StructInfoMismatch, f"{known} is said of a number")
    for said in (ShapeStructInfo(ndim=7), TensorStructInfo(None, "int4", 9)):
        func = room.returning(_number()).replace(ret_struct_info=said)
        yield room.with_main(func, errors.ResultMismatch, f"{said} is said of a result", is_here=False)


def _of_modules(room: _Room) -> Iterator[Fault]:
    named = room.main.replace(attrs={**room.main.attrs, "global_symbol": "other"})
    yield room.with_main(
        named, errors.GlobalSymbolMismatch, "the function has the symbol of another one", is_here=False
    )
    info = TensorStructInfo([SizeVar("new_size", "int64")], "float32")
    params = relax.Var("p", info, span=HERE), relax.Var("q", info, span=HERE)
    f, g = [Function((param,), relax.SeqExpr((), param), None, True, {}) for param in params]
    yield Fault(IRModule({"f": f, "g": g}), errors.SharedSizeVar, "two functions define one size", is_here=False)
