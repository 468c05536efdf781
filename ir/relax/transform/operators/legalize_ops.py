"""LegalizeOps: replace operators by calls of kernels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Constant, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_packed import call_pure_packed
from tvmscript.ir.relax.op.call_tir import call_dps_packed, call_tir
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.struct_info_lattice import has_known_shapes
from tvmscript.ir.tir import IntImm, const
from tvmscript.ir.topi import inventory
from tvmscript.ir.transform.base import Pass

#: operators that are calls of functions
_CALLS = (call_tir, call_dps_packed, call_pure_packed)
Legalization = Callable[[BlockBuilder, Call], RelaxExpr]


@dataclass(frozen=True, eq=False)
class LegalizeOps(Pass):
    """Replace each call of an operator by a call of a kernel that is added to the module.

    The entry of the operator says how (`Operator.legalize`, `Operator.expand`), or `customize_legalize_map`, which maps
    names such as `relax.add` to functions `(builder, call) -> expression`. Calls stay where no entry applies or a shape
    is not known; `enable_warning` warns of operators without an entry.

    rewrite:
        lv = R.exp(x)  -->  lv = R.call_tir(cls.exp, (x,), out_sinfo=R.Tensor((4,), "float32"))
    """

    name = "relax.LegalizeOps"
    customize_legalize_map: Mapping[str, Legalization] | None = None
    enable_warning: bool = False

    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        legalizer = _Legalizer(builder, self.customize_legalize_map or {}, self.enable_warning)
        is_changed = False
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                legalized = legalizer.rewrite(func)
                if legalized is not func:
                    builder.update_func(var, legalized)
                    is_changed = True
        return builder.finalize() if is_changed else mod


class _Legalizer(RelaxRewriter):
    """Rewriter of calls of operators."""

    def __init__(self, builder: BlockBuilder, custom: Mapping[str, Legalization], warns: bool) -> None:
        super().__init__(builder)
        self.custom = custom
        self.warns = warns
        #: form of a call -> the call of its kernel
        self._kernel_calls: dict[tuple[object, ...], Call] = {}

    @on(Call)
    def call(self, node: Call) -> Any:
        call: Call = self.descend(node)
        operator = call.op
        if not isinstance(operator, Operator) or operator in _CALLS:
            return call
        legalized = self.legalize(operator, call)
        return call if legalized is call else self.value(self.builder.normalize(legalized))

    def legalize(self, operator: Operator, call: Call) -> RelaxExpr:
        """Return the expression of a call, the call itself where it stays."""
        if not _is_known(operator, call):
            return call
        custom = self.custom.get(operator.name)
        if custom is not None:
            return custom(self.builder, call)
        expanded = None if operator.expand is None else operator.expand(self.builder, call)
        if expanded is not None:
            return expanded
        if operator.legalize is not None:
            return self._kernel_call(operator, call)
        if self.warns:
            warnings.warn(f"{operator.name} has no legalization", stacklevel=1)
        return call

    def _kernel_call(self, operator: Operator, call: Call) -> RelaxExpr:
        """Return the call of the kernel of a call; calls of one form share the kernel of the first."""
        form = _form(operator, call)
        first = None if form is None else self._kernel_calls.get(form)
        if first is not None:
            kernel, _, *sizes = first.args
            tensors: list[Any] = [arg for arg in _kernel_args(operator, call) if isinstance(arg, RelaxExpr)]
            return first.replace(args=(kernel, Tuple(tuple(tensors)), *sizes), span=call.span)
        kernel_call: RelaxExpr = call_kernel(self.builder, operator, call)
        if form is not None and isinstance(kernel_call, Call) and kernel_call.op is call_tir:
            self._kernel_calls[form] = kernel_call
        return kernel_call


def _form(operator: Operator, call: Call) -> tuple[object, ...] | None:
    """Return what the kernel of a call depends on; None where arguments are no tensors of constant shapes."""
    forms: list[object] = [operator, repr(call.attrs)]
    for arg, given in zip(call.args, _kernel_args(operator, call), strict=True):
        info = arg.struct_info
        extents = info.extents if isinstance(info, TensorStructInfo) else None
        if extents is None or not isinstance(info, TensorStructInfo):
            return None
        sizes = [extent.value for extent in extents if isinstance(extent, IntImm)]
        if len(sizes) < len(extents):
            return None
        forms += [info.dtype, info.vdevice, *sizes, ";" if given is arg else repr(given)]
    return tuple(forms)


def _is_known(operator: Operator, call: Call) -> bool:
    """Return whether shapes of arguments and result are known; results may depend on data."""
    infos = [arg.struct_info for arg in call.args]
    return all(map(has_known_shapes, infos)) and ("dynamic" in operator.name or has_known_shapes(call.struct_info))


class _NotApplicable(Exception):
    """The legalization of an operator does not apply to a call."""


def call_kernel(builder: BlockBuilder, operator: Operator, call: Call) -> Any:
    """Add the kernel of a call to the module, and return its call; the call itself where it has no kernel."""
    legalize = operator.legalize
    assert legalize is not None

    def compute(*args: Any) -> Any:
        tensors = legalize(inventory(), *args, *call.attrs.values())
        if tensors is NotImplemented:
            raise _NotApplicable
        return tensors

    compute.__name__ = operator.script_name
    name = operator.kernel_name if isinstance(operator.kernel_name, str) else operator.kernel_name(call)
    try:
        return builder.call_te(compute, *_kernel_args(operator, call), primfunc_name_hint=name)
    except _NotApplicable:
        return call


def _kernel_args(operator: Operator, call: Call) -> list[Any]:
    """Return the arguments of the kernel of a call, where the operator inlines scalars with numbers for constants of
    rank 0; one argument stays a tensor.
    """
    args: list[Any] = list(call.args)
    numbers = [_number(arg) for arg in args] if operator.inlines_scalars else args
    has_tensor = any(isinstance(arg, RelaxExpr) for arg in numbers)
    return numbers if has_tensor else [*args[:1], *numbers[1:]]


def _number(arg: Any) -> Any:
    """Return the number that a constant of rank 0 holds, any other argument itself."""
    if not isinstance(arg, Constant) or arg.data.shape != () or str(arg.data.dtype) != str(arg.dtype):
        return arg  # narrow floats are stored as bits
    value = arg.data.tolist()
    return const(value[0] if isinstance(value, list) else value, arg.dtype)
