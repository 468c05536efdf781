"""Buffers of `T` of TVM 0.27: parameters, allocations, views and mutable scalars.

They construct the nodes of 0.17: an allocation statement is an Allocate with its DeclBuffer, a mutable scalar is a
local buffer of one element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.core import BOOL, DType, Span
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.tir import Buffer, Expr, Stmt, operators
from tvmscript.ir.tir import expr as nodes
from tvmscript.ir.tir.expr import BufferLoad, IntImm, Var
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.stmt import Allocate, DeclBuffer, LetStmt
from tvmscript.parser.builtins.argument_checks import text
from tvmscript.parser.builtins.table import F, register
from tvmscript.parser.frames import BufferAllocation, KernelReader, Wrapper
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.buffer_spec import BufferSpec
from tvmscript.parser.tir.builtins import buffers
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.attribute_names import rename_attributes
from tvmscript.parser.v0_27.buffer_layouts import placed
from tvmscript.parser.v0_27.buffer_views import VIEWS, declared

#: what `T` of 0.27 has of its own; `v0_27.builtins` adds the rest
OWN: dict[str, object] = {}


def construct(*names: str) -> Callable[[F], F]:
    """Register a construct `T.<name>`, which takes the parser."""
    return register(OWN, "T", names, needs_kernel=True)


def value(*names: str) -> Callable[[F], F]:
    """Register `T.<name>`, a function that computes a value."""
    return register(OWN, "T", names)


def _spec(
    shape: object,
    dtype: object,
    data: Var | None,
    strides: object,
    elem_offset: object,
    byte_offset: object,
    scope: str,
    align: int,
    offset_factor: int,
    layout: object,
    allocated_addr: object,
    span: Span | None,
) -> BufferSpec:
    """Return the declaration of a buffer."""
    offset = _offset(elem_offset, byte_offset, dtype)
    spec = BufferSpec(shape, dtype, data, strides, offset, scope, align, offset_factor)
    return (
        spec if layout == "default" and allocated_addr in (None, [], ()) else placed(spec, layout, allocated_addr, span)
    )


def _offset(elem_offset: object, byte_offset: object, dtype: object) -> object:
    """Return the offset in elements; it may be given in bytes."""
    if byte_offset is None:
        return operators.as_expr(elem_offset) if isinstance(elem_offset, int) else elem_offset
    offset = operators.as_expr(byte_offset)
    bits = fold.mul(offset, IntImm(offset.dtype, 8))
    return fold.make(nodes.FloorDiv, bits, IntImm(offset.dtype, as_dtype(dtype).bits))


@value("Buffer", "buffer", "buffer_decl")
def buffer(
    shape: object,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    byte_offset: object = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    layout: object = "default",
    allocated_addr: object = None,
    span: Span | None = None,
) -> Buffer:
    """Declare a buffer: as an annotation a parameter."""
    if isinstance(shape, (tuple, list)):
        # only Python calls this with quoted sizes, to evaluate annotations: the parser has replaced them
        shape = [Var(item, "int32", None, span) if isinstance(item, str) else item for item in shape]
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return spec.make(span)


@construct("match_buffer")
def match_buffer(
    parser: KernelReader,
    span: Span,
    param: object,
    shape: object = None,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    byte_offset: object = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: object = "default",
    allocated_addr: object = None,
) -> Buffer:
    """Bind a buffer to a handle parameter, or to a region of another buffer inside a block."""
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return buffers.bind_buffer(parser, span, param, spec)


@construct("sblock_alloc_buffer")
def sblock_alloc_buffer(
    parser: KernelReader,
    span: Span,
    shape: object,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: object = "default",
    allocated_addr: object = None,
) -> Buffer:
    """Allocate a buffer in the block, or in the function outside of blocks."""
    spec = _spec(
        shape, dtype, data, strides, elem_offset, None, scope, align, offset_factor, layout, allocated_addr, span
    )
    return buffers.allocate_in_block(parser, spec.make(span))


@construct("alloc_buffer")
def alloc_buffer(
    parser: KernelReader,
    span: Span,
    shape: object,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    byte_offset: object = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: object = "default",
    allocated_addr: object = None,
    annotations: Mapping[str, object] | None = None,
) -> Wrapper:
    """Allocate memory with its buffer, for the rest of the body."""
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return allocation(spec.make(span), annotations, span)


def allocation(buffer: Buffer, annotations: Mapping[str, object] | None, span: Span) -> Wrapper:
    """Return the frame of a buffer's allocation: Allocate with DeclBuffer."""
    attrs = attributes(rename_attributes(annotations))

    def wrap(body: Stmt) -> Stmt:
        declaration = DeclBuffer(buffer, body, span=span)
        return Allocate(
            buffer.data, buffer.dtype, allocation_shape(buffer), IntImm(BOOL, 1), declaration, attrs, span=span
        )

    return BufferAllocation(buffer, span, wrap)


def _scoped_allocation(scope: str) -> Callable[..., object]:
    def build(parser: KernelReader, span: Span, *args: Any, **options: Any) -> Wrapper:
        return alloc_buffer(parser, span, *args, **{"scope": scope, **options})

    build.__doc__ = f"Allocate memory in the scope {scope} with its buffer, for the rest of the body."
    return build


for _name, _scope in (("alloc_shared", "shared"), ("smem", "shared"), ("alloc_local", "local"), ("tmem", "tmem")):
    construct(_name)(_scoped_allocation(_scope))


@construct("decl_buffer")
def decl_buffer(
    parser: KernelReader,
    span: Span,
    shape: object,
    dtype: object = "float32",
    data: object = None,
    strides: object = None,
    elem_offset: object = None,
    byte_offset: object = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    layout: object = "default",
    allocated_addr: object = None,
) -> Wrapper:
    """Declare a view of the memory at `data`, which may be any pointer; without it allocate memory."""
    if data is None:
        offset = _offset(elem_offset, byte_offset, dtype)
        return alloc_buffer(
            parser, span, shape, dtype, None, strides, offset, None, scope, align, offset_factor, layout, allocated_addr
        )
    pointer = None
    if not isinstance(data, Var) or isinstance(data, nodes.SizeVar):
        pointer, data = operators.as_expr(data, None, span), None
    elif data.pointer_type is not None and scope == "global":
        scope = data.storage_scope or scope
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    buffer = spec.make(span)

    def wrap(body: Stmt) -> Stmt:
        declaration: Stmt = DeclBuffer(buffer, body, span=span)
        return declaration if pointer is None else LetStmt(buffer.data, pointer, declaration, span=span)

    return Wrapper(buffer, span, wrap)


def pointer_to(owner: Buffer, indices: object, span: Span | None = None) -> Expr:
    """The address of an element: `A.ptr_to([i, j])`."""
    expr: Expr = SURFACE["address_of"](_element(owner, indices, span), span=span)
    return expr


def _element(owner: Buffer, indices: object, span: Span | None) -> BufferLoad:
    items = indices if isinstance(indices, (tuple, list)) else (indices,)
    return BufferLoad(owner, tuple([operators.as_expr(item, None, span) for item in items]), span=span)


def elem_offset_of(owner: Buffer, indices: object, inner: bool = True, span: Span | None = None) -> Expr:
    """The place of an element in the memory of a buffer: from its first element, or unless `inner` from its data."""
    offset: Expr = SURFACE["buffer_offset"](_element(owner, indices, span), span=span)
    return offset if inner else fold.add(owner.elem_offset, offset)


def byte_offset_of(owner: Buffer, indices: object, inner: bool = True, span: Span | None = None) -> Expr:
    """The place of an element in the memory of a buffer in bytes."""
    return _bytes(owner, elem_offset_of(owner, indices, inner, span))


def _bytes(owner: Buffer, offset: Expr) -> Expr:
    """Return a number of elements in bytes."""
    bits = fold.mul(offset, IntImm(offset.dtype, owner.dtype.bits * owner.dtype.lanes))
    return fold.make(nodes.FloorDiv, bits, IntImm(offset.dtype, 8))


def is_scalar(owner: Buffer, alloc_or_decl: bool = True, span: Span | None = None) -> bool:
    """Whether a buffer is a mutable scalar: one element, at the beginning of its memory unless declared there."""
    return (
        len(owner.shape) == 1
        and fold.is_const(owner.shape[0], 1)
        and (not alloc_or_decl or fold.is_const(owner.elem_offset, 0))
    )


#: attributes of buffers
MEMBERS_V0_27: dict[str, object] = {
    "byte_offset": lambda owner: _bytes(owner, owner.elem_offset),
    "elem_offset_of": lambda owner: Builtin("elem_offset_of", partial(elem_offset_of, owner)),
    "byte_offset_of": lambda owner: Builtin("byte_offset_of", partial(byte_offset_of, owner)),
    "is_scalar": lambda owner: Builtin("is_scalar", partial(is_scalar, owner)),
    "layout": lambda owner: owner.layout,
    "allocated_addr": lambda owner: list(owner.allocated_addr),
    **VIEWS,
    "ptr_to": lambda owner: Builtin("ptr_to", partial(pointer_to, owner)),
}


# mutable scalars


class Scalar:
    """The value of `T.local_scalar`: a buffer of one element that an assignment allocates, or declares."""

    __slots__ = ("declared", "dtype", "scope")

    def __init__(self, dtype: DType, scope: str, declared: Buffer | None = None) -> None:
        self.dtype = dtype
        self.scope = scope
        #: the buffer, where its memory exists
        self.declared = declared


@value("alloc_scalar")
def alloc_scalar(dtype: object = "float32", scope: str = "global", span: Span | None = None) -> Scalar:
    """A mutable scalar."""
    return Scalar(as_dtype(dtype), text("a storage scope", scope))


@value("local_scalar")
def local_scalar(dtype: object = "float32", span: Span | None = None) -> Scalar:
    """A mutable scalar of the thread."""
    return Scalar(as_dtype(dtype), "local")


@value("shared_scalar")
def shared_scalar(dtype: object = "float32", span: Span | None = None) -> Scalar:
    """A mutable scalar shared by the threads of a block."""
    return Scalar(as_dtype(dtype), "shared")


@value("decl_scalar")
def decl_scalar(
    dtype: object,
    data: Var,
    scope: str = "global",
    elem_offset: object = None,
    byte_offset: object = None,
    span: Span | None = None,
) -> Scalar:
    """A mutable scalar in the memory at `data`."""
    offset = _offset(elem_offset, byte_offset, dtype)
    kind = as_dtype(dtype)
    return Scalar(kind, scope, BufferSpec((1,), kind, data, None, offset, scope).make(span))


def scalar_buffer(parser: KernelReader, name: str, scalar: Scalar, span: Span) -> BufferLoad:
    """Allocate or declare a mutable scalar and return its load."""
    buffer = scalar.declared
    if buffer is None:
        buffer = BufferSpec((1,), scalar.dtype, scope=scalar.scope).make(span).replace(is_mutable_scalar=True)
        parser.open(allocation(buffer, None, span))
    else:
        parser.open(declared(buffer, span))
    name_if_unnamed(buffer, name)
    return BufferLoad(buffer, (IntImm("int32", 0),), span=span)
