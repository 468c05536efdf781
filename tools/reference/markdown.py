"""Markdown that generated pages are made of."""

from __future__ import annotations

from collections.abc import Sequence

NOTICE = "<!-- Written by `python -m tools.reference`; edit tools/reference/ instead. -->"


def table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table; bars and line ends in cells are escaped."""
    lines = [heading, tuple("---" for _ in heading), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in lines
    )
