"""Which subjects and records of fuzzers execute the line of a mutant: others cannot find it."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, Final

from tests.mutation.generated.mutators import Mutant
from tests.mutation.run_python import run_python
from tvmscript.fuzz.engine import RECORDS_SHARE
from tvmscript.fuzz.pointing import SubjectLines, point

NOTES: Final = Path(__file__).parents[1] / "line_notes"
_SUBJECT_LINES: Final = Path(__file__).parents[1] / "subject_lines.py"
_RECORD_LINES: Final = Path(__file__).parents[1] / "record_lines.py"
#: `sys.monitoring` came with Python 3.12; without it all records are taken to execute all lines
IS_SUPPORTED: Final = sys.version_info >= (3, 12)


def noting(copy: Path, record: Path) -> dict[str, str]:
    """Return the environment of a process in `copy` that notes the lines which it executes in `record`."""
    if not IS_SUPPORTED:
        return {}
    return {
        "PYTHONPATH": f"{NOTES}{os.pathsep}{copy}",
        "MUTATION_ROOT": str(copy),
        "MUTATION_LINES": str(record),
    }


def lines_of(mutant: Mutant, text: str) -> range:
    """Return the lines of a file that run where the node of a mutant does: from its statement's start to its own.

    A part of a statement may be left out (`a and b`), or its line has no code of its own: the statement counts.
    The body of a `T.prim_func` is read where the function is defined.
    """
    line = text.encode()[: mutant.start].count(b"\n") + 1
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)
    ]
    first = max((node.lineno for node in around), default=line)
    return range(min([first, *(node.lineno for node in around if is_read(node))]), line + 1)


def is_read(statement: ast.stmt) -> bool:
    """Return whether decorators read the text of a definition."""
    decorators = statement.decorator_list if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []
    return any(ast.unparse(each).startswith(("T.", "R.", "I.")) for each in decorators)


@dataclass(frozen=True)
class ChosenRecords:
    """The records that a run of fuzzers compares first."""

    #: area -> numbers of its records
    numbers: dict[str, list[int]]
    #: of the processor: of those that are left out
    skipped_seconds: float


class FuzzerLines:
    """The lines that fuzzers execute by subject and by record, kept in a folder for the repository at `root`."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._folder = folder / digest_of(root)
        self._printed: dict[str, Any] = {}
        self._lock = Lock()

    def pointed(self, names: tuple[str, ...], changed: str, lines: range) -> tuple[str, ...]:
        """Return the areas with those subjects that execute a line of `changed`; as they are where none does."""
        if not IS_SUPPORTED:
            return names
        executed: dict[str, SubjectLines] = {name: self._read(_SUBJECT_LINES, name, {}) for name in names}
        return tuple(point(executed, changed, lines))

    def records(self, names: tuple[str, ...], changed: str, lines: range, seconds: float) -> ChosenRecords | None:
        """Return the records that execute a line of `changed`, of those that areas compare in a run of `seconds`.

        None where that is not known, or the line runs while modules are imported, which concerns all records.
        """
        if not IS_SUPPORTED:
            return None
        numbers: dict[str, list[int]] = {}
        skipped = began = 0.0
        for place, name in enumerate(names, 1):
            executed = self._read(_RECORD_LINES, name, None)
            if executed is None or not set(lines).isdisjoint(executed["imported"].get(changed, ())):
                return None
            limit = seconds * RECORDS_SHARE * place / len(names)
            ends = [began + each for each in executed["ends"] if began + each < limit]
            by_line: dict[str, list[int]] = executed["lines"].get(changed, {})
            here = {number for line in lines for number in by_line.get(str(line), ()) if number < len(ends)}
            took = [end - before for before, end in pairwise([began, *ends])]
            numbers[name] = sorted(here)
            skipped += sum(took) - sum(took[number] for number in here)
            began = max(ends, default=began)
        return ChosenRecords(numbers, skipped)

    def _read(self, script: Path, name: str, unknown: Any) -> Any:
        """Return what a script prints of an area, as JSON; it runs once."""
        key = f"{script.stem}-{name}"
        with self._lock:
            if key not in self._printed:
                kept = self._folder / f"{key}.json"
                if not kept.exists():
                    self._folder.mkdir(parents=True, exist_ok=True)
                    run = run_python(self._root, [str(script), name], None, TVMSCRIPT_CACHE="0")
                    if run.status:
                        print(f"{name}: its lines are not known\n{run.text[-2000:]}", file=sys.stderr)
                        return unknown
                    kept.write_text(run.output.splitlines()[-1], "utf-8")
                self._printed[key] = json.loads(kept.read_text("utf-8"))
            return self._printed[key]


def digest_of(root: Path) -> str:
    """Return a name for the Python files below `root`, without those of this toolkit."""
    digest = hashlib.sha256(sys.version.encode())
    for file in sorted(root.rglob("*.py")):
        name = str(file.relative_to(root))
        if not name.startswith("tests/mutation/"):
            digest.update(f"{name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]
