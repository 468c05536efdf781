"""Operators on tensors that are spread over devices, `R.dist`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.call_tir import OutSinfo, one_output, output, packed_arguments
from tvmscript.ir.relax.op.ccl import scattered
from tvmscript.ir.relax.op.script_functions import make
from tvmscript.ir.relax.op.shape_rules import known, told
from tvmscript.ir.relax.operator import Operator, refusal
from tvmscript.ir.relax.struct_info import ObjectStructInfo


def _check(call: Call) -> None:
    """Raises `InvalidCall` where the mesh or the placement is none."""
    for name, kind, expected in (
        ("device_mesh", DeviceMesh, "a mesh of devices (R.device_mesh)"),
        ("placement", Placement, "a placement, as 'S[0], R'"),
    ):
        if not isinstance(call.attrs[name], kind):
            raise refusal(call, name, expected, repr(call.attrs[name]))


def _annotate(call: Call) -> StructInfo:
    _check(call)
    return known(call, 0) or ObjectStructInfo()


def _redistribute(call: Call) -> StructInfo:
    _check(call)
    found = known(call, 0)
    if not isinstance(found, DTensorStructInfo):
        raise refusal(call, 0, "a tensor over devices (R.DTensor)", told(found))
    return found.replace(device_mesh=call.attrs["device_mesh"], placement=call.attrs["placement"], span=call.span)


def _shard(call: Call) -> StructInfo:
    """A part of what each worker has; of a tensor over devices, that tensor, which is split from here on."""
    found = known(call, 0)
    if not isinstance(found, DTensorStructInfo):
        return scattered(call)
    if len(found.device_mesh.shape) != 1 or any(spec.axis >= 0 for spec in found.placement.dim_specs):
        raise refusal(call, 0, "a tensor that each device of a mesh of one dimension has as a whole", told(found))
    whole = call.args[0].replace(struct_info=found.tensor_sinfo)
    scattered(call.replace(args=(whole,), struct_info=found))
    return found.replace(placement=Placement((PlacementSpec(call.attrs["axis"]),)), span=call.span)


def _call_tir_local_view(
    gvar: Any, args: Any, out_sinfo: OutSinfo, tir_vars: Any = None, *, span: Span | None = None
) -> Call:
    given = [gvar, packed_arguments(args), *([] if tir_vars is None else [tir_vars])]
    return make(call_tir_local_view, given, None, span, (one_output(out_sinfo, span),))


def _placed(operator: Operator, value: Any, device_mesh: Any, placement: Any, span: Span | None) -> Call:
    """A placement may be a text."""
    place = Placement.from_text(placement, span) if isinstance(placement, str) else placement
    return make(operator, (value, device_mesh, place), None, span)


def _annotate_surface(value: Any, device_mesh: Any, placement: Any, *, span: Span | None = None) -> Call:
    return _placed(annotate_sharding, value, device_mesh, placement, span)


def _redistribute_surface(value: Any, device_mesh: Any, placement: Any, *, span: Span | None = None) -> Call:
    return _placed(redistribute, value, device_mesh, placement, span)


annotate_sharding = Operator(
    "dist.annotate_sharding",
    "value: Expr, device_mesh: any, placement: any",
    _annotate,
    surface=_annotate_surface,
    doc="The tensor; a wish how it is spread over a mesh of devices.",
)
redistribute = Operator(
    "dist.redistribute",
    "value: Expr, device_mesh: any, placement: any",
    _redistribute,
    surface=_redistribute_surface,
    doc="The tensor, spread over a mesh of devices in another way.",
)
redistribute_replica_to_shard = Operator(
    "dist.redistribute_replica_to_shard",
    "input: Expr, num_workers: int, axis: int",
    _shard,
    doc="Of a tensor that each worker has as a whole, a part on each.",
)
call_tir_local_view = Operator(
    "dist.call_tir_local_view",
    "gvar: Func, args: Tuple, packed_ints: Shape | None = None",
    output,
    surface=_call_tir_local_view,
    doc="`call_tir` on what each worker has.",
)
