"""Print struct info: `R.Tensor((n, 4), dtype="float32")`."""

from __future__ import annotations

from tvmscript.ir.core import VOID, Target
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.analysis.static_type import DynTensorType, ObjectType, PackedFuncType, ShapeType
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
from tvmscript.ir.tir import Expr
from tvmscript.printer.literals import string, tuple_text
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.relax.state import relax_state


def sizes(p: Printer, values: tuple[Expr, ...]) -> str:
    """Return sizes, separated by commas."""
    state = relax_state(p)
    return ", ".join([state.size(p, value) for value in values])


def extents(p: Printer, values: tuple[Expr, ...]) -> str:
    """Return `(n, 4)`, `(n,)`."""
    return f"({sizes(p, values)},)" if len(values) == 1 else f"({sizes(p, values)})"


@expr_rule(ObjectStructInfo)
def _object(p: Printer, node: ObjectStructInfo, level: int) -> str:
    return f"{relax_state(p).prefix}{p.spelling.anything}"


@expr_rule(PrimStructInfo)
def _prim(p: Printer, node: PrimStructInfo, level: int) -> str:
    state = relax_state(p)
    argument = f'"{node.dtype}"' if node.value is None else f"value={state.size(p, node.value)}"
    return f"{state.prefix}Prim({argument})"


@expr_rule(ShapeStructInfo)
def _shape(p: Printer, node: ShapeStructInfo, level: int) -> str:
    argument = f"ndim={node.ndim}" if node.values is None else f"[{sizes(p, node.values)}]"
    return f"{relax_state(p).prefix}Shape({argument})"


@expr_rule(TensorStructInfo)
def _tensor(p: Printer, node: TensorStructInfo, level: int) -> str:
    arguments: list[str] = []
    if isinstance(node.shape, ShapeExpr):
        arguments.append(extents(p, node.shape.values))
    elif node.shape is not None:
        arguments.append(p.expr(node.shape))
    if node.dtype is not VOID:
        arguments.append(f'dtype="{p.spelling.dtype(node.dtype)}"')
    if node.shape is None and node.ndim != UNKNOWN_NDIM:
        arguments.append(f"ndim={node.ndim}")
    if node.vdevice is not None:
        arguments.append(f"vdevice={device(p, node.vdevice)}")
    return f"{relax_state(p).prefix}Tensor" + (f"({', '.join(arguments)})" if arguments else "")


def device(p: Printer, node: VDevice) -> str:
    """Return `"cuda:0"`, or `"cuda:0:global"`: the number counts the devices of the kind in the module.

    Outside of a module, return the device itself.
    """
    kind = _kind(node)
    number = 0
    for item in relax_state(p).devices:
        if item is node:
            scope = f":{node.memory_scope}" if p.spelling.names_memory_scope else ""
            return string(f"{kind}:{number}{scope}")
        number += _kind(item) == kind
    return p.expr(node)


def _kind(node: VDevice) -> str:
    return node.target.kind if isinstance(node.target, Target) else "vdevice"


@expr_rule(TupleStructInfo)
def _tuple(p: Printer, node: TupleStructInfo, level: int) -> str:
    return f"{relax_state(p).prefix}Tuple" + (f"({p.exprs(node.fields)})" if node.fields else "")


@expr_rule(FuncStructInfo)
def callable_info(p: Printer, node: FuncStructInfo, level: int) -> str:
    """Return `R.Callable((R.Tensor,), R.Tensor, True)`."""
    prefix = relax_state(p).prefix
    if node.params is None:
        arguments = [] if isinstance(node.ret, ObjectStructInfo) else [f"ret={p.expr(node.ret)}"]
        if node.purity:
            arguments.append("purity=True")
        return f"{prefix}Callable" + (f"({', '.join(arguments)})" if arguments else "")
    ret = p.expr(node.ret)  # TVM declares its sizes first
    params = tuple_text([p.expr(param) for param in node.params])
    return f"{prefix}Callable({params}, {ret}, {node.purity})"


@expr_rule(ObjectType)
def _object_type(p: Printer, node: ObjectType, level: int) -> str:
    return f"{relax_state(p).prefix}{p.spelling.anything}"


@expr_rule(PackedFuncType)
def _packed_func_type(p: Printer, node: PackedFuncType, level: int) -> str:
    return f"{relax_state(p).prefix}PackedFunc"


@expr_rule(ShapeType)
def _shape_type(p: Printer, node: ShapeType, level: int) -> str:
    return f"{relax_state(p).prefix}Shape(ndim={node.ndim})"


@expr_rule(DynTensorType)
def _tensor_type(p: Printer, node: DynTensorType, level: int) -> str:
    return f'{relax_state(p).prefix}Tensor(ndim={node.ndim}, dtype="{p.spelling.dtype(node.dtype)}")'
