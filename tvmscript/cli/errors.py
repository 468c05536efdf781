"""What can be wrong with how the command is used, or with its files."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class Trouble(TVMScriptError):
    """Base of errors that say nothing about a program: the command ends with the exit code 2."""


class NoPrograms(TVMScriptError):
    """A file that was named, in which no function or class is decorated with T.prim_func, R.function or I.ir_module."""

    code = "TS7010"
    message = "{file} holds neither a module nor a function"


class FileFailed(Trouble):
    """A file that cannot be read or written, or that fails when it is run as Python."""

    code = "TS7011"
    message = "{file} cannot be used: {reason}"


class InvalidOption(Trouble):
    """A command-line option with a value that it cannot take."""

    code = "TS7012"
    message = "{option}: {reason}"


class NotRewritten(TVMScriptError):
    """A definition that a rewriting command leaves as it is: what it would write there says less, or something else.

    It may use names of the Python around it, which its program has as values only; or the printed text needs a name,
    such as I, that the file does not import.
    """

    code = "TS7013"
    message = "{name} is left as it is: {reason}"


class NeedsPython(TVMScriptError):
    """A definition that uses Python values around it. Commands read files and never run them: it is not checked."""

    code = "TS7014"
    message = "{name} needs Python, not checked as text: it uses {names}"


class WouldChange(TVMScriptError):
    """A file that is not in normal form, found by `tvmscript fmt --check`."""

    code = "TS7015"
    message = "{file} would be reformatted"


class UnknownProgram(Trouble):
    """`FILE:NAME` was given, and the file has no function or module of that name."""

    code = "TS7016"
    message = "{file} has no program named {name}"


class UnknownCode(Trouble):
    """A code that no error of this package has."""

    code = "TS7017"
    message = "there is no error {given}"
