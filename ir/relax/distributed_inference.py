"""What operators give for tensors over devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.operator import MappedAxis
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ObjectStructInfo, TensorStructInfo
from tvmscript.ir.tir.expr import IntImm


def infer_distributed(call: Any, error: IRError) -> StructInfo:
    """The result of a call whose operator refused its arguments, where these are over devices; else `error` is raised.

    The result is split along the axes that the operator joins with split axes of the arguments. Where it does not say
    which it joins, nothing is inferred: an annotation says how the result is spread. Raises `InvalidCall` where the
    arguments are on different meshes, or one axis is split in several ways.
    """
    infos = [arg.struct_info for arg in call.args]
    spread = [info for info in infos if isinstance(info, DTensorStructInfo)]
    if not spread or call.op.name.startswith("relax.dist."):
        raise error
    for position, info in enumerate(infos):
        if isinstance(info, TensorStructInfo):
            raise _invalid_placement(call, position, "a tensor over devices (R.DTensor), as the others", "a tensor")
        if isinstance(info, DTensorStructInfo) and not structural_equal(info.device_mesh, spread[0].device_mesh):
            raise _invalid_placement(call, position, "a tensor on the mesh of the others", "one on another mesh")
    made = call.replace(args=tuple([_without_devices(arg) for arg in call.args]), struct_info=None)
    joined = _axes_of_result(made)
    if joined is None or not isinstance(made.struct_info, TensorStructInfo):
        return ObjectStructInfo()
    mesh = spread[0].device_mesh
    return DTensorStructInfo(made.struct_info, mesh, _infer_placement(call, joined, len(mesh.shape)))


def _invalid_placement(call: Any, position: int, expected: str, got: str) -> InvalidCall:
    name, span = call.op.arguments[position].name, call.args[position].span or call.span
    return InvalidCall(operator=call.op.script_name, argument=name, expected=expected, got=got, span=span)


def _without_devices(arg: Any) -> Any:
    info = arg.struct_info
    return arg.replace(struct_info=info.tensor_sinfo) if isinstance(info, DTensorStructInfo) else arg


def _infer_placement(call: Any, joined: Iterable[MappedAxis], count: int) -> Placement:
    """What each of the dimensions of the mesh does with the result."""
    splits: dict[int, int] = {}  # axis of the result -> dimension of the mesh
    for position, axis, place in joined:
        specs = call.args[position].struct_info.placement.dim_specs
        for dimension in [number for number, spec in enumerate(specs) if spec.axis == axis][-1:]:
            if splits.setdefault(place, dimension) != dimension:
                expected = f"a placement that splits axis {place} of the result as the others do"
                raise _invalid_placement(call, position, expected, ", ".join(map(str, specs)))
    axes = {dimension: place for place, dimension in sorted(splits.items())}  # of two axes the last, as in TVM
    return Placement(tuple([PlacementSpec(axes.get(dimension, -1)) for dimension in range(count)]))


def _axes_of_result(call: Any) -> Iterable[MappedAxis] | None:
    """Which axes of the arguments are which of the result; None where that is not known."""
    if call.op.mapped_axes is not None:
        found: Iterable[MappedAxis] = call.op.mapped_axes(call)
        return found
    return _elementwise_axes(call) if call.op.layout in _ELEMENTWISE_LAYOUTS else None


def _elementwise_axes(call: Any) -> Iterator[MappedAxis]:
    """Axes from the last; one of extent 1 is repeated, and so joined with none."""
    result = call.struct_info
    for position, arg in enumerate(call.args):
        info = arg.struct_info
        if not isinstance(info, TensorStructInfo) or UNKNOWN_NDIM in (info.ndim, result.ndim):
            continue
        for axis in range(info.ndim):
            extent = None if info.extents is None else info.extents[axis]
            if not (isinstance(extent, IntImm) and extent.value == 1):
                yield position, axis, axis + result.ndim - info.ndim


#: operators through which a change of layout passes as it is
_ELEMENTWISE_LAYOUTS = frozenset(("elementwise", "binary"))
