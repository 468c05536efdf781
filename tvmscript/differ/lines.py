"""The printed text of a program, line by line: which item each line belongs to, and what its words mean."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable
from typing import Any

from tvmscript.differ.change import TextSpan
from tvmscript.differ.items import Fragment, Item, Tree
from tvmscript.differ.names import Names
from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.node import Node
from tvmscript.printer import script_with_ranges

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9A-Za-z_.]*|\S')

#: a word of a line: what it means, the column where it begins and the one after it, from 0
Token = tuple[Hashable, int, int]


class Side:
    """The text of one program. `naming` says what a name counts as, so that both sides can be compared."""

    def __init__(self, tree: Tree, naming: Callable[[Node], Hashable]) -> None:
        self.tree = tree
        self.naming = naming
        text, ranges = script_with_ranges(tree.program, comments=False)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        #: line -> the item that it belongs to
        self.owners: list[Item] = [tree.root] * len(self.lines)
        #: item -> its own lines
        self.own: dict[Item, list[int]] = {}
        #: item -> its first line and the one after its last, what is inside included
        self.extent: dict[Item, tuple[int, int]] = {tree.root: (0, len(self.lines))}
        #: node -> places of its text
        self.places: dict[int, list[tuple[int, int]]] = {}
        #: line -> names on it
        self._names: dict[int, list[tuple[int, int, Node]]] = {}
        self._spelled: dict[Node, str] = {}
        self._read(ranges, text)
        self._tokens: dict[int, list[Token]] = {}
        self._defined = self._definitions()

    def _read(self, ranges: list[Any], text: str) -> None:
        waiting: dict[int, list[Item]] = {}
        for item in reversed(self.tree.items):
            waiting.setdefault(id(item.node), []).append(item)
        for found in ranges:
            node = found.node
            items = waiting.get(id(node))
            if items:
                self._own(items.pop(), found.begin, found.end)
                continue
            self.places.setdefault(id(node), []).append((found.begin, found.end))
            if node.is_name:
                line, column = self.position(found.begin)
                self._names.setdefault(line, []).append((column, column + found.end - found.begin, node))
                self._spelled.setdefault(node, text[found.begin : found.end])
        for number, owner in enumerate(self.owners):
            self.own.setdefault(owner, []).append(number)

    def _own(self, item: Item, begin: int, end: int) -> None:
        first, last = self.position(begin)[0], self.position(max(end - 1, begin))[0] + 1
        self.extent[item] = (first, last)
        self.owners[first:last] = [item] * (last - first)

    def _definitions(self) -> dict[Item, dict[str, Hashable]]:
        """For each item with lines: what the names mean that these lines define."""
        defined: dict[Item, dict[str, Hashable]] = {}
        for item in self.tree.items:
            outer = item
            while outer not in self.own and outer.parent is not None:
                outer = outer.parent
            names = defined.setdefault(outer, {})
            if isinstance(item.node, BaseFunc) and item.slot:
                names[item.slot] = self.naming(_FunctionName(item.slot))  # type: ignore[arg-type]  # it has a name_hint
            for part in item.own:
                if part.defining:
                    for name in Names(part.value).order:
                        spelled = self._spelled.get(name, getattr(name, "name_hint", ""))
                        if spelled.isidentifier():
                            names.setdefault(spelled, self.naming(name))
        return defined

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 0."""
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]

    def tokens(self, line: int) -> list[Token]:
        """The words of a line; names are what they stand for."""
        known = self._tokens.get(line)
        if known is None:
            known = self._tokens[line] = list(self._read_tokens(line))
        return known

    def _read_tokens(self, line: int) -> list[Token]:
        names = self._names.get(line, ())
        defined = self._defined.get(self.owners[line], {})
        made: list[Token] = []
        end = 0
        at = {begin: (stop, node) for begin, stop, node in names}
        for found in _TOKEN.finditer(self.lines[line]):
            begin = found.start()
            if begin < end:
                continue
            if begin in at:
                end, node = at[begin]
                made.append((self.naming(node), begin, end))
            else:
                end = found.end()
                made.append((defined.get(found[0], found[0]), begin, end))
        return made

    def span_of_lines(self, first: int, last: int) -> TextSpan:
        """The span of whole lines, indentation left out."""
        begin = self.lines[first]
        last = max(last, first + 1)
        return TextSpan(first + 1, len(begin) - len(begin.lstrip()) + 1, last, len(self.lines[last - 1]) + 1)

    def span_of(self, part: Any, item: Item, near: dict[int, tuple[tuple[int, int], ...]]) -> TextSpan | None:
        """Where a part of an item stands: its own text, or the item's own lines.

        `near` are the marked columns of lines: of several places the one that touches them is meant.
        """
        while item not in self.own and item.parent is not None:
            item = item.parent
        lines = self.own.get(item, [])
        if isinstance(part, Node):
            found: list[TextSpan] = []
            for begin, end in self.places.get(id(part), ()):
                line, column = self.position(begin)
                if self.owners[line] is item:
                    found.append(TextSpan(line + 1, column + 1, line + 1, column + 1 + end - begin))
            touching = [span for span in found if _touches(span, near.get(span.line - 1, ()))]
            if found:
                return (touching or found)[0]
            defined = self._definition(part, lines)
            if defined is not None:
                return defined
        marked = [(line, *mark) for line in lines for mark in near.get(line, ())]
        if marked:
            line, begin, end = marked[0]
            return TextSpan(line + 1, begin + 1, line + 1, end + 1)
        return self.span_of_lines(lines[0], lines[0]) if lines and not isinstance(item.node, Fragment) else None

    def _definition(self, part: Any, lines: list[int]) -> TextSpan | None:
        """Where a name is defined, or the name that an axis or a matched buffer defines."""
        name = getattr(part, "var", getattr(part, "buffer", part))
        if not name.is_name:
            return None
        key = self.naming(name)
        for line in lines:
            for token, begin, end in self.tokens(line):
                if token == key:
                    return TextSpan(line + 1, begin + 1, line + 1, end + 1)
        return None


def _touches(span: TextSpan, marks: tuple[tuple[int, int], ...]) -> bool:
    return any(begin < span.end_column - 1 and span.column - 1 < end for begin, end in marks)


class _FunctionName:
    """Stands for the global variable of a function where only its name is known."""

    def __init__(self, name_hint: str) -> None:
        self.name_hint = name_hint
