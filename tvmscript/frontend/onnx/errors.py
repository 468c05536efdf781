"""Errors of importing ONNX models (TS454x)."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class UnknownInput(TVMScriptError, code="TS4540"):
    """An operator needs the value of an input when the model is imported, and the value is computed at run time."""

    message = "ONNX: {place} needs the value of {name} at import, which is known at run time only"


class RuntimeBranch(TVMScriptError, code="TS4541"):
    """Control flow depends on run-time values in a dataflow block. The importer starts again without one."""

    message = "ONNX: {place} branches at run time"
