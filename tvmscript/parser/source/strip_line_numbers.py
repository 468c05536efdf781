"""Texts as they are shown to people, with numbers of lines and lines of `^`: what was printed can be read again."""

from __future__ import annotations

import re

_NUMBER = re.compile(r" *(\d+) ")
_CARETS = re.compile(r" *\^[ ^]*")


def without_display(text: str) -> str | None:
    """The text that was shown; None where this is no such text. Its lines have the numbers that were shown."""
    lines = [line for line in text.split("\n") if not _CARETS.fullmatch(line)]
    if lines and lines[-1] == "":
        lines.pop()
    numbers = [_NUMBER.match(f"{line} ") for line in lines]
    if all(found is not None and int(found[1]) == number for number, found in enumerate(numbers, 1)):
        width = max(found.end() for found in numbers if found is not None)
        lines = [line[width:] for line in lines]
    shown = "\n".join(lines)
    return shown if shown != text else None
