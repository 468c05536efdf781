"""Calls of kernels: which kernel of the module is called, and whether the arguments fit its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tvmscript.ir.core import VOID, GlobalVar, IRModule, Op
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.errors import WrongKernelCall
from tvmscript.ir.relax.expr import Call, Tuple
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_inplace, call_tir_with_grad, tuple_fields
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir import Buffer, IntImm, PrimFunc

_KERNEL_CALL_OPS: tuple[Op, ...] = (call_tir, call_tir_inplace, call_tir_with_grad)
#: struct info of arguments that take one parameter of a kernel
_SINGLE_PARAMETER_INFO = (TensorStructInfo, DTensorStructInfo, PrimStructInfo)


class KernelCall(NamedTuple):
    """A `R.call_tir` of a kernel of the module. Its arguments are a tuple in place, sizes are not among them."""

    symbol: GlobalVar
    kernel: PrimFunc
    arguments: tuple[RelaxExpr, ...]


def match_call_tir(expr: object, module: IRModule) -> KernelCall | None:
    """Return the kernel that a `R.call_tir` calls, None for other expressions."""
    if not isinstance(expr, Call) or expr.op is not call_tir:
        return None
    symbol, arguments = expr.args[:2]
    kernel = module.get(symbol) if isinstance(symbol, GlobalVar) else None
    if not isinstance(symbol, GlobalVar) or not isinstance(kernel, PrimFunc) or not isinstance(arguments, Tuple):
        return None
    return KernelCall(symbol, kernel, arguments.fields)


def check_kernel_call(call: Call, module: IRModule) -> WrongKernelCall | None:
    """Return the error in a call of a kernel, None where there is none or the call is not fully known."""
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
    for argument, result in _inplace_results(call, arguments.fields):
        if result.dtype is not argument.dtype:
            return WrongKernelCall(name=callee.name_hint, expected=f"the result {argument}", got=result, span=call.span)
    infos = [*arguments.fields, *_allocated_results(call)]
    count = len(infos) + sizes.ndim
    if count != len(kernel.params):
        expected, got = f"{len(kernel.params)} arguments, results and sizes", f"{count}"
        return WrongKernelCall(name=callee.name_hint, expected=expected, got=got, span=call.span)
    for param, info in zip(kernel.params, infos, strict=False):  # sizes follow
        buffer = kernel.buffer_map.get(param)
        if buffer is not None and isinstance(info, TensorStructInfo) and not _may_match(buffer, info):
            shape = ", ".join(map(str, buffer.shape))
            expected = f"{buffer.name} of shape ({shape}) and dtype {buffer.dtype}"
            return WrongKernelCall(name=callee.name_hint, expected=expected, got=info, span=call.span)
    return None


_NO_SIZES = ShapeStructInfo(())


def _allocated_results(call: Call) -> Sequence[StructInfo]:
    """Return the results that are written into new tensors."""
    results = tuple_fields(call.sinfo_args[0])
    if call.op is not call_tir_inplace:
        return results
    indices: Sequence[int] = call.attrs["inplace_indices"]
    return [info for info, index in zip(results, indices, strict=True) if index == -1]


def _inplace_results(
    call: Call, arguments: Sequence[StructInfo]
) -> Iterator[tuple[TensorStructInfo, TensorStructInfo]]:
    """Yield each argument that the call writes into with the result that it holds."""
    indices: Sequence[int] = call.attrs["inplace_indices"] if call.op is call_tir_inplace else ()
    for info, index in zip(tuple_fields(call.sinfo_args[0]), indices, strict=False):
        argument = arguments[index] if index != -1 else None
        if isinstance(argument, TensorStructInfo) and isinstance(info, TensorStructInfo):
            yield argument, info


def _may_match(buffer: Buffer, info: TensorStructInfo) -> bool:
    """Whether dtype, rank and constant extents of a tensor agree with a buffer."""
    if info.dtype not in (VOID, buffer.dtype) or info.ndim not in (UNKNOWN_NDIM, len(buffer.shape)):
        return False
    pairs = zip(buffer.shape, info.extents or (), strict=False)
    return all(a.value == b.value for a, b in pairs if isinstance(a, IntImm) and isinstance(b, IntImm))
