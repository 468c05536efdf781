"""The printed lines of a program: the item of each line, and tokens with resolved names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable
from typing import Any

from tvmscript.differ.change import TextSpan
from tvmscript.differ.item_tree import Fragment, Item, Tree
from tvmscript.differ.names import Names
from tvmscript.ir.core import BaseFunc, GlobalVar, Node
from tvmscript.printer import script_with_ranges
from tvmscript.printer.text_buffer import TextRange

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9A-Za-z_.]*|\S')

#: a token of a line: its key, first column, and end column, from 0
Token = tuple[Hashable, int, int]


class PrintedSide:
    """The printed text of one program. `naming` gives names comparable keys on both sides."""

    def __init__(self, tree: Tree, naming: Callable[[Node], Hashable]) -> None:
        self.tree = tree
        self.naming = naming
        self.text, ranges = script_with_ranges(tree.program, comments=False)
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        #: line -> its item
        self.owners: list[Item] = [tree.root] * len(self.lines)
        #: item -> its own lines
        self.own: dict[Item, list[int]] = {}
        #: item -> first line and end line, nested items included
        self.extent: dict[Item, tuple[int, int]] = {tree.root: (0, len(self.lines))}
        self._ranges = self._owned(ranges)
        self._begins = [range_.begin for range_ in self._ranges]
        self._places: dict[int, list[TextRange]] = {}
        self._spelled: dict[Node, str] = {}
        self._tokens: dict[int, list[Token]] = {}
        #: item with lines -> itself and nested items that share the lines
        self._sharing = self._shared_lines()
        self._defined: dict[Item, dict[str, Hashable]] = {}

    def _owned(self, ranges: list[TextRange]) -> list[TextRange]:
        """Assign lines to items, and return the other ranges, sorted by their begin."""
        waiting: dict[int, list[Item]] = {}
        for item in reversed(self.tree.items):
            waiting.setdefault(id(item.node), []).append(item)
        others: list[TextRange] = []
        for range_ in ranges:
            items = waiting.get(id(range_.node))
            if items:
                self._own(items.pop(), range_.begin, range_.end)
            else:
                others.append(range_)
        for number, owner in enumerate(self.owners):
            self.own.setdefault(owner, []).append(number)
        return sorted(others, key=lambda range_: range_.begin)

    def _own(self, item: Item, begin: int, end: int) -> None:
        first, last = self.position(begin)[0], self.position(max(end - 1, begin))[0] + 1
        self.extent[item] = (first, last)
        self.owners[first:last] = [item] * (last - first)

    def _shared_lines(self) -> dict[Item, list[Item]]:
        """Return item -> items that share its lines, such as the inner loops of T.grid."""
        shared: dict[Item, list[Item]] = {}
        for item in self.tree.items:
            outer = item
            while outer not in self.own and outer.parent is not None:
                outer = outer.parent
            shared.setdefault(outer, []).append(item)
        return shared

    def _definitions(self, owner: Item) -> dict[str, Hashable]:
        """Return text -> key of the names that the lines of an item define."""
        definitions = self._defined.get(owner)
        if definitions is not None:
            return definitions
        names = self._defined[owner] = {}
        for item in self._sharing.get(owner, ()):
            if isinstance(item.node, BaseFunc) and item.slot:
                names[item.slot] = self.naming(GlobalVar(item.slot))
            for part in item.own:
                if part.defining:
                    for name in Names(part.value).order:
                        spelled = self._spelling(name)
                        if spelled.isidentifier():
                            names.setdefault(spelled, self.naming(name))
        return names

    def _spelling(self, name: Any) -> str:
        """Return a name as its uses spell it; its name hint if there are none."""
        if not self._spelled:
            for range_ in self._ranges:
                if range_.node.is_name:
                    self._spelled.setdefault(range_.node, self.text[range_.begin : range_.end])
        return self._spelled.get(name, getattr(name, "name_hint", ""))

    def _places_of(self, node: Node) -> list[TextRange]:
        if not self._places:
            for range_ in self._ranges:
                self._places.setdefault(id(range_.node), []).append(range_)
        return self._places.get(id(node), [])

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, from 0."""
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]

    def tokens(self, line: int) -> list[Token]:
        """Return the tokens of a line with resolved names."""
        tokens = self._tokens.get(line)
        if tokens is None:
            tokens = self._tokens[line] = list(self._read_tokens(line))
        return tokens

    def _read_tokens(self, line: int) -> list[Token]:
        defined = self._definitions(self.owners[line])
        tokens: list[Token] = []
        end = 0
        start, after = self.starts[line], self.starts[line + 1]
        inside = self._ranges[bisect_left(self._begins, start) : bisect_left(self._begins, after)]
        at = {match.begin - start: (match.end - start, match.node) for match in inside if match.node.is_name}
        for match in _TOKEN.finditer(self.lines[line]):
            begin = match.start()
            if begin < end:
                continue
            if begin in at:
                end, node = at[begin]
                tokens.append((self.naming(node), begin, end))
            else:
                end = match.end()
                tokens.append((defined.get(match[0], match[0]), begin, end))
        return tokens

    def span_of_lines(self, first: int, last: int) -> TextSpan:
        """Return the span of whole lines without indentation."""
        begin = self.lines[first]
        last = max(last, first + 1)
        return TextSpan(first + 1, len(begin) - len(begin.lstrip()) + 1, last, len(self.lines[last - 1]) + 1)

    def span_of(self, part: object, item: Item, near: dict[int, tuple[tuple[int, int], ...]]) -> TextSpan | None:
        """Return the span of a part of an item: of its text, else of the item's lines.

        `near` are marked columns by line: of several occurrences, one that overlaps them is preferred.
        """
        while item not in self.own and item.parent is not None:
            item = item.parent
        lines = self.own.get(item, [])
        if isinstance(part, Node):
            spans: list[TextSpan] = []
            for place in self._places_of(part):
                line, column = self.position(place.begin)
                if self.owners[line] is item:
                    spans.append(TextSpan(line + 1, column + 1, line + 1, column + 1 + place.end - place.begin))
            touching = [span for span in spans if _overlaps(span, near.get(span.line - 1, ()))]
            if spans:
                return (touching or spans)[0]
            defined = self._definition(part, lines)
            if defined is not None:
                return defined
        marked = [(line, *mark) for line in lines for mark in near.get(line, ())]
        if marked:
            line, begin, end = marked[0]
            return TextSpan(line + 1, begin + 1, line + 1, end + 1)
        return self.span_of_lines(lines[0], lines[0]) if lines and not isinstance(item.node, Fragment) else None

    def _definition(self, part: Any, lines: list[int]) -> TextSpan | None:
        """Return the span of the definition of a name, or of the name that an axis or matched buffer defines."""
        name = getattr(part, "var", getattr(part, "buffer", part))
        if not name.is_name:
            return None
        key = self.naming(name)
        for line in lines:
            for token, begin, end in self.tokens(line):
                if token == key:
                    return TextSpan(line + 1, begin + 1, line + 1, end + 1)
        return None


def _overlaps(span: TextSpan, marks: tuple[tuple[int, int], ...]) -> bool:
    return any(begin < span.end_column - 1 and span.column - 1 < end for begin, end in marks)
