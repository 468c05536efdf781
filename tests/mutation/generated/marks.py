"""The tests that execute each mutant, from one run of all tests in which a mark tells where a mutant would be.

The node of a mutant that is an expression `e` becomes `(__import__("sys").audit("mutation.mark", 7) or (e))`, a
statement `s` becomes `__import__("sys").audit("mutation.mark", 7); s`: values and lines stay. `line_notes` notes marks
with the running test, those of processes that tests start, too.
"""

from __future__ import annotations

import ast
import hashlib
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutation.generated.executed import NOTES, digest_of, is_read
from tests.mutation.generated.judge import copy_repository
from tests.mutation.generated.mutators import Mutant, line_starts, span_of
from tests.mutation.patch import write_planted
from tests.mutation.run_python import CHOSEN_TESTS, run_python

#: tests of this toolkit, and those that judge as fuzzers do: records and laws
_OTHER_JUDGES: Final = ("tests/mutation", "tests/tvmscript/fuzz")
#: what one mutant is judged by at most: seconds of tests, and tests
_SECONDS: Final = 200
_TESTS: Final = 1000


def marked(text: str, mutants: Mapping[int, Mutant]) -> str:
    """Return the text of a file with the marks of its mutants; patterns and texts that are read take none."""
    starts = line_starts(text)
    is_statement = {span_of(node, starts): isinstance(node, ast.stmt) for node in _executed(ast.parse(text))}
    insertions: list[tuple[int, int, int, str]] = []  # at one place in the order of these numbers
    for number, mutant in mutants.items():
        start, stop = span = mutant.start, mutant.stop
        call = f'__import__("sys").audit("mutation.mark", {number})'
        if is_statement.get(span):
            insertions.append((start, 1, -stop, f"{call}; "))
        elif span in is_statement:
            insertions += [(stop, 0, -start, "))"), (start, 2, -stop, f"({call} or (")]
    source = text.encode()
    for place, _, _, inserted in sorted(insertions, reverse=True):
        source = source[:place] + inserted.encode() + source[place:]
    return source.decode()


def _executed(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Enumerate what runs where it stands, statements after expressions that they consist of."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.pattern) and not (isinstance(child, ast.stmt) and is_read(child)):
            yield from _executed(child)
            if isinstance(child, ast.expr | ast.stmt):
                yield child


@dataclass(frozen=True)
class TestMarks:
    """The tests that passed, and the marks that they executed."""

    __test__ = False

    #: test -> seconds
    seconds: Mapping[str, float]
    #: number of a mutant -> tests; an empty name where it runs outside of tests
    executing: Mapping[int, set[str]]

    def tests(self, number: int, file: str) -> list[str]:
        """Return tests that execute a mutant of a file, the quickest first, one of each function before others.

        For what runs while modules are imported, or has no mark, these are the tests near the file.
        """
        tests = self.executing.get(number, set()) & self.seconds.keys()
        if not tests and self.executing.get(number):
            folders = (f"tests/{folder.as_posix()}/" for folder in Path(file).parents)
            near = ({test for test in self.seconds if test.startswith(folder)} for folder in folders)
            tests = next(filter(None, near), set())
        turns: Counter[str] = Counter()
        order: list[tuple[int, float, str]] = []
        for seconds, test in sorted((self.seconds[test], test) for test in tests):
            function = test.partition("[")[0]
            turns[function] += 1
            order.append((turns[function], seconds, test))
        left: float = _SECONDS
        chosen: list[str] = []
        for _, seconds, test in sorted(order)[:_TESTS]:
            if seconds <= left or not chosen:
                chosen.append(test)
                left -= seconds
        return chosen


def read_marks(text: str) -> TestMarks:
    """Read what `line_notes` wrote."""
    seconds: defaultdict[str, float] = defaultdict(float)
    executing: defaultdict[int, set[str]] = defaultdict(set)
    others: set[str] = set()
    for line in {*text.split("\n")} - {""}:  # processes of pytest-xdist tell the same twice
        kind, *rest, test = line.split("\t")
        if kind.isdigit():
            executing[int(kind)].add(test)
            continue
        seconds[test] += float(rest[0])
        if kind != "passed":
            others.add(test)
    return TestMarks({test: seconds[test] for test in seconds.keys() - others}, executing)


def run_marked(root: Path, mutants: Mapping[int, Mutant], folder: Path, jobs: int) -> TestMarks:
    """Run all tests on a copy of the repository at `root` with the marks of some mutants.

    The notes are kept in a folder, for the same mutants of the same repository.
    """
    names = "".join(f"{number} {mutant.name}\n" for number, mutant in mutants.items())
    kept = folder / digest_of(root) / f"marks-{hashlib.sha256(names.encode()).hexdigest()[:16]}.txt"
    if not kept.exists():
        with tempfile.TemporaryDirectory(prefix="marked-") as name:
            copy = Path(name)
            copy_repository(root, copy)
            notes = copy / "marks.txt"
            notes.write_text(_mark_files(copy, mutants), "utf-8")
            options = ("-q", f"-n{jobs}", "-p", "no:cacheprovider", "-p", "mark_notes", *CHOSEN_TESTS)
            settings = {"PYTHONPATH": f"{NOTES}{os.pathsep}{copy}", "MUTATION_MARKS": str(notes)}
            others = [f"--ignore={name}" for name in _OTHER_JUDGES]
            run = run_python(copy, ["-m", "pytest", *options, *others], None, TVMSCRIPT_CACHE="0", **settings)
            if run.status not in (0, 1):
                raise RuntimeError(f"the tests do not run to their end:\n{run.text[-2000:]}")
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(notes.read_text("utf-8"), "utf-8")
    return read_marks(kept.read_text("utf-8"))


def _mark_files(copy: Path, mutants: Mapping[int, Mutant]) -> str:
    """Write the marks into a copy; return notes of those that have no place: they run outside of tests."""
    by_file: defaultdict[str, dict[int, Mutant]] = defaultdict(dict)
    for number, mutant in mutants.items():
        by_file[mutant.file][number] = mutant
    notes = ""
    for name, here in by_file.items():
        text = marked((copy / name).read_text("utf-8"), here)
        write_planted(copy / name, text)
        notes += "".join(f"{number}\t\n" for number in here if f'"mutation.mark", {number})' not in text)
    return notes
