"""The catalogue of what a text can get wrong. Every error says where."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.span import Span


class InvalidSyntax(DiagnosticError):
    """A program is written in Python's grammar, and Python's own parser refused the text."""

    code = "TS2001"
    message = "the text is not valid Python: {reason}"


class NothingDefined(DiagnosticError):
    """A text has to define a function under @T.prim_func or a class under @I.ir_module."""

    code = "TS2002"
    message = "the text defines no function and no module"


class UndefinedName(DiagnosticError):
    """A name is used that nothing has defined at this place. Names that are defined in a loop, a branch or a block
    end with it; intrinsics are written with `T.` before them.
    """

    code = "TS2003"
    message = "{name} is not defined"
    advice = "give it a value before, or make it a parameter"


class UnknownMember(DiagnosticError):
    """A name after a dot that is not there: `T` and `I` have no such name, or the value has no such attribute."""

    code = "TS2004"
    message = "{owner} has no {name}"


class DefinedAgain(DiagnosticError):
    """A name is used behind a scope (of a branch, a loop, a block) that defined it again. In Python it would be the
    inner one from there on; in a program variables do not change, so it would be the outer one. Neither is taken
    silently.
    """

    code = "TS2032"
    message = "{name} was defined again in a scope that has ended, so it is not clear what it means here"
    advice = "variables are not changed: give the inner one a name of its own, or keep the value in a buffer"


class UnsupportedSyntax(DiagnosticError):
    """Python has it, programs do not: they have assignments, stores, for, while, if, with, assert, return and calls.
    The text is read, it is not run.
    """

    code = "TS2005"
    message = "{what} has no meaning here"


class NotCallable(DiagnosticError):
    """Something is called that is no function: a buffer, a number, a namespace."""

    code = "TS2006"
    message = "{what} cannot be called"
    advice = "functions of T and I, of the module, and macros are called"


class InvalidArguments(DiagnosticError):
    """The arguments of a call do not fit what the function takes: one is missing, one is too many, or a keyword is
    not known.
    """

    code = "TS2007"
    message = "{function}: {reason}"


class AlreadyDefined(DiagnosticError):
    """Variables of a program do not change: a name gets its value once in a scope. What changes lives in a buffer."""

    code = "TS2008"
    message = "{name} is already defined in this scope"
    advice = "give one of them another name"


class NotALoop(DiagnosticError):
    """`for` runs over range and the loops of T. In decorated functions it also runs over Python lists, and is written
    out then.
    """

    code = "TS2009"
    message = "for cannot run over {what}"


class NotAContext(DiagnosticError):
    """`with` opens something that has a body: a block, an allocation, an attribute. What stands behind it is none of
    these.
    """

    code = "TS2010"
    message = "with cannot be used on {what}"


class NoStatement(DiagnosticError):
    """A value stands alone in a line, and nothing is done with it."""

    code = "TS2011"
    message = "{what} is not a statement"
    advice = "store it into a buffer"


class CannotAssign(DiagnosticError):
    """What stands left of `=` is no name and no element of a buffer, or what stands right of it cannot have a name."""

    code = "TS2012"
    message = "{what} cannot be assigned to"
    advice = "names and elements of buffers are assigned to"


class WrongTargetCount(DiagnosticError):
    """There are more or fewer names than values: each loop of T.grid and each axis of T.axis.remap has a name."""

    code = "TS2013"
    message = "{names} names for {values} values"
    advice = "write a name for each value"


class NotAnExpression(DiagnosticError):
    """A number or an expression is needed, and something else is given: a whole buffer, a tuple, None, a function."""

    code = "TS2014"
    message = "{what} is not an expression"


class MissingAnnotation(DiagnosticError):
    """Parameters are typed: nothing else tells what they are."""

    code = "TS2015"
    message = "the parameter {name} has no type"


class InvalidAnnotation(DiagnosticError):
    """A type is a name such as T.int32 or T.handle, or T.Buffer with a shape and a dtype."""

    code = "TS2016"
    message = "{what} is not the type of a {role}"
    advice = 'types are T.int32, T.float32, ..., T.handle, T.Buffer(shape, "float32")'


class NotInside(DiagnosticError):
    """A construct stands outside of what it belongs to. Axes, T.reads, T.writes, T.where and T.init are parts of a
    block.
    """

    code = "TS2017"
    message = "{what} belongs into {place}"


class GivenTwice(DiagnosticError):
    """A construct that may stand once stands twice, so that one of the two would be lost."""

    code = "TS2018"
    message = "{what} is given twice"
    advice = "write all of it into one"


class NotALoopVariable(DiagnosticError):
    """T.axis.remap makes one axis of each loop with the extent of that loop. For other values, T.axis.spatial and
    T.axis.reduce take the extent too.
    """

    code = "TS2019"
    message = "{what} is not the variable of a surrounding loop"


class NestedTooDeeply(DiagnosticError):
    """Expressions and statements may nest some hundred levels deep. Deeper texts are refused, so that no text can
    exhaust the memory or the time of who reads it.
    """

    code = "TS2020"
    message = "the program nests more than {limit} levels deep"


class InvalidCondition(DiagnosticError):
    """A condition is a comparison, or something else of type bool. Whether a number is zero is written out: n != 0."""

    code = "TS2021"
    message = "{what} is not a condition"
    advice = "write a comparison"


class SeveralDefinitions(DiagnosticError):
    """`from_source` gives one program. A text with several functions is a module: a class under @I.ir_module."""

    code = "TS2022"
    message = "the text defines several programs: {names}"


class UnknownDecorator(DiagnosticError):
    """A function of a text is under @T.prim_func or @T.macro, a class under @I.ir_module."""

    code = "TS2023"
    message = "{name} is not decorated with {expected}"
    advice = "write {expected} above it"


class InvalidImport(DiagnosticError):
    """A text is read and never run, so it cannot import Python modules. Imports of tvm and tvmscript say what `T` and
    `I` are called.
    """

    code = "TS2024"
    message = "a text cannot import {name}: it is read, not run"
    advice = "a text has T, I and tvm; decorated functions may use what Python imports"


class InvalidOperation(DiagnosticError):
    """An operation on values that are known while reading fails, as it would in Python: dividing by zero, an index
    behind the end of a list.
    """

    code = "TS2025"
    message = "{what}: {reason}"


class ValueTooLarge(DiagnosticError):
    """A value that is computed while reading would be so large that it fills the memory, or statements would be
    written out without end.
    """

    code = "TS2026"
    message = "the result of {what} is too large"


class TextTooLarge(DiagnosticError):
    """A text is longer than what is read at once."""

    code = "TS2027"
    message = "the text has {size} characters, at most {limit} are read"


class PythonFailed(DiagnosticError):
    """A decorated function calls a Python function that it captured, and that raised an exception. The exception is
    the `__cause__` of this error.
    """

    code = "TS2029"
    message = "{function} raised {error}"


_SOURCE_WAYS = (
    "write it into a file; or compile the text with the file name that tvmscript.script.register_source(text) gives; "
    "or hand the text over: @T.prim_func(source=text); or read it: tvmscript.from_source(text)"
)


class NoSource(DiagnosticError):
    """A decorated function is read from its source, and Python does not know where that is: it was made by exec() of
    a text without a file.
    """

    code = "TS2030"
    message = "the source of {name} cannot be found"

    def __init__(self, **facts: Any) -> None:
        facts.setdefault("hint", _SOURCE_WAYS)
        super().__init__(**facts)


class NoCounterpart(DiagnosticError):
    """A name of TVM that this language does not have, such as those of the tile level of TVM 0.27."""

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
    """What building the program refused, with the place in the text. Each such error has the code of its own class,
    not this one.
    """

    code = "TS2031"
    message = "{reason}"

    def __init__(self, **facts: Any) -> None:
        super().__init__(**facts)
        # the instance's own code hides that of the class
        self.__dict__["code"] = facts.get("original", type(self).code)


def refused(error: TVMScriptError, span: Span) -> Refused:
    """An error of the IR as a diagnostic, with the place where it happened."""
    return Refused(
        reason=error.text, original=error.code, span=error.span or span, hint=error.hint, notes=tuple(error.notes)
    )
