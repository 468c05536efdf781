"""What the checks of this package find."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class RoundTripError(TVMScriptError):
    """Base of what breaks the law that a program's text reads back to the same program.

    `facts` has what was compared: `text` as it was printed, `again` as the program that was read back prints,
    and the `path` to the first difference, as far as the check came.
    """


class NotPrinted(RoundTripError):
    """A program that the printer refuses: it has something in it that the language has no words for."""

    code = "TS8001"
    message = "{program} cannot be printed: {reason}"


class NotReadBack(RoundTripError):
    """A printed text that the parser refuses. Either the program is not well formed, or printer or parser are wrong."""

    code = "TS8002"
    message = "{program} does not read back: {reason}\nthe text:\n{text}"


class ReadsBackDifferent(RoundTripError):
    """A printed text that reads back as another program: something of the program is not in its text.

    The path leads from the root of both programs to the first difference. Where both texts are the same, what differs
    does not show in the text at all, such as two variables of one name that became one.
    """

    code = "TS8003"
    message = "{program} reads back as another program, first at {path}: {reason}\nthe text:\n{text}\n{again}"


class IdentityLost(RoundTripError):
    """A program whose text reads back with more or fewer variables, buffers or functions than it has."""

    code = "TS8004"
    message = "{program} has {count} {kind}, its text reads back with {other}\nthe text:\n{text}"


class PrintsDifferent(RoundTripError):
    """A program that prints another text once it was read back: the text is no normal form."""

    code = "TS8005"
    message = "{program} prints another text once it was read back\nthe text:\n{text}\n{again}"


class IllFormedAfterPass(TVMScriptError):
    """A pass that made a program which breaks a rule of well-formedness: the pass is wrong."""

    code = "TS8006"
    message = "the pass {name} made a program that is not well formed: {reason}"


class PassChangesValues(TVMScriptError):
    """A pass after which a kernel computes something else from the same arguments: the pass is wrong, or the kernel
    reads what it never wrote.
    """

    code = "TS8012"
    message = "after the pass {name}, {function} computes other values: {buffer}{index} was {before} and is {after}"


class PassBreaksProgram(TVMScriptError):
    """A pass after which a kernel does not run any more."""

    code = "TS8013"
    message = "after the pass {name}, {function} does not run: {reason}"


class UnknownCheck(TVMScriptError):
    """A name that is no check to make after passes, in TVMSCRIPT_VERIFY or as an argument of verify_passes."""

    code = "TS8007"
    message = "there is no check named {name}"
