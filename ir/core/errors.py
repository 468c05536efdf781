"""Errors: one class each, with a code and a message template; the base class points at the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.core.span import Span
from tvmscript.ir.core.visible import visible

#: A span of more lines than this is shown by its first and last lines.
_LONG_SPAN = 6
#: Longest part of a line that is shown.
_LONG_LINE = 160
#: Longest message of a `DiagnosticError`.
_LONG_TEXT = 800

ErrorT = TypeVar("ErrorT", bound="TVMScriptError")


def is_same_definition(registered: Any, new: Any) -> bool:
    """Whether two classes or functions are one definition: a module whose import was interrupted runs once more."""
    return (registered.__module__, registered.__qualname__) == (new.__module__, new.__qualname__)


class TVMScriptError(RuntimeError):
    """Base of every error of the package. It is a RuntimeError, as TVM's own class.

    A subclass states its `code`, and `message`, a template that is filled from the keyword arguments.
    `span` is the location, `hint` suggests a correction, `notes` are further locations: (span, text). Of several errors
    reported together, the first is raised and holds the rest in `others`. `tvmscript explain CODE` shows the docstring
    of a subclass.
    """

    code: ClassVar[str] = "TS0000"
    message: ClassVar[str] = "{text}"
    #: the default hint, a template like the message
    advice: ClassVar[str | None] = None
    #: code -> class, for the catalogue
    catalogue: ClassVar[dict[str, type[TVMScriptError]]] = {}

    def __init_subclass__(cls, code: str | None = None) -> None:
        super().__init_subclass__()
        if code is not None:
            if not is_same_definition(TVMScriptError.catalogue.get(code, cls), cls):
                raise ValueError(f"{cls.__name__}: the error code {code} is taken")
            cls.code = code
            TVMScriptError.catalogue[code] = cls

    def __init__(
        self,
        *text: str,
        span: Span | None = None,
        hint: str | None = None,
        notes: Sequence[tuple[Span | None, str]] = (),
        **facts: object,
    ) -> None:
        if self.message == "{text}":  # TVM's own error class is raised with a text
            facts.setdefault("text", " ".join(text))
        self.facts = facts
        self.text = self.message.format(**facts)
        self.span = span
        self.hint: str | None = self.propose(facts) if hint is None else hint
        self.notes = list(notes)
        self.others: tuple[TVMScriptError, ...] = ()
        super().__init__(self.text)

    @classmethod
    def propose(cls, facts: Mapping[str, object]) -> str | None:
        """Return the default hint for these facts."""
        return cls.advice.format(**facts) if cls.advice is not None else None

    @property
    def errors(self) -> tuple[TVMScriptError, ...]:
        """All errors reported together; this one is the first."""
        return (self, *self.others)

    @property
    def line(self) -> int | None:
        """Line of the span in its file, from 1."""
        return self.span.line if self.span else None

    @property
    def column(self) -> int | None:
        """Column of the span, from 1."""
        return self.span.column if self.span else None

    def __str__(self) -> str:
        return self.render()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.span, self.hint, self.notes, self.facts, self.others)

    def render(self) -> str:
        """Return the text of all errors and their number."""
        if not self.others:
            return self.render_alone()
        return "\n\n".join([*(error.render_alone() for error in self.errors), f"{len(self.errors)} errors"])

    def render_alone(self) -> str:
        """Return the message with its code, source lines, carets, notes and hint."""
        parts = [f"error[{self.code}]: {visible(self.text)}"]
        if self.span is not None:
            parts.append(excerpt(self.span))
        for span, text in self.notes:
            parts.append(f"note: {visible(text)}")
            if span is not None:
                parts.append(excerpt(span))
        if self.hint:
            parts.append(f"hint: {visible(self.hint)}")
        return "\n".join(parts)


def _rebuild(
    cls: type[TVMScriptError],
    span: Any,
    hint: Any,
    notes: Any,
    facts: dict[str, Any],
    others: tuple[TVMScriptError, ...] = (),
) -> TVMScriptError:
    error = cls(span=span, hint=hint, notes=notes, **facts)
    error.others = others
    return error


def together(errors: Sequence[ErrorT]) -> ErrorT:
    """Return the first of several errors in text order, with the others attached."""
    first, *others = sorted(errors, key=_place)
    first.others = tuple(others)
    return first


def _cut(text: str) -> str:
    return text if len(text) < _LONG_TEXT else f"{text[: _LONG_TEXT // 2]} ... {text[-_LONG_TEXT // 4 :]}"


def _place(error: TVMScriptError) -> tuple[float, int]:
    return (error.span.line, error.span.column) if error.span is not None else (float("inf"), 0)


def excerpt(span: Span) -> str:
    """Return the lines of a span with line numbers and carets."""
    width = len(str(span.end_line))
    cut = max(span.column - 1 - _LONG_LINE // 2, 0) if len(span.source.line(span.line)) > _LONG_LINE else 0
    rows = [f"{' ' * width}--> {visible(span.source.name)}:{span.line}:{span.column}", f"{' ' * width} |"]
    numbers: list[int | None] = list(range(span.line, span.end_line + 1))
    if len(numbers) > _LONG_SPAN:
        numbers = [*numbers[:3], None, *numbers[-2:]]
    for number in numbers:
        if number is None:
            rows.append(f"{'.' * width} |")
            continue
        whole = span.source.line(number).replace("\t", " ")
        text = whole[cut : cut + _LONG_LINE]
        rows.append(f"{number:>{width}} | {visible(text)}".rstrip())
        begin = span.column - 1 - cut if number == span.line else len(text) - len(text.lstrip())
        end = min(span.end_column - 1 - cut if number == span.end_line else _LONG_LINE, len(text.rstrip()))
        if text.strip() or number == span.line:
            first, last = _shown_column(text, begin), _shown_column(text, end)
            rows.append(f"{' ' * width} | {' ' * first}{'^' * max(last - first, 1)}")
    return "\n".join(rows)


def _shown_column(text: str, column: int) -> int:
    """Return where a column of a text is after its characters are escaped."""
    return max(column, 0) + len(visible(text[: max(column, 0)])) - len(text[: max(column, 0)])


class DiagnosticError(TVMScriptError):
    """Base of errors in source text: they always have a span. Long quotations are truncated."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(**facts)
        self.text = _cut(self.text)
        if self.hint is not None:
            self.hint = _cut(self.hint)


class IRError(TVMScriptError):
    """Base of errors in building or changing IR."""


class InvalidDType(IRError, code="TS1001"):
    """The name is not a data type. Data types are int8 to int64 and uint8 to uint64 (any width up to 64 bits, and 128),
    float16, float32, float64, bfloat16, the 8-bit floats, bool and handle; the suffix `x4` denotes a vector of 4 lanes.
    """

    message = "{name} is not a data type"
    advice = "types are int32, float32, bool, handle, float32x4, ..."


class DTypeMismatch(IRError, code="TS1002"):
    """Two operands have incompatible data types. Numbers are converted to a common type, but pointers are not numbers,
    vectors must have equal numbers of lanes, and the type of a variable is fixed.
    """

    message = "{where}: the data types {left} and {right} do not go together"
    advice = "make both of one type"


class WrongType(IRError, TypeError, code="TS1003"):
    """An argument has the wrong kind: a float as an index, a number instead of a buffer, a string in arithmetic."""

    message = "{where} takes {expected}, but got {got}"


class ValueOutOfRange(IRError, code="TS1004"):
    """A constant does not fit in its data type. The parser does not wrap constants."""

    message = "{value} does not fit in {dtype}"
    advice = "use a wider type"


class WrongRank(IRError, code="TS1005"):
    """The number of indices differs from the number of dimensions of the buffer."""

    message = "buffer {buffer} has {rank} dimensions, but {count} indices are given"
    advice = "write one index for each dimension"


class WrongArgumentCount(IRError, ValueError, code="TS1006"):
    """A function in `T` is called with the wrong number of arguments."""

    message = "{where} takes {expected}, but got {got}"


class ExprAsBool(IRError, ValueError, code="TS1007"):
    """An expression of the program is used as a Python condition (by `if`, `and`, `not` or `while` in a helper
    function). Its value is unknown until the program runs.
    """

    message = "an expression of the program has no truth value while the program is built"


class NotCompiled(IRError, TypeError, code="TS1011"):
    """A module is called. `tvmscript.build(module)` compiles it, and gives its functions by name:
    tvmscript.build(module)["f"](a, b). A function is compiled when it is called.
    """

    message = "{what} cannot be called: it is a program, not compiled code"


class UnknownName(IRError, ValueError, code="TS1008"):
    """A name is unknown: that of a keyword argument, an operator, a pass, or a function of a module."""

    message = "there is no {kind} named {name}"


class DuplicateName(IRError, ValueError, code="TS1009"):
    """A name is registered twice."""

    message = "there is already a {kind} named {name}"


class InvalidAttribute(IRError, code="TS1010"):
    """The value of an attribute has an unsupported type. Numbers, strings, None, expressions, lists and dicts with
    string keys are supported.
    """

    message = "{value} cannot be the value of an attribute"
    advice = "attributes are numbers, strings, None, expressions, and lists and dicts of these"


class OperandTooLarge(IRError, code="TS1012"):
    """An operator that uses its operand several times (`T.abs` of an integer, `T.isinf`, `0 < x < 4`) is nested too
    often: each level is two or three times as large as the one inside.
    """

    message = "an operand that is used several times is too large: the limit is {limit} nodes"
    advice = "give it a name, so that it is computed once: x: T.int32 = ..."
