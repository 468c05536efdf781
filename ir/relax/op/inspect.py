"""Access to the fields of a DLTensor at run time, `R.inspect`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.core import INT64, VOID, DType
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.shape_rules import expect_prim, expect_tensor, num_elements
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, PrimStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, IntImm

#: type code -> DLPack code
_CODES: Final = {"int": 0, "uint": 1, "float": 2, "handle": 3, "bfloat": 4, "e4m3_float8": 6, "e5m2_float8": 7}


def _field_operator(name: str, dtype: str, of: Callable[[TensorStructInfo], int | None], doc: str) -> Operator:
    """Declare an operator that reads a field, which struct info may determine by `of`."""

    def rule(call: Call) -> PrimStructInfo:
        value = of(expect_tensor(call))
        return PrimStructInfo(dtype, None if value is None else IntImm(DType(dtype), value))

    return Operator(f"inspect.{name}", "tensor: Expr", rule, doc=doc)


def _axis_operator(name: str, of: Callable[[tuple[Expr, ...], int], Expr], doc: str) -> Operator:
    """Declare an operator that reads a field of one axis."""

    def rule(call: Call) -> PrimStructInfo:
        info, axis = expect_tensor(call), expect_prim(call, 1)
        if axis.dtype is not INT64:
            raise invalid_argument(call, 1, "an int64", axis.dtype)
        if not isinstance(axis.value, IntImm):
            return PrimStructInfo(INT64)
        at = axis.value.value
        if at < 0 or (info.ndim != UNKNOWN_NDIM and at >= info.ndim):
            raise invalid_argument(call, 1, f"an axis from 0 to {info.ndim - 1}" if info.ndim > 0 else "an axis", at)
        return PrimStructInfo(INT64, of(info.extents, at) if info.extents is not None else None)

    return Operator(f"inspect.{name}", "tensor: Expr, axis: Prim", rule, doc=doc)


def _infer_from_dtype(of: Callable[[DType], int | None]) -> Callable[[TensorStructInfo], int | None]:
    return lambda info: None if info.dtype is VOID else of(info.dtype)


def _infer_zero(info: TensorStructInfo) -> int | None:
    """Return 0 for a tensor of known shape, which has no offset."""
    return None if info.shape is None else 0


tensor_ndim = _field_operator(
    "tensor_ndim", "int32", lambda info: None if info.ndim == UNKNOWN_NDIM else info.ndim, "The number of dimensions."
)
tensor_dtype_code = _field_operator(
    "tensor_dtype_code",
    "uint8",
    _infer_from_dtype(lambda dtype: _CODES.get(dtype.code)),
    "The DLPack type code of the elements.",
)
tensor_dtype_bits = _field_operator(
    "tensor_dtype_bits", "uint8", _infer_from_dtype(lambda dtype: dtype.bits), "The number of bits of one lane."
)
tensor_dtype_lanes = _field_operator(
    "tensor_dtype_lanes", "uint16", _infer_from_dtype(lambda dtype: dtype.lanes), "The number of lanes of an element."
)
tensor_byte_offset = _field_operator(
    "tensor_byte_offset", "uint64", _infer_zero, "The byte offset of the first element."
)
tensor_elem_offset = _field_operator(
    "tensor_elem_offset", "uint64", _infer_zero, "The element offset of the first element."
)
tensor_shape_i = _axis_operator("tensor_shape_i", lambda extents, axis: extents[axis], "The extent of an axis.")
tensor_stride_i = _axis_operator(
    "tensor_stride_i",
    lambda extents, axis: simplify_size(num_elements(extents[axis + 1 :])),
    "The stride of an axis in elements; the tensor must be compact.",
)
