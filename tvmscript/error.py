"""TVM's names of errors: `TVMError` is every error of the package, `DiagnosticError` one that points at a text."""

from __future__ import annotations

from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.core.errors import TVMScriptError as TVMError

__all__ = ["DiagnosticError", "TVMError"]
