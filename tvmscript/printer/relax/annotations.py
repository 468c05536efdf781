"""Struct info as annotations: as it is, or as type checkers accept it, `Annotated[R.Tensor, (n, 4), "float32"]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core.dtype import VOID
from tvmscript.ir.core.node import Node
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import ShapeExpr
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer
from tvmscript.printer.relax.distributed import mesh
from tvmscript.printer.relax.state import graph_of
from tvmscript.printer.relax.struct_info import device, extents, sizes

#: argument of a name of `R` -> its text
Said = dict[str, str]


def annotation(p: Printer, info: StructInfo, *, is_parameter: bool = False, value: Node | None = None) -> str:
    """An annotation of a result or a variable, which may be a parameter, or be bound to a value."""
    if not p.options.annotated:
        return graph_of(p).annotation(p, info, is_parameter=is_parameter, value=value)
    name, order, says = _KINDS[type(info)]
    said = says(p, info)
    bare = [said.pop(key) for key in _first(order, said)]
    if said:
        bare.append(f"{{{', '.join([f'{string(key)}: {text}' for key, text in said.items()])}}}")
    called = f"{graph_of(p).prefix}{name}"
    return f"Annotated[{', '.join([called, *bare])}]" if bare else called


def _first(order: tuple[str, ...], said: Said) -> list[str]:
    """The arguments that need no names; those of a tuple are all of them."""
    if not order:
        return list(said)
    count = next((at for at, key in enumerate(order) if key not in said), len(order))
    return list(order[:count])


def _tensor(p: Printer, info: TensorStructInfo) -> Said:
    said: Said = {}
    if info.shape is not None:
        said["shape"] = extents(p, info.shape.values) if isinstance(info.shape, ShapeExpr) else p.expr(info.shape)
    if info.dtype is not VOID:
        said["dtype"] = f'"{info.dtype}"'
    if info.vdevice is not None:
        said["vdevice"] = device(p, info.vdevice)
    if info.shape is None and info.ndim != UNKNOWN_NDIM:
        said["ndim"] = str(info.ndim)
    return said


def _dtensor(p: Printer, info: DTensorStructInfo) -> Said:
    said = _tensor(p, info.tensor_sinfo)
    return {**said, "device_mesh": mesh(p, info.device_mesh), "placement": string(str(info.placement))}


def _shape(p: Printer, info: ShapeStructInfo) -> Said:
    return {"ndim": str(info.ndim)} if info.values is None else {"values": f"[{sizes(p, info.values)}]"}


def _prim(p: Printer, info: PrimStructInfo) -> Said:
    return {"dtype": f'"{info.dtype}"'} if info.value is None else {"value": graph_of(p).size(p, info.value)}


def _tuple(p: Printer, info: TupleStructInfo) -> Said:
    return {str(number): p.expr(field) for number, field in enumerate(info.fields)}


def _callable(p: Printer, info: FuncStructInfo) -> Said:
    if info.params is not None:
        params = f"({p.expr(info.params[0])},)" if len(info.params) == 1 else f"({p.exprs(info.params)})"
        return {"params": params, "ret": p.expr(info.ret), "purity": str(info.purity)}
    said = {} if isinstance(info.ret, ObjectStructInfo) else {"ret": p.expr(info.ret)}
    return {**said, "purity": "True"} if info.purity else said


def _object(p: Printer, info: ObjectStructInfo) -> Said:
    return {}


#: struct info -> its name in `R`, its arguments in order, what writes them
_KINDS: Final[dict[type[StructInfo], tuple[str, tuple[str, ...], Callable[[Printer, Any], Said]]]] = {
    ObjectStructInfo: ("Object", (), _object),
    PrimStructInfo: ("Prim", ("dtype",), _prim),
    ShapeStructInfo: ("Shape", ("values",), _shape),
    TensorStructInfo: ("Tensor", ("shape", "dtype", "vdevice"), _tensor),
    DTensorStructInfo: ("DTensor", ("shape", "dtype", "device_mesh", "placement"), _dtensor),
    TupleStructInfo: ("Tuple", (), _tuple),
    FuncStructInfo: ("Callable", ("params", "ret", "purity"), _callable),
}
