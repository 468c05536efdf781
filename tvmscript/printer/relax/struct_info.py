"""Struct info as text: `R.Tensor((n, 4), dtype="float32")`."""

from __future__ import annotations

from tvmscript.ir.core.dtype import VOID
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.target import Target
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
from tvmscript.ir.tir.base import Expr
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.state import graph_of


def sizes(p: Printer, values: tuple[Expr, ...]) -> str:
    """Sizes with commas between."""
    graph = graph_of(p)
    return ", ".join([graph.size(p, value) for value in values])


def extents(p: Printer, values: tuple[Expr, ...]) -> str:
    """`(n, 4)`, `(n,)`."""
    return f"({sizes(p, values)},)" if len(values) == 1 else f"({sizes(p, values)})"


@expr_rule(ObjectStructInfo)
def _object(p: Printer, node: ObjectStructInfo, level: int) -> str:
    return f"{graph_of(p).prefix}{p.spelling.anything}"


@expr_rule(PrimStructInfo)
def _prim(p: Printer, node: PrimStructInfo, level: int) -> str:
    graph = graph_of(p)
    argument = f'"{node.dtype}"' if node.value is None else f"value={graph.size(p, node.value)}"
    return f"{graph.prefix}Prim({argument})"


@expr_rule(ShapeStructInfo)
def _shape(p: Printer, node: ShapeStructInfo, level: int) -> str:
    said = f"ndim={node.ndim}" if node.values is None else f"[{sizes(p, node.values)}]"
    return f"{graph_of(p).prefix}Shape({said})"


@expr_rule(TensorStructInfo)
def _tensor(p: Printer, node: TensorStructInfo, level: int) -> str:
    said: list[str] = []
    if isinstance(node.shape, ShapeExpr):
        said.append(extents(p, node.shape.values))
    elif node.shape is not None:
        said.append(p.expr(node.shape))
    if node.dtype is not VOID:
        said.append(f'dtype="{p.spelling.dtype(node.dtype)}"')
    if node.shape is None and node.ndim != UNKNOWN_NDIM:
        said.append(f"ndim={node.ndim}")
    if node.vdevice is not None:
        said.append(f"vdevice={device(p, node.vdevice)}")
    return f"{graph_of(p).prefix}Tensor" + (f"({', '.join(said)})" if said else "")


def device(p: Printer, node: VDevice) -> str:
    """`"cuda:0"`, or `"cuda:0:global"`: the number counts the module's devices of the kind.

    The device itself outside of a module.
    """
    kind = _kind(node)
    number = 0
    for item in graph_of(p).devices:
        if item is node:
            scope = f":{node.memory_scope}" if p.spelling.names_memory_scope else ""
            return string(f"{kind}:{number}{scope}")
        number += _kind(item) == kind
    return p.expr(node)


def _kind(node: VDevice) -> str:
    return node.target.kind if isinstance(node.target, Target) else "vdevice"


@expr_rule(TupleStructInfo)
def _tuple(p: Printer, node: TupleStructInfo, level: int) -> str:
    return f"{graph_of(p).prefix}Tuple" + (f"({p.exprs(node.fields)})" if node.fields else "")


@expr_rule(FuncStructInfo)
def callable_info(p: Printer, node: FuncStructInfo, level: int) -> str:
    """`R.Callable((R.Tensor,), R.Tensor, True)`."""
    prefix = graph_of(p).prefix
    if node.params is None:
        said = [] if isinstance(node.ret, ObjectStructInfo) else [f"ret={p.expr(node.ret)}"]
        if node.purity:
            said.append("purity=True")
        return f"{prefix}Callable" + (f"({', '.join(said)})" if said else "")
    ret = p.expr(node.ret)  # TVM declares its sizes first
    params = f"({p.expr(node.params[0])},)" if len(node.params) == 1 else f"({p.exprs(node.params)})"
    return f"{prefix}Callable({params}, {ret}, {node.purity})"
