"""LazySetOutput: hand over each output as soon as it is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import INT64, IRModule
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.expr import Call, PrimValue, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, PrimStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.relax.transform.parameters.common.set_outputs import set_outputs
from tvmscript.ir.transform.base import Pass

#: as in TVM the callee is pure, so that it may be called in dataflow blocks
SET_OUTPUT_INFO: Final = FuncStructInfo((PrimStructInfo(INT64), ObjectStructInfo()), TupleStructInfo(()))


@dataclass(frozen=True)
class LazySetOutput(Pass):
    """Replace the result of public functions by calls of a parameter `fset_output` with an index and a value: the
    result itself, or each field of a tuple. The calls follow the bindings of the values.

    The parameter is the last runtime input. The call has no result and is pure, as in TVM: passes that remove unused
    bindings remove it. Raises `TooManyRuntimeInputs`.

    rewrite:
        def main(x):                -->  def main(x, fset_output):
            y = R.exp(x)                     y = R.exp(x)
            z = R.exp(y)                     fset_output(R.prim_value(0), y)
            return (y, z)                    z = R.exp(y)
                                             fset_output(R.prim_value(1), z)
                                             return R.tuple()
    """

    name = "relax.LazySetOutput"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = dict(mod.functions)
        for var, func in mod.functions.items():
            if isinstance(func, Function) and "global_symbol" in func.attrs:
                functions[var] = _with_lazy_outputs(func, num_input(func, var.name_hint))
        return mod.replace(functions=functions)


def _with_lazy_outputs(func: Function, count: int | None) -> Function:
    place = len(func.params) if count is None else count
    set_output = Var("fset_output", SET_OUTPUT_INFO)
    params = (*func.params[:place], set_output, *func.params[place:])
    lazy = set_outputs(func, params, lambda index, value: Call(set_output, (PrimValue(index), value)))
    return lazy if count is None else lazy.with_attr("num_input", count + 1)
