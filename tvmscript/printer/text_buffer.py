"""The text under construction: lines, the scopes they stand in, and where each node stands in the text.

A scope remembers where its current statement begins, so that a declaration can still be put in front of it
after the statement has been started. Ranges cost nothing unless they are asked for: then the texts of
expressions carry marks (control characters, which never stand in a script) that are taken out at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core.node import Node

_BEGIN, _SEPARATOR, _END = "\x01", "\x02", "\x03"
#: at the begin of a line: it declares a name for the statement below it
DECLARED = "\x04"
_MARK = re.compile(f"{_BEGIN}([0-9]+){_SEPARATOR}|{_END}|{DECLARED}")


class Frame:
    """A scope of the text. Names that are defined in it end with it."""

    __slots__ = ("concise", "defined", "indent", "mark", "node")

    def __init__(self, node: Node | None, indent: str, mark: int) -> None:
        #: the statement or function whose scope this is; None for the outermost scope of a fragment
        self.node = node
        self.indent = indent
        #: number of the line where the current statement begins
        self.mark = mark
        #: whether a scope that the current statement opens may run to the end of this one
        self.concise = False
        self.defined: list[tuple[Any, str]] = []


@dataclass(frozen=True, slots=True)
class TextRange:
    """Where a node stands: offsets into the text, the end exclusive."""

    node: Node
    begin: int
    end: int


class Marks:
    """Marks around the texts of nodes, and the ranges they become."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def wrap(self, node: Node, text: str) -> str:
        """The text between marks."""
        self.nodes.append(node)
        return f"{_BEGIN}{len(self.nodes) - 1}{_SEPARATOR}{text}{_END}"

    def take_out(self, marked: str) -> tuple[str, list[TextRange]]:
        """The text without marks, and the range of each mark, outer ones first."""
        pieces: list[str] = []
        ranges: list[TextRange | None] = []
        open_marks: list[tuple[int, int, int]] = []
        position = length = 0
        for found in _MARK.finditer(marked):
            piece = marked[position : found.start()]
            pieces.append(piece)
            length += len(piece)
            position = found.end()
            if found[1] is not None:
                open_marks.append((len(ranges), int(found[1]), length))
                ranges.append(None)
            elif found[0] == _END:
                slot, index, begin = open_marks.pop()
                ranges[slot] = TextRange(self.nodes[index], begin, length)
        pieces.append(marked[position:])
        return "".join(pieces), [item for item in ranges if item is not None]


def numbered(text: str) -> str:
    """The text with its line numbers in front, right-aligned."""
    lines = text.split("\n")
    width = len(str(len(lines)))
    return "\n".join([f"{number:>{width}} {line}" for number, line in enumerate(lines, 1)])
