"""Errors of checks."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class RoundTripError(TVMScriptError, AssertionError):
    """Base of errors where the text of a program does not read back to the same program.

    `facts` holds the printed `text`, `again` for the text of the program read back, and the `path` to the first
    difference, as far as the check got.
    """


class NotPrinted(RoundTripError):
    """The printer refuses the program: the language cannot express a part of it."""

    code = "TS8001"
    message = "{program} cannot be printed: {reason}"


class NotReadBack(RoundTripError):
    """The parser refuses a printed text: the program is not well formed, or printer or parser are wrong."""

    code = "TS8002"
    message = "{program} does not read back: {reason}\nthe text:\n{text}"


class ReadsBackDifferent(RoundTripError):
    """A printed text reads back as another program.

    The path leads from the root of both programs to the first difference. If both texts are equal, the text does not
    hold the difference, such as two variables of one name.
    """

    code = "TS8003"
    message = "{program} reads back as another program, first at {path}: {reason}\nthe text:\n{text}\n{again}"


class IdentityLost(RoundTripError):
    """The text of a program reads back with another number of variables, buffers or functions."""

    code = "TS8004"
    message = "{program} has {count} {kind}, its text reads back with {other}\nthe text:\n{text}"


class PrintsDifferent(RoundTripError):
    """A program prints another text after it was read back: the text is not in normal form."""

    code = "TS8005"
    message = "{program} prints another text after it was read back\nthe text:\n{text}\n{again}"


class IllFormedAfterPass(TVMScriptError, AssertionError):
    """A pass returned a program that is not well formed."""

    code = "TS8006"
    message = "the pass {name} returned a program that is not well formed: {reason}"


class PassChangesValues(TVMScriptError, AssertionError):
    """A kernel computes other values after a pass: the pass is wrong, or the kernel reads uninitialized memory."""

    code = "TS8012"
    message = "after the pass {name}, {function} computes other values: {buffer}{index} was {before} and is {after}"


class PassBreaksProgram(TVMScriptError, AssertionError):
    """A kernel fails to run after a pass."""

    code = "TS8013"
    message = "after the pass {name}, {function} does not run: {reason}"


class UnknownCheck(TVMScriptError):
    """TVMSCRIPT_VERIFY or verify_passes names an unknown check."""

    code = "TS8007"
    message = "there is no check named {name}"
