"""Errors of printing."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class UnknownOption(IRError, TypeError, code="TS3001"):
    """`script()` has no option of this name."""

    message = "script() has no option named {name}"


class InvalidOption(IRError, TypeError, code="TS3002"):
    """An option of `script()` has a value of a wrong type."""

    message = "the option {name} takes {expected}, but got {got}"


class NoText(IRError, code="TS3003"):
    """TVMScript has no syntax for a part of the program: a text without it would read back as another program."""

    message = "TVMScript cannot express {what}"
