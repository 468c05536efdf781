"""Arguments that are plain Python values: checked, because whatever a text says may arrive here."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.expr import IntImm, StringImm


def integer(where: str, given: Any) -> int:
    """A constant integer. Raises `WrongType`."""
    if isinstance(given, IntImm):
        return given.value
    if isinstance(given, int):
        return given
    raise WrongType(where=where, expected="a constant integer", got=repr(given))


def text(where: str, given: Any) -> str:
    """A string. Raises `WrongType`."""
    if isinstance(given, StringImm):
        return given.value
    if isinstance(given, str):
        return given
    raise WrongType(where=where, expected="a string", got=repr(given))
