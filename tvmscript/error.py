"""Errors under TVM's names: `TVMError`, the base class, and `DiagnosticError`, an error with a place in a text.

The classes of this package are TVMErrors; the others are for scripts that raise them.
"""

from __future__ import annotations

from tvmscript.ir.core import DiagnosticError
from tvmscript.ir.core.errors import TVMScriptError as TVMError

__all__ = [
    "DiagnosticError",
    "InternalError",
    "OpAttributeInvalid",
    "OpAttributeRequired",
    "OpError",
    "OpNotImplemented",
    "TVMError",
]


class InternalError(TVMError):
    """An error of TVM itself."""


class OpError(TVMError):
    """Base of the errors of operators in front ends."""


class OpNotImplemented(OpError, NotImplementedError):
    """An operator that is not supported."""


class OpAttributeInvalid(OpError, AttributeError):
    """An attribute of an operator has a value that is not supported."""


class OpAttributeRequired(OpError, AttributeError):
    """An attribute of an operator is missing."""
