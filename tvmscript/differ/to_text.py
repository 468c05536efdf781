"""Text view of a difference: unified, with context lines, moves, and marked words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from tvmscript.differ.side_by_side import Marks, Row
from tvmscript.ir.core.visible import visible

#: kind of line -> terminal color (SGR code)
_COLORS = {"-": "31", "+": "32", "<": "35", ">": "36", "@": "36", "h": "1", "r": "33"}
_REVERSE, _RESET = "\x1b[7m", "\x1b[27m"
#: maximum number of changed line pairs shown as one block: all left lines, then all right lines
_FEW = 12
#: number of lines shown at the old position of a moved part
_GONE_LINES = 1


def hunks(rows: Sequence[Row], context: int) -> Iterator[list[Row]]:
    """Yield groups of changed rows with context rows."""
    kept: list[int] = []
    for index, row in enumerate(rows):
        if row.kind != " ":
            begin = max(index - context, kept[-1] + 1 if kept else 0)
            kept += range(begin, index)
            kept.append(index)
            after = index
            while after + 1 < len(rows) and after < index + context and rows[after + 1].kind == " ":
                after += 1
                kept.append(after)
    hunk: list[Row] = []
    last = -2
    line: int | None = None
    for index in kept:
        row = rows[index]
        # a diff read from JSON has gaps between hunks: detect them by line numbers
        left_alone = row.kind in "-<"
        follows = index == last + 1 and (left_alone or line is None or row.right == line + 1)
        if not follows and hunk:
            yield hunk
            hunk = []
            line = None
        hunk.append(row)
        last, line = index, line if left_alone else row.right
    if hunk:
        yield hunk


class _Writer:
    def __init__(self, color: bool) -> None:
        self.color = color
        self.lines: list[str] = []

    def write(self, kind: str, prefix: str, text: str, marks: Marks = (), note: str = "") -> None:
        """Write a line with its prefix; marks are shown only in color."""
        shown = visible(text)
        if shown != text:
            text, marks = shown, ()
        if self.color:
            for begin, end in reversed(marks):
                text = f"{text[:begin]}{_REVERSE}{text[begin:end]}{_RESET}{text[end:]}"
        line = f"{prefix}{text}{note}".rstrip()
        code = _COLORS.get(kind)
        self.lines.append(f"\x1b[{code}m{line}\x1b[0m" if self.color and code else line)


def format_unified(rows: Sequence[Row], names: tuple[str, str], notes: Sequence[str], color: bool, context: int) -> str:
    """Format the view: labels of both sides, notes, then hunks.

    `-` and `+` are lines of one side, ` ` lines of both (as printed on the right). `<` and `>` are the old and new
    positions of a moved part, whose changed lines begin with `>-` and `>+`.
    """
    out = _Writer(color)
    out.write("h", "--- ", names[0])
    out.write("h", "+++ ", names[1])
    for note in notes:
        out.write("r", "! ", note)
    for hunk in hunks(rows, context):
        left, right = (
            _line_range([row.left for row in hunk if row.kind not in "+>"]),
            _line_range([row.right for row in hunk if row.kind not in "-<"]),
        )
        place = next((row.place for row in hunk if row.kind != " " and row.place), "")
        out.write("@", "@@ ", f"-{left} +{right} @@ {place}")
        for differs, group in groupby(hunk, lambda row: row.kind in "~-+"):
            rows_of_group = list(group)
            if differs and sum(row.kind == "~" for row in rows_of_group) <= _FEW:
                _write_changed(out, rows_of_group)
                continue
            for kind, same_kind in groupby(rows_of_group, lambda row: row.kind):
                _KINDS[kind](out, list(same_kind))
    return "\n".join(out.lines)


def _line_range(numbers: list[int | None]) -> str:
    present = [number for number in numbers if number is not None]
    return f"{present[0]},{len(present)}" if present else "0,0"


def _write_changed(out: _Writer, rows: list[Row]) -> None:
    for row in rows:
        if row.kind != "+":
            out.write("-", "-", row.left_text, row.left_marks)
    for row in rows:
        if row.kind != "-":
            out.write("+", "+", row.right_text, row.right_marks)


def _write_rows(out: _Writer, rows: list[Row]) -> None:
    """Write rows of one kind that are on one side, or equal on both."""
    for row in rows:
        out.write(row.kind, row.kind, row.left_text if row.kind == "-" else row.right_text)


def _consecutive_runs(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield runs of moved lines that are consecutive on both sides."""
    run: list[Row] = []
    for row in rows:
        if run and (run[-1].left or 0) + 1 == row.left and (run[-1].right or 0) + 1 == row.right:
            run.append(row)
        else:
            if run:
                yield run
            run = [row]
    if run:
        yield run


def _write_moved_away(out: _Writer, rows: list[Row]) -> None:
    for run in _consecutive_runs(rows):
        more = f", {len(run)} lines" if len(run) > _GONE_LINES else ""
        for row in run[:_GONE_LINES]:
            out.write("<", "<", row.left_text, (), f"  # moved to line {row.right}{more}")


def _write_moved_here(out: _Writer, rows: list[Row]) -> None:
    for run in _consecutive_runs(rows):
        for number, row in enumerate(run):
            note = "" if number else f"  # moved from line {row.left}"
            if row.changed:
                out.write("-", ">-", row.left_text, row.left_marks)
                out.write("+", ">+", row.right_text, row.right_marks, note)
            else:
                out.write(">", ">", row.right_text, (), note)


_KINDS: dict[str, Callable[[_Writer, list[Row]], None]] = {
    " ": _write_rows,
    "~": _write_changed,
    "-": _write_rows,
    "+": _write_rows,
    "<": _write_moved_away,
    ">": _write_moved_here,
}
