"""Attributes of TIR values in a text: `A.data`, `x.dtype`, `A.access_ptr("r")`, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tvmscript.ir.core import Span
from tvmscript.ir.tir import Buffer, Expr, operators
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloatImm, IntImm, IterVar, Range, StringImm, Var
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.members import MEMBERS, Getter


def _field(name: str) -> Getter:
    return lambda owner: getattr(owner, name)


def _method(name: str, function: Callable[..., object]) -> Getter:
    return lambda owner: Builtin(name, partial(function, owner))


def _dtype(owner: Any) -> str:
    return str(owner.dtype)


def _astype(value: Expr, dtype: str, span: Span | None = None) -> Expr:
    expr: Expr = operators.cast(dtype, value, span)
    return expr


def _scope(buffer: Buffer, span: Span | None = None) -> str:
    return buffer.storage_scope


def _equal(value: Expr, other: object, span: Span | None = None) -> Expr:
    condition: Expr = operators.eq(value, other, span)
    return condition


_MEMBERS: dict[type, dict[str, Getter]] = {
    Expr: {"dtype": _dtype, "ty": _dtype, "astype": _method("astype", _astype), "equal": _method("equal", _equal)},
    Var: {"name": _field("name")},
    IntImm: {"value": _field("value")},
    FloatImm: {"value": _field("value")},
    StringImm: {"value": _field("value")},
    Range: {"min": _field("min"), "extent": _field("extent")},
    IterVar: {"var": _field("var"), "dom": _field("dom")},
    BufferRegion: {"buffer": _field("buffer"), "source": _field("buffer"), "region": _field("region")},
    BufferLoad: {"buffer": _field("buffer"), "source": _field("buffer"), "indices": _field("indices")},
    Buffer: {
        **{name: _field(name) for name in ("data", "shape", "strides", "elem_offset", "name", "data_alignment",
                                           "offset_factor", "axis_separators")},
        "dtype": _dtype,
        "scope": _method("scope", _scope),
        "vload": _method("vload", Buffer.vload),
        "vstore": _method("vstore", Buffer.vstore),
        "access_ptr": _method("access_ptr", Buffer.access_ptr),
        "offset_of": _method("offset_of", Buffer.offset_of),
    },
}  # fmt: skip
MEMBERS.update(_MEMBERS)
