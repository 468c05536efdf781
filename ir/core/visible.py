"""Texts for terminals: characters that a terminal obeys instead of showing them are escaped."""

from __future__ import annotations

import re

#: control characters except tab and line feed, marks that change the direction of text, separators of lines, surrogates
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """Return a text with escapes for control and direction characters, as in a string literal: `\\x1b`, `\\u202e`."""
    return text if text.isascii() and text.isprintable() else _OBEYED.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
