"""RemoveUnusedParameters: drop parameters of private functions that their bodies do not use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.expr import PrimValue, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import SizeUnifier
from tvmscript.ir.relax.struct_info import PrimStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.relax.transform.parameters.common.signatures import (
    Arguments,
    called_private_functions,
    with_signatures,
)
from tvmscript.ir.relax.variables import free_symbolic_vars, free_vars
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class RemoveUnusedParameters(Pass):
    """Drop the parameters of private functions that their bodies do not use, and the arguments of their calls. A size
    that only such a parameter defined becomes a parameter of its own. Where one
    is dropped, all functions lose their unused bindings.

    rewrite:
        def f(x, unused): return x   -->  def f(x): return x
        cls.f(a, b)                  -->  cls.f(a)
    """

    name = "relax.RemoveUnusedParameters"

    def run(self, mod: IRModule) -> IRModule:
        changes: dict[Any, tuple[Function, Arguments]] = {}
        for var, func in called_private_functions(mod).items():
            used = set(free_vars(func.body))
            if not used.issuperset(func.params):
                changes[var] = _without_unused(func, used)
        return with_signatures(mod, changes)


def _without_unused(func: Function, used: set[Var]) -> tuple[Function, Arguments]:
    params = [param for param in func.params if param in used]
    is_used = [param in used for param in func.params]
    reduced = func.replace(params=tuple(params), struct_info=None)
    free = set(free_symbolic_vars(reduced))
    defined = [
        size
        for param in func.params
        if param.struct_info is not None
        for size in definable_tir_vars_in_struct_info(param.struct_info)
    ]
    sizes = [size for size in dict.fromkeys(defined) if size in free]
    params += [Var(f"param_{size.name}", PrimStructInfo(size.dtype, size)) for size in sizes]
    infos = [param.struct_info for param in func.params]

    def arguments(values: Sequence[Any]) -> list[Any]:
        unifier = SizeUnifier()
        for info, value in zip(infos, values, strict=True):
            if info is not None and value.struct_info is not None:
                unifier.check(info, value.struct_info)
        kept = [value for value, is_kept in zip(values, is_used, strict=True) if is_kept]
        return [*kept, *[PrimValue(unifier.sizes[size]) for size in sizes]]

    return func.replace(params=tuple(params), struct_info=None), arguments
