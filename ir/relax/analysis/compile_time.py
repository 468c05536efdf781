"""What a function computes from its parameters that do not change from call to call: weights."""

from __future__ import annotations

from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.expr import MatchCast, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.relax.variables import free_vars, iter_bindings
from tvmscript.ir.tir.var import Var as SizeVar


def computable_at_compile_time(func: Function) -> list[Var]:
    """Variables whose values follow from the parameters behind the first `num_input` ones (an attribute of the
    function) and from constants: these parameters, then what is bound, in the order of the text.
    """
    given = func.attrs.get("num_input")
    weights = () if given is None else func.params[int(getattr(given, "value", given)) :]
    known: dict[Var, None] = {}
    sizes: set[SizeVar] = set()

    def learn(var: Var) -> None:
        known[var] = None
        if var.struct_info is not None:
            sizes.update(definable_tir_vars_in_struct_info(var.struct_info))

    for param in weights:
        learn(param)
    for binding in iter_bindings(func):
        if _is_computable(binding, known, sizes):
            learn(binding.var)
    return list(known)


def _is_computable(binding: VarBinding | MatchCast, known: dict[Var, None], sizes: set[SizeVar]) -> bool:
    value = binding.value
    own = {
        size
        for part in nodes(value)
        if isinstance(part, Function)
        for param in part.params
        if param.struct_info is not None
        for size in definable_tir_vars_in_struct_info(param.struct_info)
    }
    if any(isinstance(part, SizeVar) and part not in sizes and part not in own for part in nodes(value)):
        return False
    return all(var in known for var in free_vars(value))
