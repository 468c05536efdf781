"""Underline parts of a text with `^`, and leave out distant lines, as TVM 0.17 does.

An object is underlined at each use as an expression, or as the statement that it is. A path is underlined at the node
it leads to, or at the innermost node around that has a range in the text.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from tvmscript.ir.core import Node
from tvmscript.ir.tir import Stmt
from tvmscript.ir.tir import stmt as S
from tvmscript.printer.text_buffer import TextRange

#: statements whose body may be the rest of the surrounding body
_OPEN_ENDED = (S.LetStmt, S.AssertStmt, S.AttrStmt, S.DeclBuffer, S.Allocate, S.AllocateConst)
_SKIPPED = "(... {} lines skipped ...)"
#: the comment of a line; `#` in strings begins none
_COMMENT = re.compile(r"""(?:[^#"]|"(?:[^"\\]|\\.)*")*?(?P<comment>\s*#)""")


class RangeTree:
    """The ranges of a text, nested."""

    def __init__(self, text: str, ranges: list[TextRange]) -> None:
        self.text = text
        self.ranges = [item for item in ranges if not self._is_open_ended(item)]
        self.inside: dict[TextRange | None, list[TextRange]] = {None: []}
        around: list[TextRange] = []
        self.around: dict[TextRange, TextRange | None] = {}
        for item in self.ranges:
            while around and item.end > around[-1].end:
                around.pop()
            outer = around[-1] if around else None
            self.inside.setdefault(outer, []).append(item)
            self.around[item] = outer
            around.append(item)

    def _is_open_ended(self, item: TextRange) -> bool:
        return isinstance(item.node, _OPEN_ENDED) and not self.text[item.begin : item.end].lstrip().startswith("with ")

    def of_object(self, node: Node, all_ranges: Iterable[TextRange]) -> list[TextRange]:
        """Return the ranges of a node; for a statement without lines of its own, of the node around it."""
        ranges = [item for item in self.ranges if item.node is node]
        if ranges:
            return ranges
        hidden = [item for item in all_ranges if item.node is node]
        return [
            outer
            for item in hidden
            for outer in [self._innermost_around(item)]
            if outer is not None
        ]  # fmt: skip

    def _innermost_around(self, hidden: TextRange) -> TextRange | None:
        around = [item for item in self.ranges if item.begin <= hidden.begin and hidden.end <= item.end]
        return around[-1] if around else None

    def of_path(self, chain: list[tuple[Node, int]]) -> list[TextRange]:
        """Return the range of the last node of a path that has one; each is searched inside the one before."""
        current: list[TextRange] = []
        for node, occurrence in chain:
            ranges = self._below(current[0] if current else None, node)
            if ranges:
                current = [ranges[occurrence]] if occurrence < len(ranges) else ranges[:1]
        return current

    def _below(self, outer: TextRange | None, node: Node) -> list[TextRange]:
        """Return the ranges of a node inside a range that are nested least deeply."""
        level = self.inside.get(outer, [])
        while level:
            ranges = [item for item in level if item.node is node]
            if ranges:
                return ranges
            level = [
                inner
                for item in level
                if outer is None or not isinstance(item.node, Stmt) or isinstance(node, Stmt) or _is_block(item, outer)
                for inner in self.inside.get(item, [])
            ]
        return []


def _is_block(item: TextRange, outer: TextRange) -> bool:
    """Whether two ranges are those of a block and its BlockRealize."""
    return isinstance(outer.node, S.BlockRealize) and outer.node.block is item.node


def underline(text: str, ranges: list[TextRange], context: int, numbers: bool) -> str:
    """Return the text with a line of `^` below each line that the ranges touch.

    `context` is the number of lines kept before and after those (negative: all lines). Comments and indentation are
    not underlined. With `numbers`, lines of the program are numbered.
    """
    lines = text.split("\n")
    columns_of = _underlined_columns(lines, _starts(lines), ranges)
    kept = _kept_lines(len(lines), columns_of, context)
    width = len(str(len(lines))) if numbers else 0
    output: list[str] = []
    skipped = 0
    for number, line in enumerate(lines):
        if number not in kept:
            skipped += 1
            continue
        if skipped:
            output.append(_SKIPPED.format(skipped))
            skipped = 0
        output.append(f"{number + 1:>{width}} {line}" if numbers else line)
        columns = columns_of.get(number)
        if columns:
            carets = "".join("^" if column in columns else " " for column in range(max(columns) + 1))
            output.append(" " * (width + 1 if numbers else 0) + carets)
    if skipped:
        output.append(_SKIPPED.format(skipped))
    return "\n".join(output)


def first_line(item: TextRange, text: str) -> TextRange:
    """Return the part of a range on its first line."""
    end = text.find("\n", item.begin, item.end)
    return item if end < 0 else dataclasses.replace(item, end=end)


def _starts(lines: list[str]) -> list[int]:
    starts, position = [], 0
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    return starts


def _underlined_columns(lines: list[str], starts: list[int], ranges: list[TextRange]) -> dict[int, set[int]]:
    marked: dict[int, set[int]] = {}
    for item in ranges:
        for number, (line, start) in enumerate(zip(lines, starts, strict=True)):
            first = max(item.begin - start, len(line) - len(line.lstrip()))
            last = min(item.end - start, _code_length(line))
            if first < last:
                marked.setdefault(number, set()).update(range(first, last))
    return marked


def _code_length(line: str) -> int:
    """Return the length of a line without its comment."""
    if "#" not in line:
        return len(line)
    comment = _COMMENT.match(line)
    return comment.start("comment") if comment is not None else len(line)


def _kept_lines(count: int, columns_of: dict[int, set[int]], context: int) -> set[int]:
    if context < 0 or not columns_of:
        return set(range(count))
    near = {
        place for number in columns_of for place in range(number - context, number + context + 1) if 0 <= place < count
    }
    # a single line is kept: "1 lines skipped" is not shorter
    return near | {place for place in range(count) if {place - 1, place + 1} <= near | {-1, count}}
