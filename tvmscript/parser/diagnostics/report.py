"""Errors that are kept while a text is read on, so that one run tells all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError, together
from tvmscript.ir.core.span import Span
from tvmscript.parser.diagnostics.errors import NestedTooDeeply, PythonFailed, ValueTooLarge, refused
from tvmscript.parser.names.namespace import Namespace

Found = TypeVar("Found")

#: Errors that are told at once.
MAX_ERRORS = 20
#: Failed statements, told or not, after which nothing more is read.
_MAX_FAILURES = 500


class Reported(Exception):  # no error of its own: the report has what is wrong
    """What was to be read has errors, which are in the report."""


class Poison:
    """What a name stands for whose definition failed. Errors of statements that use it are not told."""

    __slots__ = ()


POISON: Final = Poison()


class Report:
    """The errors of a text. What is added while an error is told already at that place is not told again."""

    __slots__ = ("_failures", "_places", "errors", "stopped")

    def __init__(self) -> None:
        self.errors: list[DiagnosticError] = []
        #: nothing more is to be read
        self.stopped = False
        self._failures: list[Span] = []
        self._places: set[tuple[str, str, int, int]] = set()

    @property
    def count(self) -> int:
        """How much has failed up to here."""
        return len(self._failures)

    def add(self, error: TVMScriptError, span: Span, quiet: bool = False) -> None:
        """Keep an error, unless it follows from another one (`quiet`). Raises `Reported` where reading has to end."""
        for item in error.errors:
            found = item if isinstance(item, DiagnosticError) else refused(item, span)
            found.__cause__ = found.__cause__ or (item if item is not found else None)
            found.others = ()
            place = found.span or span
            self._failures.append(place)
            key = found.code, place.source.name, place.line, place.column
            if not quiet and key not in self._places:
                self._places.add(key)
                self.errors.append(found)
        if (
            isinstance(error, NestedTooDeeply | ValueTooLarge)
            or len(self.errors) >= MAX_ERRORS
            or len(self._failures) >= _MAX_FAILURES
        ):  # fmt: skip
            self.stopped = True
        if self.stopped:
            raise Reported

    def is_inside(self, span: Span) -> bool:
        """Whether something failed within this part of the text."""
        begin, end = (span.line, span.column), (span.end_line, span.end_column)
        return any(
            item.source is span.source and begin <= (item.line, item.column) < end for item in self._failures
        )  # fmt: skip

    def told(self, read: Callable[[], Found]) -> Found:
        """What a function reads; at its end all errors are raised as one: the first of the text, with the others."""
        try:
            found = read()
        except Reported:
            pass
        except DiagnosticError as error:
            if not self.errors:
                raise without_reader(error) from error.__cause__
            if len(self.errors) < MAX_ERRORS:
                self.errors.append(error)
        else:
            if not self.errors:
                return found
        raise without_reader(together(self.errors))


def without_reader(error: DiagnosticError) -> DiagnosticError:
    """The error without the frames of the reader, and without what the IR said to the reader: both tell a user nothing.
    What a Python function of the user raised stays.
    """
    for item in error.errors:
        item.__traceback__ = None
        if not isinstance(item, PythonFailed):
            item.__cause__ = None
    return error


def header(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement without the statements in it."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        stack += [child for child in ast.iter_child_nodes(item) if not isinstance(child, ast.stmt)]


def uses_poison(node: ast.AST, names: dict[str, Any]) -> bool:
    """Whether a statement names something whose definition failed."""
    return any(_is_poison(_named(item, names)) for item in header(node))


def _named(node: ast.AST, names: dict[str, Any]) -> Any:
    """What a name, or a name of a namespace, stands for."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = names.get(node.value.id)
        return owner.table.get(node.attr) if isinstance(owner, Namespace) else None
    return None


def _is_poison(value: Any) -> bool:
    return value is POISON or (isinstance(value, tuple | list) and any(_is_poison(item) for item in value))


def defined_names(node: ast.AST) -> Iterable[str]:
    """The names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    return [item.id for item in header(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)]
