"""Errors that the fuzzers raise."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class LevelsDisagree(TVMScriptError, code="TS8042"):
    """Compiled code disagrees with the interpreter or with Python integers."""

    message = "{name} computes something else than {other}: {buffer}{index} is {after} and not {before}"


class WrongArithmetic(TVMScriptError, code="TS8044"):
    """A simplified expression differs from the original, or an analysis result is wrong."""

    message = "{law}: {expr} {reason} where {values}"


class TakesTooLong(TVMScriptError, code="TS8041"):
    """The check of an example exceeded its time limit."""

    message = "the check did not end after {seconds} seconds"


class PaddingOverwritten(TVMScriptError, code="TS8079"):
    """Compiled code stored a value before or behind an array."""

    message = "a byte that does not belong to array {place} is overwritten: byte {offset} from its start, of {bytes}"
