"""Judge one mutant in a copy of the repository: by a smoke test and the fuzzers, or by tests."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from tests.mutation.generated.areas import AREAS
from tests.mutation.generated.executed import ChosenRecords, FuzzerLines, lines_of, noting
from tests.mutation.generated.mutators import Mutant
from tests.mutation.patch import PatchError, write_planted
from tests.mutation.planted import passes_of
from tests.mutation.run_python import Run, run_python, run_tests
from tests.mutation.trial import copy_package, look
from tvmscript.fuzz.areas import area as find_area

Judge = Literal["smoke", "fuzz", "tests", "nobody"]

_FOLDERS: Final = ("tests", "tools", "examples", "grammar_docs", "benchmarks")
_FILES: Final = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
#: seconds of the processor for the tests of a mutant
_LIMIT: Final = 900
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
    #: how many tests judged it; None where none were asked
    tests: int | None = None


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
    fuzzers: FuzzerLines | None = None,
    *,
    seed: int,
    minutes: float,
    is_fuzzed: bool = True,
) -> Verdict:
    """Plant a mutant in a copy of the package at `root`, and say whether the smoke test or a fuzzer finds it.

    `fuzzers` points the areas at the subjects that execute the mutant.
    """
    began = time.monotonic()
    lines = lines_of(mutant, (root / mutant.file).read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        copy_package(root, copy)
        _plant(mutant, copy)
        areas = AREAS[area].fuzzers if is_fuzzed else ()
        names = _point(areas, mutant.file)
        records: ChosenRecords | None = None
        if names and fuzzers is not None:
            names = fuzzers.pointed(names, mutant.file, lines)
            records = fuzzers.records(areas, mutant.file, lines, 60 * minutes)
        by, cause, is_unfuzzed = _judge(copy, mutant, lines, names, records, seed, minutes)
    seconds = time.monotonic() - began
    return Verdict(area, mutant.name, mutant.kind, by, cause, seconds, is_unfuzzed=is_unfuzzed)


def _judge(
    copy: Path,
    mutant: Mutant,
    lines: range,
    fuzzers: tuple[str, ...],
    records: ChosenRecords | None,
    seed: int,
    minutes: float,
) -> tuple[Judge, str, bool]:
    """Return who finds a mutant, how, and whether no example executes it."""
    if cause := _failure(run_python(copy, ["-c", _SMOKE, _module(mutant.file)], 120, TVMSCRIPT_CACHE="0")):
        return "smoke", cause, False
    if not fuzzers:
        return "nobody", "", False
    settings = {"MUTATION_TARGET": f"{mutant.file}:{lines[0]}:{lines[-1]}", **noting(copy, copy / "executed.txt")}
    if records is not None:
        settings["MUTATION_RECORDS"] = json.dumps(records.numbers)
        minutes -= records.skipped_seconds / 60
    try:
        outcome = look(mutant.name, copy, fuzzers, seed, minutes, settings)
    except PatchError as error:
        return "fuzz", str(error).splitlines()[-1], False
    return ("fuzz" if outcome.is_found else "nobody"), outcome.cause, not outcome.is_executed


def judge_by_tests(mutant: Mutant, root: Path, verdict: Verdict, tests: Sequence[str]) -> Verdict:
    """Plant a mutant that lives in a copy of the repository at `root`, and say whether one of some tests finds it."""
    began = time.monotonic()
    cause = ""
    if tests:
        with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
            copy = Path(folder)
            copy_repository(root, copy)
            _plant(mutant, copy)
            cause = _failure(run_tests(copy, tests, _LIMIT))
    seconds = verdict.seconds + time.monotonic() - began
    return replace(verdict, by="tests" if cause else "nobody", cause=cause, seconds=seconds, tests=len(tests))


def _plant(mutant: Mutant, copy: Path) -> None:
    file = copy / mutant.file
    write_planted(file, mutant.applied(file.read_text("utf-8")))


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


def _failure(run: Run) -> str:
    """Return the line that tells of a failure, empty where there is none."""
    if run.status in (0, 5):  # 5: pytest collected nothing
        return ""
    lines = run.text.splitlines()
    failures = (line for line in lines if line.startswith(("FAILED", "ERROR")))
    return next(failures, (lines or [""])[-1]) or f"ended with {run.status}"
