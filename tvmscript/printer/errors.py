"""What can go wrong in printing: a wrong option, or a value that the language has no words for."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class UnknownOption(IRError, TypeError):
    """`script()` was given an option that it does not have."""

    code = "TS3001"
    message = "script() has no option named {name}"


class InvalidOption(IRError, TypeError):
    """An option of `script()` has a value of another type than it takes."""

    code = "TS3002"
    message = "the option {name} takes {expected}, but got {got}"


class NoText(IRError):
    """A part of a program has no spelling, so that its text would not read back as the same program. It is refused
    rather than left out.
    """

    code = "TS3003"
    message = "TVMScript has no words for {what}"
