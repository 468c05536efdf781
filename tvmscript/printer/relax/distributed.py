"""Tensors over devices as text: `R.DTensor((4, 4), "float32", "mesh[0]", "S[0], R")`."""

from __future__ import annotations

from tvmscript.ir.core.dtype import INT32, VOID
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.ir.relax.expr import ShapeExpr
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.state import graph_of, integers
from tvmscript.printer.relax.struct_info import extents
from tvmscript.printer.tir.exprs import range_text


def mesh(p: Printer, node: DeviceMesh) -> str:
    """`"mesh[0]"`: the number is that among the module's infos of the name; outside of a module, the mesh itself."""
    infos = p.program.global_infos if isinstance(p.program, IRModule) else {}
    for key, known in infos.items():
        for number, item in enumerate(known):
            if item is node:
                return string(f"{key}[{number}]")
    return p.expr(node)


@expr_rule(DeviceMesh)
def _device_mesh(p: Printer, node: DeviceMesh, level: int) -> str:
    graph = graph_of(p)
    sizes = f"({node.shape[0]},)" if len(node.shape) == 1 else f"({', '.join(map(str, node.shape))})"
    if node.device_range is None:
        ids = f"[{', '.join(map(str, node.device_ids))}]"
    else:
        with integers(p, INT32):
            ids = f"{p.ir if graph.frame is None else graph.prefix}{range_text(p, node.device_range)}"
        p.uses_ir = p.uses_ir or graph.frame is None
    return f"{graph.prefix}{p.spelling.distributed}device_mesh({sizes}, {ids})"


@expr_rule(DTensorStructInfo)
def _dtensor(p: Printer, node: DTensorStructInfo, level: int) -> str:
    part = node.tensor_sinfo
    said: list[tuple[str, str]] = []
    if isinstance(part.shape, ShapeExpr):
        said.append(("shape", extents(p, part.shape.values)))
    elif part.shape is not None:
        said.append(("shape", p.expr(part.shape)))
    if part.dtype is not VOID:
        said.append(("dtype", f'"{part.dtype}"'))
    said += [("device_mesh", mesh(p, node.device_mesh)), ("placement", string(str(node.placement)))]
    # what is first has no names, as long as nothing is left out
    bare = next((at for at, (name, _) in enumerate(said) if name != _ORDER[at]), len(said))
    texts = [text if at < bare else f"{name}={text}" for at, (name, text) in enumerate(said)]
    if part.shape is None and part.ndim != UNKNOWN_NDIM:
        texts.append(f"ndim={part.ndim}")
    return f"{graph_of(p).prefix}{p.spelling.distributed}DTensor({', '.join(texts)})"


_ORDER = ("shape", "dtype", "device_mesh", "placement")


@expr_rule(Placement)
def _placement(p: Printer, node: Placement, level: int) -> str:
    return f"{graph_of(p).prefix}dist.Placement({string(str(node))})"


@expr_rule(PlacementSpec)
def _spec(p: Printer, node: PlacementSpec, level: int) -> str:
    return f"{graph_of(p).prefix}dist.Placement({string(str(node))})"
