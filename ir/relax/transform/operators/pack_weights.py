"""PackWeights: constants get the layouts in which the schedules of kernels read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvmscript.ir.core import GlobalVar, IRModule, Target, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Constant, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.schedule.default.cpu.panel_layout import WeightLayout, take_packed
from tvmscript.ir.schedule.default.cpu.weight_layout import choose_weight_layouts
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass

#: the layouts of arguments of kernels
_Layouts = dict[GlobalVar, dict[int, WeightLayout]]


@dataclass(frozen=True)
class PackWeights(Pass):
    """Store constants in the layouts that the default schedules of kernels for a CPU copy them to.

    A private kernel whose argument is a constant in all calls takes it packed in panels or groups, and unpacks it in a
    block in front of the others, which the schedule recognizes: the copy is made now, not in each call. The CPU is that
    of `target`, otherwise of the current target, otherwise this machine.

    rewrite:
        R.call_tir(cls.matmul, (x, W), ...)  -->  R.call_tir(cls.matmul, (x, packed W), ...)
    """

    name = "relax.PackWeights"
    is_idempotent = True
    target: str | None = None

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        target = self.target or str(Target.current() or "llvm")
        layouts = _choose_layouts(mod, target)
        if not layouts:
            return mod
        functions = dict(mod.functions)
        for var, places in layouts.items():
            kernel = functions[var]
            assert isinstance(kernel, PrimFunc)
            for place, layout in places.items():
                kernel = take_packed(kernel, place, layout)
            functions[var] = kernel
        packer = _Packer(mod, layouts)
        graphs = {var: packer.rewrite(func) for var, func in functions.items() if isinstance(func, Function)}
        return mod.replace(functions={**functions, **graphs})


def _choose_layouts(mod: IRModule, target: str) -> _Layouts:
    """Return the layouts of arguments that are constants in all calls of a private kernel."""
    places: dict[GlobalVar, set[int]] = {}
    num_calls: dict[GlobalVar, int] = {}
    num_uses: dict[GlobalVar, int] = {}
    for func in mod.values():
        for node in nodes(func) if isinstance(func, Function) else ():
            if isinstance(node, GlobalVar):
                num_uses[node] = num_uses.get(node, 0) + 1
            call = match_call_tir(node, mod)
            if call is not None:
                constants = {place for place, field in enumerate(call.arguments) if _is_weight(field)}
                places[call.symbol] = places.get(call.symbol, constants) & constants
                num_calls[call.symbol] = num_calls.get(call.symbol, 0) + 1
    layouts: _Layouts = {}
    for callee, constants in places.items():
        kernel = mod.get(callee)
        if not constants or num_uses[callee] > num_calls[callee] or not isinstance(kernel, PrimFunc):
            continue
        if "global_symbol" not in kernel.attrs:
            choices = choose_weight_layouts(kernel, target)
            chosen = {place: layout for place, layout in choices.items() if place in constants}
            if chosen:
                layouts[callee] = chosen
    return layouts


def _is_weight(field: RelaxExpr) -> bool:
    return isinstance(field, Constant) and str(field.data.dtype) == str(field.dtype)


class _Packer(RelaxRewriter):
    """Rewriter of the calls of kernels that take packed weights."""

    def __init__(self, mod: IRModule, layouts: _Layouts) -> None:
        super().__init__()
        self.mod = mod
        self.layouts = layouts
        #: constants may be used by several calls
        self.packed: dict[tuple[int, WeightLayout], Constant] = {}

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        kernel_call = match_call_tir(call, self.mod)
        if kernel_call is None or kernel_call.symbol not in self.layouts:
            return call
        symbol, fields = kernel_call.symbol, list(kernel_call.arguments)
        for place, layout in self.layouts[symbol].items():
            weights = fields[place]
            assert isinstance(weights, Constant)
            key = id(weights.data), layout
            if key not in self.packed:
                self.packed[key] = Constant(layout.pack(np.asarray(weights.data)), weights.dtype)
            fields[place] = self.packed[key]
        return call.replace(args=(symbol, Tuple(tuple(fields)), *call.args[2:]), struct_info=call.struct_info)
