"""Annotations by struct info, plain or for type checkers: `Annotated[R.Tensor, (n, 4), "float32"]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core import VOID, Node
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
from tvmscript.printer.literals import string, tuple_text
from tvmscript.printer.printer import Printer
from tvmscript.printer.relax.distributed import mesh
from tvmscript.printer.relax.state import relax_state
from tvmscript.printer.relax.struct_info import device, extents, sizes

#: argument -> its text
Arguments = dict[str, str]


def annotation(p: Printer, info: StructInfo, *, is_parameter: bool = False, value: Node | None = None) -> str:
    """Return the annotation of a result or a variable, which may be a parameter, or be bound to a value."""
    if not p.options.annotated:
        return relax_state(p).annotation(p, info, is_parameter=is_parameter, value=value)
    name, order, arguments_of = _KINDS[type(info)]
    arguments = arguments_of(p, info)
    positional = [arguments.pop(key) for key in _positional(order, arguments)]
    if arguments:
        positional.append(f"{{{', '.join([f'{string(key)}: {text}' for key, text in arguments.items()])}}}")
    constructor = f"{relax_state(p).prefix}{name}"
    return f"Annotated[{', '.join([constructor, *positional])}]" if positional else constructor


def _positional(order: tuple[str, ...], arguments: Arguments) -> list[str]:
    """Return the arguments that need no keywords; for a tuple all."""
    if not order:
        return list(arguments)
    count = next((place for place, key in enumerate(order) if key not in arguments), len(order))
    return list(order[:count])


def _tensor(p: Printer, info: TensorStructInfo) -> Arguments:
    arguments: Arguments = {}
    if info.shape is not None:
        arguments["shape"] = extents(p, info.shape.values) if isinstance(info.shape, ShapeExpr) else p.expr(info.shape)
    if info.dtype is not VOID:
        arguments["dtype"] = f'"{info.dtype}"'
    if info.vdevice is not None:
        arguments["vdevice"] = device(p, info.vdevice)
    if info.shape is None and info.ndim != UNKNOWN_NDIM:
        arguments["ndim"] = str(info.ndim)
    return arguments


def _dtensor(p: Printer, info: DTensorStructInfo) -> Arguments:
    arguments = _tensor(p, info.tensor_sinfo)
    return {**arguments, "device_mesh": mesh(p, info.device_mesh), "placement": string(str(info.placement))}


def _shape(p: Printer, info: ShapeStructInfo) -> Arguments:
    return {"ndim": str(info.ndim)} if info.values is None else {"values": f"[{sizes(p, info.values)}]"}


def _prim(p: Printer, info: PrimStructInfo) -> Arguments:
    return {"dtype": f'"{info.dtype}"'} if info.value is None else {"value": relax_state(p).size(p, info.value)}


def _tuple(p: Printer, info: TupleStructInfo) -> Arguments:
    return {str(number): p.expr(field) for number, field in enumerate(info.fields)}


def _callable(p: Printer, info: FuncStructInfo) -> Arguments:
    if info.params is not None:
        params = tuple_text([p.expr(param) for param in info.params])
        return {"params": params, "ret": p.expr(info.ret), "purity": str(info.purity)}
    arguments = {} if isinstance(info.ret, ObjectStructInfo) else {"ret": p.expr(info.ret)}
    return {**arguments, "purity": "True"} if info.purity else arguments


def _object(p: Printer, info: ObjectStructInfo) -> Arguments:
    return {}


#: struct info -> name in R, order of the arguments, function for their texts
_KINDS: Final[dict[type[StructInfo], tuple[str, tuple[str, ...], Callable[[Printer, Any], Arguments]]]] = {
    ObjectStructInfo: ("Object", (), _object),
    PrimStructInfo: ("Prim", ("dtype",), _prim),
    ShapeStructInfo: ("Shape", ("values",), _shape),
    TensorStructInfo: ("Tensor", ("shape", "dtype", "vdevice"), _tensor),
    DTensorStructInfo: ("DTensor", ("shape", "dtype", "device_mesh", "placement"), _dtensor),
    TupleStructInfo: ("Tuple", (), _tuple),
    FuncStructInfo: ("Callable", ("params", "ret", "purity"), _callable),
}
