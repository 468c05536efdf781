"""Scopes of the text under construction, and the ranges of nodes in it.

A scope holds the first line of its current statement, so that a declaration can be inserted above a statement that is
partly written. Ranges are found by marks: control characters around the text of each node, removed at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import Node

_BEGIN, _SEPARATOR, _END = "\x01", "\x02", "\x03"
#: first character of a line that declares a name for the statement below it
DECLARED = "\x04"
_MARK = re.compile(f"{_BEGIN}([0-9]+){_SEPARATOR}|{_END}|{DECLARED}")


class Frame:
    """A scope of the text, and the names that are defined in it."""

    __slots__ = ("concise", "defined", "indent", "mark", "node")

    def __init__(self, node: Node | None, indent: str, mark: int) -> None:
        #: its statement or function; None for the outermost scope of a fragment
        self.node = node
        self.indent = indent
        #: first line of the current statement
        self.mark = mark
        #: the scope of the current statement may extend to the end of this one
        self.concise = False
        self.defined: list[tuple[Any, str]] = []


@dataclass(frozen=True, slots=True)
class TextRange:
    """The range of a node: offsets into the text, the end exclusive."""

    node: Node
    begin: int
    end: int


class RangeMarks:
    """RangeMarks around the texts of nodes."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def wrap(self, node: Node, text: str) -> str:
        """Return the text of a node between marks."""
        self.nodes.append(node)
        return f"{_BEGIN}{len(self.nodes) - 1}{_SEPARATOR}{text}{_END}"

    def remove(self, marked: str) -> tuple[str, list[TextRange]]:
        """Return the text without marks, and the range of each node, outer ones first."""
        pieces: list[str] = []
        ranges: list[TextRange | None] = []
        open_marks: list[tuple[int, int, int]] = []
        position = length = 0
        for match in _MARK.finditer(marked):
            piece = marked[position : match.start()]
            pieces.append(piece)
            length += len(piece)
            position = match.end()
            if match[1] is not None:
                open_marks.append((len(ranges), int(match[1]), length))
                ranges.append(None)
            elif match[0] == _END:
                slot, index, begin = open_marks.pop()
                ranges[slot] = TextRange(self.nodes[index], begin, length)
        pieces.append(marked[position:])
        return "".join(pieces), [node_range for node_range in ranges if node_range is not None]


def number_lines(text: str) -> str:
    """Return the text with right-aligned line numbers."""
    lines = text.split("\n")
    width = len(str(len(lines)))
    return "\n".join([f"{number:>{width}} {line}" for number, line in enumerate(lines, 1)])
