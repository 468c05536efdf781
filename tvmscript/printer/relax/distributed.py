"""Tensors over devices as text: `R.DTensor((4, 4), "float32", "mesh[0]", "S[0], R")`."""

from __future__ import annotations

from tvmscript.ir.core import INT32, VOID, IRModule
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import ShapeExpr
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.state import integers, relax_state
from tvmscript.printer.relax.struct_info import extents
from tvmscript.printer.tir.exprs import range_text


def mesh(p: Printer, node: DeviceMesh) -> str:
    """Return `"mesh[0]"`, the name and position in the module, or the mesh itself outside of a module."""
    infos = p.program.global_infos if isinstance(p.program, IRModule) else {}
    for key, group in infos.items():
        for number, item in enumerate(group):
            if item is node:
                return string(f"{key}[{number}]")
    return p.expr(node)


@expr_rule(DeviceMesh)
def _device_mesh(p: Printer, node: DeviceMesh, level: int) -> str:
    state = relax_state(p)
    sizes = f"({node.shape[0]},)" if len(node.shape) == 1 else f"({', '.join(map(str, node.shape))})"
    if node.device_range is None:
        ids = f"[{', '.join(map(str, node.device_ids))}]"
    else:
        with integers(p, INT32):
            ids = f"{p.ir if state.frame is None else state.prefix}{range_text(p, node.device_range)}"
        p.uses_ir = p.uses_ir or state.frame is None
    return f"{state.prefix}{p.spelling.distributed}device_mesh({sizes}, {ids})"


@expr_rule(DTensorStructInfo)
def _dtensor(p: Printer, node: DTensorStructInfo, level: int) -> str:
    tensor = node.tensor_sinfo
    arguments: list[tuple[str, str]] = []
    if isinstance(tensor.shape, ShapeExpr):
        arguments.append(("shape", extents(p, tensor.shape.values)))
    elif tensor.shape is not None:
        arguments.append(("shape", p.expr(tensor.shape)))
    if tensor.dtype is not VOID:
        arguments.append(("dtype", f'"{tensor.dtype}"'))
    arguments += [("device_mesh", mesh(p, node.device_mesh)), ("placement", string(str(node.placement)))]
    # the first arguments have no keywords, as long as none is left out
    positional = next((at for at, (name, _) in enumerate(arguments) if name != _ORDER[at]), len(arguments))
    texts = [text if at < positional else f"{name}={text}" for at, (name, text) in enumerate(arguments)]
    if tensor.shape is None and tensor.ndim != UNKNOWN_NDIM:
        texts.append(f"ndim={tensor.ndim}")
    return f"{relax_state(p).prefix}{p.spelling.distributed}DTensor({', '.join(texts)})"


_ORDER = ("shape", "dtype", "device_mesh", "placement")


@expr_rule(Placement)
def _placement(p: Printer, node: Placement, level: int) -> str:
    return f"{relax_state(p).prefix}dist.Placement({string(str(node))})"


@expr_rule(PlacementSpec)
def _spec(p: Printer, node: PlacementSpec, level: int) -> str:
    return f"{relax_state(p).prefix}dist.Placement({string(str(node))})"
