"""What a failed `assert_structural_equal` says: every mismatch, path and reason, and the difference as script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.differ.diff import diff
from tvmscript.differ.errors import NotStorable
from tvmscript.ir.core.equal import Mismatch, explain_mismatches
from tvmscript.ir.core.node import Node
from tvmscript.printer.errors import NoText

#: Mismatches and lines that a message shows.
_MOST_MISMATCHES = 20
_MOST_LINES = 120


def details(left: Any, right: Any, mismatches: Sequence[Mismatch]) -> str:
    """The message below its first line; empty where the programs cannot be shown as scripts."""
    if not (isinstance(left, Node) and isinstance(right, Node)):
        return ""
    try:
        view = diff(left, right).text()
    except (NoText, NotStorable):
        return ""
    lines = [f"\n  {item.path}: {item.reason}" for item in mismatches[1:_MOST_MISMATCHES]]
    if len(mismatches) > _MOST_MISMATCHES:
        lines.append(f"\n  and {len(mismatches) - _MOST_MISMATCHES} more mismatches")
    return "".join([*lines, "\n", *[f"\n{line}" for line in _bounded(view.split("\n"))]])


def _bounded(lines: list[str]) -> list[str]:
    """The first and last lines of a long view."""
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], f"({len(lines) - 2 * half} lines left out)", *lines[-half:]]


explain_mismatches.fill(details)
