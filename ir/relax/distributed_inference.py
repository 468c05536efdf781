"""Struct info of operator calls on distributed tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tvmscript.ir.core import IRError, structural_equal
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.operator import CallNode, MappedAxis, Operator
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ObjectStructInfo, TensorStructInfo
from tvmscript.ir.tir import IntImm


def infer_distributed(call: Any, error: IRError) -> StructInfo:
    """Return the struct info of a call on distributed tensors, whose rule raised `error`. Raises `error` for others.

    The result is sharded along the axes that the operator maps sharded axes of arguments to. For an operator without
    mapped axes the result is `R.Object`: an annotation must give its placement. Raises `InvalidCall` where arguments
    are on different meshes, or one axis of the result is sharded along two mesh dimensions.
    """
    infos = [arg.struct_info for arg in call.args]
    distributed = [info for info in infos if isinstance(info, DTensorStructInfo)]
    if not distributed or call.op.name.startswith("relax.dist."):
        raise error
    for position, info in enumerate(infos):
        if isinstance(info, TensorStructInfo):
            raise _invalid_placement(call, position, "a distributed tensor (R.DTensor), as the others", "a tensor")
        if isinstance(info, DTensorStructInfo) and not structural_equal(info.device_mesh, distributed[0].device_mesh):
            raise _invalid_placement(call, position, "a tensor on the mesh of the others", "one on another mesh")
    local_call = call.replace(args=tuple([_without_devices(arg) for arg in call.args]), struct_info=None)
    mapped_axes = axes_of_result(local_call)
    if mapped_axes is None or not isinstance(local_call.struct_info, TensorStructInfo):
        return ObjectStructInfo()
    mesh = distributed[0].device_mesh
    return DTensorStructInfo(local_call.struct_info, mesh, _infer_placement(call, mapped_axes, len(mesh.shape)))


def _invalid_placement(call: CallNode, position: int, expected: str, got: str) -> InvalidCall:
    name, span = call.op.arguments[position].name, call.args[position].span or call.span
    return InvalidCall(operator=call.op.script_name, argument=name, expected=expected, got=got, span=span)


def _without_devices(arg: Any) -> Any:
    info = arg.struct_info
    return arg.replace(struct_info=info.tensor_sinfo) if isinstance(info, DTensorStructInfo) else arg


def _infer_placement(call: Any, mapped_axes: Iterable[MappedAxis], count: int) -> Placement:
    """Return the placement of the result on a mesh of `count` dimensions."""
    mesh_dimension: dict[int, int] = {}  # by axis of the result
    for position, axis, result_axis in mapped_axes:
        specs = call.args[position].struct_info.placement.dim_specs
        for dimension in [number for number, spec in enumerate(specs) if spec.axis == axis][-1:]:
            if mesh_dimension.setdefault(result_axis, dimension) != dimension:
                expected = f"a placement that shards axis {result_axis} of the result as the others do"
                raise _invalid_placement(call, position, expected, ", ".join(map(str, specs)))
    # of two axes sharded along one dimension, the last wins, as in TVM
    axes = {dimension: axis for axis, dimension in sorted(mesh_dimension.items())}
    return Placement(tuple([PlacementSpec(axes.get(dimension, -1)) for dimension in range(count)]))


def axes_of_result(call: Any) -> Iterable[MappedAxis] | None:
    """Return the axes of arguments that become axes of the result, None where the operator does not declare them."""
    operator: Operator = call.op
    if operator.mapped_axes is not None:
        return operator.mapped_axes(call)
    return _elementwise_axes(call) if operator.layout in _ELEMENTWISE_LAYOUTS else None


def _elementwise_axes(call: Any) -> Iterator[MappedAxis]:
    """Map axes counted from the last. An axis of extent 1 is broadcast, so it maps to none."""
    result = call.struct_info
    for position, arg in enumerate(call.args):
        info = arg.struct_info
        if not isinstance(info, TensorStructInfo) or UNKNOWN_NDIM in (info.ndim, result.ndim):
            continue
        for axis in range(info.ndim):
            extent = None if info.extents is None else info.extents[axis]
            if not (isinstance(extent, IntImm) and extent.value == 1):
                yield position, axis, axis + result.ndim - info.ndim


#: layout rules of elementwise operators
_ELEMENTWISE_LAYOUTS = frozenset(("elementwise", "binary"))
