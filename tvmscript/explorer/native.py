"""Readable LLVM IR and assembly with source lines from debug info.

Both are compiled with debug info (backends/llvm/debug.py), which is removed from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tvmscript.explorer.stages import Language, Text

_LOCATION = re.compile(r"^(!\d+) = !DILocation\(line: (\d+)", re.M)
_PLACE = re.compile(r", !dbg (!\d+)")
#: debug reference in the head of a function
_HEAD_PLACE = re.compile(r" !dbg !\d+")
_LOC = re.compile(r"^\t\.loc\t\d+ (\d+)")
#: debug labels, directives, and sections
_DEBUG_LINE = re.compile(
    r"^(\.L(tmp|func_begin|func_end|sec_end|cu|debug)\w*:|\t\.(file|cfi_|p2align\t4, 0x90)|\s*#DEBUG)"
)
_DEBUG_SECTION = re.compile(r'^\t\.section\t"?(\.debug|\.note|__DWARF)')
_SECTION = re.compile(r"^\t\.(section|text|data)\b")


def llvm_text(text: str) -> Text:
    """Return the readable text of LLVM IR with debug info."""
    places = {name: int(line) for name, line in _LOCATION.findall(text)}
    lines: list[tuple[str, int]] = []
    for line in text.splitlines():
        if line.startswith(("!", "; ModuleID", "source_filename")):
            continue
        place = _PLACE.search(line)
        line = _PLACE.sub("", line) if place else _HEAD_PLACE.sub("", line)
        lines.append((line, places.get(place[1], 0) if place else 0))
    return _text("llvm", lines)


def assembly_text(text: str) -> Text:
    """Return the readable text of assembly with line tables."""
    lines: list[tuple[str, int]] = []
    current, is_debug = 0, False
    for line in text.splitlines():
        if _SECTION.match(line):
            is_debug = bool(_DEBUG_SECTION.match(line))
        location = _LOC.match(line)
        if location:
            current = int(location[1])
        elif line.startswith("\t.type"):
            current = 0
        if location or is_debug or _DEBUG_LINE.match(line):
            continue
        is_instruction = line.startswith("\t") and not line.startswith("\t.")
        lines.append((line, current if is_instruction else 0))
    return _text("asm", lines)


def _text(language: Language, lines: Iterable[tuple[str, int]]) -> Text:
    kept = list(lines)
    while kept and not kept[-1][0].strip():
        kept.pop()
    return Text(
        language,
        tuple(line.expandtabs(8) for line, _ in kept),
        tuple((origin,) if origin else () for _, origin in kept),
    )
