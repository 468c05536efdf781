"""The tile level of 0.27: ids of scopes, layouts, tile primitives."""

from __future__ import annotations

from tvmscript.ir.core import Node
from tvmscript.ir.tir import Buffer, BufferRegion, FloatImm, IntImm, StringImm
from tvmscript.ir.tir.tile import (
    MEMORY,
    ComposeLayout,
    LayoutIter,
    LayoutOffset,
    ScopeIdDef,
    TensorMapType,
    TileCall,
    TileLambda,
    TileLayout,
    TileOp,
)
from tvmscript.printer.attribute_values import value
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import string, tuple_text
from tvmscript.printer.printer import Printer
from tvmscript.printer.tir.buffers import all_slices
from tvmscript.printer.v0_27.attribute_values import python_value
from tvmscript.printer.v0_27.dialect import expr_rule, stmt_rule
from tvmscript.printer.v0_27.tir import write_rest


@stmt_rule(ScopeIdDef)
def _scope_ids(p: Printer, node: ScopeIdDef) -> None:
    arguments = [f"[{p.exprs(node.extents)}]"] if node.extents else []
    if node.preferred:
        arguments.append(f"preferred=[{p.exprs(node.preferred)}]")
    if node.vars[0].dtype != "int32":
        arguments.append(f"dtype={string(node.vars[0].dtype)}")
    names = ", ".join([p.bind(var, var.name or "v") for var in node.vars])
    p.write(f"{names} = {p.tir}{node.scope}({', '.join(arguments)})")
    write_rest(p, node.body)


# layouts


@expr_rule(TileLayout)
def _tile_layout(p: Printer, node: TileLayout, level: int) -> str:
    parts = [f"{p.tir}{name}[{_iters(p, iters)}]" for name, iters in (("S", node.shard), ("R", node.replica)) if iters]
    offsets = [_at(p, part.value, part.axis) for part in node.offset]
    if offsets:
        parts.append(offsets[0] if len(offsets) == 1 else f"({' + '.join(offsets)})")
    if not node.shard and not node.replica:
        offset = ", ".join([f"{string(part.axis)}: {p.expr(part.value)}" for part in node.offset])
        return f"{p.tir}TileLayout.from_iters({f'offset={{{offset}}}' if offset else ''})"
    return f"{p.tir}TileLayout({' + '.join(parts)})"


def _iters(p: Printer, iters: tuple[LayoutIter, ...]) -> str:
    extents = [p.expr(item.extent) for item in iters]
    strides = [_at(p, item.stride, item.axis) for item in iters]
    if len(iters) == 1:
        return f"{extents[0]}:{strides[0]}"
    return f"{tuple_text(extents)}:{tuple_text(strides)}"


def _at(p: Printer, item: Node, axis: str) -> str:
    """Return a number along an axis."""
    return p.expr(item) if axis == MEMORY else f"{p.expr(item, _PRODUCT)} @ Axis.{axis}"


#: a precedence above that of products
_PRODUCT = 100


@expr_rule(ComposeLayout)
def _compose_layout(p: Printer, node: ComposeLayout, level: int) -> str:
    arguments = [str(node.per_element), str(node.swizzle_len), str(node.atom_len), p.expr(node.tile_layout)]
    if not node.swizzle_inner:
        arguments.append("swizzle_inner=False")
    return f"{p.tir}ComposeLayout({', '.join(arguments)})"


@expr_rule(LayoutIter)
def _iter(p: Printer, node: LayoutIter, level: int) -> str:
    return f"{p.tir}Iter({p.expr(node.extent)}, {p.expr(node.stride)}, {string(node.axis)})"


@expr_rule(TensorMapType)
def _tensor_map(p: Printer, node: TensorMapType, level: int) -> str:
    return f"{p.tir}TensorMap()"


@expr_rule(LayoutOffset)
def _offset(p: Printer, node: LayoutOffset, level: int) -> str:
    return _at(p, node.value, node.axis)


# tile primitives

#: execution scope -> its namespace
_NAMESPACES = {"thread": "tile", "warpgroup": "wg"}


@stmt_rule(TileCall)
def _tile_call(p: Printer, node: TileCall) -> None:
    arguments = [_argument(p, item) for item in node.args]
    options = dict(node.options)
    arguments += [f"{name}={_option(p, options.pop(name))}" for name in ("workspace", "dispatch") if name in options]
    arguments += [f"{name}={_option(p, options[name])}" for name in sorted(options)]
    p.write(f"{p.tir}{_NAMESPACES.get(node.scope, node.scope)}.{node.op}({', '.join(arguments)})")


def _argument(p: Printer, item: object) -> str:
    if isinstance(item, (tuple, list)):
        return f"[{', '.join([_argument(p, part) for part in item])}]"
    if isinstance(item, BufferRegion):
        ones = all(isinstance(part.extent, IntImm) and part.extent.value == 1 for part in item.region)
        return all_slices(p, item.buffer, item.region) if ones else p.expr(item)
    if isinstance(item, IntImm) and item.dtype.is_bool:
        return str(bool(item.value))
    if isinstance(item, StringImm):
        return string(item.value)
    return p.expr(item) if isinstance(item, Node) else value(p, item)


def _option(p: Printer, item: object) -> str:
    if isinstance(item, dict):
        return f"{{{', '.join([f'{string(key)}: {_option(p, part)}' for key, part in item.items()])}}}"
    if isinstance(item, (tuple, list)):
        return f"[{', '.join([_option(p, part) for part in item])}]"
    if isinstance(item, StringImm):
        return string(item.value)
    if isinstance(item, Buffer):
        return p.expr(item)
    return python_value(p, item) if item is None or isinstance(item, (IntImm, FloatImm)) else value(p, item)


@expr_rule(TileLambda)
def _lambda(p: Printer, node: TileLambda, level: int) -> str:
    p.open_scope(node, deeper=False)
    names = [p.define(var, var.name or "i") for var in node.vars]
    mark = len(p.lines)
    body = p.expr(node.body)
    p.close_scope()
    if len(p.lines) != mark:
        raise NoText(what="a lambda that needs declarations in the dialect 0.27")
    return f"lambda {', '.join(names)}: {body}"


@expr_rule(TileOp)
def _tile_op(p: Printer, node: TileOp, level: int) -> str:
    p.uses_ir = True
    return f"{p.ir}Op({string(f'tirx.tile.{node.name}')})"
