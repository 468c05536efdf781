"""Errors of checks."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class RoundTripError(TVMScriptError, AssertionError):
    """Base of errors where the text of a program does not read back to the same program.

    `facts` holds the printed `text`, `again` for the text of the program read back, and the `path` to the first
    difference, as far as the check got.
    """


class NotPrinted(RoundTripError, code="TS8001"):
    """The printer refuses the program: the language cannot express a part of it."""

    message = "{program} cannot be printed: {reason}"


class NotReadBack(RoundTripError, code="TS8002"):
    """The parser refuses a printed text: the program is not well formed, or printer or parser are wrong."""

    message = "{program} does not read back: {reason}\nthe text:\n{text}"


class ReadsBackDifferent(RoundTripError, code="TS8003"):
    """A printed text reads back as another program.

    The path leads from the root of both programs to the first difference. If both texts are equal, the text does not
    hold the difference, such as two variables of one name.
    """

    message = "{program} reads back as another program, first at {path}: {reason}\nthe text:\n{text}\n{again}"


class IdentityLost(RoundTripError, code="TS8004"):
    """The text of a program reads back with another number of variables, buffers or functions."""

    message = "{program} has {count} {kind}, its text reads back with {other}\nthe text:\n{text}"


class PrintsDifferent(RoundTripError, code="TS8005"):
    """A program prints another text after it was read back: the text is not in normal form."""

    message = "{program} prints another text after it was read back\nthe text:\n{text}\n{again}"


class IllFormedAfterPass(TVMScriptError, AssertionError, code="TS8006"):
    """A pass returned a program that is not well formed."""

    message = "the pass {name} returned a program that is not well formed: {reason}"


class PassChangesValues(TVMScriptError, AssertionError, code="TS8012"):
    """A kernel computes other values after a pass: the pass is wrong, or the kernel reads uninitialized memory."""

    message = "after the pass {name}, {function} computes other values: {buffer}{index} was {before} and is {after}"


class PassBreaksProgram(TVMScriptError, AssertionError, code="TS8013"):
    """A kernel fails to run after a pass."""

    message = "after the pass {name}, {function} does not run: {reason}"


class UnknownCheck(TVMScriptError, code="TS8007"):
    """TVMSCRIPT_VERIFY or verify_passes names an unknown check."""

    message = "there is no check named {name}"
