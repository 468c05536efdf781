"""ExpandTupleArguments: one parameter for each field of a tuple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.expr import BindingBlock, SeqExpr, Tuple, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.relax.transform.parameters.common.signatures import called_private_functions, with_signatures
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class ExpandTupleArguments(Pass):
    """Replace tuples among the parameters of private functions by parameters for their fields, nested ones too.

    Runs `relax.CanonicalizeBindings` and `relax.DeadCodeElimination` afterwards.

    rewrite:
        def f(t: R.Tuple(A, B)): return t[0]    -->  def f(t_0: A, t_1: B): return t_0
        cls.f((x, y))                           -->  cls.f(x, y)
    """

    name = "relax.ExpandTupleArguments"

    def run(self, mod: IRModule) -> IRModule:
        changes = {
            var: (_expanded(func), lambda arguments, params=func.params: _fields(arguments, params))
            for var, func in called_private_functions(mod).items()
            if any(isinstance(param.struct_info, TupleStructInfo) for param in func.params)
        }
        expanded: IRModule = CanonicalizeBindings()(with_signatures(mod, changes))
        return DeadCodeElimination().run(expanded)


def _expanded(func: Function) -> Function:
    params: list[Var] = []
    bindings: list[VarBinding] = []

    def expand(param: Var) -> None:
        info = param.struct_info
        if not isinstance(info, TupleStructInfo):
            params.append(param)
            return
        fields = [Var(f"{param.name_hint}_{index}", field) for index, field in enumerate(info.fields)]
        for field in fields:
            expand(field)
        bindings.append(VarBinding(param, Tuple(tuple(fields))))

    for param in func.params:
        expand(param)
    body = SeqExpr((BindingBlock(tuple(bindings)), *func.body.blocks), func.body.body)
    return func.replace(params=tuple(params), body=body, struct_info=None)


def _fields(arguments: Sequence[Any], params: Sequence[Any]) -> list[Any]:
    """Return the arguments with tuples replaced by their fields."""
    fields: list[Any] = []
    for argument, param in zip(arguments, params, strict=True):
        info = param.struct_info
        if not isinstance(info, TupleStructInfo):
            fields.append(argument)
            continue
        items = [
            argument.fields[index] if isinstance(argument, Tuple) else TupleGetItem(argument, index)
            for index in range(len(info.fields))
        ]
        fields += _fields(items, [Var("", field) for field in info.fields])
    return fields
