"""`R.DTensor`, `R.device_mesh`, `R.dist`: tensors distributed over devices."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.core import Op, Span, UnknownName, WrongType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import Call, Constant
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Range
from tvmscript.ir.tir.operators import const as tir_const
from tvmscript.parser.builtins.argument_checks import integer
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.relax.builtins.constants import const
from tvmscript.parser.relax.builtins.struct_info import (
    STRUCT_INFOS,
    PendingStructInfo,
    complete,
    resolve_struct_info,
    tensor,
)
from tvmscript.parser.relax.reader import ValueReader

_NAMED: Final = re.compile(r"(\w+)\[(\d+)\]")
_HINT: Final = 'I.module_global_infos({"mesh": [...]}) before the function defines meshes'


def device_mesh(shape: object, device_ids: object, span: Span | None = None) -> DeviceMesh:
    """Return a device mesh: a shape, and the ids of its devices as a list or a range."""
    sizes = _integers("R.device_mesh", shape, span)
    ids = device_ids if isinstance(device_ids, Range) else _integers("R.device_mesh", device_ids, span)
    return DeviceMesh(sizes, ids, span=span)


def _integers(where: str, given: object, span: Span | None) -> tuple[int, ...]:
    if not isinstance(given, (tuple, list)):
        raise WrongType(where=where, expected="a list of integers", got=repr(given), span=span)
    return tuple([integer(where, item) for item in given])


def mesh_named(infos: Mapping[str, Sequence[Any]] | None, given: object, span: Span | None) -> DeviceMesh:
    """Return a mesh; `"mesh[0]"` names one of the module. Raises `UnknownName`."""
    if isinstance(given, DeviceMesh):
        return given
    if not isinstance(given, str):
        raise WrongType(where="a mesh", expected='R.device_mesh(...) or a name such as "mesh[0]"', got=given, span=span)
    match = _NAMED.fullmatch(given)
    meshes = (infos or {}).get(match.group(1), ()) if match else ()
    number = int(match.group(2)) if match else 0
    if number >= len(meshes) or not isinstance(meshes[number], DeviceMesh):
        raise UnknownName(kind="mesh of devices", name=given, span=span, hint=_HINT)
    mesh: DeviceMesh = meshes[number]
    return mesh


def _placement(given: object, span: Span | None) -> Placement:
    if isinstance(given, str):
        return Placement.from_text(given, span)
    if not isinstance(given, Placement):
        raise WrongType(where="a placement", expected='a string such as "S[0], R"', got=repr(given), span=span)
    return given


def dtensor(
    shape: object = None,
    dtype: object = None,
    device_mesh: object = None,
    placement: object = "",
    ndim: int = -1,
    span: Span | None = None,
) -> StructInfo | PendingStructInfo:
    """A tensor distributed over a device mesh by a placement; without a mesh it is on one device."""
    part = tensor(shape, dtype, None, ndim, span)
    mesh = (
        DeviceMesh((), Range.from_min_extent(tir_const(0), tir_const(1)), span=span)
        if device_mesh is None
        else device_mesh
    )
    place = _placement(placement, span)
    if isinstance(part, PendingStructInfo) or isinstance(mesh, str):
        return PendingStructInfo("R.DTensor", lambda parser: _distribute(parser, part, mesh, place, span))
    return _distribute(None, part, mesh, place, span)


def _distribute(
    parser: ValueReader | None, part: StructInfo | PendingStructInfo, mesh: object, place: Placement, span: Span | None
) -> StructInfo:
    info = complete(parser, part)
    assert isinstance(info, TensorStructInfo)
    global_infos = None if parser is None else parser.session.global_infos
    return DTensorStructInfo(info, mesh_named(global_infos, mesh, span), place, span=span)


def dtensor_struct_info(
    parser: ValueReader, span: Span, tensor_sinfo: object, device_mesh: object, placement: object
) -> StructInfo:
    """Return the struct info of a distributed tensor from that of the tensor."""
    part = resolve_struct_info(parser, tensor_sinfo, span)
    if not isinstance(part, TensorStructInfo):
        raise WrongType(where="R.dist.DTensorStructInfo", expected="R.Tensor(...)", got=repr(tensor_sinfo), span=span)
    return _distribute(parser, part, device_mesh, _placement(placement, span), span)


def placement(dim_specs: object, span: Span | None = None) -> Placement:
    """Return a placement with an entry for each dimension of the mesh: "S[0], R", or a list of axes with -1 for R."""
    if isinstance(dim_specs, str):
        return Placement.from_text(dim_specs, span)
    axes = _integers("R.dist.Placement", dim_specs, span)
    return Placement(tuple([PlacementSpec(axis) for axis in axes]), span=span)


def annotate_sharding(parser: ValueReader, span: Span, value: object, device_mesh: object, placement: object) -> Call:
    """Annotate a tensor with its distribution over a device mesh."""
    return _placed("relax.dist.annotate_sharding", parser, span, value, device_mesh, placement)


def redistribute(parser: ValueReader, span: Span, value: object, device_mesh: object, placement: object) -> Call:
    """Redistribute a tensor over a device mesh."""
    return _placed("relax.dist.redistribute", parser, span, value, device_mesh, placement)


def _placed(name: str, parser: ValueReader, span: Span, value: object, mesh: object, place: object) -> Call:
    operator: Any = Op.get(name)
    return script_function_of(operator)(
        value, mesh_named(parser.session.global_infos, mesh, span), _placement(place, span), span=span
    )


def call_tir(
    parser: ValueReader, span: Span, func: object, args: object, out_sinfo: object, tir_vars: object = None
) -> Call:
    """Call a kernel of the module whose results are distributed over devices."""
    operator: Any = Op.get("relax.call_tir")
    return script_function_of(operator)(func, args, out_sinfo, tir_vars, span=span)


def dist_const(parser: ValueReader, span: Span, value: object, struct_info: object) -> Constant:
    """Return constant data that is distributed over devices."""
    info = resolve_struct_info(parser, struct_info, span)
    if not isinstance(info, DTensorStructInfo):
        raise WrongType(where="R.dist.const", expected="R.DTensor(...)", got=repr(struct_info), span=span)
    return const(value, info.tensor_sinfo.dtype, span).replace(struct_info=info)


STRUCT_INFOS["DTensor"] = Builtin("R.DTensor", dtensor)
#: name in `R` -> entry
DISTRIBUTED: Final[dict[str, Builtin]] = {
    "DTensor": STRUCT_INFOS["DTensor"],
    "device_mesh": Builtin("R.device_mesh", device_mesh),
    "dist.DTensor": STRUCT_INFOS["DTensor"],
    "dist.DTensorStructInfo": Builtin("R.dist.DTensorStructInfo", dtensor_struct_info, True),
    "dist.DeviceMesh": Builtin("R.dist.DeviceMesh", device_mesh),
    "dist.Placement": Builtin("R.dist.Placement", placement),
    "dist.annotate_sharding": Builtin("R.dist.annotate_sharding", annotate_sharding, True),
    "dist.call_tir": Builtin("R.dist.call_tir", call_tir, True),
    "dist.const": Builtin("R.dist.const", dist_const, True),
    "dist.device_mesh": Builtin("R.dist.device_mesh", device_mesh),
    "dist.redistribute": Builtin("R.dist.redistribute", redistribute, True),
}
