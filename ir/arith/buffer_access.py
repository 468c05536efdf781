"""Methods of buffers: vector accesses, access pointers, offsets, flattening."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tvmscript.ir.arith import buffer_layout, fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import DType, Span
from tvmscript.ir.core.errors import UnknownName, WrongRank, WrongType
from tvmscript.ir.tir import BufferLoad, BufferStore, Div, Expr, IntImm, Ramp, operators
from tvmscript.ir.tir import buffer as buffers
from tvmscript.ir.tir.buffer import Buffer, Indices, Operand
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation


def vload(
    buffer: Buffer, begin: Indices, dtype: str | None = None, predicate: Operand | None = None, span: Span | None = None
) -> Expr:
    """Return a load of consecutive elements from `begin` on, one a lane of the dtype, masked by the predicate."""
    return BufferLoad(buffer, _lanes_from(buffer, begin, dtype), _mask(predicate, span), span=span)


def vstore(
    buffer: Buffer, begin: Indices, value: Operand, predicate: Operand | None = None, span: Span | None = None
) -> BufferStore:
    """Return a store of the lanes of a value to consecutive elements from `begin` on, masked by the predicate."""
    stored = operators.as_expr(value, buffer.dtype.element, span)
    indices = _lanes_from(buffer, begin, stored.dtype)
    return BufferStore(buffer, stored, indices, _mask(predicate, span), span=span)


def _mask(predicate: Operand | None, span: Span | None) -> Expr | None:
    return None if predicate is None else operators.as_expr(predicate, None, span)


def _lanes_from(buffer: Buffer, begin: Indices, dtype: str | None) -> tuple[Expr, ...]:
    given = begin if isinstance(begin, (tuple, list)) else (begin,)
    indices = [operators.as_expr(index) for index in given]
    if indices and indices[-1].dtype.is_vector:
        return tuple(indices)
    wanted = DType(dtype) if dtype is not None else buffer.dtype
    if wanted.element is not buffer.dtype.element or wanted.lanes % buffer.dtype.lanes:
        raise WrongType(where=f"buffer {buffer.name}", expected=f"lanes of {buffer.dtype.element}", got=wanted)
    lanes = wanted.lanes // buffer.dtype.lanes
    if lanes != 1 and indices:
        indices[-1] = Ramp(indices[-1], operators.const(1, indices[-1].dtype), lanes)
    return tuple(indices)


#: letter of an access mask -> its bit
_ACCESS: Final = {"r": 1, "w": 2}


def access_ptr(
    buffer: Buffer,
    access_mask: int | str,
    ptr_type: str = "handle",
    content_lanes: int = 1,
    offset: Expr | int = 0,
    extent: Operand | None = None,
    span: Span | None = None,
) -> Expr:
    """Return the address of the elements from `offset` on, for reading (1, "r"), writing (2, "w") or both."""
    if isinstance(access_mask, str):
        if not set(access_mask) <= _ACCESS.keys():
            raise UnknownName(kind="access mask", name=repr(access_mask), span=span)
        access_mask = sum({_ACCESS[letter] for letter in access_mask})
    size: Expr = operators.const(1, buffer.index_dtype)
    for position, part in enumerate(buffer.strides[:1] + buffer.shape[:1] if buffer.strides else buffer.shape):
        size = part if position == 0 else fold.mul(*operators.match_types(size, part, "access_ptr", span))
    element = buffer.dtype
    start = fold.add(*operators.match_types(buffer.elem_offset, offset, "access_ptr", span))
    size = fold.sub(*operators.match_types(size, offset, "access_ptr", span))
    if content_lanes > 1:
        size = fold.make(Div, size, IntImm(size.dtype, content_lanes))
        start = fold.make(Div, start, IntImm(start.dtype, content_lanes))
        element = element.with_lanes(element.lanes * content_lanes)
    if extent is not None:
        size = operators.as_expr(extent, None, span)
    call: Expr = tvm_access_ptr(type_annotation(element), buffer.data, start, size, access_mask, span=span)
    return call


def offset_of(buffer: Buffer, indices: Indices, span: Span | None = None) -> list[Expr]:
    """Return the offset of the indices in elements, from the beginning of the memory."""
    given = indices if isinstance(indices, (tuple, list)) else [indices]
    if len(given) != len(buffer.shape):
        raise WrongRank(buffer=buffer.name, rank=len(buffer.shape), count=len(given), span=span)
    values = [operators.as_expr(index, None, span) for index in given]
    widest = max((buffer.index_dtype, *(value.dtype.element for value in values)), key=lambda dtype: dtype.bits)
    offset = buffer_layout.offset_of(buffer.shape, buffer.strides, buffer_layout.widen(values, widest))
    if fold.is_const(buffer.elem_offset, 0):
        return [offset]
    return [Analyzer().simplify(buffer_layout.index_add(offset, buffer.elem_offset))]


def flattened(buffer: Buffer) -> Buffer:
    """Return the buffer with one axis for each group of axes between `axis_separators`."""
    borders = [0, *buffer.axis_separators, len(buffer.shape)]
    groups = [slice(first, end) for first, end in pairwise(borders)]
    if not buffer.strides and all(group.stop - group.start == 1 for group in groups):
        return buffer
    shape = [
        fold.mul(*operators.match_types(buffer.strides[group.start], buffer.shape[group.start]))
        if buffer.strides
        else buffer_layout.product(buffer.shape[group])
        for group in groups
    ]
    return buffer.replace(shape=tuple(shape), strides=(), axis_separators=tuple(range(1, len(groups))))


buffers.vload.fill(vload)
buffers.vstore.fill(vstore)
buffers.access_ptr.fill(access_ptr)
buffers.offset_of.fill(offset_of)
buffers.flatten.fill(flattened)
