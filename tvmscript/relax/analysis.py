"""Analyses of graph functions, with TVM's names and arguments."""

from __future__ import annotations

from tvmscript.ir.core import Node
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.relax.analysis.compile_time import computable_at_compile_time
from tvmscript.ir.relax.analysis.recursion import detect_recursion
from tvmscript.ir.relax.analysis.reshape import has_reshape_pattern
from tvmscript.ir.relax.analysis.static_type import get_static_type
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.analysis.visit import post_order_visit
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.errors import MissingStructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.infer_call import derive_call_ret_struct_info as _derive
from tvmscript.ir.relax.infer_call import erase_to_well_defined
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check, struct_info_lca
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.relax.variables import (
    all_global_vars,
    all_vars,
    bound_vars,
    contains_impure_call,
    defined_symbolic_vars,
    free_symbolic_vars,
    free_vars,
    get_var2val,
    name_to_binding,
    udchain,
)
from tvmscript.ir.relax.verify import find_errors


def derive_call_ret_struct_info(func_sinfo: FuncStructInfo, call: Call, ctx: object = None) -> StructInfo | None:
    """Return the struct info of a call. `ctx` is unused, and accepted for compatibility with TVM."""
    name = getattr(call.op, "name_hint", "a function")
    return _derive(name, func_sinfo, call.args, call.sinfo_args, call.span)


def well_formed(obj: Node, check_struct_info: bool = True) -> bool:
    """Whether a function or a module violates no rule. `ir.relax.verify` reports the violations."""
    errors = find_errors(obj)
    if check_struct_info:
        return not errors
    return all(isinstance(error, MissingStructInfo) for error in errors)


__all__ = [
    "BaseCheckResult",
    "all_global_vars",
    "all_vars",
    "bound_vars",
    "computable_at_compile_time",
    "contains_impure_call",
    "definable_tir_vars_in_struct_info",
    "defined_symbolic_vars",
    "derive_call_ret_struct_info",
    "detect_recursion",
    "erase_to_well_defined",
    "free_symbolic_vars",
    "free_vars",
    "get_static_type",
    "get_var2val",
    "has_reshape_pattern",
    "name_to_binding",
    "post_order_visit",
    "remove_all_unused",
    "struct_info_base_check",
    "struct_info_lca",
    "tir_vars_in_struct_info",
    "udchain",
    "well_formed",
]

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {"collect_non_negative_expressions": "tvmscript.ir.relax.symbolic_shape"})
