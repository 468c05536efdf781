"""The syntax tree of a text, and the spans of its nodes. All line and column arithmetic of the parser is here."""

from __future__ import annotations

import ast
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final

from tvmscript.ir.core import WrongType
from tvmscript.ir.core.span import Source, Span
from tvmscript.parser.diagnostics.errors import InvalidSyntax, TextTooLarge
from tvmscript.parser.source.strip_line_numbers import strip_line_numbers
from tvmscript.parser.source.type_parameters import TypeParameters, blank_type_parameters, parsed_type_parameters

#: longest text that is parsed, in characters
MAX_CHARACTERS = 32 << 20
#: characters of a line whose columns are converted by encoding it
_SHORT_LINE: Final = 256


class SourceTree:
    """A text with its Python syntax tree."""

    __slots__ = ("_first_line", "_is_ascii", "_offsets", "_type_parameters", "source", "tree")

    def __init__(self, source: Source) -> None:
        text = source.text
        self.source = source
        self._first_line = source.first_line - 1
        #: long line with letters outside of ASCII -> the byte offsets of its characters and of its end
        self._offsets: dict[int, array[int]] = {}
        #: line of a function -> its type parameters, where Python's grammar lacks them
        self._type_parameters: dict[int, TypeParameters] = {}
        if len(text) > MAX_CHARACTERS:
            raise TextTooLarge(size=len(text), limit=MAX_CHARACTERS, span=self.point(1, 0))
        self._is_ascii = text.isascii()
        self.tree = self._parse(text)

    @property
    def definition(self) -> ast.stmt:
        """The first statement. An indented excerpt is nested in an `if True:`."""
        first = self.tree.body[0]
        return first.body[0] if isinstance(first, ast.If) else first

    def part(self, body: list[ast.stmt], first: int, last: int) -> SourceTree:
        """Return a tree of some statements; its source has only the lines `first` to `last`, comments included."""
        part = SourceTree.__new__(SourceTree)
        lines = self.source.lines[first - 1 : last]
        part.source = Source("\n".join(lines), self.source.name, first)
        part.tree = ast.Module(body, [])
        part._first_line = 0
        part._offsets = {}
        part._type_parameters = self._type_parameters
        part._is_ascii = self._is_ascii
        return part

    def _parse(self, text: str) -> ast.Module:
        try:
            return ast.parse(text, self.source.name)
        except SyntaxError as error:
            blanked_text, type_parameters = blank_type_parameters(text)
            if type_parameters:
                self._type_parameters = type_parameters
                return self._parse(blanked_text)
            plain_text = strip_line_numbers(text)
            if plain_text is not None:
                self.source = Source(plain_text, self.source.name, self.source.first_line)
                return self._parse(plain_text)
            raise self._syntax_error(error) from None
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            # null bytes, lone surrogates, numbers with thousands of digits, nesting too deep for Python's parser
            raise InvalidSyntax(reason=str(error) or "the text nests too deeply", span=self.point(1, 0)) from None

    def type_parameters(self, node: ast.FunctionDef) -> tuple[str, ...]:
        """Return the names of the type parameters of a function: `n` and `m` of `def main[n, m: int](...)`.

        They are sizes of int64. Raises `InvalidSyntax` for another bound.
        """
        parameters = self._type_parameters.get(node.lineno) or parsed_type_parameters(node)
        for name, bound in parameters.items():
            if bound not in ("", "int"):
                reason = f"the size {name} is an int64, written `{name}` or `{name}: int`, but its bound is {bound}"
                raise InvalidSyntax(reason=reason, span=self.heading(node))
        return tuple(parameters)

    def _syntax_error(self, error: SyntaxError) -> InvalidSyntax:
        line = min(max(error.lineno or 1, 1), len(self.source.lines) + 1)
        column = max((error.offset or 1) - 1, 0)
        end_line, end_column = error.end_lineno or line, (error.end_offset or 0) - 1
        if (end_line, end_column) <= (line, column):
            end_line, end_column = line, column + 1
        first = self._first_line
        span = Span(self.source, line + first, column + 1, end_line + first, end_column + 1)
        return InvalidSyntax(reason=error.msg, span=span)

    def point(self, line: int, column: int) -> Span:
        """Return the span of one character; `line` counts from 1, `column` from 0."""
        line += self._first_line
        return Span(self.source, line, column + 1, line, column + 2)

    def span(self, node: Any) -> Span:
        """Return the span of a statement, expression, argument or keyword."""
        first = self._first_line
        if self._is_ascii:
            return Span(
                self.source, node.lineno + first, node.col_offset + 1, node.end_lineno + first, node.end_col_offset + 1
            )
        return Span(
            self.source,
            node.lineno + first,
            self._characters(node.lineno, node.col_offset) + 1,
            node.end_lineno + first,
            self._characters(node.end_lineno, node.end_col_offset) + 1,
        )

    def put(self, node: Any, span: Span) -> None:
        """Move a node that was parsed from a string literal to the span of the literal."""
        node.lineno, node.col_offset = span.line - self._first_line, self._bytes(span.line, span.column - 1)
        node.end_lineno, node.end_col_offset = (
            span.end_line - self._first_line,
            self._bytes(span.end_line, span.end_column - 1),
        )

    def _bytes(self, line: int, characters: int) -> int:
        """Convert a column from characters to UTF-8 bytes."""
        if self._is_ascii:
            return characters
        text = self.source.line(line)
        if len(text) > _SHORT_LINE:
            offsets = self._offsets_of(line, text)
            return offsets[min(characters, len(offsets) - 1)]
        return len(_encoded(text[:characters]))

    def heading(self, node: ast.FunctionDef | ast.ClassDef) -> Span:
        """Return the span of `def name` or `class name`."""
        start = self.span(node)
        word = "class " if isinstance(node, ast.ClassDef) else "def "
        return Span(start.source, start.line, start.column, start.line, start.column + len(word) + len(node.name))

    def _characters(self, line: int, column: int) -> int:
        """Convert a column from UTF-8 bytes, as `ast` counts, to characters."""
        text = self.source.line(line + self._first_line)
        if len(text) > _SHORT_LINE:
            return bisect_right(self._offsets_of(line + self._first_line, text), column) - 1
        return len(_encoded(text)[:column].decode("utf-8", "ignore"))

    def _offsets_of(self, line: int, text: str) -> array[int]:
        """Return the byte offsets of the characters of a line and of its end."""
        offsets = self._offsets.get(line)
        if offsets is None:
            sizes = (1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4 for char in text)
            offsets = self._offsets[line] = array("L", accumulate(sizes, initial=0))
        return offsets


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def text_source(text: str, name: str = "<text>") -> Source:
    """Return the source of a text, without a byte order mark. Raises `WrongType`."""
    if not isinstance(text, str):
        raise WrongType(where="from_source", expected="a string", got=type(text).__name__)
    return Source(text.removeprefix("\ufeff"), name)
