"""Record which lines of some packages run, and list those of functions that do not.

with reached_lines(packages) as reached:      # Python 3.12 or newer
    ...
unreached_lines(packages, reached)            # file -> lines of functions that did not run
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Final

#: flag of code objects: of functions, not of modules or classes
_OPTIMIZED: Final = 0x1

#: file -> numbers of lines
Lines = Mapping[str, set[int]]


@dataclass(frozen=True)
class FileCoverage:
    """The lines of the functions of a file."""

    file: Path
    #: how many there are
    count: int
    #: those that did not run
    unreached: tuple[int, ...]

    def __str__(self) -> str:
        return f"{len(self.unreached):5} of {self.count:5}  {self.file}: {_ranges(self.unreached)}"


@contextmanager
def reached_lines(packages: Sequence[str]) -> Generator[Lines]:
    """Record the lines of packages that run. Each line costs time once; needs Python 3.12 unless there are none."""
    reached: dict[str, set[int]] = {str(file): set() for file in _files(packages)}
    if not packages:
        yield reached
    elif sys.version_info < (3, 12):
        raise RuntimeError("sys.monitoring came with Python 3.12")
    else:
        monitoring = sys.monitoring

        def note(code: CodeType, line: int) -> object:
            lines = reached.get(code.co_filename)
            if lines is not None:
                lines.add(line)
            return monitoring.DISABLE

        monitoring.use_tool_id(monitoring.COVERAGE_ID, "tvmscript fuzz")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, note)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
        monitoring.restart_events()  # lines that ran under an earlier call count again
        try:
            yield reached
        finally:
            monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.NO_EVENTS)
            monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, None)
            monitoring.free_tool_id(monitoring.COVERAGE_ID)


def unreached_lines(packages: Sequence[str], reached: Lines) -> list[FileCoverage]:
    """Return the files of packages with lines that did not run, those with most of them first."""
    files = [_coverage(file, reached.get(str(file), set())) for file in _files(packages)]
    return sorted((each for each in files if each.unreached), key=lambda each: -len(each.unreached))


def _files(packages: Iterable[str]) -> Iterator[Path]:
    for package in packages:
        spec = importlib.util.find_spec(package)
        assert spec is not None
        for folder in spec.submodule_search_locations or []:
            yield from sorted(Path(folder).rglob("*.py"))


def _coverage(file: Path, reached: set[int]) -> FileCoverage:
    lines = set(_lines(compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)))
    return FileCoverage(file, len(lines), tuple(sorted(lines - reached)))


def _lines(code: CodeType) -> Iterator[int]:
    """Enumerate the lines of the functions in code; the line of `def` belongs to what is around."""
    if code.co_flags & _OPTIMIZED:
        yield from (line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)


def _ranges(lines: Iterable[int]) -> str:
    """Write numbers in ascending order: `3-5, 9`."""
    ranges: list[tuple[int, int]] = []
    for line in lines:
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1] = ranges[-1][0], line
        else:
            ranges.append((line, line))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
