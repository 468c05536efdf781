"""Source texts and spans in them."""

from __future__ import annotations

import re
from functools import cached_property

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as Python counts them: `str.splitlines` also ends lines at form feeds."""
    return _LINE.findall(text)


class Source:
    """A text that programs are read from.

    `first_line` and `indent` place a dedented excerpt (the source of a decorated function) in its file.
    """

    def __init__(self, text: str, name: str = "<text>", first_line: int = 1, indent: int = 0) -> None:
        self.text = text
        self.name = name
        self.first_line = first_line
        self.indent = indent

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without line ends; as in Python, a form feed ends no line."""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return lines if lines[-1] else lines[:-1]

    def line(self, number: int) -> str:
        """The line with this number, counted as in the file; empty outside of the text."""
        index = number - self.first_line
        return self.lines[index] if 0 <= index < len(self.lines) else ""


class Span:
    """A range of text: lines count from 1 and columns from 1, as editors do; the end is exclusive."""

    __slots__ = ("column", "end_column", "end_line", "line", "source")

    def __init__(self, source: Source, line: int, column: int, end_line: int, end_column: int) -> None:
        self.source = source
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column

    def __repr__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"
