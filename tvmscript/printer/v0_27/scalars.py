"""Mutable scalars of the dialect 0.27: local buffers of one element of which only the element is used."""

from __future__ import annotations

from tvmscript.ir.core import Node
from tvmscript.ir.tir import Allocate, Buffer, BufferLoad, BufferStore, DeclBuffer, Expr, IntImm, Stmt, Var
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT


def scalar_buffers(body: Stmt, *, is_marked: bool = False) -> frozenset[Buffer]:
    """Return the buffers that 0.27 writes as scalars: `x: T.float32`.

    In plain functions these are all that may be; where `is_marked`, those that were read as scalars.
    """
    candidates: dict[Var, Buffer] = {}
    other: set[Var] = set()
    stack: list[object] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, Allocate) and _is_scalar(node, is_marked):
            declaration = node.body
            assert isinstance(declaration, DeclBuffer)
            if node.buffer_var in candidates:
                other.add(node.buffer_var)
            candidates[node.buffer_var] = declaration.buffer
            stack.append(declaration.body)
        elif isinstance(node, (BufferLoad, BufferStore)) and _is_element(node.buffer, node.indices):
            stack += [node.value] if isinstance(node, BufferStore) else []
            if node.predicate is not None or candidates.get(node.buffer.data) is not node.buffer:
                other.add(node.buffer.data)
        elif isinstance(node, Var):
            other.add(node)
        elif isinstance(node, Node):
            stack += [part for part in node.schema.last_parts_first(node) if part is not None]
        elif isinstance(node, (tuple, list)):
            stack += node
        elif isinstance(node, dict):
            stack += [*node, *node.values()]
    return frozenset([buffer for data, buffer in candidates.items() if data not in other])


def _is_scalar(node: Allocate, is_marked: bool) -> bool:
    """Whether an allocation is that of a scalar."""
    body = node.body
    if not isinstance(body, DeclBuffer) or body.buffer.data is not node.buffer_var or node.annotations:
        return False
    buffer = body.buffer
    return (
        _is_number(node.extents, 1)
        and _is_number(buffer.shape, 1)
        and node.dtype is buffer.dtype
        and (buffer.is_mutable_scalar or not is_marked)
        and buffer.storage_scope == "local"
        and not buffer.dtype.is_handle
        and not buffer.strides
        and _is_number((buffer.elem_offset,), 0)
        and buffer.data_alignment == DEFAULT_ALIGNMENT
        and buffer.offset_factor == 1
        and buffer.buffer_type == "default"
        and not buffer.axis_separators
        and buffer.layout is None
        and not buffer.allocated_addr
        and not buffer.is_flat
    )


def _is_number(items: tuple[Expr, ...], value: int) -> bool:
    if len(items) != 1:
        return False
    item = items[0]
    return isinstance(item, IntImm) and item.value == value and item.dtype == "int32"


def _is_element(buffer: Buffer, indices: tuple[Expr, ...]) -> bool:
    """Whether an access may be one of a scalar."""
    return len(buffer.shape) == 1 and _is_number(indices, 0) and _is_number(buffer.shape, 1)
