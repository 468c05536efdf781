"""Reproduction scripts: each script fails on its own with the cause of the failure."""

from __future__ import annotations

import re
from pathlib import Path

from tvmscript.fuzz.causes import Cause

_HEAD = re.compile(r"^# cause: (.*)$", re.MULTILINE)


def script(area: str, cause: Cause, report: str, body: str) -> str:
    """Compose a script: the failure as comments, then the example and its check."""
    told = "".join(f"# {line}".rstrip() + "\n" for line in report.splitlines()[:40])
    return f"# Found by: tvmscript fuzz {area}\n# cause: {cause}\n#\n{told}\n{body.rstrip()}\n"


def known_causes(folder: Path) -> set[str]:
    """The causes of the scripts in a folder."""
    return {match[1] for file in sorted(folder.glob("*.py")) if (match := _HEAD.search(file.read_text("utf-8")))}


def as_literal(text: str) -> str:
    """Write a text as a literal, over several lines if it is printable."""
    if "\\" in text or '"""' in text or (not text.isprintable() and not _plain(text)):
        return repr(text)
    return f'"""\\\n{text}"""'


def _plain(text: str) -> bool:
    return text.replace("\n", "").isprintable() and not text.endswith('"')
