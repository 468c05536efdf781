"""Conversions between tensors and shapes, and device placement."""

from __future__ import annotations

from tvmscript.ir.core import INT64, Span
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.op.memory import infer_object
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.tir import IntImm


def _infer_shape_of(call: Call) -> ShapeStructInfo:
    info = rules.expect_tensor(call)
    return ShapeStructInfo(literal_extents(info), info.ndim)


def _infer_tensor_to_shape(call: Call) -> ShapeStructInfo:
    extents = literal_extents(rules.expect_tensor(call))
    if extents is None or len(extents) != 1 or not isinstance(extents[0], IntImm):
        raise invalid_argument(call, 0, "a tensor of 1 dimension with a constant extent", "another tensor")
    return ShapeStructInfo(ndim=extents[0].value)


def _infer_shape_to_tensor(call: Call) -> TensorStructInfo:
    ndim = rules.expect_shape(call, 0).ndim
    return (
        rules.tensor_of_ndim(1, INT64) if ndim == UNKNOWN_NDIM else rules.tensor_of_shape((rules.int64(ndim),), INT64)
    )


def _infer_to_vdevice(call: Call) -> TensorStructInfo:
    info, place = rules.expect_tensor(call), call.attrs["dst_vdevice"]
    if not isinstance(place, VDevice):
        raise invalid_argument(call, "dst_vdevice", "a virtual device of the module (I.vdevice)", repr(place))
    return TensorStructInfo(info.shape, info.dtype, info.ndim, place)


def _script_hint(data: object, dst_vdevice: object, memory_scope: str = "global", *, span: Span | None = None) -> Call:
    """Return the tensor with a hint for its device, a pair (DLPack device type, device id)."""
    if not (isinstance(dst_vdevice, tuple) and len(dst_vdevice) == 2):
        raise InvalidCall(
            operator="R.hint_on_device",
            argument="dst_vdevice",
            expected="a device (R.device)",
            got=dst_vdevice,
            span=span,
        )
    kind, index = dst_vdevice
    return make_call(hint_on_device, (data, kind, index, memory_scope), None, span)


shape_of = Operator("shape_of", "expr: Expr", _infer_shape_of, doc="The shape of a tensor as a value.")
tensor_to_shape = Operator(
    "tensor_to_shape", "expr: Expr", _infer_tensor_to_shape, doc="Convert a tensor of extents to a shape."
)
shape_to_tensor = Operator(
    "shape_to_tensor", "expr: Expr", _infer_shape_to_tensor, doc="Convert a shape to a tensor of its extents."
)
to_vdevice = Operator(
    "to_vdevice", "data: Expr, dst_vdevice: any", _infer_to_vdevice, doc="Copy the tensor to another device."
)
hint_on_device = Operator(
    "hint_on_device",
    "data: Expr, dev_type: int, dev_id: int",
    rules.infer_same,
    v0_27_parameters="memory_scope: str = 'global'",
    script_function=_script_hint,
    doc="The tensor with a hint for its device.",
)
null_value = Operator("null_value", "", infer_object, doc="A null object.")
