"""The catalogue of what a text can get wrong. Every error says where."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.span import Span


class InvalidSyntax(DiagnosticError):
    """The text is not Python."""

    code = "TS2001"
    message = "the text is not valid Python: {reason}"


class NothingDefined(DiagnosticError):
    """There is no decorated function or class."""

    code = "TS2002"
    message = "the text defines no function and no module"


class UndefinedName(DiagnosticError):
    """A name that nothing has defined."""

    code = "TS2003"
    message = "{name} is not defined"


class UnknownMember(DiagnosticError):
    """An attribute that the value does not have."""

    code = "TS2004"
    message = "{owner} has no {name}"


class DefinedAgain(DiagnosticError):
    """A name is used behind a scope (of a branch, a loop, a block) that defined it again. In Python it would be the inner
    one from there on; in a program a variable is not changed, so it would be the outer one. Neither is taken silently.
    """

    code = "TS2032"
    message = "{name} was defined again in a scope that has ended, so it is not clear what it means here"


class UnsupportedSyntax(DiagnosticError):
    """Python that has no meaning in a kernel."""

    code = "TS2005"
    message = "{what} has no meaning here"


class NotCallable(DiagnosticError):
    """A call of something else than a function."""

    code = "TS2006"
    message = "{what} cannot be called"


class InvalidArguments(DiagnosticError):
    """A call with arguments that do not fit."""

    code = "TS2007"
    message = "{function}: {reason}"


class AlreadyDefined(DiagnosticError):
    """A name that is defined twice in one scope."""

    code = "TS2008"
    message = "{name} is already defined in this scope"


class NotALoop(DiagnosticError):
    """`for` over something that is no loop."""

    code = "TS2009"
    message = "for cannot run over {what}"


class NotAContext(DiagnosticError):
    """`with` of something that opens no scope."""

    code = "TS2010"
    message = "with cannot be used on {what}"


class NoStatement(DiagnosticError):
    """An expression statement that does nothing a program can do."""

    code = "TS2011"
    message = "{what} is not a statement"


class CannotAssign(DiagnosticError):
    """An assignment to something that cannot be assigned."""

    code = "TS2012"
    message = "{what} cannot be assigned to"


class WrongTargetCount(DiagnosticError):
    """As many names as values are needed."""

    code = "TS2013"
    message = "{names} names for {values} values"


class NotAnExpression(DiagnosticError):
    """A value that is needed as an expression and is none."""

    code = "TS2014"
    message = "{what} is not an expression"


class MissingAnnotation(DiagnosticError):
    """A parameter without a type."""

    code = "TS2015"
    message = "the parameter {name} has no type"


class InvalidAnnotation(DiagnosticError):
    """An annotation that is no type."""

    code = "TS2016"
    message = "{what} is not the type of a {role}"


class NotInside(DiagnosticError):
    """A construct outside of the construct it belongs to."""

    code = "TS2017"
    message = "{what} belongs into {place}"


class GivenTwice(DiagnosticError):
    """A construct that may stand once."""

    code = "TS2018"
    message = "{what} is given twice"


class NotALoopVariable(DiagnosticError):
    """T.axis.remap of something that is no variable of a surrounding loop."""

    code = "TS2019"
    message = "{what} is not the variable of a surrounding loop"


class NestedTooDeeply(DiagnosticError):
    """Deeper than a program may be."""

    code = "TS2020"
    message = "the program nests more than {limit} levels deep"


class InvalidCondition(DiagnosticError):
    """A condition that is neither a bool expression nor a Python bool."""

    code = "TS2021"
    message = "{what} is not a condition"


class SeveralDefinitions(DiagnosticError):
    """More than one function or module, where one is asked for."""

    code = "TS2022"
    message = "the text defines several programs: {names}"


class UnknownDecorator(DiagnosticError):
    """A function or a class without a decorator of ours."""

    code = "TS2023"
    message = "{name} is not decorated with {expected}"


class InvalidImport(DiagnosticError):
    """An import of something else than the script's own names."""

    code = "TS2024"
    message = "a text cannot import {name}: it is read, not run"


class InvalidOperation(DiagnosticError):
    """Python arithmetic that fails."""

    code = "TS2025"
    message = "{what}: {reason}"


class ValueTooLarge(DiagnosticError):
    """Python arithmetic whose result would fill the memory."""

    code = "TS2026"
    message = "the result of {what} is too large"


class TextTooLarge(DiagnosticError):
    """More text than is read."""

    code = "TS2027"
    message = "the text has {size} characters, at most {limit} are read"


class PythonFailed(DiagnosticError):
    """A captured Python function failed."""

    code = "TS2029"
    message = "{function} raised {error}"


_SOURCE_WAYS = (
    "write it into a file; or compile the text with the file name that tvmscript.script.register_source(text) gives; "
    "or hand the text over: @T.prim_func(source=text); or read it: tvmscript.from_source(text)"
)


class NoSource(DiagnosticError):
    """A decorated function whose text cannot be found."""

    code = "TS2030"
    message = "the source of {name} cannot be found"

    def __init__(self, **facts: Any) -> None:
        facts.setdefault("hint", _SOURCE_WAYS)
        super().__init__(**facts)


class NoCounterpart(DiagnosticError):
    """A name of TVM 0.27 that this language does not have, such as those of its tile level."""

    code = "TS2040"
    message = "{name} belongs to {place}, which has no counterpart here"


class MissingConstant(DiagnosticError):
    """A constant that the text names by its fingerprint, and that neither its section `metadata` nor the caller has."""

    code = "TS2050"
    message = "the text does not have the constant {name}"

    def __init__(self, **facts: Any) -> None:
        facts.setdefault(
            "hint", "print with show_meta=True, read with tvmscript.load, or hand in extra_vars={'metadata': {...}}"
        )
        super().__init__(**facts)


class ChangedConstant(DiagnosticError):
    """A constant whose data are not those that its fingerprint was made of."""

    code = "TS2051"
    message = "the constant {name} was changed: its data are those of {found}"


class InvalidMetadata(DiagnosticError):
    """A section `metadata` of TVM that cannot be read."""

    code = "TS2052"
    message = "tvm.ir.load_json: {reason}"


class Refused(DiagnosticError):
    """What a constructor of the IR refused, at the place in the text; `code` is that of the original error."""

    code = "TS2031"
    message = "{reason}"

    def __init__(self, **facts: Any) -> None:
        super().__init__(**facts)
        # the instance's own code hides that of the class
        self.__dict__["code"] = facts.get("original", type(self).code)


#: Longest message about a part of a program.
_LONG = 600


def refused(error: TVMScriptError, span: Span) -> Refused:
    """An error of the IR as a diagnostic, with the place where it happened."""
    text = error.text if len(error.text) < _LONG else f"{error.text[: _LONG // 2]} ... {error.text[-_LONG // 4 :]}"
    return Refused(reason=text, original=error.code, span=error.span or span, hint=error.hint, notes=tuple(error.notes))
