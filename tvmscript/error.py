"""Errors under TVM's names: `TVMError`, the base class, and `DiagnosticError`, an error with a place in a text."""

from __future__ import annotations

from tvmscript.ir.core import DiagnosticError
from tvmscript.ir.core.errors import TVMScriptError as TVMError

InternalError = OpError = OpNotImplemented = OpAttributeInvalid = OpAttributeRequired = TVMError

__all__ = [
    "DiagnosticError",
    "InternalError",
    "OpAttributeInvalid",
    "OpAttributeRequired",
    "OpError",
    "OpNotImplemented",
    "TVMError",
]
