"""Errors of integer arithmetic."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class NotInvertible(IRError):
    """An index map was to be inverted, but it is not one to one over the given shape, or no sum of digits."""

    code = "TS4010"
    message = "the index map {index_map} has no inverse over this shape: {reason}"
