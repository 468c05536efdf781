"""Calls that hand over the outputs of a function."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.core import on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, MatchCast, Tuple, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter

#: index and value of an output -> the call that hands it over
OutputCall = Callable[[int, RelaxExpr], Call]


def set_outputs(func: Function, params: tuple[Var, ...], call: OutputCall) -> Function:
    """Return a function of these parameters without a result, which hands over its result, or each field of a tuple.

    The calls for parameters precede all bindings, the calls for variables follow their bindings, those for other
    values come last.
    """
    result = func.body.body
    outputs = result.fields if isinstance(result, Tuple) else (result,)
    setter = _OutputSetter(outputs, call)
    body = setter.builder.sequence(lambda: setter.fill(func), params)
    return func.replace(params=params, body=body, ret_struct_info=None, struct_info=None)


class _OutputSetter(RelaxRewriter):
    """Copies bindings, and emits the calls."""

    def __init__(self, outputs: tuple[RelaxExpr, ...], call: OutputCall) -> None:
        super().__init__()
        self.outputs = dict(enumerate(outputs))
        self.call = call

    def fill(self, func: Function) -> RelaxExpr:
        """Emit the bindings of a function with the calls, and return the empty result."""
        for param in func.params:
            self._set_value(param)
        for block in func.body.blocks:
            self.block(block)
        self.builder.begin_block(False)
        for index, value in self.outputs.items():
            self.builder.emit(self.call(index, value), "_")
        return Tuple(())

    @on(VarBinding, MatchCast)
    def binding(self, node: VarBinding | MatchCast) -> None:
        """Emit a binding and the calls for its variable."""
        self.builder.emit_normalized(node)
        self._set_value(node.var)

    def _set_value(self, var: Var) -> None:
        for index in [index for index, value in self.outputs.items() if value is var]:
            self.builder.emit(self.call(index, self.outputs.pop(index)), "_")
