"""Message of `assert_structural_equal`: all mismatches with paths and reasons, and the diff of the scripts."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.differ.diff import diff
from tvmscript.differ.errors import NotStorable
from tvmscript.ir.core import Node
from tvmscript.ir.core.equality.equal import Mismatch, explain_mismatches
from tvmscript.printer.errors import NoText

#: limits of a message
_MOST_MISMATCHES = 20
_MOST_LINES = 120


def format_mismatches(left: object, right: object, mismatches: Sequence[Mismatch]) -> str:
    """Return the message after its first line, empty where the programs have no script."""
    if not (isinstance(left, Node) and isinstance(right, Node)):
        return ""
    try:
        view = diff(left, right).text()
    except (NoText, NotStorable):
        return ""
    lines = [f"\n  {item.path}: {item.reason}" for item in mismatches[1:_MOST_MISMATCHES]]
    if len(mismatches) > _MOST_MISMATCHES:
        lines.append(f"\n  and {len(mismatches) - _MOST_MISMATCHES} more mismatches")
    return "".join([*lines, "\n", *[f"\n{line}" for line in _truncate(view.split("\n"))]])


def _truncate(lines: list[str]) -> list[str]:
    """Return the first and last lines of a long view."""
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], f"({len(lines) - 2 * half} lines left out)", *lines[-half:]]


explain_mismatches.fill(format_mismatches)
