"""Buffers: declarations, parameters, allocations, views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import BOOL, Span, WrongType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.tir import Allocate, Buffer, DeclBuffer, MatchBufferRegion, Stmt
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Var, pointer_to
from tvmscript.ir.tir.slices import region_of
from tvmscript.parser.builtins.argument_checks import mask_of, text
from tvmscript.parser.builtins.table import construct, value
from tvmscript.parser.diagnostics.errors import GivenTwice
from tvmscript.parser.frames import Allocation, KernelReader, Wrapper
from tvmscript.parser.tir.buffer_spec import BufferSpec, shape_of
from tvmscript.parser.tir.builtins.blocks import current_block
from tvmscript.parser.tir.builtins.constructors import as_dtype


@value("Buffer", "buffer", "buffer_decl")
def buffer(
    shape: object,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    buffer_type: str = "",
    axis_separators: object = None,
    span: Span | None = None,
) -> Buffer:
    """Declare a buffer: as an annotation a parameter, in a body a view of the memory at `data`."""
    spec = BufferSpec(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators
    )
    return spec.make(span)


def _source_region(param: object, span: Span) -> BufferRegion | None:
    """Return the region that is matched, or None for a parameter. Raises `WrongType`."""
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
    parser: KernelReader,
    span: Span,
    param: object,
    shape: object = None,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    buffer_type: str = "default",
    axis_separators: object = None,
) -> Buffer:
    """Bind a buffer to a handle parameter, or to a region of another buffer inside a block."""
    spec = BufferSpec(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators
    )
    return bind_buffer(parser, span, param, spec)


def bind_buffer(parser: KernelReader, span: Span, param: Any, spec: BufferSpec) -> Buffer:
    """Bind a buffer to a handle parameter, or to a region inside a block. Raises `WrongType`, `GivenTwice`."""
    source = _source_region(param, span)
    if spec.shape is None:
        if source is None:
            raise WrongType(where="T.match_buffer", expected="a shape for a parameter", got="none", span=span)
        spec = spec._replace(dtype=source.buffer.dtype, shape=[dim.extent for dim in source.region])
    buffer = spec.make(span)
    if source is not None:
        current_block(parser, span, "T.match_buffer of a region").match_buffers.append(
            MatchBufferRegion(buffer, source, span=span)
        )
        return buffer
    if not any(param is other for other in parser.params):
        raise WrongType(where="T.match_buffer", expected="a parameter of the function", got=param.name, span=span)
    if param in parser.buffer_map:
        raise GivenTwice(what=f"the buffer of {param.name}", span=span)
    parser.buffer_map[param] = buffer
    return buffer


@construct("alloc_buffer", "sblock_alloc_buffer")
def alloc_buffer(
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
    buffer_type: str = "default",
    axis_separators: object = None,
) -> Buffer:
    """Allocate a buffer in the block, or in the function outside of blocks."""
    spec = BufferSpec(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators
    )
    return allocate_in_block(parser, spec.make(span))


def allocate_in_block(parser: KernelReader, buffer: Buffer) -> Buffer:
    """Add a buffer to the current block, or to the root block."""
    (parser.blocks[-1].alloc_buffers if parser.blocks else parser.root_buffers).append(buffer)
    return buffer


@construct("decl_buffer")
def decl_buffer(
    parser: KernelReader,
    span: Span,
    shape: object,
    dtype: object = "float32",
    data: Var | None = None,
    strides: object = None,
    elem_offset: object = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    buffer_type: str = "",
    axis_separators: object = None,
) -> Wrapper:
    """Declare a view of the memory at `data`, or allocate memory with its buffer."""
    spec = BufferSpec(
        shape, dtype, data, strides, elem_offset, scope, align, offset_factor, buffer_type, axis_separators
    )
    buffer = spec.make(span)

    def wrap(body: Stmt) -> Stmt:
        declaration = DeclBuffer(buffer, body, span=span)
        if data is not None:
            return declaration
        return Allocate(buffer.data, buffer.dtype, buffer.shape, IntImm(BOOL, 1), declaration, span=span)

    return Wrapper(buffer, span, wrap)


@construct("allocate")
def allocate(
    parser: KernelReader,
    span: Span,
    extents: object,
    dtype: object,
    scope: str = "global",
    condition: object = True,
    annotations: Mapping[str, object] | None = None,
) -> Wrapper:
    """Allocate memory for the body."""
    shape = shape_of(extents, span)
    element = as_dtype(dtype)
    var = Var("", pointer_to(element, text("a storage scope", scope)), None, span)
    predicate = mask_of("T.allocate", condition, span)
    attrs = attributes(annotations)
    frame = Allocation(var, span, lambda body: Allocate(frame.value, element, shape, predicate, body, attrs, span=span))
    return frame
