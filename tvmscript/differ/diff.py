"""`diff(a, b)`: what changed between two programs, to look at, to hand over and to apply."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from tvmscript.differ.change import Change, TextSpan
from tvmscript.differ.compare import Comparison
from tvmscript.differ.errors import InvalidDiff, NotComparable
from tvmscript.differ.patch import Encoder, apply_patch
from tvmscript.differ.printed_lines import Side
from tvmscript.differ.side_by_side import Marks, Row, build_rows
from tvmscript.differ.to_html import page
from tvmscript.differ.to_text import hunks, unified
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.recursion import deep_recursion, without_collection
from tvmscript.parser import from_source

FORMAT = "tvmscript-diff"
VERSION = 1
#: context lines that the JSON form carries
_JSON_CONTEXT = 3
#: renames that the views list
_MOST_NOTES = 20


class Diff:
    """What changed between two programs. It is false where they are structurally equal.

    Names of variables, buffers and blocks do not count, as for `structural_equal`; those that changed are among
    `changes` all the same, as `rename` with `structural=False`.
    """

    def __init__(
        self,
        changes: Sequence[Change],
        rows: Sequence[Row],
        patch: dict[str, Any],
        names: tuple[str, str] = ("left", "right"),
    ) -> None:
        #: each change: renames first, then in the order of the left program, then what came
        self.changes = tuple(changes)
        #: the printed texts side by side; of a diff read from JSON, what differs and some lines around
        self.rows = tuple(rows)
        self.patch = patch
        #: what both sides are called in the views
        self.names = names

    def __bool__(self) -> bool:
        return any(change.structural for change in self.changes)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Diff: {self.summary()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.html()

    def summary(self) -> str:
        """One line: how many changes of each kind."""
        counts = Counter(change.kind for change in self.changes)
        found = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in sorted(counts)]
        return f"{'different' if self else 'equal'}{': ' if found else ''}{', '.join(found)}"

    def notes(self) -> list[str]:
        """Renames, and changes that no line of the texts shows."""
        notes = [change.reason for change in self.changes if change.kind == "rename"]
        if len(notes) > _MOST_NOTES:
            notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} more renames"]
        if self and all(row.kind == " " for row in self.rows):
            notes += [f"{change.left_path}: {change.reason}" for change in self.changes if change.structural]
        return notes

    def text(self, color: bool = False, context: int = 3) -> str:
        """A unified view of the scripts, empty where nothing differs. Codes of colours for terminals on request."""
        if not self.changes:
            return ""
        return unified(self.rows, self.names, self.notes(), color, max(context, 0))

    def show(self, context: int = 3) -> None:
        """Print the view, with colours where the terminal has them."""
        # rich is only needed here
        from rich.console import Console
        from rich.text import Text

        text = self.text(color=True, context=context)
        Console(file=sys.stdout, highlight=False, soft_wrap=True).print(
            Text.from_ansi(text) if text else self.summary()
        )

    def html(self) -> str:
        """A page of its own: both texts side by side, equal parts folded, light and dark; keys `n` and `p`."""
        return page(self.rows, self.names, self.notes(), self.summary())

    def json(self) -> str:
        """The machine form, described in grammar_docs/diff.md; `Diff.from_json` reads it."""
        shown = [row for hunk in hunks(self.rows, _JSON_CONTEXT) for row in hunk]
        value = {
            "format": FORMAT,
            "version": VERSION,
            "equal": not self,
            "names": list(self.names),
            "changes": [_change_to_json(change) for change in self.changes],
            "rows": [asdict(row) for row in shown],
            "patch": self.patch,
        }
        return json.dumps(value, ensure_ascii=False)

    @staticmethod
    def from_json(text: str) -> Diff:
        """The diff that `json()` or `tvmscript diff --json` wrote. Nothing in it is executed. Raises `InvalidDiff`."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidDiff(reason=str(error)) from error
        if isinstance(value, dict) and isinstance(value.get("diffs"), list) and len(value["diffs"]) == 1:
            value = value["diffs"][0]
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise InvalidDiff(reason=f'it has no "format": "{FORMAT}"')
        if value.get("version") != VERSION:
            raise InvalidDiff(reason=f"its version is {value.get('version')!r}, this package reads {VERSION}")
        try:
            changes = [_change_from_json(entry) for entry in value["changes"]]
            rows = [Row(**{**entry, **_marks(entry)}) for entry in value["rows"]]
            patch = dict(value["patch"])
            left, right = map(str, value["names"])
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidDiff(reason=f"{type(error).__name__}: {error}") from error
        return Diff(changes, rows, patch, (left, right))

    def apply(self, program: Any) -> Any:
        """The right program made of the left one (or of one that is structurally equal to it).

        Raises `DoesNotFit` for another program, `InvalidDiff` where the diff was damaged.
        """
        return apply_patch(self.patch, _program(program))


def _change_to_json(change: Change) -> dict[str, Any]:
    spans = {
        f"{side}_span": None if span is None else [span.line, span.column, span.end_line, span.end_column]
        for side, span in (("left", change.left_span), ("right", change.right_span))
    }
    return {
        "kind": change.kind,
        "reason": change.reason,
        "left_path": change.left_path,
        "right_path": change.right_path,
        **spans,
        "structural": change.structural,
    }


def _change_from_json(entry: dict[str, Any]) -> Change:
    spans = {
        side: None if entry[side] is None else TextSpan(*map(int, entry[side])) for side in ("left_span", "right_span")
    }
    return Change(
        entry["kind"],
        str(entry["reason"]),
        entry["left_path"],
        entry["right_path"],
        structural=bool(entry["structural"]),
        **spans,
    )


def _marks(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        key: tuple((int(begin), int(end)) for begin, end in entry[key]) for key in ("left_marks", "right_marks")
    }  # fmt: skip


def _program(given: Any) -> Any:
    if isinstance(given, str):
        return from_source(given, check_well_formed=False)
    if not isinstance(given, Node):
        raise NotComparable(got=repr(given), hint="modules, functions, statements, expressions, or texts of them")
    return given


def diff(left: Any, right: Any, *, map_free_vars: bool = False, names: tuple[str, str] = ("left", "right")) -> Diff:
    """What changed from one program to another: modules, functions, statements, expressions, or texts of them.

    With `map_free_vars`, free variables of fragments are paired as they are met; those of texts always are. `names`
    are what the two are called in the views.

        print(tvmscript.diff(before, after))

    Raises `NotComparable`, and for texts what the parser raises.
    """
    if isinstance(left, str) or isinstance(right, str):
        map_free_vars = True
    with deep_recursion(), without_collection():
        compared = Comparison(_program(left), _program(right), map_free_vars)
        found = compared.changes()
        patch = Encoder(compared.left, compared.right, compared.ids, compared.pairing).patch()
        if found:
            pairing = compared.pairing
            sides = Side(compared.left, pairing.left_naming), Side(compared.right, pairing.right_naming)
            changed = {compared.where.get(change, (None, None))[0] for change in found}
            rows = build_rows(*sides, compared.moved, changed)
            found = _located(found, compared, sides, rows)
        else:
            rows = []
    return Diff(found, rows, patch, names)


def _located(changes: list[Change], compared: Comparison, sides: tuple[Side, Side], rows: list[Row]) -> list[Change]:
    """The changes with their places in the texts."""
    left_marks = {row.left - 1: row.left_marks for row in rows if row.left is not None and row.left_marks}
    right_marks = {row.right - 1: row.right_marks for row in rows if row.right is not None and row.right_marks}
    made: list[Change] = []
    for change in changes:
        a, b = compared.where.get(change, (None, None))
        made.append(
            replace(
                change,
                left_span=None
                if a is None or change.left_path is None
                else _span(sides[0], change.left, a, left_marks),
                right_span=None
                if b is None or change.right_path is None
                else _span(sides[1], change.right, b, right_marks),
            )
        )
    return made


def _span(side: Side, part: Any, item: Any, marks: dict[int, Marks]) -> TextSpan | None:
    if part is item.node and item in side.extent:
        return side.span_of_lines(*side.extent[item])
    return side.span_of(part, item, marks)
