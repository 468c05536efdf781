"""Struct info of TIR functions."""

from __future__ import annotations

from tvmscript.ir.core import HANDLE, INT64
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.function import PrimFunc, struct_info_of
from tvmscript.ir.tir.operators import cast
from tvmscript.ir.tir.var import Var


def prim_func_struct_info(func: PrimFunc) -> FuncStructInfo:
    """Return the struct info of a TIR function: buffers are tensors, no result is an empty tuple."""

    def param_info(param: Var) -> StructInfo:
        buffer = func.buffer_map.get(param)
        if buffer is not None:
            return TensorStructInfo([cast(INT64, size) for size in buffer.shape], buffer.dtype)
        return ObjectStructInfo() if param.dtype is HANDLE else PrimStructInfo(param.dtype)

    result = func.ret_type
    ret: StructInfo = TupleStructInfo()
    if result is not None:
        ret = PrimStructInfo(result.dtype) if isinstance(result, PrimType) else ObjectStructInfo()
    return FuncStructInfo(tuple(map(param_info, func.params)), ret, purity=False)


struct_info_of.fill(prim_func_struct_info)
