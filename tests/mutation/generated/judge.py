"""Judge one mutant in a copy of the repository: a smoke test, then the fuzzers, then the tests."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from tests.mutation.generated.areas import AREAS
from tests.mutation.generated.executed import IS_SUPPORTED, ChosenRecords, FuzzerLines, TestLines, lines_of, noting
from tests.mutation.generated.mutators import Mutant
from tests.mutation.patch import PatchError, write_planted
from tests.mutation.planted import passes_of
from tests.mutation.run_python import Run, run_python, run_tests
from tests.mutation.trial import copy_package, look
from tvmscript.fuzz.areas import area as find_area

Judge = Literal["smoke", "fuzz", "tests", "nobody"]

_FOLDERS: Final = ("tests", "tools", "examples", "grammar_docs", "benchmarks")
_FILES: Final = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
#: tests of this toolkit, and those that judge as fuzzers do: records and laws
_OTHER_JUDGES: Final = ("tests/mutation/", "tests/tvmscript/fuzz/")
#: what must work in any package: import the changed module, read, print, compile and run a kernel
_SMOKE: Final = """
import importlib, sys
import numpy, tvmscript
importlib.import_module(sys.argv[1])
text = '''@T.prim_func
def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i] * T.float32(2)
'''
scale = tvmscript.from_source(text)
assert tvmscript.ir.structural_equal(scale, tvmscript.from_source(scale.script()))
for target in ("interp", "llvm"):
    a, b = numpy.arange(8, dtype="float32"), numpy.zeros(8, "float32")
    tvmscript.build(scale, target=target)["scale"](a, b)
    assert (b == 2 * a).all()
"""


@dataclass(frozen=True)
class Verdict:
    """Who found a mutant first."""

    area: str
    mutant: str
    kind: str
    by: Judge
    cause: str
    #: until it was found, of the wall clock
    seconds: float = 0.0
    #: no example of the fuzzers executes the changed line
    is_unfuzzed: bool = False
    #: no test executes the changed line
    is_untested: bool = False


def copy_repository(root: Path, to: Path) -> None:
    """Copy what the tests need; the fuzzers need the package alone."""
    copy_package(root, to)
    for folder in _FOLDERS:
        shutil.copytree(root / folder, to / folder, symlinks=True)
    for file in _FILES:
        shutil.copy2(root / file, to / file)


def judge(
    area: str,
    mutant: Mutant,
    root: Path,
    tests: TestLines | None,
    *,
    fuzzers: FuzzerLines | None = None,
    seed: int,
    minutes: float,
    is_whole: bool,
    is_fuzzed: bool = True,
) -> Verdict:
    """Plant a mutant in a copy of the repository at `root`, and say who finds it first.

    `is_whole` runs all tests where those of the mutant's folder find nothing; without `tests` none are run, without
    `is_fuzzed` no fuzzers. `fuzzers` points the areas at the subjects that execute the mutant.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        copy_repository(root, copy)
        file = copy / mutant.file
        text = file.read_text("utf-8")
        write_planted(file, mutant.applied(text))
        lines = lines_of(mutant, text)
        areas = AREAS[area].fuzzers if is_fuzzed else ()
        names = _point(areas, mutant.file)
        records: ChosenRecords | None = None
        if names and fuzzers is not None:
            names = fuzzers.pointed(names, mutant.file, lines)
            records = fuzzers.records(areas, mutant.file, lines, 60 * minutes)
        verdict = _judge(copy, area, mutant, lines, tests, names, records, seed, minutes, is_whole)
    return replace(verdict, seconds=time.monotonic() - began)


def _judge(
    copy: Path,
    area: str,
    mutant: Mutant,
    lines: range,
    tests: TestLines | None,
    fuzzers: tuple[str, ...],
    records: ChosenRecords | None,
    seed: int,
    minutes: float,
    is_whole: bool,
) -> Verdict:
    def verdict(by: Judge, cause: str) -> Verdict:
        return Verdict(area, mutant.name, mutant.kind, by, cause, is_unfuzzed=is_unfuzzed, is_untested=is_untested)

    is_unfuzzed = is_untested = False
    if cause := _failure(run_python(copy, ["-c", _SMOKE, _module(mutant.file)], 120, TVMSCRIPT_CACHE="0")):
        return verdict("smoke", cause)
    if fuzzers:
        settings = {"MUTATION_TARGET": f"{mutant.file}:{lines[0]}:{lines[-1]}", **noting(copy, copy / "executed.txt")}
        if records is not None:
            settings["MUTATION_RECORDS"] = json.dumps(records.numbers)
            minutes -= records.skipped_seconds / 60
        try:
            outcome = look(mutant.name, copy, fuzzers, seed, minutes, settings)
        except PatchError as error:
            return verdict("fuzz", str(error).splitlines()[-1])
        if outcome.is_found:
            return verdict("fuzz", outcome.cause)
        is_unfuzzed = not outcome.is_executed
    if tests is None:
        return verdict("nobody", "")
    is_untested = IS_SUPPORTED
    for files in _stages(copy, mutant.file, is_whole):
        if IS_SUPPORTED:
            files = tests.covering(files, mutant.file, lines)
        if not files:
            continue
        is_untested = False
        if cause := _failure(run_tests(copy, files, 3600 if is_whole else 900)):
            return verdict("tests", cause)
    return verdict("nobody", "")


def _point(fuzzers: Sequence[str], file: str) -> tuple[str, ...]:
    """Return the fuzzers, pointed at the pass that a file of passes holds where they know it."""
    return tuple(_pointed(each, passes_of(file)) for each in fuzzers)


def _pointed(fuzzer: str, passes: Sequence[str]) -> str:
    subjects = find_area(fuzzer).subjects
    names = ",".join(name for name in passes if subjects is not None and name in subjects.names())
    return f"{fuzzer}:{names}" if names else fuzzer


def _module(file: str) -> str:
    path = file.removesuffix(".py").removesuffix("/__init__").removeprefix("tvmscript/")
    return "tvmscript." + path.replace("/", ".")


def _stages(copy: Path, file: str, is_whole: bool) -> Iterator[list[str]]:
    """Enumerate the test files that mirror a file, then the others of its folder and of the room, then all others."""
    mirror = "tests" / Path(file)
    places = [mirror.with_name(f"test_{mirror.name}"), *mirror.parents[: len(mirror.parts) - 3]]
    enumerated: set[str] = set()
    for place in [*places, Path("tests")] if is_whole else places:
        path = copy / place
        files = {str(each.relative_to(copy)) for each in ([path] if path.is_file() else path.rglob("test_*.py"))}
        files = {each for each in files - enumerated if not each.startswith(_OTHER_JUDGES)}
        enumerated |= files
        if files:
            yield sorted(files)


def _failure(run: Run) -> str:
    """Return the line that tells of a failure, empty where there is none."""
    if run.status in (0, 5):  # 5: pytest collected nothing
        return ""
    lines = run.text.splitlines()
    failures = (line for line in lines if line.startswith(("FAILED", "ERROR")))
    return next(failures, (lines or [""])[-1]) or f"ended with {run.status}"
