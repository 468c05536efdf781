"""Gradient: add the function that computes a function and its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, UnknownName, closest
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.expr import DataflowBlock, SeqExpr, Tuple, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.operators.gradient.checkpoints import Checkpoints
from tvmscript.ir.relax.transform.operators.gradient.reverse_mode import ReverseMode, without_gradient
from tvmscript.ir.relax.variables import bound_vars, defined_symbolic_vars
from tvmscript.ir.tir import rename_definitions, substitute
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class Gradient(Pass):
    """Add the function `NAME_adjoint` to the module. It returns the result of the function `func_name` and the
    gradients of a result with respect to `require_grads`, variables of the function, or names of parameters; all
    parameters where there is none. The result number `target_index` is differentiated, a float scalar.

    The function is one dataflow block. A gradient is zero where the result does not depend on the variable. Values
    between `R.grad.start_checkpoint` and `R.grad.end_checkpoint` are computed again for the gradient. Raises
    `NotDifferentiable`, and `UnknownName` for a name that is no function or no parameter.

    rewrite:
        lv = R.exp(x)  -->  lv = R.exp(x)
        gv = R.sum(lv)      gv = R.sum(lv)
        return gv           gv_adjoint = R.ones(R.shape([]), dtype="float32")
                            lv_adjoint = R.broadcast_to(gv_adjoint, R.shape([4]))
                            x_adjoint = R.multiply(lv_adjoint, lv)
                            return (gv, (x_adjoint,))
    """

    name = "relax.Gradient"
    func_name: str
    require_grads: Any = None
    target_index: int = 0

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        graphs = {var.name_hint: func for var, func in mod.items() if isinstance(func, Function)}
        if self.func_name not in graphs:
            raise UnknownName(kind="graph function", name=self.func_name, hint=closest(self.func_name, graphs))
        func = graphs[self.func_name]
        name = f"{self.func_name}_adjoint"
        builder = BlockBuilder(mod)
        gradient = _differentiate(func, _variables(func, self.require_grads), self.target_index, builder)
        if "global_symbol" in func.attrs:
            gradient = gradient.with_attr("global_symbol", name)
        var = next((known for known in mod.functions if known.name_hint == name), GlobalVar(name))
        return mod.replace(functions={**builder.get().functions, var: gradient})


def _variables(func: Function, given: Any) -> list[Var]:
    """Return the variables that gradients are asked for. Raises `UnknownName`."""
    if given is None:
        return list(func.params)
    requested: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
    by_name = {param.name_hint: param for param in func.params}
    bound = set(bound_vars(func))
    variables: list[Var] = []
    for item in requested:
        var = by_name.get(item) if isinstance(item, str) else item
        if var not in bound:
            name = getattr(item, "name_hint", str(item))
            raise UnknownName(kind="variable of the function", name=name, hint=closest(name, by_name))
        variables.append(var)
    return variables


def _differentiate(func: Function, sources: list[Var], target_index: int, builder: BlockBuilder) -> Function:
    """Return the function of the result and the gradients. Kernels are added to the module of the builder.

    Raises `NotDifferentiable`.
    """
    sizes = {size: size.replace() for size in defined_symbolic_vars(func)}
    copy: Function = rename_definitions(substitute(func, sizes))
    copies = dict(zip(bound_vars(func), bound_vars(copy), strict=True))
    checkpoints = Checkpoints(_bindings(copy))
    body: RelaxExpr = substitute(copy.body.body, checkpoints.marked)
    target = _target(body, target_index)
    wanted = [checkpoints.marked.get(copies[var], copies[var]) for var in sources]
    outputs: list[RelaxExpr] = []

    def fill() -> RelaxExpr:
        builder.begin_block(True)
        for binding in checkpoints.bindings:
            value = without_gradient(binding.value)
            builder.emit_normalized(binding if value is binding.value else binding.replace(value=value))
        reverse = ReverseMode(builder, checkpoints)
        reverse.differentiate(target, set(wanted))
        for var in wanted:
            adjoint = reverse.adjoints.get(var) or reverse.zeros(var)
            outputs.append(builder.emit_output(adjoint, f"{var.name_hint}_adjoint_out"))
        return Tuple((body, Tuple(tuple(outputs))))

    builder.begin_scope(copy.params)
    sequence = builder.sequence(fill)
    builder.end_scope()
    return remove_all_unused(Function(copy.params, sequence, None, copy.is_pure, copy.attrs))


def _bindings(func: Function) -> list[VarBinding]:
    """Return the bindings of a function of dataflow blocks. Raises `NotDifferentiable`."""
    assert isinstance(func.body, SeqExpr)
    bindings: list[VarBinding] = []
    for block in func.body.blocks:
        if not isinstance(block, DataflowBlock):
            raise NotDifferentiable(what="the function", reason="a block is no dataflow block", span=block.span)
        for binding in block.bindings:
            if not isinstance(binding, VarBinding):
                raise NotDifferentiable(what="the function", reason="it has a match_cast", span=binding.span)
            bindings.append(binding)
    return bindings


def _target(result: RelaxExpr, index: int) -> Var:
    """Return the variable that is differentiated. Raises `NotDifferentiable`."""
    results = result.fields if isinstance(result, Tuple) else (result,)
    count = len(results)
    if not 0 <= index < count:
        raise NotDifferentiable(what=f"result {index}", reason=f"the function has {count} result{'s' * (count > 1)}")
    target = results[index]
    info = target.struct_info
    if isinstance(info, TupleStructInfo) and not isinstance(result, Tuple):
        raise NotDifferentiable(what="the function", reason="its results are no tuple literal", span=target.span)
    if not isinstance(target, Var) or not isinstance(info, TensorStructInfo):
        raise NotDifferentiable(what=f"result {index}", reason=f"it is no tensor but {info}", span=target.span)
    if info.ndim != 0 or not info.dtype.is_floating:
        raise NotDifferentiable(what=target.name_hint, reason=f"it is no float scalar but {info}", span=target.span)
    return target
