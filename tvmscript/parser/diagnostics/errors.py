"""Errors of texts, each with a span."""

from __future__ import annotations

from tvmscript.ir.core import DiagnosticError, Span, TVMScriptError


class InvalidSyntax(DiagnosticError, code="TS2001"):
    """The text is not valid Python. The syntax of programs is that of Python."""

    message = "the text is not valid Python: {reason}"


class NothingDefined(DiagnosticError, code="TS2002"):
    """A text must define a function under @T.prim_func or a class under @I.ir_module."""

    message = "the text defines neither a function nor a module"


class UndefinedName(DiagnosticError, code="TS2003"):
    """The name is not defined in this scope. Names defined in a loop, branch or block are local to it. Intrinsics need
    the prefix `T.`.
    """

    message = "{name} is not defined"
    advice = "assign it before its use, or add a parameter"


class UnknownMember(DiagnosticError, code="TS2004"):
    """The namespace has no such name, or the value has no such attribute."""

    message = "{owner} has no {name}"


class DefinedAgain(DiagnosticError, code="TS2032"):
    """A name is used after an inner scope (of a branch, loop or block) that defined it again. Python would use the
    inner definition. Variables of a program are immutable, so it would use the outer one. The use is ambiguous.
    """

    message = "{name} is ambiguous: an inner scope that has ended defined it again"
    advice = "rename the inner variable, or store the value in a buffer"


class UnsupportedSyntax(DiagnosticError, code="TS2005"):
    """Python syntax that programs do not support. Programs consist of assignments, stores, for, while, if, with,
    assert, return and calls. The text is parsed, not executed.
    """

    message = "{what} is not supported here"


class NotCallable(DiagnosticError, code="TS2006"):
    """The callee is not a function, but for example a buffer, a number or a namespace."""

    message = "{what} cannot be called"
    advice = "call a function of T or I, a function of the module, or a macro"


class InvalidArguments(DiagnosticError, code="TS2007"):
    """The arguments of a call do not match the signature of the function."""

    message = "{function}: {reason}"


class AlreadyDefined(DiagnosticError, code="TS2008"):
    """A scope defines a name twice. Variables of a program are immutable; values that change are stored in buffers."""

    message = "{name} is already defined in this scope"
    advice = "rename one of them"


class NotALoop(DiagnosticError, code="TS2009"):
    """`for` iterates over range, or over a loop of T. In decorated functions it also iterates over Python sequences;
    such a loop is unroll.
    """

    message = "for cannot iterate over {what}"


class NotAContext(DiagnosticError, code="TS2010"):
    """`with` needs a construct that has a body, such as a block, an allocation or an attribute."""

    message = "with cannot be used on {what}"


class NoStatement(DiagnosticError, code="TS2011"):
    """A value is not used."""

    message = "{what} is not a statement"
    advice = "store it in a buffer"


class CannotAssign(DiagnosticError, code="TS2012"):
    """The target is neither a name nor an element of a buffer, or the value cannot have a name."""

    message = "{what} cannot be assigned to"
    advice = "assign to a name or to an element of a buffer"


class WrongTargetCount(DiagnosticError, code="TS2013"):
    """The numbers of targets and values differ. Each loop of T.grid and each axis of T.axis.remap has a target."""

    message = "{names} names for {values} values"
    advice = "write one name for each value"


class NotAnExpression(DiagnosticError, code="TS2014"):
    """The value is not an expression, but for example a buffer, a tuple, None or a function."""

    message = "{what} is not an expression"


class MissingAnnotation(DiagnosticError, code="TS2015"):
    """Every parameter needs a type annotation."""

    message = "the parameter {name} has no type annotation"


class InvalidAnnotation(DiagnosticError, code="TS2016"):
    """The annotation is not a type. Types are T.int32, T.handle, ..., or T.Buffer with a shape and a dtype."""

    message = "{what} is not the type of a {role}"
    advice = 'types are T.int32, T.float32, ..., T.handle, T.Buffer(shape, "float32")'


class NotInside(DiagnosticError, code="TS2017"):
    """A construct is used outside of the construct that it is a part of. Axes, T.reads, T.writes, T.where and T.init
    are parts of a block.
    """

    message = "{what} must be inside {place}"


class GivenTwice(DiagnosticError, code="TS2018"):
    """A construct is used twice that may be used once."""

    message = "{what} is given twice"
    advice = "merge the two"


class NotALoopVariable(DiagnosticError, code="TS2019"):
    """T.axis.remap binds axes to loop variables and takes the extents of the loops. For other values use T.axis.spatial
    or T.axis.reduce, which take an extent.
    """

    message = "{what} is not the variable of an enclosing loop"


class NestedTooDeeply(DiagnosticError, code="TS2020"):
    """Expressions and statements nest too deeply. The limit bounds the memory and the time of parsing."""

    message = "the program nests more than {limit} levels deep"


class InvalidCondition(DiagnosticError, code="TS2021"):
    """A condition must be a scalar of type bool. Compare numbers with zero explicitly: n != 0."""

    message = "{what} is not a condition"
    advice = "write a comparison"


class SeveralDefinitions(DiagnosticError, code="TS2022"):
    """`from_source` returns one program. Put several functions into a module, a class under @I.ir_module."""

    message = "the text defines several programs: {names}"


class UnknownDecorator(DiagnosticError, code="TS2023"):
    """Functions of a text need @T.prim_func or @T.macro, classes need @I.ir_module."""

    message = "{name} is not decorated with {expected}"
    advice = "write {expected} above it"


class InvalidImport(DiagnosticError, code="TS2024"):
    """A text is parsed, not executed, so it cannot import Python modules. Imports of tvm and tvmscript define aliases
    of `T` and `I`.
    """

    message = "a text cannot import {name}: it is parsed, not executed"
    advice = "use names of T and I, or write a decorated function"


class InvalidOperation(DiagnosticError, code="TS2025"):
    """An operation on Python values fails while parsing, such as a division by zero or an index out of range."""

    message = "{what}: {reason}"


class ValueTooLarge(DiagnosticError, code="TS2026"):
    """A value computed while parsing, or an expansion of statements, exceeds its size limit."""

    message = "the result of {what} is too large"


class TextTooLarge(DiagnosticError, code="TS2027"):
    """The text exceeds the size limit."""

    message = "the text has {size} characters, the limit is {limit}"


class PythonFailed(DiagnosticError, code="TS2029"):
    """A captured Python function raised an exception, which is the `__cause__` of this error."""

    message = "{function} raised {error}"


class NoSource(DiagnosticError, code="TS2030"):
    """The source of a decorated function is not available, for example because exec() defined it."""

    message = "the source of {name} cannot be found"
    advice = (
        "define it in a file, pass the text to @T.prim_func(source=text), compile the text with the file name that "
        "tvmscript.script.register_source(text) returns, or call tvmscript.from_source(text)"
    )


class NoCounterpart(DiagnosticError, code="TS2040"):
    """A name of TVM that is not supported, such as those of the tile level of TVM 0.27."""

    message = "{name} is part of {place}, which is not supported"


class MissingConstant(DiagnosticError, code="TS2050"):
    """Neither the section `metadata` nor the caller provides a constant that the text refers to by fingerprint."""

    message = "the constant {name} is not in the text"

    advice = "print with show_meta=True, read with tvmscript.load, or pass extra_vars={{'metadata': {{...}}}}"


class ChangedConstant(DiagnosticError, code="TS2051"):
    """The data of a constant do not match its fingerprint."""

    message = "the data of the constant {name} have the fingerprint {found}"


class InvalidMetadata(DiagnosticError, code="TS2052"):
    """The section `metadata` of TVM is invalid."""

    message = "tvm.ir.load_json: {reason}"


class Refused(DiagnosticError, code="TS2031"):
    """An error of the IR with a span. Each instance has the code of the original error."""

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
