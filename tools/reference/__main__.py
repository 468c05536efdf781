"""`python -m tools.reference [--check]`: write the type stubs and the generated pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tools.reference.pages import pages
from tools.reference.stubs import stubs

_ROOT = Path(__file__).parents[2]


def files() -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each generated file."""
    for name, text in stubs():
        yield _ROOT / "tvmscript" / name, text
    for name, text in pages():
        yield _ROOT / "grammar_docs" / name, text


def main(arguments: list[str]) -> int:
    """Write the files that are out of date. With `--check`, only list them, and return 1 if there are any."""
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
