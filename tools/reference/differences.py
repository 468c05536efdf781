"""differences.md: what TVM reads and we refuse, and the other way round, out of the negative programs of the tests.

Each of them is checked against both: `tests/tvmscript/parser/test_refused.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.reference.markdown import NOTICE, table

#: the negative programs: name, our verdict, TVM's, and why they differ
CASES = Path(__file__).parents[2] / "tests" / "cases" / "refused"
_HEADING = re.compile(r"^### ", re.MULTILINE)


def differences() -> str:
    """The page."""
    refused: list[tuple[str, ...]] = []
    accepted: list[tuple[str, ...]] = []
    for name, ours, theirs, why, text in _cases():
        if theirs == "read" and ours != "read":
            codes = ", ".join(f"`{code}`" for code in ours.split())
            refused.append((name, _shown(text), codes, why))
        elif ours == "read" and theirs != "read":
            accepted.append((name, _shown(text), why))
    parts = [
        "# Differences in what is read",
        NOTICE,
        "Programs that TVM 0.17 reads and that are refused here: where it drops or ignores what is written, or makes a "
        "program that means nothing.",
        table(("program", "example", "error", "why"), refused),
        "Programs that TVM 0.17 refuses and that are read here:",
        table(("program", "example", "why"), accepted),
    ]
    return "\n\n".join(parts) + "\n"


def _cases() -> Iterator[tuple[str, str, str, str, str]]:
    for path in sorted(CASES.glob("*.txt")):
        for part in _HEADING.split(path.read_text(encoding="utf-8"))[1:]:
            title, _, text = part.partition("\n")
            name, ours, theirs, why = [*(word.strip() for word in title.split("|")), "", "", ""][:4]
            yield name, ours, theirs, why, text


def _shown(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return " ⏎ ".join(f"`{line}`" for line in lines)
