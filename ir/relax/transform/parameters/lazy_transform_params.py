"""LazyTransformParams: transform weights one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import (
    Call,
    ExternFunc,
    MatchCast,
    PrimValue,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.inline import without_dataflow
from tvmscript.ir.relax.op.vm import kill_object
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.relax.transform.parameters.common.set_outputs import set_outputs
from tvmscript.ir.relax.variables import all_vars, get_var2val
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class LazyTransformParams(Pass):
    """Fetch weights by the packed function `fget_item`, hand over results by `fset_item`, in functions whose names end
    with `transform_params`. They become impure.

    The weights are the parameters after the first `num_input` ones, all without this attribute; those of one tuple
    are fetched where its items are taken. `fget_item` takes an index, `fset_item` an index and a value, both after
    the extra arguments. With `fset_item`, a fetched weight is released after its last use; without it, None, the
    result stays. Raises `TooManyRuntimeInputs`.

    rewrite:
        def main_transform_params(params):  -->  def main_transform_params():
            w = params[0]                            gv = R.call_packed("get_item", R.prim_value(0))
            w1 = R.exp(w)                            w = R.match_cast(gv, R.Tensor((4,)))
            return (w1,)                             w1 = R.exp(w)
                                                     R.vm.kill_object(w)
                                                     R.call_packed("set_item", R.prim_value(0), w1)
                                                     return R.tuple()
    """

    name = "relax.LazyTransformParams"
    fget_item: str = "get_item"
    fset_item: str | None = "set_item"
    extra_get_item_params: Sequence[RelaxExpr] | None = None
    extra_set_item_params: Sequence[RelaxExpr] | None = None

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = dict(mod.functions)
        for var, func in mod.functions.items():
            if isinstance(func, Function) and var.name_hint.endswith("transform_params"):
                functions[var] = self._lazy(func, num_input(func, var.name_hint) or 0)
        return mod.replace(functions=functions)

    def _lazy(self, func: Function, count: int) -> Function:
        lazy = without_dataflow(func)
        if self.fset_item is not None:
            lazy = set_outputs(_with_tuple_result(lazy), lazy.params, self._set_item)
        inputs, weights = lazy.params[:count], lazy.params[count:]
        fetcher = _WeightFetcher(weights, self.fget_item, self.extra_get_item_params or ())
        lazy = fetcher.fetch_weights(lazy, inputs)
        if self.fset_item is not None:
            lazy = _ItemKiller(lazy, fetcher.fetched).rewrite(lazy)
        return lazy

    def _set_item(self, index: int, value: RelaxExpr) -> Call:
        arguments = (*(self.extra_set_item_params or ()), PrimValue(index), value)
        return Call(ExternFunc(str(self.fset_item)), arguments, sinfo_args=(ObjectStructInfo(),))


def _with_tuple_result(func: Function) -> Function:
    """Return a function that returns the tuple which its result is bound to, itself where it is no tuple."""
    result = func.body.body
    value = get_var2val(func).get(result) if isinstance(result, Var) else None
    if not isinstance(value, Tuple):
        return func
    return remove_all_unused(func.replace(body=SeqExpr(func.body.blocks, value)))


class _WeightFetcher(RelaxRewriter):
    """Fetches weights: items of a tuple where they are taken, others at the start of the function."""

    def __init__(self, weights: Sequence[Var], get_item: str, extra: Sequence[RelaxExpr]) -> None:
        super().__init__()
        self.weights = weights
        self.get_item = ExternFunc(get_item)
        self.extra = tuple(extra)
        info = weights[0].struct_info if len(weights) == 1 else None
        #: the items of the parameter that holds all weights
        self.items = info.fields if isinstance(info, TupleStructInfo) else None
        #: variables of weights
        self.fetched: set[Var] = set()

    def fetch_weights(self, func: Function, params: Sequence[Var]) -> Function:
        """Return an impure function of these parameters that fetches the weights."""
        body = self.builder.sequence(lambda: self._fill(func), tuple(params))
        return func.replace(params=tuple(params), body=body, is_pure=False, ret_struct_info=None, struct_info=None)

    def _fill(self, func: Function) -> RelaxExpr:
        for index, weight in enumerate(self.weights if self.items is None else ()):
            self.renamed[weight] = var = self._fetch(index, weight.struct_info, weight.name_hint)
            self.fetched.add(var)
        for block in func.body.blocks:
            self.block(block)
        self.builder.begin_block(False)
        result: RelaxExpr = self.value(func.body.body)
        return result

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        super().var_binding(node)
        if isinstance(node.value, TupleGetItem) and self._is_bundle(node.value.tuple_value):
            self.fetched.add(node.var)

    @on(TupleGetItem)
    def item(self, node: TupleGetItem) -> RelaxExpr:
        if self._is_bundle(node.tuple_value):
            return self._fetch(node.index, node.struct_info, "")
        return self.descend(node)

    @on(Var)
    def var(self, node: Var) -> RelaxExpr:
        if self.items is not None and self._is_bundle(node):
            return Tuple(tuple([self._fetch(index, info, "") for index, info in enumerate(self.items)]))
        renamed: RelaxExpr = self._default(node)
        return renamed

    def _is_bundle(self, value: RelaxExpr) -> bool:
        return self.items is not None and value is self.weights[0]

    def _fetch(self, index: int, info: StructInfo | None, name: str) -> Var:
        """Emit the call for a weight, and a cast to its struct info."""
        call = Call(self.get_item, (*self.extra, PrimValue(index)), sinfo_args=(ObjectStructInfo(),))
        return self.builder.match_cast(self.builder.emit(call), info or ObjectStructInfo(), name)


class _ItemKiller(RelaxRewriter):
    """Releases variables after their last use. Those that the result or another variable names stay."""

    def __init__(self, func: Function, fetched: set[Var]) -> None:
        super().__init__()
        last: dict[Var, Var] = {}
        named = set(all_vars(func.body.body))
        for block in func.body.blocks:
            for binding in block.bindings:
                if isinstance(binding, (VarBinding, MatchCast)):
                    used = {binding.var, *all_vars(binding.value)} & fetched
                    last.update(dict.fromkeys(used, binding.var))
                    if not isinstance(binding.value, Call):
                        named |= used - {binding.var}
        #: variable -> those that are not used after its binding
        self.dying: dict[Var, list[Var]] = {}
        for var, user in last.items():
            if var not in named:
                self.dying.setdefault(user, []).append(var)

    @on(VarBinding, MatchCast)
    def binding(self, node: VarBinding | MatchCast) -> None:
        """Emit a binding, and release what it used last."""
        self.builder.emit_normalized(node)
        for var in self.dying.get(node.var, ()):
            self.builder.emit(Call(kill_object, (var,)), "_")
