"""FuseTIR: make each function of grouped kernel calls one kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, ShapeExpr, Tuple, TupleGetItem
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_inplace
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import PrimStructInfo, ShapeStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.fusion.common.outline import is_primitive
from tvmscript.ir.relax.transform.fusion.fuse_tir.fused_kernel import FusedKernel, fuse_kernels
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.relax.transform.parameters.expand_tuple_arguments import ExpandTupleArguments
from tvmscript.ir.relax.transform.parameters.remove_unused_parameters import RemoveUnusedParameters
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class FuseTIR(Pass):
    """Replace functions with the attribute `Primitive`, which `relax.FuseOps` makes, by kernels that compute the same
    in one body, with intermediate results in buffers of their own.

    Runs `relax.ExpandTupleArguments` and `relax.RemoveUnusedParameters` before, `relax.DeadCodeElimination` afterwards.
    Raises `CannotFuseKernels`.

    rewrite:
        gv = cls.fused_add_exp(x, y)    -->  gv = R.call_tir(cls.fused_add_exp, (x, y), out_sinfo=...)
    """

    name = "relax.FuseTIR"

    def run(self, mod: IRModule) -> IRModule:
        mod = RemoveUnusedParameters().run(ExpandTupleArguments().run(mod))
        kernels = {
            var.name_hint: (GlobalVar(var.name_hint), fuse_kernels(var.name_hint, func, mod))
            for var, func in mod.functions.items()
            if isinstance(func, Function) and is_primitive(func)
        }
        functions: dict[Any, Any] = {}
        for var, func in mod.functions.items():
            if var.name_hint in kernels:
                new_var, kernel = kernels[var.name_hint]
                functions[new_var] = kernel.func
            else:
                functions[var] = _CallRewriter(kernels).rewrite(func) if isinstance(func, Function) else func
        return DeadCodeElimination().run(mod.replace(functions=functions) if kernels else mod)


class _CallRewriter(RelaxRewriter):
    """Replaces calls of functions by calls of kernels."""

    def __init__(self, kernels: Mapping[str, tuple[GlobalVar, FusedKernel]]) -> None:
        super().__init__()
        self.kernels = kernels

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call = self.descend(node)
        entry = self.kernels.get(call.op.name_hint) if isinstance(call.op, GlobalVar) else None
        if entry is None:
            return call
        var, kernel = entry
        tensors: list[Any] = []
        sizes: list[Any] = []
        for argument in [leaf for each in call.args for leaf in self._leaves(each)]:
            info = argument.struct_info
            if isinstance(info, ShapeStructInfo):
                sizes += info.values or ()
            elif isinstance(info, PrimStructInfo):
                sizes.append(info.value)
            else:
                tensors.append(argument)
        arguments: list[Any] = [var, Tuple(tuple(tensors))]
        if sizes:
            arguments.append(ShapeExpr(sizes))
        info = call.struct_info
        results = () if info is None else (info,)
        if kernel.inplace_indices is None:
            return Call(call_tir, arguments, sinfo_args=results, span=node.span)
        attrs = {"inplace_indices": kernel.inplace_indices}
        return Call(call_tir_inplace, arguments, attrs, sinfo_args=results, span=node.span)

    def _leaves(self, value: Any) -> Iterator[Any]:
        """Yield the fields of a tuple, those of tuples in it, too; a value that is no tuple as it is."""
        if not isinstance(value.struct_info, TupleStructInfo):
            yield value
            return
        for index in range(len(value.struct_info.fields)):
            is_known = isinstance(value, Tuple)
            yield from self._leaves(value.fields[index] if is_known else self.builder.emit(TupleGetItem(value, index)))
