"""From text to Python's syntax tree, and from its nodes to spans: the only line arithmetic of the parser."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from tvmscript.ir.core.span import Source, Span
from tvmscript.parser.errors import InvalidSyntax, NoSource, TextTooLarge

#: Longest text that is read, in characters.
MAX_CHARACTERS = 32 << 20


class SourceTree:
    """A text with its syntax tree. `span(node)` is where a node stands in the file."""

    __slots__ = ("_first_line", "_indent", "_is_ascii", "source", "tree")

    def __init__(self, source: Source) -> None:
        text = source.text
        self.source = source
        self._first_line = source.first_line - 1
        self._indent = source.indent + 1
        if len(text) > MAX_CHARACTERS:
            raise TextTooLarge(size=len(text), limit=MAX_CHARACTERS, span=self.point(1, 0))
        self._is_ascii = text.isascii()
        self.tree = self._parse(text)

    def _parse(self, text: str) -> ast.Module:
        try:
            return ast.parse(text, self.source.name)
        except SyntaxError as error:
            raise self._syntax_error(error) from None
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            # null bytes, lone surrogates, numbers of thousands of digits, nesting that Python's parser refuses
            raise InvalidSyntax(reason=str(error) or "the text nests too deeply", span=self.point(1, 0)) from None

    def _syntax_error(self, error: SyntaxError) -> InvalidSyntax:
        line = min(max(error.lineno or 1, 1), len(self.source.lines) + 1)
        column = max((error.offset or 1) - 1, 0)
        end_line, end_column = error.end_lineno or line, (error.end_offset or 0) - 1
        if (end_line, end_column) <= (line, column):
            end_line, end_column = line, column + 1
        first, indent = self._first_line, self._indent
        span = Span(self.source, line + first, column + indent, end_line + first, end_column + indent)
        return InvalidSyntax(reason=error.msg, span=span)

    def point(self, line: int, column: int) -> Span:
        """One character of the text; the line counts from 1, the column from 0."""
        line, column = line + self._first_line, column + self._indent
        return Span(self.source, line, column, line, column + 1)

    def span(self, node: Any) -> Span:
        """Where a statement, an expression, an argument or a keyword stands."""
        first, indent = self._first_line, self._indent
        if self._is_ascii:
            return Span(
                self.source,
                node.lineno + first,
                node.col_offset + indent,
                node.end_lineno + first,
                node.end_col_offset + indent,
            )
        return Span(
            self.source,
            node.lineno + first,
            self._characters(node.lineno, node.col_offset) + indent,
            node.end_lineno + first,
            self._characters(node.end_lineno, node.end_col_offset) + indent,
        )

    def _characters(self, line: int, column: int) -> int:
        """Characters before a byte offset of a line (`ast` counts UTF-8 bytes)."""
        lines = self.source.lines
        text = lines[line - 1] if line <= len(lines) else ""
        return len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))


def text_source(text: str, name: str = "<text>") -> Source:
    """The source of a whole text."""
    return Source(text, name)


def source_of(item: Callable[..., Any] | type) -> SourceTree:
    """The source of a decorated function or class, found through `inspect` and `linecache`. Raises `NoSource`."""
    name = inspect.getsourcefile(item) if _has_file(item) else None
    try:
        lines, first_line = inspect.getsourcelines(item)
    except (OSError, TypeError, IndexError, SyntaxError):
        source = Source("", name or "<unknown>")
        raise NoSource(name=item.__name__, span=Span(source, 1, 1, 1, 2)) from None
    text = "".join(lines)
    dedented = textwrap.dedent(text)
    indent = len(lines[0]) - len(lines[0].lstrip())
    return SourceTree(Source(dedented, name or "<unknown>", first_line, indent))


def _has_file(item: Callable[..., Any] | type) -> bool:
    try:
        inspect.getfile(item)
    except (OSError, TypeError):
        return False
    return True
