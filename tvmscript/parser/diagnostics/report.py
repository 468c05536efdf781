"""Collection of errors: one run reports all errors of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tvmscript.ir.core import Span
from tvmscript.ir.core.errors import DiagnosticError, OperandTooLarge, TVMScriptError, together
from tvmscript.parser.diagnostics.errors import NestedTooDeeply, PythonFailed, ValueTooLarge, refused

Result = TypeVar("Result")

#: errors that are reported at once
MAX_ERRORS = 20
#: failed statements, reported or not, after which parsing stops
_MAX_FAILURES = 500


class Reported(Exception):  # not an error of its own
    """Control flow: parsing failed, and the errors are in the report."""


class Report:
    """The errors of a text, at most one for each place and code."""

    __slots__ = ("_failures", "_places", "errors", "stopped")

    def __init__(self) -> None:
        self.errors: list[DiagnosticError] = []
        #: parsing must not continue
        self.stopped = False
        self._failures: list[Span] = []
        self._places: set[tuple[str, str, int, int]] = set()

    @property
    def count(self) -> int:
        """Number of failures so far, reported or not."""
        return len(self._failures)

    def add(self, error: TVMScriptError, span: Span, quiet: bool = False) -> None:
        """Record an error; a `quiet` one follows from another error and is not reported.

        Raises `Reported` when parsing must stop.
        """
        for item in error.errors:
            diagnostic = item if isinstance(item, DiagnosticError) else refused(item, span)
            diagnostic.__cause__ = diagnostic.__cause__ or (item if item is not diagnostic else None)
            diagnostic.others = ()
            place = diagnostic.span or span
            self._failures.append(place)
            key = diagnostic.code, place.source.name, place.line, place.column
            if not quiet and key not in self._places:
                self._places.add(key)
                self.errors.append(diagnostic)
        if (
            isinstance(error, (NestedTooDeeply, ValueTooLarge))
            or error.code == OperandTooLarge.code
            or len(self.errors) >= MAX_ERRORS
            or len(self._failures) >= _MAX_FAILURES
        ):  # fmt: skip
            self.stopped = True
        if self.stopped:
            raise Reported

    def has_failure_in(self, span: Span) -> bool:
        """Whether a failure lies within a span."""
        begin, end = (span.line, span.column), (span.end_line, span.end_column)
        return any(
            failure.source is span.source and begin <= (failure.line, failure.column) < end
            for failure in self._failures
        )

    def run(self, parse: Callable[[], Result]) -> Result:
        """Return the result of `parse`; raise all recorded errors as one, the first with the others attached."""
        try:
            result = parse()
        except Reported:
            pass
        except DiagnosticError as error:
            if not self.errors:
                raise without_parser_frames(error) from error.__cause__
            if len(self.errors) < MAX_ERRORS:
                self.errors.append(error)
        else:
            if not self.errors:
                return result
        raise without_parser_frames(together(self.errors))


def without_parser_frames(error: DiagnosticError) -> DiagnosticError:
    """Drop the parser's frames and causes inside the IR from an error. Exceptions of the user's Python stay."""
    for item in error.errors:
        item.__traceback__ = None
        if not isinstance(item, PythonFailed):
            item.__cause__ = None
    return error
