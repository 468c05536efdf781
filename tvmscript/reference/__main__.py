"""`python -m tvmscript.reference [--check]`: write what is generated from the tables of the language."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tvmscript.reference.pages import pages
from tvmscript.reference.stubs import stubs

_PACKAGE = Path(__file__).parent.parent
_DOCS = _PACKAGE.parent / "grammar_docs"


def files() -> Iterator[tuple[Path, str]]:
    """Paths of the generated files, and texts; pages only in a checkout."""
    for name, text in stubs():
        yield _PACKAGE / name, text
    if _DOCS.is_dir():
        for name, text in pages():
            yield _DOCS / name, text


def main(arguments: list[str]) -> int:
    """Write the files that are out of date; with `--check` only name them. 1 where there were some to name."""
    stale = False
    for path, text in files():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale = True
        sys.stdout.write(f"{path}\n")
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    return int(stale and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
