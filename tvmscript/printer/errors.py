"""Errors of printing."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class UnknownOption(IRError, TypeError):
    """`script()` has no option of this name."""

    code = "TS3001"
    message = "script() has no option named {name}"


class InvalidOption(IRError, TypeError):
    """An option of `script()` has a value of a wrong type."""

    code = "TS3002"
    message = "the option {name} takes {expected}, but got {got}"


class NoText(IRError):
    """TVMScript has no syntax for a part of the program: a text without it would read back as another program."""

    code = "TS3003"
    message = "TVMScript cannot express {what}"
