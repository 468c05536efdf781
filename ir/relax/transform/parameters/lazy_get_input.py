"""LazyGetInput: fetch each weight when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import INT64, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    If,
    MatchCast,
    PrimValue,
    SeqExpr,
    StringImm,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import erase_variables
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, PrimStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.relax.transform.normal_form.eliminate_common_subexpr import EliminateCommonSubexpr
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.relax.variables import all_vars
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.ir.transform.base import Pass

GET_PARAM_INFO: Final = FuncStructInfo((PrimStructInfo(INT64), ObjectStructInfo()), ObjectStructInfo())


@dataclass(frozen=True)
class LazyGetInput(Pass):
    """Replace the weights of public functions by a function `fget_param` that returns a weight for its index and name.
    The weights are the parameters after the first `num_input` ones, all without this attribute. Weights that are not
    used are not fetched, unless they define sizes that are. Raises `TooManyRuntimeInputs`.

    rewrite:
        def main(w: R.Tensor((4,))):  -->  def main(fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object)):
            y = R.exp(w)                       w_untyped = fget_param(R.prim_value(0), R.str("w"))
                                               w = R.match_cast(w_untyped, R.Tensor((4,)))
                                               y = R.exp(w)
    """

    name = "relax.LazyGetInput"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = dict(mod.functions)
        for var, func in mod.functions.items():
            if isinstance(func, Function) and "global_symbol" in func.attrs:
                lazy = _with_lazy_inputs(func, num_input(func, var.name_hint) or 0)
                functions[var] = remove_all_unused(EliminateCommonSubexpr().transform(lazy, mod))
        return mod.replace(functions=functions)


def _with_lazy_inputs(func: Function, count: int) -> Function:
    get_param = Var("fget_param", GET_PARAM_INFO)
    fetches = {
        param: Call(get_param, (PrimValue(index), StringImm(param.name_hint)))
        for index, param in enumerate(func.params[count:])
    }
    early = [VarBinding(Var("_", weight.struct_info), weight) for weight in _early_weights(func, count)]
    body = SeqExpr((BindingBlock(tuple(early)), *func.body.blocks), func.body.body)
    lazy = func.replace(params=(*func.params[:count], get_param), body=body, ret_struct_info=None, struct_info=None)
    fetched: Function = _InputFetcher(fetches).rewrite(lazy)
    ret_info = func.ret_struct_info
    if ret_info is not None:
        defined = {size for param in func.params[:count] for size in _sizes(param)}
        ret_info = erase_variables(ret_info, {*tir_vars_in_struct_info(ret_info)} - defined)
    return fetched.replace(ret_struct_info=ret_info, struct_info=None).with_attr("num_input", count + 1)


def _early_weights(func: Function, count: int) -> list[Var]:
    """Return the weights whose sizes are used before the weights are, or where they are not."""
    weights = func.params[count:]
    definitions = {size: weight for weight in reversed(weights) for size in _sizes(weight)}
    defined = {size for param in func.params[:count] for size in _sizes(param)}
    early: list[Var] = []
    for value in [*[binding.value for block in func.body.blocks for binding in _bindings(block)], func.body.body]:
        for size in [part for part in nodes(value) if isinstance(part, SizeVar) and part not in defined]:
            if size in definitions and definitions[size] not in early:
                early.append(definitions[size])
                defined.update(_sizes(definitions[size]))
        if not isinstance(value, (If, Function)):
            defined.update(size for var in all_vars(value) if var in weights for size in _sizes(var))
    return early


def _bindings(block: BindingBlock) -> list[VarBinding | MatchCast]:
    return [binding for binding in block.bindings if isinstance(binding, (VarBinding, MatchCast))]


def _sizes(var: Var) -> list[SizeVar]:
    """Return the sizes that a parameter defines."""
    return [] if var.struct_info is None else definable_tir_vars_in_struct_info(var.struct_info)


class _InputFetcher(RelaxRewriter):
    """Fetches a weight at each use."""

    def __init__(self, fetches: Mapping[Var, Call]) -> None:
        super().__init__()
        #: weight -> the call that fetches it
        self.fetches = fetches

    @on(Var)
    def use(self, node: Var) -> RelaxExpr:
        fetch = self.fetches.get(node)
        if fetch is not None:
            value = self.builder.emit(fetch, f"{node.name_hint}_untyped")
            return self.builder.match_cast(value, node.struct_info or ObjectStructInfo(), node.name_hint)
        renamed: RelaxExpr = self._default(node)
        return renamed
