"""Which `raise` statements of the package do the tests reach?

    pytest -n 0 -p tests.raises --raises FOLDER  # any options and paths of pytest; before Python 3.12 twice as slow
    python -m tests.raises FOLDER                # the statements that none of these runs reached, and shares by area

Programs that tests run in processes of their own do not count, nor do methods that are only there to be overridden.
"""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest
    from _typeshed import TraceFunction

ROOT: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("ir", "backends", "tvmscript")
_TOOL: Final = "raises"
#: (file, line) of the statements of this run
reached: set[tuple[str, int]] = set()


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
        threading.settrace(trace)
        sys.settrace(trace)


def _note(code: CodeType, offset: int, _: BaseException) -> None:
    if code.co_filename.startswith(str(ROOT)):
        line = [*code.co_positions()][offset // 2][0]
        reached.add((code.co_filename, line or code.co_firstlineno))


def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
    """Note exceptions in the frames of this package."""
    if event == "exception":
        reached.add((frame.f_code.co_filename, frame.f_lineno))
    elif not frame.f_code.co_filename.startswith(str(ROOT)):
        return None
    frame.f_trace_lines = False
    return trace


def pytest_unconfigure(config: pytest.Config) -> None:
    folder: Path | None = config.getoption("--raises")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = sorted(f"{os.path.realpath(file)}:{line}\n" for file, line in reached)
        (folder / f"{os.getpid()}.txt").write_text("".join(lines), "utf-8")


def _abstract(function: ast.FunctionDef) -> ast.stmt | None:
    """Return the `raise NotImplementedError` of a function that has nothing else but a docstring."""
    *others, last = function.body
    is_alone = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in others)
    if is_alone and isinstance(last, ast.Raise) and last.exc is not None:
        name = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
        return last if isinstance(name, ast.Name) and name.id == "NotImplementedError" else None
    return None


def statements(file: Path) -> list[ast.Raise]:
    """List the statements of a file that make an error: no bare `raise`, and none of abstract methods."""
    nodes = [*ast.walk(ast.parse(file.read_text("utf-8")))]
    abstract = [_abstract(node) for node in nodes if isinstance(node, ast.FunctionDef)]
    return [node for node in nodes if isinstance(node, ast.Raise) and node.exc is not None and node not in abstract]


def area(file: Path) -> str:
    """Return the area that a file of the package counts to: its first two folders."""
    return "/".join(file.parts[:2])


def all_statements() -> Iterator[tuple[Path, ast.Raise]]:
    """Enumerate the statements of the packages, with their files."""
    for package in _FOLDERS:
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in statements(file):
                yield file.relative_to(ROOT), node


def unreached(folder: Path) -> Iterator[tuple[Path, ast.Raise]]:
    """Enumerate the statements that no run reached."""
    lines_of_files: dict[str, set[int]] = {}
    for record in folder.glob("*.txt"):
        for line in record.read_text("utf-8").splitlines():
            name, _, number = line.rpartition(":")
            lines_of_files.setdefault(name, set()).add(int(number))
    for file, node in all_statements():
        lines = lines_of_files.get(os.path.realpath(ROOT / file), set())
        if lines.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1)):
            yield file, node


def main(folder: str) -> None:
    """Print them: file, line, and what is raised."""
    missing = list(unreached(Path(folder)))
    for file, node in missing:
        print(f"{file}:{node.lineno}: {' '.join(ast.unparse(node).split())[:100]}")
    total, lost = Counter(area(file) for file, _ in all_statements()), Counter(area(file) for file, _ in missing)
    for name, count in total.items():
        print(f"{name:24} {count - lost[name]:5} of {count:5} reached, {100 * (count - lost[name]) / count:.0f} %")
    print(f"{len(missing)} of {sum(total.values())} statements are not reached")


if __name__ == "__main__":
    main(sys.argv[1])
