"""Which `raise` statements of the package do the tests reach?

    pytest -p tests.raises --raises FOLDER       # Python 3.12 or newer; any options and paths of pytest
    python -m tests.raises FOLDER                # the statements that none of these runs reached

Programs that tests run in processes of their own do not count.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

ROOT: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("ir", "backends", "tvmscript")
_TOOL: Final = "raises"
_reached: set[tuple[str, int]] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--raises", type=Path, metavar="FOLDER", help="write which raise statements were reached")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--raises") is None:
        return
    if sys.version_info >= (3, 12):
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.COVERAGE_ID, _TOOL)
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.RAISE, _note)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.RAISE)
    else:
        raise SystemExit("--raises needs sys.monitoring of Python 3.12")


def _note(code: CodeType, offset: int, _: BaseException) -> None:
    if code.co_filename.startswith(str(ROOT)):
        line = [*code.co_positions()][offset // 2][0]
        _reached.add((code.co_filename, line or code.co_firstlineno))


def pytest_unconfigure(config: pytest.Config) -> None:
    folder: Path | None = config.getoption("--raises")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = sorted(f"{os.path.realpath(file)}:{line}\n" for file, line in _reached)
        (folder / f"{os.getpid()}.txt").write_text("".join(lines), "utf-8")


def statements(file: Path) -> Iterator[ast.Raise]:
    """Enumerate the statements of a file that make an error: no bare `raise`."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node


def unreached(folder: Path) -> Iterator[tuple[Path, ast.Raise]]:
    """Enumerate the statements that no run reached."""
    reached: dict[str, set[int]] = {}
    for record in folder.glob("*.txt"):
        for line in record.read_text("utf-8").splitlines():
            name, _, number = line.rpartition(":")
            reached.setdefault(name, set()).add(int(number))
    for package in _FOLDERS:
        for file in sorted((ROOT / package).rglob("*.py")):
            lines = reached.get(os.path.realpath(file), set())
            for node in statements(file):
                if lines.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1)):
                    yield file.relative_to(ROOT), node


def main(folder: str) -> None:
    """Print them: file, line, and what is raised."""
    missing = list(unreached(Path(folder)))
    for file, node in missing:
        print(f"{file}:{node.lineno}: {' '.join(ast.unparse(node).split())[:100]}")
    print(f"{len(missing)} statements are not reached")


if __name__ == "__main__":
    main(sys.argv[1])
