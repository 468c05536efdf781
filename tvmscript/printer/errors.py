"""What can go wrong in printing: a wrong option, or a value that the language has no words for."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class UnknownOption(IRError, TypeError):
    code = "TS3001"
    message = "script() has no option named {name}"


class InvalidOption(IRError, TypeError):
    code = "TS3002"
    message = "the option {name} takes {expected}, but got {got}"


class NoText(IRError):
    code = "TS3003"
    message = "TVMScript has no words for {what}"
