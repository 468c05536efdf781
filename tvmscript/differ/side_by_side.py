"""Side-by-side rows of two texts: equal, changed, moved, or one-sided lines."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal

from tvmscript.differ.item_tree import Item
from tvmscript.differ.printed_lines import PrintedSide, Token
from tvmscript.differ.sequence_diff import align, longest_increasing

#: equal, changed, left only, right only, moved away, moved here
RowKind = Literal[" ", "~", "-", "+", "<", ">"]
#: columns from 0, the end exclusive
Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of one text, or a pair of lines. Line numbers start at 1.

    A moved line has two rows, one for each position, both with the numbers and texts of both sides.
    """

    kind: RowKind
    left: int | None = None
    right: int | None = None
    left_text: str = ""
    right_text: str = ""
    left_marks: Marks = ()
    right_marks: Marks = ()
    #: function around the line
    place: str = ""

    @property
    def changed(self) -> bool:
        """Whether the tokens of a pair of lines differ."""
        return bool(self.left_marks or self.right_marks)


def build_rows(
    left: PrintedSide, right: PrintedSide, moved: Container[Item], changed: Container[Item | None]
) -> list[Row]:
    """Return the rows of two texts in right order; left-only lines keep their position.

    `changed` are the left items with changes: tokens of other items are compared only where their texts differ.
    """
    pairs = dict(_pair_lines(left, right, changed))
    fixed = [(i, j) for i, j in sorted(pairs.items()) if left.owners[i] not in moved]
    fixed = [fixed[k] for k in longest_increasing([j for _, j in fixed])]
    stayed = {i for i, _ in fixed}
    elsewhere = {i: j for i, j in pairs.items() if i not in stayed}
    return list(_RowBuilder(left, right, elsewhere, changed).merge(fixed))


def _pair_lines(left: PrintedSide, right: PrintedSide, changed: Container[Item | None]) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal or changed lines of matched items."""
    for item, lines in left.own.items():
        if item.partner is None:
            continue
        mine = [line for line in lines if left.lines[line].strip()]
        theirs = [line for line in right.own.get(item.partner, ()) if right.lines[line].strip()]
        if item not in changed and _stripped(left, mine) == _stripped(right, theirs):
            yield from zip(mine, theirs, strict=True)
            continue
        table: dict[object, int] = {}

        def number(side: PrintedSide, line: int, table: dict[object, int] = table) -> int:
            return table.setdefault(tuple(key for key, _, _ in side.tokens(line)), len(table))

        same = align([number(left, line) for line in mine], [number(right, line) for line in theirs])
        a = b = 0
        for i, j in [*same, (len(mine), len(theirs))]:
            yield from _pair_changed_lines(left, right, mine[a:i], theirs[b:j])
            if i < len(mine):
                yield mine[i], theirs[j]
            a, b = i + 1, j + 1


def _stripped(side: PrintedSide, lines: list[int]) -> list[str]:
    return [side.lines[line].lstrip() for line in lines]


def _pair_changed_lines(
    left: PrintedSide, right: PrintedSide, mine: list[int], theirs: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of changed lines of one statement."""
    if len(mine) == len(theirs):
        yield from zip(mine, theirs, strict=True)
        return
    for line in mine:
        begin = [key for key, _, _ in left.tokens(line)[:3]]
        match = next((other for other in theirs if [key for key, _, _ in right.tokens(other)[:3]] == begin), None)
        if match is not None:
            yield line, match
            theirs = [other for other in theirs if other > match]


class _RowBuilder:
    def __init__(
        self, left: PrintedSide, right: PrintedSide, elsewhere: dict[int, int], changed: Container[Item | None]
    ) -> None:
        self.left = left
        self.right = right
        self.elsewhere = elsewhere
        self.changed = changed
        self.back = {j: i for i, j in elsewhere.items()}

    def merge(self, fixed: list[tuple[int, int]]) -> Iterator[Row]:
        """Yield the rows at and between pairs of unmoved lines."""
        a = b = 0
        for i, j in [*fixed, (len(self.left.lines), len(self.right.lines))]:
            yield from self._between(list(range(a, i)), list(range(b, j)))
            if i < len(self.left.lines):
                marks = self._marks(i, j)
                yield self._row(" " if marks is None else "~", i, j, marks or ((), ()))
            a, b = i + 1, j + 1

    def _between(self, mine: list[int], theirs: list[int]) -> Iterator[Row]:
        """Yield rows of one-sided lines; empty lines of both sides are paired."""
        blank_left = [line for line in mine if not self.left.lines[line].strip()]
        blank_right = [line for line in theirs if not self.right.lines[line].strip()]
        blank = list(zip(blank_left, blank_right, strict=False))
        a = b = 0
        for i, j in [*[(mine.index(x), theirs.index(y)) for x, y in blank], (len(mine), len(theirs))]:
            for line in mine[a:i]:
                yield self._gone(line)
            for line in theirs[b:j]:
                yield self._came(line)
            if i < len(mine):
                yield self._row(" ", mine[i], theirs[j], ((), ()))
            a, b = i + 1, j + 1

    def _gone(self, line: int) -> Row:
        other = self.elsewhere.get(line)
        if other is None:
            return self._row("-", line, None, ((), ()))
        return self._row("<", line, other, self._marks(line, other) or ((), ()))

    def _came(self, line: int) -> Row:
        other = self.back.get(line)
        if other is None:
            return self._row("+", None, line, ((), ()))
        return self._row(">", other, line, self._marks(other, line) or ((), ()))

    def _marks(self, left: int, right: int) -> tuple[Marks, Marks] | None:
        same = self.left.lines[left].lstrip() == self.right.lines[right].lstrip()
        if same and self.left.owners[left] not in self.changed:
            return None
        return changed_columns(self.left.tokens(left), self.right.tokens(right))

    def _row(self, kind: RowKind, left: int | None, right: int | None, marks: tuple[Marks, Marks]) -> Row:
        owner = self.left.owners[left] if right is None and left is not None else self.right.owners[right or 0]
        function = owner.function()
        return Row(
            kind,
            None if left is None else left + 1,
            None if right is None else right + 1,
            "" if left is None else self.left.lines[left],
            "" if right is None else self.right.lines[right],
            *marks,
            place="" if function is None else _function_name(function),
        )


def _function_name(function: Item) -> str:
    return function.slot or str((getattr(function.node, "attrs", None) or {}).get("global_symbol", "main"))


def changed_columns(left: list[Token], right: list[Token]) -> tuple[Marks, Marks] | None:
    """Return the differing columns of two lines, None where their tokens are equal."""
    first, second = [token[0] for token in left], [token[0] for token in right]
    if first == second:
        return None
    table: dict[object, int] = {}
    pairs = align(*[[table.setdefault(key, len(table)) for key in side] for side in (first, second)])
    return (_unmatched_columns(left, {i for i, _ in pairs}), _unmatched_columns(right, {j for _, j in pairs}))


def _unmatched_columns(tokens: list[Token], same: set[int]) -> Marks:
    """Return the column ranges of unmatched tokens; adjacent tokens are merged."""
    columns: list[tuple[int, int]] = []
    last = -2
    for index, (_, begin, end) in enumerate(tokens):
        if index in same:
            continue
        if last == index - 1 and columns:
            columns[-1] = (columns[-1][0], end)
        else:
            columns.append((begin, end))
        last = index
    return tuple(columns)
