"""Errors of usage and files."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class Trouble(TVMScriptError):
    """Base of errors that concern no program: the exit code is 2."""


class NoPrograms(TVMScriptError, code="TS7010"):
    """A file on the command line without a definition decorated with T.prim_func, R.function or I.ir_module."""

    message = "{file} contains neither a module nor a function"


class FileFailed(Trouble, code="TS7011"):
    """A file that cannot be read, written, or executed as Python."""

    message = "{file} cannot be used: {reason}"


class InvalidOption(Trouble, code="TS7012"):
    """A command-line option with an invalid value."""

    message = "{option}: {reason}"


class NotRewritten(TVMScriptError, code="TS7013"):
    """A definition that is not rewritten because its printed text would not define the same program in the file.

    It may capture Python names, which the program holds only as values. Or the printed text needs a name, such as I,
    that the file does not import.
    """

    message = "{name} is not rewritten: {reason}"


class NeedsPython(TVMScriptError, code="TS7014"):
    """A definition that captures Python values. It is not checked, since commands do not execute files."""

    message = "{name} is not checked: it captures the Python names {names}"


class WouldChange(TVMScriptError, code="TS7015"):
    """A file that is not in normal form, found by `tvmscript fmt --check`."""

    message = "{file} would be reformatted"


class UnknownProgram(Trouble, code="TS7016"):
    """`FILE:NAME` on the command line, where the file has no function or module of that name."""

    message = "{file} has no program named {name}"


class UnknownCode(Trouble, code="TS7017"):
    """No error of this package has the code."""

    message = "there is no error {given}"
