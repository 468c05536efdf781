"""Errors of models written as classes (TS4503 to TS4511)."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.core import TVMScriptError


class InvalidSpec(TVMScriptError, TypeError, code="TS4503"):
    """The description of an argument, a method or a module cannot be read."""

    message = "the spec of {name}: expected {expected}, got {got}"


class UnboundParameters(TVMScriptError, ValueError, code="TS4504"):
    """Parameters have no values where values are needed. Set `parameter.data`, or load a state."""

    message = "parameters without values: {names}"


class WrongParameterValue(TVMScriptError, ValueError, code="TS4505"):
    """A value does not fit a parameter, or a parameter that has a value is converted to another dtype."""

    message = "parameter {name}: expected {expected}, got {got}"


class StateMismatch(TVMScriptError, KeyError, code="TS4506"):
    """A state and a module do not have the same parameters."""

    message = "missing keys: {missing}; unexpected keys: {unexpected}"


class NotExporting(TVMScriptError, code="TS4507"):
    """An operator of nn is applied, or an effect used, when no module is being exported."""

    message = "{what} needs {needed}"


class UnsupportedLayerOption(TVMScriptError, NotImplementedError, code="TS4508"):
    """An operator or a layer of nn has no implementation for an argument."""

    message = "nn.{name} does not support {option}"


class ExternModuleError(TVMScriptError, ValueError, code="TS4509"):
    """An external module cannot be used: it is not allowed, defines a symbol twice, or its file is unusable."""

    message = "external modules: {reason}"


class CompilerFailed(TVMScriptError, code="TS4510"):
    """The compiler of an external module's source reports an error, or is not installed."""

    message = "{compiler} cannot compile the source: {output}"


class ExternFunctionFailed(ExecutionError, code="TS4511"):
    """A function of an external module returns another number than zero, which says that it failed."""

    message = "the external function {name} returned {returned}"
    advice = "a function that succeeds returns 0"
