"""Errors that the fuzzers raise."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class LevelsDisagree(TVMScriptError):
    """Compiled code disagrees with the interpreter or with Python integers."""

    code = "TS8042"
    message = "{name} computes something else than {other}: {buffer}{index} is {after} and not {before}"


class WrongArithmetic(TVMScriptError):
    """A simplified expression differs from the original, or an analysis result is wrong."""

    code = "TS8044"
    message = "{law}: {expr} {reason} where {values}"
