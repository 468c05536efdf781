"""Operators on distributed tensors, `R.dist`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import INT64, Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import Call, ExternFunc
from tvmscript.ir.relax.op.axis_mapping import map_same_axes
from tvmscript.ir.relax.op.call_packed import call_pure_packed
from tvmscript.ir.relax.op.call_tir import OutSinfo, infer_out_sinfo, merge_out_sinfo, pack_arguments
from tvmscript.ir.relax.op.ccl import infer_scattered
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.op.shape_rules import describe_kind, struct_info_of
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import ObjectStructInfo, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.tir import Var
from tvmscript.ir.topi import inventory


def _check_mesh(call: Call) -> None:
    """Check the types of the mesh and the placement. Raises `InvalidCall`."""
    for name, kind, expected in (
        ("device_mesh", DeviceMesh, "a device mesh (R.device_mesh)"),
        ("placement", Placement, "a placement, as 'S[0], R'"),
    ):
        if not isinstance(call.attrs[name], kind):
            raise invalid_argument(call, name, expected, repr(call.attrs[name]))


def _infer_annotate(call: Call) -> StructInfo:
    _check_mesh(call)
    return struct_info_of(call, 0) or ObjectStructInfo()


def _infer_redistribute(call: Call) -> StructInfo:
    _check_mesh(call)
    info = struct_info_of(call, 0)
    if not isinstance(info, DTensorStructInfo):
        raise invalid_argument(call, 0, "a distributed tensor (R.DTensor)", describe_kind(info))
    return info.replace(device_mesh=call.attrs["device_mesh"], placement=call.attrs["placement"], span=call.span)


def _infer_shard(call: Call) -> StructInfo:
    """Infer the shard of a local tensor; for a distributed tensor, the sharded placement."""
    info = struct_info_of(call, 0)
    if not isinstance(info, DTensorStructInfo):
        return infer_scattered(call)
    if len(info.device_mesh.shape) != 1 or any(spec.axis >= 0 for spec in info.placement.dim_specs):
        raise invalid_argument(call, 0, "a tensor replicated over a mesh of one dimension", describe_kind(info))
    whole = call.args[0].replace(struct_info=info.tensor_sinfo)
    infer_scattered(call.replace(args=(whole,), struct_info=info))
    return info.replace(placement=Placement((PlacementSpec(call.attrs["axis"]),)), span=call.span)


def _expand_shard(builder: Any, call: Call) -> Call:
    """Return the call of the kernel that copies the shard of this worker."""
    worker = Var("worker_id", INT64)
    worker_id = Call(call_pure_packed, (ExternFunc("runtime.disco.worker_id"),), sinfo_args=(ShapeStructInfo(),))
    builder.match_cast(builder.emit(worker_id), ShapeStructInfo((worker,)))
    info = call.struct_info
    assert isinstance(info, TensorStructInfo)
    axis = call.attrs["axis"]
    size = (info.extents or ())[axis]
    ends = [worker * size], [(worker + 1) * size]
    shard: Call = builder.call_te(inventory().strided_slice, call.args[0], *ends, axes=[axis])
    return shard


def _call_tir_local_view(
    gvar: object, args: object, out_sinfo: OutSinfo, tir_vars: object = None, *, span: Span | None = None
) -> Call:
    values = [gvar, pack_arguments(args), *([] if tir_vars is None else [tir_vars])]
    return make_call(call_tir_local_view, values, None, span, (merge_out_sinfo(out_sinfo, span),))


def _as_placed(operator: Operator, value: object, device_mesh: object, placement: object, span: Span | None) -> Call:
    """Call the operator with a placement, which may be text."""
    place = Placement.from_text(placement, span) if isinstance(placement, str) else placement
    return make_call(operator, (value, device_mesh, place), None, span)


def _script_annotate(value: object, device_mesh: object, placement: object, *, span: Span | None = None) -> Call:
    return _as_placed(annotate_sharding, value, device_mesh, placement, span)


def _script_redistribute(value: object, device_mesh: object, placement: object, *, span: Span | None = None) -> Call:
    return _as_placed(redistribute, value, device_mesh, placement, span)


annotate_sharding = Operator(
    "dist.annotate_sharding",
    "value: Expr, device_mesh: any, placement: any",
    _infer_annotate,
    mapped_axes=map_same_axes,
    script_function=_script_annotate,
    doc="The tensor with a hint for its sharding over a device mesh.",
)
redistribute = Operator(
    "dist.redistribute",
    "value: Expr, device_mesh: any, placement: any",
    _infer_redistribute,
    script_function=_script_redistribute,
    doc="The tensor redistributed over a device mesh.",
)
redistribute_replica_to_shard = Operator(
    "dist.redistribute_replica_to_shard",
    "input: Expr, num_workers: int, axis: int",
    _infer_shard,
    expand=_expand_shard,
    doc="Shard a tensor that is replicated on all workers.",
)
call_tir_local_view = Operator(
    "dist.call_tir_local_view",
    "gvar: Func, args: Tuple, packed_ints: Shape | None = None",
    infer_out_sinfo,
    script_function=_call_tir_local_view,
    doc="`call_tir` on the local shards of each worker.",
)
