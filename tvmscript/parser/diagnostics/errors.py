"""Errors of texts, each with a span."""

from __future__ import annotations

from tvmscript.ir.core import DiagnosticError, Span, TVMScriptError


class InvalidSyntax(DiagnosticError):
    """The text is not valid Python. The syntax of programs is that of Python."""

    code = "TS2001"
    message = "the text is not valid Python: {reason}"


class NothingDefined(DiagnosticError):
    """A text must define a function under @T.prim_func or a class under @I.ir_module."""

    code = "TS2002"
    message = "the text defines neither a function nor a module"


class UndefinedName(DiagnosticError):
    """The name is not defined in this scope. Names defined in a loop, branch or block are local to it. Intrinsics need
    the prefix `T.`.
    """

    code = "TS2003"
    message = "{name} is not defined"
    advice = "assign it before its use, or add a parameter"


class UnknownMember(DiagnosticError):
    """The namespace has no such name, or the value has no such attribute."""

    code = "TS2004"
    message = "{owner} has no {name}"


class DefinedAgain(DiagnosticError):
    """A name is used after an inner scope (of a branch, loop or block) that defined it again. Python would use the
    inner definition. Variables of a program are immutable, so it would use the outer one. The use is ambiguous.
    """

    code = "TS2032"
    message = "{name} is ambiguous: an inner scope that has ended defined it again"
    advice = "rename the inner variable, or store the value in a buffer"


class UnsupportedSyntax(DiagnosticError):
    """Python syntax that programs do not support. Programs consist of assignments, stores, for, while, if, with,
    assert, return and calls. The text is parsed, not executed.
    """

    code = "TS2005"
    message = "{what} is not supported here"


class NotCallable(DiagnosticError):
    """The callee is not a function, but for example a buffer, a number or a namespace."""

    code = "TS2006"
    message = "{what} cannot be called"
    advice = "call a function of T or I, a function of the module, or a macro"


class InvalidArguments(DiagnosticError):
    """The arguments of a call do not match the signature of the function."""

    code = "TS2007"
    message = "{function}: {reason}"


class AlreadyDefined(DiagnosticError):
    """A scope defines a name twice. Variables of a program are immutable; values that change are stored in buffers."""

    code = "TS2008"
    message = "{name} is already defined in this scope"
    advice = "rename one of them"


class NotALoop(DiagnosticError):
    """`for` iterates over range, or over a loop of T. In decorated functions it also iterates over Python sequences;
    such a loop is unroll.
    """

    code = "TS2009"
    message = "for cannot iterate over {what}"


class NotAContext(DiagnosticError):
    """`with` needs a construct that has a body, such as a block, an allocation or an attribute."""

    code = "TS2010"
    message = "with cannot be used on {what}"


class NoStatement(DiagnosticError):
    """A value is not used."""

    code = "TS2011"
    message = "{what} is not a statement"
    advice = "store it in a buffer"


class CannotAssign(DiagnosticError):
    """The target is neither a name nor an element of a buffer, or the value cannot have a name."""

    code = "TS2012"
    message = "{what} cannot be assigned to"
    advice = "assign to a name or to an element of a buffer"


class WrongTargetCount(DiagnosticError):
    """The numbers of targets and values differ. Each loop of T.grid and each axis of T.axis.remap has a target."""

    code = "TS2013"
    message = "{names} names for {values} values"
    advice = "write one name for each value"


class NotAnExpression(DiagnosticError):
    """The value is not an expression, but for example a buffer, a tuple, None or a function."""

    code = "TS2014"
    message = "{what} is not an expression"


class MissingAnnotation(DiagnosticError):
    """Every parameter needs a type annotation."""

    code = "TS2015"
    message = "the parameter {name} has no type annotation"


class InvalidAnnotation(DiagnosticError):
    """The annotation is not a type. Types are T.int32, T.handle, ..., or T.Buffer with a shape and a dtype."""

    code = "TS2016"
    message = "{what} is not the type of a {role}"
    advice = 'types are T.int32, T.float32, ..., T.handle, T.Buffer(shape, "float32")'


class NotInside(DiagnosticError):
    """A construct is used outside of the construct that it is a part of. Axes, T.reads, T.writes, T.where and T.init
    are parts of a block.
    """

    code = "TS2017"
    message = "{what} must be inside {place}"


class GivenTwice(DiagnosticError):
    """A construct is used twice that may be used once."""

    code = "TS2018"
    message = "{what} is given twice"
    advice = "merge the two"


class NotALoopVariable(DiagnosticError):
    """T.axis.remap binds axes to loop variables and takes the extents of the loops. For other values use T.axis.spatial
    or T.axis.reduce, which take an extent.
    """

    code = "TS2019"
    message = "{what} is not the variable of an enclosing loop"


class NestedTooDeeply(DiagnosticError):
    """Expressions and statements nest too deeply. The limit bounds the memory and the time of parsing."""

    code = "TS2020"
    message = "the program nests more than {limit} levels deep"


class InvalidCondition(DiagnosticError):
    """A condition must be a scalar of type bool. Compare numbers with zero explicitly: n != 0."""

    code = "TS2021"
    message = "{what} is not a condition"
    advice = "write a comparison"


class SeveralDefinitions(DiagnosticError):
    """`from_source` returns one program. Put several functions into a module, a class under @I.ir_module."""

    code = "TS2022"
    message = "the text defines several programs: {names}"


class UnknownDecorator(DiagnosticError):
    """Functions of a text need @T.prim_func or @T.macro, classes need @I.ir_module."""

    code = "TS2023"
    message = "{name} is not decorated with {expected}"
    advice = "write {expected} above it"


class InvalidImport(DiagnosticError):
    """A text is parsed, not executed, so it cannot import Python modules. Imports of tvm and tvmscript define aliases
    of `T` and `I`.
    """

    code = "TS2024"
    message = "a text cannot import {name}: it is parsed, not executed"
    advice = "use names of T and I, or write a decorated function"


class InvalidOperation(DiagnosticError):
    """An operation on Python values fails while parsing, such as a division by zero or an index out of range."""

    code = "TS2025"
    message = "{what}: {reason}"


class ValueTooLarge(DiagnosticError):
    """A value computed while parsing, or an expansion of statements, exceeds its size limit."""

    code = "TS2026"
    message = "the result of {what} is too large"


class TextTooLarge(DiagnosticError):
    """The text exceeds the size limit."""

    code = "TS2027"
    message = "the text has {size} characters, the limit is {limit}"


class PythonFailed(DiagnosticError):
    """A captured Python function raised an exception, which is the `__cause__` of this error."""

    code = "TS2029"
    message = "{function} raised {error}"


class NoSource(DiagnosticError):
    """The source of a decorated function is not available, for example because exec() defined it."""

    code = "TS2030"
    message = "the source of {name} cannot be found"
    advice = (
        "define it in a file, pass the text to @T.prim_func(source=text), compile the text with the file name that "
        "tvmscript.script.register_source(text) returns, or call tvmscript.from_source(text)"
    )


class NoCounterpart(DiagnosticError):
    """A name of TVM that is not supported, such as those of the tile level of TVM 0.27."""

    code = "TS2040"
    message = "{name} is part of {place}, which is not supported"


class MissingConstant(DiagnosticError):
    """Neither the section `metadata` nor the caller provides a constant that the text refers to by fingerprint."""

    code = "TS2050"
    message = "the constant {name} is not in the text"

    advice = "print with show_meta=True, read with tvmscript.load, or pass extra_vars={{'metadata': {{...}}}}"


class ChangedConstant(DiagnosticError):
    """The data of a constant do not match its fingerprint."""

    code = "TS2051"
    message = "the data of the constant {name} have the fingerprint {found}"


class InvalidMetadata(DiagnosticError):
    """The section `metadata` of TVM is invalid."""

    code = "TS2052"
    message = "tvm.ir.load_json: {reason}"


class Refused(DiagnosticError):
    """An error of the IR with a span. Each instance has the code of the original error."""

    code = "TS2031"
    message = "{reason}"

    def __init__(self, **facts: object) -> None:
        super().__init__(**facts)
        # the instance's own code hides that of the class
        self.__dict__["code"] = facts.get("original", type(self).code)


def refused(error: TVMScriptError, span: Span) -> Refused:
    """Convert an error of the IR to a diagnostic at a span."""
    return Refused(
        reason=error.text, original=error.code, span=error.span or span, hint=error.hint, notes=tuple(error.notes)
    )
