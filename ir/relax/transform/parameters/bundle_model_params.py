"""BundleModelParams: one tuple parameter for all weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class BundleModelParams(Pass):
    """Replace the weights of functions with the attribute `num_input` by one tuple, named `param_tuple_name` or
    `model_params`. Each use of a weight takes an item of the tuple. Raises `TooManyRuntimeInputs`.

    rewrite:
        def main(x, w1, w2):        -->  def main(x, model_params: R.Tuple(W1, W2)):
            y = R.add(x, w2)                 w2 = model_params[1]
                                             y = R.add(x, w2)
    """

    name = "relax.BundleModelParams"
    param_tuple_name: str | None = None

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        bundler = ParamBundler(self.param_tuple_name or "model_params")
        functions = dict(mod.functions)
        for var, func in mod.functions.items():
            count = num_input(func, var.name_hint) if isinstance(func, Function) else None
            if isinstance(func, Function) and count is not None:
                functions[var] = bundler.bundle(func, count)
        return mod.replace(functions=functions)


class ParamBundler(RelaxRewriter):
    """Replaces parameters by items of a tuple."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        #: parameter -> the item of the tuple
        self.items: dict[Var, TupleGetItem] = {}

    def bundle(self, func: Function, count: int) -> Function:
        """Return the function with its parameters after the first `count` ones in one tuple."""
        params: Sequence[Var] = func.params[count:]
        bundle = Var(self.name, TupleStructInfo(tuple([param.struct_info or ObjectStructInfo() for param in params])))
        self.items = {param: TupleGetItem(bundle, index) for index, param in enumerate(params)}
        bundled: Function = self.rewrite(func.replace(params=(*func.params[:count], bundle), struct_info=None))
        return bundled

    @on(Var)
    def use(self, node: Var) -> RelaxExpr:
        item = self.items.get(node)
        if item is not None:
            return self.builder.emit(item, node.name_hint)
        renamed: RelaxExpr = self._default(node)
        return renamed
