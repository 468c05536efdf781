"""Struct info as text: `R.Tensor((n, 4), dtype="float32")`."""

from __future__ import annotations

from tvmscript.ir.core.dtype import VOID
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import nodes
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
from tvmscript.ir.tir.expr import Var
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.state import graph_of, integers
from tvmscript.printer.v0_27.relax import refuse_values, type_variables


def size(p: Printer, value: Expr) -> str:
    """A size; in the head of a function that introduces one of its variables: in quotation marks."""
    introduced = graph_of(p).introduced
    if p.tirx and introduced:
        type_variables(p, value)
    with integers(p):
        text = p.expr(value)
    if not introduced or (p.tirx and isinstance(value, Var)):
        return text
    if any(isinstance(part, Var) and part in introduced for part in nodes(value)):
        # a text without strings of its own is quoted as it is: it may hold the marks of ranges
        return string(text) if '"' in text else f'"{text}"'
    return text


def sizes(p: Printer, values: tuple[Expr, ...]) -> str:
    """Sizes with commas between."""
    return ", ".join([size(p, value) for value in values])


def extents(p: Printer, values: tuple[Expr, ...]) -> str:
    """`(n, 4)`, `(n,)`."""
    return f"({size(p, values[0])},)" if len(values) == 1 else f"({sizes(p, values)})"


@expr_rule(ObjectStructInfo)
def _object(p: Printer, node: ObjectStructInfo, level: int) -> str:
    return f"{graph_of(p).prefix}{p.words.anything}"


@expr_rule(PrimStructInfo)
def _prim(p: Printer, node: PrimStructInfo, level: int) -> str:
    if p.tirx:  # `T.int64` stands at the top of annotations alone
        return f'{graph_of(p).prefix}Prim("{p.words.dtypes.get(node.dtype, node.dtype)}")'
    said = f'"{node.dtype}"' if node.value is None else f"value={size(p, node.value)}"
    return f"{graph_of(p).prefix}Prim({said})"


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
        said.append(f'dtype="{p.words.dtypes.get(node.dtype, node.dtype)}"')
    if node.shape is None and node.ndim != UNKNOWN_NDIM:
        said.append(f"ndim={node.ndim}")
    if node.vdevice is not None:
        said.append(f"vdevice={device(p, node.vdevice)}")
    return f"{graph_of(p).prefix}Tensor" + (f"({', '.join(said)})" if said else "")


def device(p: Printer, node: VDevice) -> str:
    """`"cuda:0"`: the number is that among the module's devices of the kind; the device itself outside of a module.

    0.27 adds the scope of its memory, `"cuda:0:global"`.
    """
    known = graph_of(p).devices
    kind = _kind(node)
    number = 0
    for item in known:
        if item is node:
            return string(f"{kind}:{number}:{node.memory_scope}" if p.tirx else f"{kind}:{number}")
        number += _kind(item) == kind
    return p.expr(node)


def _kind(node: VDevice) -> str:
    return node.target.kind if isinstance(node.target, Target) else "vdevice"


@expr_rule(TupleStructInfo)
def _tuple(p: Printer, node: TupleStructInfo, level: int) -> str:
    return f"{graph_of(p).prefix}Tuple" + (f"({p.exprs(node.fields)})" if node.fields else "")


@expr_rule(FuncStructInfo)
def _func(p: Printer, node: FuncStructInfo, level: int) -> str:
    prefix = graph_of(p).prefix
    refuse_values(p, node)
    if node.params is None:
        said = [] if isinstance(node.ret, ObjectStructInfo) else [f"ret={p.expr(node.ret)}"]
        if node.purity:
            said.append("purity=True")
        return f"{prefix}Callable" + (f"({', '.join(said)})" if said else "")
    ret = p.expr(node.ret)  # TVM declares its sizes first
    params = f"({p.expr(node.params[0])},)" if len(node.params) == 1 else f"({p.exprs(node.params)})"
    return f"{prefix}Callable({params}, {ret}, {node.purity})"
