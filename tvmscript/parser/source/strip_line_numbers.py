"""Texts copied from an error message or listing, with line numbers and lines of carets."""

from __future__ import annotations

import re

_NUMBER = re.compile(r" *(\d+) ")
_CARETS = re.compile(r" *\^[ ^]*")


def strip_line_numbers(text: str) -> str | None:
    """Return the text without line numbers and carets, or None if it has none."""
    lines = [line for line in text.split("\n") if not _CARETS.fullmatch(line)]
    if lines and lines[-1] == "":
        lines.pop()
    numbers = [_NUMBER.match(f"{line} ") for line in lines]
    if lines and all(match is not None and int(match[1]) == number for number, match in enumerate(numbers, 1)):
        width = max(match.end() for match in numbers if match is not None)
        lines = [line[width:] for line in lines]
    plain_text = "\n".join(lines)
    return plain_text if plain_text != text else None
