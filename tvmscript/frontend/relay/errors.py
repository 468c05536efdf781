"""Errors of Relay's names (TS4560 to TS4567)."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class InvalidRelayExpr(TVMScriptError, TypeError, code="TS4560"):
    """An expression of Relay cannot be built: a variable has no type, or an argument is none that Relay takes."""

    message = "relay.{name}: {reason}"


class UnknownGraphInput(TVMScriptError, KeyError, code="TS4561"):
    """A graph executor has no input or output of this name or number."""

    message = "the graph has no {kind} {name}: it has {have}"


class MissingGraphInput(TVMScriptError, code="TS4562"):
    """A graph runs, or a result is asked for, before its inputs are set or before it has run."""

    message = "{method} needs {needed}"


class UnknownExecutor(TVMScriptError, ValueError, code="TS4563"):
    """`relay.create_executor` is called with an unknown kind, or without a module."""

    message = "relay.create_executor: expected {expected}, got {got}"


class DamagedParams(TVMScriptError, ValueError, code="TS4564"):
    """Bytes are no parameters as `relay.save_param_dict` writes them."""

    message = "these are no saved parameters: {reason}"


class NoDownload(TVMScriptError, FileNotFoundError, code="TS4565"):
    """`contrib.download` does not fetch files: the file must be there already."""

    message = "nothing is downloaded: put the file of {url} at {path}"


class NotLoweredYet(TVMScriptError, code="TS4566"):
    """Steps of `VMCompiler` are called out of order."""

    message = "VMCompiler.{method} needs {needed}"


class WrongBytecode(TVMScriptError, ValueError, code="TS4567"):
    """Bytes are not those that `Executable.save` returned beside a library."""

    message = "this is not the bytecode of the library, which has the functions {functions}"
