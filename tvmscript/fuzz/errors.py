"""Errors that the fuzzers raise."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class LevelsDisagree(TVMScriptError):
    """A kernel for which machine code computes something else than the interpreter, or than Python's integers."""

    code = "TS8042"
    message = "{name} computes something else than {other}: {buffer}{index} is {after} and not {before}"


class WrongArithmetic(TVMScriptError):
    """A simplified expression has another value than the original, or what is known of an expression is not so."""

    code = "TS8044"
    message = "{law}: {expr} {reason} where {values}"
