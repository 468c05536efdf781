"""Attributes that values of the program have in a text: `A.data`, `x.dtype`, `buffer.access_ptr("r")`, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tvmscript.ir.arith import fold, layout
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import WrongRank, WrongType
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    BufferLoad,
    BufferRegion,
    FloatImm,
    FloorDiv,
    IntImm,
    IterVar,
    Ramp,
    Range,
    StringImm,
    Var,
)
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.parser.constructs.tirx import view
from tvmscript.parser.namespace import Builtin

#: What an attribute is made of: the owner -> its value.
Getter = Callable[[Any], Any]


def member_of(owner: Any, name: str) -> tuple[Any] | None:
    """An attribute of a value of the program, in a tuple; None where there is none."""
    for cls in type(owner).__mro__:
        getters = _MEMBERS.get(cls)
        if getters is not None and name in getters:
            return (getters[name](owner),)
    if isinstance(owner, Node) and name in owner.schema.arguments:
        return (getattr(owner, name),)
    return None


def members_of(owner: Any) -> list[str]:
    """Names of the attributes of a value of the program."""
    return [name for cls in type(owner).__mro__ for name in _MEMBERS.get(cls, ())]


def _field(name: str) -> Getter:
    return lambda owner: getattr(owner, name)


def _method(name: str, function: Callable[..., Any]) -> Getter:
    return lambda owner: Builtin(name, partial(function, owner))


def _dtype(owner: Any) -> str:
    return str(owner.dtype)


def _astype(value: Expr, dtype: str, span: Span | None = None) -> Expr:
    made: Expr = operators.cast(dtype, value, span)
    return made


def _scope(buffer: Buffer, span: Span | None = None) -> str:
    return buffer.scope


def _equal(value: Expr, other: Any, span: Span | None = None) -> Expr:
    made: Expr = operators.eq(value, other, span)
    return made


def _vload(
    buffer: Buffer, begin: Any, dtype: str | None = None, predicate: Any = None, span: Span | None = None
) -> Expr:
    """Elements from `begin` on, as many as the dtype has lanes; those whose lane of the predicate holds."""
    return BufferLoad(buffer, _lanes_from(buffer, begin, dtype), _mask(predicate, span), span=span)


def _vstore(buffer: Buffer, begin: Any, value: Any, predicate: Any = None, span: Span | None = None) -> BufferStore:
    """A store of the value's lanes from `begin` on, of those whose lane of the predicate holds."""
    value = operators.as_expr(value, buffer.dtype.element, span)
    indices = _lanes_from(buffer, begin, value.dtype)
    return BufferStore(buffer, value, indices, _mask(predicate, span), span=span)


def _mask(predicate: Any, span: Span | None) -> Expr | None:
    return None if predicate is None else operators.as_expr(predicate, None, span)


def _lanes_from(buffer: Buffer, begin: Any, dtype: str | None) -> tuple[Expr, ...]:
    given = begin if isinstance(begin, tuple | list) else (begin,)
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


_ACCESS = {"r": 1, "w": 2}


def _access_ptr(
    buffer: Buffer,
    access_mask: int | str,
    ptr_type: str = "handle",
    content_lanes: int = 1,
    offset: Any = 0,
    extent: Any = None,
    span: Span | None = None,
) -> Expr:
    """The address of the buffer's elements from `offset` on, for reading (1, "r"), writing (2, "w") or both."""
    if isinstance(access_mask, str):
        access_mask = sum({_ACCESS[letter] for letter in access_mask})
    size: Expr = operators.const(1, buffer.index_dtype)
    for position, part in enumerate(buffer.strides[:1] + buffer.shape[:1] if buffer.strides else buffer.shape):
        size = part if position == 0 else fold.mul(*operators.match_types(size, part, "access_ptr", span))
    element = buffer.dtype
    start = fold.add(*operators.match_types(buffer.elem_offset, offset, "access_ptr", span))
    size = fold.sub(*operators.match_types(size, offset, "access_ptr", span))
    if content_lanes > 1:
        size = fold.make(FloorDiv, size, IntImm(size.dtype, content_lanes))
        start = fold.make(FloorDiv, start, IntImm(start.dtype, content_lanes))
        element = element.with_lanes(element.lanes * content_lanes)
    if extent is not None:
        size = operators.as_expr(extent, None, span)
    made: Expr = SURFACE["tvm_access_ptr"](
        SURFACE["type_annotation"](element), buffer.data, start, size, access_mask, span=span
    )
    return made


def _offset_of(buffer: Buffer, indices: Any, span: Span | None = None) -> list[Expr]:
    """How many elements are in front of the one at these indices."""
    given = indices if isinstance(indices, tuple | list) else [indices]
    if len(given) != len(buffer.shape):
        raise WrongRank(buffer=buffer.name, rank=len(buffer.shape), count=len(given), span=span)
    values = [operators.as_expr(index, None, span) for index in given]
    widest = max((buffer.index_dtype, *(value.dtype.element for value in values)), key=lambda dtype: dtype.bits)
    return [layout.offset_of(buffer.shape, buffer.strides, layout.widened(values, widest))]


_MEMBERS: dict[type, dict[str, Getter]] = {
    Expr: {"dtype": _dtype, "ty": _dtype, "astype": _method("astype", _astype), "equal": _method("equal", _equal)},
    Var: {"name": _field("name")},
    IntImm: {"value": _field("value")},
    FloatImm: {"value": _field("value")},
    StringImm: {"value": _field("value")},
    Range: {"min": _field("min"), "extent": _field("extent")},
    IterVar: {"var": _field("var"), "dom": _field("dom")},
    BufferRegion: {"buffer": _field("buffer"), "region": _field("region")},
    BufferLoad: {"buffer": _field("buffer"), "indices": _field("indices")},
    Buffer: {
        **{name: _field(name) for name in ("data", "shape", "strides", "elem_offset", "name", "data_alignment",
                                           "offset_factor", "axis_separators")},
        "dtype": _dtype,
        "scope": _method("scope", _scope),
        "vload": _method("vload", _vload),
        "vstore": _method("vstore", _vstore),
        "access_ptr": _method("access_ptr", _access_ptr),
        "offset_of": _method("offset_of", _offset_of),
        "view": lambda owner: Builtin("view", partial(view, owner), needs_kernel=True),
    },
}  # fmt: skip
