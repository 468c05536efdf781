"""Buffers: parameters, allocations, views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.dtype import BOOL, INT32, DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Var, pointer_to
from tvmscript.ir.tir.slices import region_of
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, DeclBuffer, MatchBufferRegion
from tvmscript.parser.builtins.argument_checks import condition_of, extent_of, integer, text
from tvmscript.parser.builtins.table import construct, value
from tvmscript.parser.diagnostics.errors import GivenTwice
from tvmscript.parser.frames import Allocation, Wrapper
from tvmscript.parser.source.dialect import read_attributes
from tvmscript.parser.tir.builtins.blocks import current_block
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.tir.constant_data import constant_array


def _integers(given: Any, span: Span | None, dtype: DType | None = None) -> tuple[Expr, ...]:
    """A shape: one extent or several."""
    items = given if isinstance(given, tuple | list) else (given,)
    return tuple([extent_of("a shape", item, span, dtype) for item in items])


def _strides(given: Any, shape: tuple[Expr, ...], span: Span | None) -> tuple[Expr, ...]:
    """Strides; a string is a new variable of that name."""
    dtype = shape[0].dtype if shape else INT32
    return tuple(
        Var(item, dtype, None, span) if isinstance(item, str) else operators.as_expr(item, None, span)
        for item in (given or ())
    )


@value("Buffer", "buffer", "buffer_decl")
def buffer(
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    buffer_type: str = "",
    axis_separators: Any = None,
    span: Span | None = None,
) -> Buffer:
    """A buffer; as an annotation a parameter, in a body a view of the memory at `data`."""
    extents = _integers(shape, span)
    if text("buffer_type", buffer_type) not in ("", "default", "auto", "auto_broadcast"):
        raise WrongType(where="buffer_type", expected='"default" or "auto"', got=repr(buffer_type), span=span)
    if data is not None and not isinstance(data, Var):
        raise WrongType(where="data", expected="a pointer variable", got=repr(data), span=span)
    index = extents[0].dtype if extents else INT32
    if elem_offset is None:
        offset: Expr | None = Var("", index, None, span) if offset_factor else None
    else:
        offset = operators.as_expr(elem_offset, None, span)
    steps = _strides(strides, extents, span)
    if buffer_type.startswith("auto") and strides is None:
        steps = tuple(Var("", extent.dtype, None, span) for extent in extents)
    return make_buffer(
        extents,
        as_dtype(dtype),
        "",
        data=data,
        strides=steps,
        elem_offset=offset,
        scope=text("a storage scope", scope),
        data_alignment=integer("align", align),
        offset_factor=integer("offset_factor", offset_factor),
        buffer_type="auto_broadcast" if buffer_type.startswith("auto") else "default",
        axis_separators=tuple(integer("axis_separators", item) for item in axis_separators or ()),
        span=span,
    )


def _source(param: Any, span: Span) -> BufferRegion | None:
    """The region that is matched, None for a parameter."""
    if isinstance(param, BufferLoad):
        return region_of(param)
    if isinstance(param, BufferRegion):
        return param
    if not isinstance(param, Var):
        raise WrongType(where="T.match_buffer", expected="a parameter or a region", got=repr(param), span=span)
    if not param.dtype.is_handle:
        raise WrongType(where="T.match_buffer", expected="a parameter of type T.handle", got=param.dtype, span=span)
    return None


@construct("match_buffer")
def match_buffer(
    parser: Any,
    span: Span,
    param: Any,
    shape: Any = None,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    buffer_type: str = "default",
    axis_separators: Any = None,
) -> Buffer:
    """The buffer behind a handle parameter, or behind a region of another buffer inside of a block."""
    source = _source(param, span)
    if shape is None:
        if source is None:
            raise WrongType(where="T.match_buffer", expected="a shape for a parameter", got="none", span=span)
        dtype = source.buffer.dtype
        shape = [part.extent for part in source.region]
    made = buffer(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators, span
    )
    if source is not None:
        current_block(parser, span, "T.match_buffer of a region").match_buffers.append(
            MatchBufferRegion(made, source, span=span)
        )
        return made
    if not any(param is other for other in parser.params):
        raise WrongType(where="T.match_buffer", expected="a parameter of the function", got=param.name, span=span)
    if param in parser.buffer_map:
        raise GivenTwice(what=f"the buffer of {param.name}", span=span)
    parser.buffer_map[param] = made
    return made


@construct("alloc_buffer", "sblock_alloc_buffer")
def alloc_buffer(
    parser: Any,
    span: Span,
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    buffer_type: str = "default",
    axis_separators: Any = None,
) -> Buffer:
    """A buffer of the block, or of the function outside of any block."""
    made = buffer(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators, span
    )
    (parser.blocks[-1].alloc_buffers if parser.blocks else parser.root_buffers).append(made)
    return made


@construct("decl_buffer")
def decl_buffer(
    parser: Any,
    span: Span,
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    buffer_type: str = "",
    axis_separators: Any = None,
) -> Wrapper:
    """A view of the memory at `data`, or new memory with its buffer."""
    made = buffer(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators, span
    )

    def wrap(body: Stmt) -> Stmt:
        declared = DeclBuffer(made, body, span=span)
        if data is not None:
            return declared
        return Allocate(made.data, made.dtype, made.shape, IntImm(BOOL, 1), declared, span=span)

    return Wrapper(made, span, wrap)


@construct("allocate")
def allocate(
    parser: Any,
    span: Span,
    extents: Any,
    dtype: Any,
    scope: str = "global",
    condition: Any = True,
    annotations: Mapping[str, Any] | None = None,
) -> Wrapper:
    """Memory for the time that the body runs."""
    sizes = _integers(extents, span)
    kind = as_dtype(dtype)
    var = Var("", pointer_to(kind, text("a storage scope", scope)), None, span)
    test = condition_of("T.allocate", condition, span)
    notes = read_attributes(annotations)
    made = Allocation(var, span, lambda body: Allocate(made.value, kind, sizes, test, body, notes, span=span))
    return made


@construct("allocate_const")
def allocate_const(
    parser: Any, span: Span, data: Any, dtype: Any, extents: Any, annotations: Mapping[str, Any] | None = None
) -> Wrapper:
    """Constant memory."""
    sizes = _integers(extents, span)
    kind = as_dtype(dtype)
    var = Var("", pointer_to(kind), None, span)
    array = constant_array(data, kind, sizes, span)
    notes = read_attributes(annotations)
    made = Allocation(var, span, lambda body: AllocateConst(made.value, kind, sizes, array, body, notes, span=span))
    return made
