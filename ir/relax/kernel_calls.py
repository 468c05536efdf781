"""Calls of kernels of the module: whether they give what the kernel takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tvmscript.ir.core.dtype import VOID
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.errors import WrongKernelCall
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_inplace, call_tir_with_grad, tuple_fields
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc

_KERNEL_CALL_OPS: tuple[Op, ...] = (call_tir, call_tir_inplace, call_tir_with_grad)
#: what a kernel has one parameter for
_SINGLE_PARAMETER_INFO = (TensorStructInfo, DTensorStructInfo, PrimStructInfo)


def check_kernel_call(call: Call, module: IRModule) -> WrongKernelCall | None:
    """What is wrong with a call of a kernel; None where nothing is, or too little is known of it."""
    callee: Any = call.args[0] if call.op in _KERNEL_CALL_OPS else None
    kernel = module[callee] if isinstance(callee, GlobalVar) and callee in module else None
    if isinstance(kernel, Function):
        name = callee.name_hint
        return WrongKernelCall(name=name, expected=f"calls cls.{name}(...)", got=call.op.script_name, span=call.span)
    if not isinstance(kernel, PrimFunc):
        return None
    arguments, sizes = call.args[1].struct_info, call.args[2].struct_info if len(call.args) > 2 else _NO_SIZES
    if not isinstance(arguments, TupleStructInfo) or not isinstance(sizes, ShapeStructInfo):
        return None
    if sizes.ndim == UNKNOWN_NDIM or not all(isinstance(field, _SINGLE_PARAMETER_INFO) for field in arguments.fields):
        return None
    for written, result in _inplace_results(call, arguments.fields):
        if result.dtype is not written.dtype:
            return WrongKernelCall(name=callee.name_hint, expected=f"the result {written}", got=result, span=call.span)
    given = [*arguments.fields, *_allocated_results(call)]
    count = len(given) + sizes.ndim
    if count != len(kernel.params):
        expected, got = f"{len(kernel.params)} arguments, results and sizes", f"{count}"
        return WrongKernelCall(name=callee.name_hint, expected=expected, got=got, span=call.span)
    for param, info in zip(kernel.params, given, strict=False):  # sizes stand behind them
        buffer = kernel.buffer_map.get(param)
        if buffer is not None and isinstance(info, TensorStructInfo) and not _may_match(buffer, info):
            shape = ", ".join(map(str, buffer.shape))
            expected = f"{buffer.name} of the shape ({shape}) and the dtype {buffer.dtype}"
            return WrongKernelCall(name=callee.name_hint, expected=expected, got=info, span=call.span)
    return None


_NO_SIZES = ShapeStructInfo(())


def _allocated_results(call: Call) -> Sequence[StructInfo]:
    """The results that the kernel gets new tensors for."""
    results = tuple_fields(call.sinfo_args[0])
    if call.op is not call_tir_inplace:
        return results
    indices: Sequence[int] = call.attrs["inplace_indices"]
    return [info for info, index in zip(results, indices, strict=True) if index == -1]


def _inplace_results(
    call: Call, arguments: Sequence[StructInfo]
) -> Iterator[tuple[TensorStructInfo, TensorStructInfo]]:
    """The arguments that a call writes into, each with the result that it is."""
    indices: Sequence[int] = call.attrs["inplace_indices"] if call.op is call_tir_inplace else ()
    for info, index in zip(tuple_fields(call.sinfo_args[0]), indices, strict=False):
        argument = arguments[index] if index != -1 else None
        if isinstance(argument, TensorStructInfo) and isinstance(info, TensorStructInfo):
            yield argument, info


def _may_match(buffer: Buffer, info: TensorStructInfo) -> bool:
    """Whether a tensor may have the dtype, the rank and the numbers among the extents that a buffer has."""
    if info.dtype not in (VOID, buffer.dtype) or info.ndim not in (UNKNOWN_NDIM, len(buffer.shape)):
        return False
    pairs = zip(buffer.shape, info.extents or (), strict=False)
    return all(a.value == b.value for a, b in pairs if isinstance(a, IntImm) and isinstance(b, IntImm))
