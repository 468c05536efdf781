"""SpecializePrimFuncBasedOnCallSite: kernels over buffers of the memory that their calls have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, tuple_fields
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import PrimFunc, Var, rename_definitions, substitute
from tvmscript.ir.transform.base import Pass

#: memory scope of each argument and result of a kernel
Scopes = tuple[str, ...]


@dataclass(frozen=True)
class SpecializePrimFuncBasedOnCallSite(Pass):
    """Give the buffers of kernels the memory scopes of the virtual devices of the tensors that calls pass.

    A kernel whose calls agree is changed; others get a copy for each combination of scopes. Changed kernels have the
    attribute `scoped`. Calls whose tensors are all in global memory stay.

    rewrite:
        R.call_tir(cls.f, (x,), R.Tensor((4,), vdevice="opencl:0:global.texture"))
    -->
        def f(A: T.Buffer((4,)), B: T.Buffer((4,), scope="global.texture")): ...
    """

    name = "relax.SpecializePrimFuncBasedOnCallSite"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        sites: dict[str, set[Scopes]] = {}
        for func in mod.functions.values():
            for call in nodes(func) if isinstance(func, Function) else ():
                if isinstance(call, Call) and call.op is call_tir and isinstance(call.args[0], GlobalVar):
                    sites.setdefault(call.args[0].name_hint, set()).add(_scopes(call))
        builder = BlockBuilder(mod)
        specializer = _Specializer(builder, mod, sites)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                specialized = specializer.rewrite(func)
                if specialized is not func:
                    builder.update_func(var, specialized)
        return builder.finalize()


class _Specializer(RelaxRewriter):
    """Rewriter of the calls of kernels."""

    def __init__(self, builder: BlockBuilder, mod: IRModule, sites: dict[str, set[Scopes]]) -> None:
        super().__init__(builder)
        self.mod = mod
        self.sites = sites

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is not call_tir:
            return call
        callee: Any = call.args[0]
        kernel = self.mod[callee] if isinstance(callee, GlobalVar) and callee in self.mod else None
        scopes = _scopes(call)
        if not isinstance(kernel, PrimFunc) or set(scopes) <= {"global"}:
            return call
        kernel = _with_scopes(kernel, scopes)
        if len(self.sites[callee.name_hint]) == 1:
            self.builder.update_func(callee, kernel)
            return call
        copy = self.builder.add_func(kernel, callee.name_hint)
        return call.replace(args=(copy, *call.args[1:]), struct_info=call.struct_info)


def _scopes(call: Call) -> Scopes:
    """Return the memory scopes of the arguments and results of a call."""
    fields = call.args[1].fields if isinstance(call.args[1], Tuple) else ()
    infos = [*[field.struct_info for field in fields], *tuple_fields(call.sinfo_args[0])]
    devices = [info.vdevice if isinstance(info, TensorStructInfo) else None for info in infos]
    return tuple(["global" if device is None else device.memory_scope for device in devices])


def _with_scopes(kernel: PrimFunc, scopes: Scopes) -> PrimFunc:
    """Return a kernel whose buffers are in these scopes."""
    data: dict[Any, Any] = {}
    for param, scope in zip(kernel.params, scopes, strict=False):
        buffer = kernel.buffer_map.get(param)
        if buffer is not None and scope != "global":
            data[buffer.data] = Var(buffer.data.name, PointerType(PrimType(buffer.dtype), scope))
    return rename_definitions(substitute(kernel, data)).with_attr("scoped", 1)
