"""Attributes that values of the program have in a text: `A.data`, `x.dtype`, `buffer.access_ptr("r")`, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tvmscript.ir.arith import buffer_access
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    BufferLoad,
    BufferRegion,
    FloatImm,
    IntImm,
    IterVar,
    Range,
    StringImm,
    Var,
)
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.v0_27.builtins import view

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
    return buffer.storage_scope


def _equal(value: Expr, other: Any, span: Span | None = None) -> Expr:
    made: Expr = operators.eq(value, other, span)
    return made


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
        "vload": _method("vload", buffer_access.vload),
        "vstore": _method("vstore", buffer_access.vstore),
        "access_ptr": _method("access_ptr", buffer_access.access_ptr),
        "offset_of": _method("offset_of", buffer_access.offset_of),
        "view": lambda owner: Builtin("view", partial(view, owner), needs_kernel=True),
    },
}  # fmt: skip
