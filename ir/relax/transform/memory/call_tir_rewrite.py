"""CallTIRRewrite: allocate the results of calls in destination-passing style."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, on
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Call, DataTypeImm, PrimValue, StringImm, Tuple, TupleGetItem
from tvmscript.ir.relax.op.builtin import alloc_tensor
from tvmscript.ir.relax.op.call_tir import call_dps_packed, call_tir, call_tir_inplace, tuple_fields
from tvmscript.ir.relax.op.vm import call_tir_dyn
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.base import RelaxRewriterPass


@dataclass(frozen=True)
class CallTIRRewrite(RelaxRewriterPass):
    """Allocate result tensors, and call kernels and packed functions with them.

    rewrite:
        y = R.call_tir(cls.f, (x,), R.Tensor((4,), "float32"))
          -->  alloc = R.builtin.alloc_tensor(R.shape([4]), ...)
               cls.f(x, alloc)
               y = alloc
    """

    name = "relax.CallTIRRewrite"
    is_idempotent = True

    def rewriter(self, mod: IRModule) -> RelaxRewriter:
        return _Allocator(mod)


class _Allocator(RelaxRewriter):
    """Rewriter of calls in destination-passing style."""

    def __init__(self, mod: IRModule) -> None:
        super().__init__()
        self.mod = mod

    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        if call.op not in (call_tir, call_tir_inplace, call_dps_packed):
            return call
        infos = tuple_fields(call.sinfo_args[0])
        given = self._arguments(call.args[1])
        targets = call.attrs["inplace_indices"] if call.op is call_tir_inplace else (-1,) * len(infos)
        results = [
            given[place] if place != -1 else self._allocate(info) for info, place in zip(infos, targets, strict=True)
        ]
        args = [*given, *(result for result, place in zip(results, targets, strict=True) if place == -1)]
        callee: Any = call.args[0]
        if len(call.args) == 2:
            nothing = TupleStructInfo(()) if isinstance(callee, GlobalVar) else None
            self.builder.emit(Call(callee, args, struct_info=nothing), "_")
        else:
            sizes: Any = call.args[2]
            self.builder.emit(Call(call_tir_dyn, [callee, Tuple((*args, sizes))]), "_")
        return Tuple(tuple(results)) if isinstance(call.sinfo_args[0], TupleStructInfo) else results[0]

    def _arguments(self, args: Any) -> list[RelaxExpr]:
        """Return the arguments of a tuple."""
        if isinstance(args, Tuple):
            return list(args.fields)
        info = args.struct_info
        if not isinstance(info, TupleStructInfo):
            return [args]
        return [self.builder.emit(TupleGetItem(args, index)) for index in range(len(info.fields))]

    def _allocate(self, info: StructInfo) -> RelaxExpr:
        assert isinstance(info, TensorStructInfo)
        shape: Any = info.shape
        device = info.vdevice
        number = 0 if device is None else self._device_number(device)
        args = [shape, DataTypeImm(info.dtype), PrimValue(number), StringImm(_scope(device))]
        return self.builder.emit(Call(alloc_tensor, args), "alloc")

    def _device_number(self, device: Any) -> int:
        """Return the number of a device among those of the module."""
        devices = self.mod.global_infos.get("vdevice", ())
        return next((number for number, each in enumerate(devices) if each is device), 0)


def _scope(device: Any) -> str:
    return "global" if device is None else str(device.memory_scope)
