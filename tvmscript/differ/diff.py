"""`diff(a, b)` and `Diff`: the changes between two programs as text, HTML, JSON, and a patch."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from typing import Any, get_args

from tvmscript.differ.change import Change, Kind, TextSpan
from tvmscript.differ.compare import Comparison
from tvmscript.differ.errors import InvalidDiff, NotComparable
from tvmscript.differ.patch import Encoder, apply_patch
from tvmscript.differ.printed_lines import PrintedSide
from tvmscript.differ.side_by_side import Marks, Row, RowKind, build_rows
from tvmscript.differ.to_html import render_page
from tvmscript.differ.to_text import format_unified, hunks
from tvmscript.ir.core import Node
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.parser import from_source

FORMAT = "tvmscript-diff"
VERSION = 1
#: context lines in the JSON form
_JSON_CONTEXT = 3
#: maximum number of renames in the views
_MOST_NOTES = 20


class Diff:
    """The changes between two programs. Falsy where they are structurally equal.

    As in `structural_equal`, names of variables, buffers and blocks do not count. Their changes are in `changes` as
    `rename` with `structural=False`.
    """

    def __init__(
        self,
        changes: Sequence[Change],
        rows: Sequence[Row],
        patch: dict[str, object],
        names: tuple[str, str] = ("left", "right"),
    ) -> None:
        #: renames, then deletions and updates in left order, then insertions
        self.changes = tuple(changes)
        #: the printed texts side by side; a diff read from JSON has only changed lines and context
        self.rows = tuple(rows)
        self.patch = patch
        #: labels of both sides in the views
        self.names = names

    def __bool__(self) -> bool:
        return any(change.structural for change in self.changes)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Diff: {self.summary()}>"

    def _repr_html_(self) -> str:
        """Return the HTML view for notebooks."""
        return self.html()

    def summary(self) -> str:
        """Return the number of changes of each kind, in one line."""
        counts = Counter(change.kind for change in self.changes)
        parts = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in sorted(counts)]
        return f"{'different' if self else 'equal'}{': ' if parts else ''}{', '.join(parts)}"

    def notes(self) -> list[str]:
        """Return the renames, and changes that are invisible in the texts."""
        notes = [change.reason for change in self.changes if change.kind == "rename"]
        if len(notes) > _MOST_NOTES:
            notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} more renames"]
        if self and all(row.kind == " " for row in self.rows):
            notes += [f"{change.left_path}: {change.reason}" for change in self.changes if change.structural]
        return notes

    def text(self, color: bool = False, context: int = 3) -> str:
        """Return a unified view of the scripts, empty without changes. `color` adds terminal colors."""
        if not self.changes:
            return ""
        return format_unified(self.rows, self.names, self.notes(), color, max(context, 0))

    def show(self, context: int = 3) -> None:
        """Print the view, in color where the terminal supports it."""
        # rich is only needed here
        from rich.console import Console
        from rich.text import Text

        text = self.text(color=True, context=context)
        Console(file=sys.stdout, highlight=False, soft_wrap=True).print(
            Text.from_ansi(text) if text else self.summary()
        )

    def html(self) -> str:
        """Return a self-contained HTML page: side-by-side texts, equal parts folded; keys `n` and `p` navigate."""
        return render_page(self.rows, self.names, self.notes(), self.summary())

    def json(self) -> str:
        """Return the JSON form (grammar_docs/diff.md); `Diff.from_json` reads it."""
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
        """Read the output of `json()` or `tvmscript diff --json`. No code is executed. Raises `InvalidDiff`."""
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
            rows = [_row_from_json(entry) for entry in value["rows"]]
            patch = dict(value["patch"])
            left, right = map(str, value["names"])
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise InvalidDiff(reason=f"{type(error).__name__}: {error}") from error
        return Diff(changes, rows, patch, (left, right))

    def apply(self, program: object) -> Any:
        """Return the right program, given the left one or a structurally equal one.

        Raises `DoesNotFit` for another program, `InvalidDiff` for a damaged diff.
        """
        return apply_patch(self.patch, _as_program(program))


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
    if entry["kind"] not in get_args(Kind):
        raise ValueError(f"{entry['kind']!r} is no kind of a change")
    return Change(
        entry["kind"],
        _text(entry["reason"]),
        None if entry["left_path"] is None else _text(entry["left_path"]),
        None if entry["right_path"] is None else _text(entry["right_path"]),
        left_span=None if entry["left_span"] is None else TextSpan(*map(_number, entry["left_span"])),
        right_span=None if entry["right_span"] is None else TextSpan(*map(_number, entry["right_span"])),
        structural=entry["structural"] is True,
    )


def _row_from_json(entry: dict[str, Any]) -> Row:
    if entry["kind"] not in get_args(RowKind):
        raise ValueError(f"{entry['kind']!r} is no kind of a row")
    if unknown := entry.keys() - {field.name for field in fields(Row)}:
        raise ValueError(f"a row has no {', '.join(sorted(unknown))}")
    return Row(
        entry["kind"],
        None if entry["left"] is None else _number(entry["left"]),
        None if entry["right"] is None else _number(entry["right"]),
        _text(entry["left_text"]),
        _text(entry["right_text"]),
        _marks(entry["left_marks"]),
        _marks(entry["right_marks"]),
        _text(entry["place"]),
    )


def _marks(value: Any) -> Marks:
    return tuple([(_number(begin), _number(end)) for begin, end in value])


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is no number of a line or column")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _as_program(given: object) -> object:
    if isinstance(given, str):
        return from_source(given, check_well_formed=False)
    if not isinstance(given, Node):
        raise NotComparable(got=repr(given), hint="modules, functions, statements, expressions, or texts of them")
    return given


@deep_recursion
@without_collection
def diff(
    left: object, right: object, *, map_free_vars: bool = False, names: tuple[str, str] = ("left", "right")
) -> Diff:
    """Return the changes between two modules, functions, statements, expressions, or their texts.

    `map_free_vars` pairs free variables in order of occurrence; for texts it is always on. `names` label the two sides
    in the views.

        print(tvmscript.diff(before, after))

    Raises `NotComparable`, and errors of the parser for texts.
    """
    if isinstance(left, str) or isinstance(right, str):
        map_free_vars = True
    comparison = Comparison(_as_program(left), _as_program(right), map_free_vars)
    changes = comparison.changes()
    patch = Encoder(comparison.left, comparison.right, comparison.ids, comparison.pairing).patch()
    if changes:
        pairing = comparison.pairing
        sides = (
            PrintedSide(comparison.left, pairing.left_naming),
            PrintedSide(comparison.right, pairing.right_naming),
        )
        changed = {comparison.where.get(change, (None, None))[0] for change in changes}
        rows = build_rows(*sides, comparison.moved, changed)
        changes = _with_spans(changes, comparison, sides, rows)
    else:
        rows = []
    return Diff(changes, rows, patch, names)


def _with_spans(
    changes: list[Change], comparison: Comparison, sides: tuple[PrintedSide, PrintedSide], rows: list[Row]
) -> list[Change]:
    """Return the changes with their spans in the texts."""
    left_marks = {row.left - 1: row.left_marks for row in rows if row.left is not None and row.left_marks}
    right_marks = {row.right - 1: row.right_marks for row in rows if row.right is not None and row.right_marks}
    located: list[Change] = []
    for change in changes:
        a, b = comparison.where.get(change, (None, None))
        located.append(
            replace(
                change,
                left_span=None
                if a is None or change.left_path is None
                else _span_of(sides[0], change.left, a, left_marks),
                right_span=None
                if b is None or change.right_path is None
                else _span_of(sides[1], change.right, b, right_marks),
            )
        )
    return located


def _span_of(side: PrintedSide, part: object, item: Any, marks: dict[int, Marks]) -> TextSpan | None:
    if part is item.node and item in side.extent:
        return side.span_of_lines(*side.extent[item])
    return side.span_of(part, item, marks)
