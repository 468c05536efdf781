"""Explicit storage after memory planning, `R.memory`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, mul
from tvmscript.ir.core import INT64, VOID, DType, Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, DataTypeImm, Tuple
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import GT, Expr, cast


def infer_object(call: Call) -> StructInfo:
    """Infer an object."""
    return ObjectStructInfo()


def infer_empty_tuple(call: Call) -> StructInfo:
    """Infer the empty tuple, the result of operators with side effects only."""
    return TupleStructInfo(())


def dtype_argument(call: Call, position: int) -> DType:
    """Return the dtype that an argument holds. Raises `InvalidCall`."""
    argument = call.args[position]
    if isinstance(argument, DataTypeImm):
        return argument.value
    raise invalid_argument(
        call, position, "a dtype (R.dtype)", rules.describe_kind(rules.struct_info_of(call, position))
    )


def _infer_alloc_tensor(call: Call) -> TensorStructInfo:
    info = rules.expect_shape(call, 2)
    written: Any = call.args[2] if info is call.args[2].struct_info else None
    return TensorStructInfo(written, dtype_argument(call, 3))


def _is_given(call: Call, position: int) -> bool:
    """Whether an optional argument is given: it is not the empty tuple."""
    info = rules.struct_info_of(call, position)
    return not (isinstance(info, TupleStructInfo) and not info.fields)


def _view_dtype(call: Call) -> DType:
    """Return the dtype of a view; that of an unknown object is unknown."""
    is_unknown = type(rules.struct_info_of(call, 2)) is ObjectStructInfo and not isinstance(call.args[2], DataTypeImm)
    return VOID if is_unknown else dtype_argument(call, 2)


def _infer_view(call: Call) -> TensorStructInfo:
    x = rules.expect_tensor(call)
    dtype = _view_dtype(call) if _is_given(call, 2) else x.dtype
    offset: Expr | None = rules.int64(0)
    if _is_given(call, 3):
        info = rules.expect_prim(call, 3)
        if info.dtype is not INT64:
            raise invalid_argument(call, 3, "an int64", info.dtype)
        offset = info.value
    if not _is_given(call, 1):
        view_info = TensorStructInfo(x.shape, dtype, x.ndim, x.vdevice)
    else:
        view_info = TensorStructInfo(
            rules.resolve_shape_argument(call, 1), dtype, rules.expect_shape(call, 1).ndim, x.vdevice
        )
    have, need = _size_in_bytes(x.extents, x.dtype), _size_in_bytes(view_info.extents, dtype)
    if have is not None and need is not None and offset is not None:
        reached = add(need, cast(INT64, offset))
        if Analyzer().can_prove(GT(reached, have)):
            raise invalid_argument(call, 0, f"a tensor of at least {reached} bytes", f"one of {have}")
    return view_info


def _size_in_bytes(extents: rules.Extents, dtype: DType) -> Expr | None:
    if extents is None or dtype is VOID:
        return None
    return mul(cast(INT64, rules.num_elements(extents)), rules.int64(dtype.itemsize))


def _script_view(
    data: object,
    shape: object = None,
    dtype: object = None,
    relative_byte_offset: object = None,
    *,
    span: Span | None = None,
) -> Call:
    """Return a view of the same memory with another shape, dtype or byte offset."""
    values = [Tuple(()) if optional is None else optional for optional in (shape, dtype, relative_byte_offset)]
    return make_call(view, (data, *values), None, span)


alloc_storage = Operator(
    "memory.alloc_storage",
    "size: Expr, virtual_device_index: Prim, storage_scope: Str, dtype: DType",
    infer_object,
    doc="Allocate storage for tensors.",
)
alloc_tensor = Operator(
    "memory.alloc_tensor",
    "storage: Expr, offset: Prim, shape: Shape, dtype: DType",
    _infer_alloc_tensor,
    v0_27_parameters="runtime_device_ind: Prim | None = None",
    doc="Create a tensor in allocated storage.",
)
ensure_zero_offset = Operator(
    "memory.ensure_zero_offset",
    "data: Expr",
    rules.infer_same,
    reference=lambda np, x: x,
    doc="The tensor with byte offset 0, copied where needed.",
)
kill_storage = Operator(
    "memory.kill_storage", "storage: Expr", infer_empty_tuple, pure=False, doc="End the lifetime of storage."
)
kill_tensor = Operator(
    "memory.kill_tensor", "tensor: Expr", infer_empty_tuple, pure=False, doc="End the lifetime of a tensor."
)
view = Operator(
    "memory.view",
    "data: Expr, shape: Shape, dtype: DType, relative_byte_offset: Prim",
    _infer_view,
    script_function=_script_view,
    doc="A view of the same memory with another shape, dtype or byte offset.",
)
