"""Debugging intrinsics of the interpreter: `print` and `breakpoint`."""

from __future__ import annotations

from string import Formatter

from tvmscript.ir.core import VOID, CallEffect, Span
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, surface
from tvmscript.ir.tir.slices import region_load

print_ = Intrinsic(
    "print", "text *values", VOID, effect=CallEffect.UPDATE_STATE, doc="Print a text with values in its fields."
)
breakpoint_ = Intrinsic("breakpoint", "", VOID, effect=CallEffect.UPDATE_STATE, doc="Stop in the debugger.")


def fields_of(text: str) -> list[tuple[str, str | None]]:
    """The pieces of a text with fields: what is written, and how the value after it is, None where none follows.

    Fields are `{}` and `{:spec}` as in `str.format`; braces are doubled. Raises `ValueError` for any other field.
    """
    pieces: list[tuple[str, str | None]] = []
    for literal, name, spec, conversion in Formatter().parse(text):
        if name or conversion or "{" in (spec or ""):
            raise ValueError(f"{{{name}}} is no field for the next value")
        pieces.append((literal, None if name is None else spec or ""))
    return pieces


@surface("print")
def tir_print(text: str, *values: object, dtype: object = None, span: Span | None = None) -> Expr:
    """Write a text and a new line; values stand where it has {} or {:.3f}. In the interpreter, with file and line."""
    written = text.value if isinstance(text, StringImm) else text
    if not isinstance(written, str):
        raise WrongType(where="T.print", expected="a text first", got=repr(text), span=span)
    try:
        count = sum(spec is not None for _, spec in fields_of(written))
    except ValueError as error:
        raise WrongType(
            where="T.print", expected="a text with fields {} or {:spec}", got=f"{written!r} ({error})", span=span
        ) from error
    if count != len(values):
        raise WrongArgumentCount(
            where="T.print", expected=f"{count} values for {written!r}", got=len(values), span=span
        )
    for value in values:
        if isinstance(value, Buffer):
            hint = f"write an element or a slice: {value.name}[0:4]"
            raise WrongType(where="T.print", expected="values", got=f"the buffer {value.name}", span=span, hint=hint)
    given = [region_load(value) if isinstance(value, BufferRegion) else value for value in values]
    return print_(text, *given, span=span)


@surface("breakpoint")
def tir_breakpoint(dtype: object = None, span: Span | None = None) -> Expr:
    """Stop in Python's debugger, which shows this line, the variables and the buffers. In the interpreter."""
    return breakpoint_(span=span)
