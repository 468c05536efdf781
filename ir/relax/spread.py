"""What operators give for tensors over devices."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.equal import structural_equal
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.op.operator import InvalidCall
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo


def result_over_devices(call: Any, error: IRError) -> StructInfo:
    """The result of a call whose operator refused its arguments, where these are over devices; else `error` is raised.

    Element by element the result is spread as the arguments are. How any other operator spreads its result is not
    inferred: an annotation says it.
    """
    infos = [arg.struct_info for arg in call.args]
    spread = [info for info in infos if isinstance(info, DTensorStructInfo)]
    if not spread or call.op.name.startswith("relax.dist."):
        raise error
    for position, info in enumerate(infos):
        if isinstance(info, TensorStructInfo):
            raise InvalidCall(
                operator=call.op.script_name,
                argument=call.op.arguments[position].name,
                expected="a tensor over devices (R.DTensor), as the others",
                got="a tensor",
                span=call.args[position].span or call.span,
            )
    args = tuple([_on_one_device(arg) for arg in call.args])
    made = call.replace(args=args, struct_info=None).struct_info
    first = spread[0]
    is_same = call.op.layout in _ELEMENT_BY_ELEMENT and all(structural_equal(info, first) for info in spread)
    if is_same and isinstance(made, TensorStructInfo):
        return DTensorStructInfo(made, first.device_mesh, first.placement)
    return ObjectStructInfo()


def _on_one_device(arg: Any) -> Any:
    info = arg.struct_info
    return arg.replace(struct_info=info.tensor_sinfo) if isinstance(info, DTensorStructInfo) else arg


#: operators through which a change of layout passes as it is
_ELEMENT_BY_ELEMENT = frozenset(("elementwise", "binary"))
