"""Lines of `^` below parts of a text, and the lines around them alone, as TVM 0.17 shows them.

What is underlined at an object: each place where it is used as an expression, or the statement that it is. What at a
path: the part that it leads to, or the innermost part around it that the text has.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from tvmscript.ir.core.node import Node
from tvmscript.ir.tir import stmt as S
from tvmscript.ir.tir.base import Stmt
from tvmscript.printer.text_buffer import TextRange

#: statements that may take the rest of the surrounding body as theirs, without a line around it
_OPEN_ENDED = (S.LetStmt, S.AssertStmt, S.AttrStmt, S.DeclBuffer, S.Allocate, S.AllocateConst)
_SKIPPED = "(... {} lines skipped ...)"
#: where the comment of a line begins; strings hold no bare `#` before it
_COMMENT = re.compile(r"""(?:[^#"]|"(?:[^"\\]|\\.)*")*?(?P<comment>\s*#)""")


class Places:
    """The ranges of a text as a tree, outer ones around inner ones."""

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
        """Where an object stands; a statement that has no lines of its own is shown by what is around it."""
        found = [item for item in self.ranges if item.node is node]
        if found:
            return found
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

    def of_chain(self, chain: list[tuple[Node, int]]) -> list[TextRange]:
        """Where the last node of a chain stands that the text shows; each node is looked for inside the one before."""
        current: list[TextRange] = []
        for node, occurrence in chain:
            found = self._below(current[0] if current else None, node)
            if found:
                current = [found[occurrence]] if occurrence < len(found) else found[:1]
        return current

    def _below(self, outer: TextRange | None, node: Node) -> list[TextRange]:
        """The outermost places of a node inside a range: only those that are nested least deeply."""
        level = self.inside.get(outer, [])
        while level:
            found = [item for item in level if item.node is node]
            if found:
                return found
            level = [
                inner
                for item in level
                if outer is None or not isinstance(item.node, Stmt) or isinstance(node, Stmt) or _is_block(item, outer)
                for inner in self.inside.get(item, [])
            ]
        return []


def _is_block(item: TextRange, outer: TextRange) -> bool:
    """Whether two ranges are those of a block and of its realization."""
    return isinstance(outer.node, S.BlockRealize) and outer.node.block is item.node


def underlined(text: str, ranges: list[TextRange], context: int, numbers: bool) -> str:
    """The text with a line of `^` below each line that holds a part of the ranges.

    `context` is how many lines are kept before and after those (negative: all lines). Comments and indentation are
    not underlined. With `numbers`, each line of the program has its number in front.
    """
    lines = text.split("\n")
    marked = _marked_columns(lines, _starts(lines), ranges)
    kept = _kept(len(lines), marked, context)
    width = len(str(len(lines))) if numbers else 0
    shown: list[str] = []
    skipped = 0
    for number, line in enumerate(lines):
        if number not in kept:
            skipped += 1
            continue
        if skipped:
            shown.append(_SKIPPED.format(skipped))
            skipped = 0
        shown.append(f"{number + 1:>{width}} {line}" if numbers else line)
        columns = marked.get(number)
        if columns:
            carets = "".join("^" if column in columns else " " for column in range(max(columns) + 1))
            shown.append(" " * (width + 1 if numbers else 0) + carets)
    if skipped:
        shown.append(_SKIPPED.format(skipped))
    return "\n".join(shown)


def first_line(item: TextRange, text: str) -> TextRange:
    """The part of a range that stands on its first line."""
    end = text.find("\n", item.begin, item.end)
    return item if end < 0 else dataclasses.replace(item, end=end)


def _starts(lines: list[str]) -> list[int]:
    starts, position = [], 0
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    return starts


def _marked_columns(lines: list[str], starts: list[int], ranges: list[TextRange]) -> dict[int, set[int]]:
    marked: dict[int, set[int]] = {}
    for item in ranges:
        for number, (line, start) in enumerate(zip(lines, starts, strict=True)):
            first = max(item.begin - start, len(line) - len(line.lstrip()))
            last = min(item.end - start, _code_length(line))
            if first < last:
                marked.setdefault(number, set()).update(range(first, last))
    return marked


def _code_length(line: str) -> int:
    """How long a line is without its comment."""
    if "#" not in line:
        return len(line)
    comment = _COMMENT.match(line)
    return comment.start("comment") if comment is not None else len(line)


def _kept(count: int, marked: dict[int, set[int]], context: int) -> set[int]:
    if context < 0 or not marked:
        return set(range(count))
    near = {place for number in marked for place in range(number - context, number + context + 1) if 0 <= place < count}
    # a line says more than that one line is skipped
    return near | {place for place in range(count) if {place - 1, place + 1} <= near | {-1, count}}
