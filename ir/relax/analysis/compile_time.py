"""Variables of a function that depend only on weights and constants."""

from __future__ import annotations

from tvmscript.ir.core import nodes
from tvmscript.ir.relax.expr import MatchCast, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.relax.variables import free_vars, iter_bindings
from tvmscript.ir.tir.var import Var as SizeVar


def computable_at_compile_time(func: Function) -> list[Var]:
    """Return the variables whose values depend only on weights and constants, in program order, weights first.

    Weights are the parameters after the first `num_input` ones, an attribute of the function.
    """
    num_input = func.attrs.get("num_input")
    weights = () if num_input is None else func.params[int(getattr(num_input, "value", num_input)) :]
    computable: dict[Var, None] = {}
    sizes: set[SizeVar] = set()

    def add(var: Var) -> None:
        computable[var] = None
        if var.struct_info is not None:
            sizes.update(definable_tir_vars_in_struct_info(var.struct_info))

    for param in weights:
        add(param)
    for binding in iter_bindings(func):
        if _is_computable(binding, computable, sizes):
            add(binding.var)
    return list(computable)


def _is_computable(binding: VarBinding | MatchCast, computable: dict[Var, None], sizes: set[SizeVar]) -> bool:
    value = binding.value
    bound_sizes = {
        size
        for part in nodes(value)
        if isinstance(part, Function)
        for param in part.params
        if param.struct_info is not None
        for size in definable_tir_vars_in_struct_info(param.struct_info)
    }
    available = sizes | bound_sizes
    if any(isinstance(part, SizeVar) and part not in available for part in nodes(value)):
        return False
    return all(var in computable for var in free_vars(value))
