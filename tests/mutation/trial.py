"""One planted bug in a copy of the package, and what the fuzzers find there."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.patch import ROOT, Patch, PatchError
from tests.mutation.run_python import run_python, run_tests

#: the folders of the package
_FOLDERS = ("tvmscript", "ir", "backends")


@dataclass(frozen=True)
class Outcome:
    """What was found of a bug."""

    name: str
    #: where it showed; empty where nothing was found
    cause: str
    #: of the processor
    seconds: float
    examples: int = 0
    #: the script that shows it
    script: str = ""
    #: False: no example executed the changed line
    is_executed: bool = True

    @property
    def is_found(self) -> bool:
        return bool(self.cause)


def copy_package(root: Path, to: Path) -> None:
    """Copy the package at `root`, with what Python compiled of it."""
    for folder in _FOLDERS:
        shutil.copytree(root / folder, to / folder, symlinks=True)
    if sys.pycache_prefix is not None:
        bytecode, copied = (Path(f"{sys.pycache_prefix}{path.absolute() / 'tvmscript'}") for path in (root, to))
        if bytecode.exists():  # without files that another process is writing
            shutil.copytree(bytecode, copied, ignore=shutil.ignore_patterns("*.pyc.*"))


def try_out(
    patch: Patch | None, areas: tuple[str, ...], *, seed: int = 0, minutes: float = 1.0, root: Path = ROOT
) -> Outcome:
    """Fuzz some areas of a copy of the package with a bug, or without one, until something is found.

    Raises `PatchError` where the copy does not even start.
    """
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder)
        copy_package(root, copy)
        if patch is not None:
            patch.plant(copy)
            if patch.tests:
                return _run_tests(patch, copy)
        return look(patch.name if patch else "nothing planted", copy, areas, seed, minutes)


def _run_tests(patch: Patch, copy: Path) -> Outcome:
    """Run tests on the copy, up to the first that fails."""
    for name in ("tests", "examples", "pyproject.toml"):
        (copy / name).symlink_to(ROOT / name)
    run = run_tests(copy, patch.tests)
    if run.status < 0:
        return Outcome(patch.name, f"the process ended with {run.status}", run.seconds)
    failed = re.search(r"^(?:FAILED|ERROR) \S*?(\w+\.py::.*?)(?: - |$)", run.output, re.MULTILINE)
    if run.status > 1 or (run.status and not failed):  # an error of collection names no test
        raise PatchError(f"{patch.name}: the tests do not start:\n{run.text[-2000:]}")
    return Outcome(patch.name, failed[1] if failed else "", run.seconds)


def look(
    name: str, copy: Path, areas: tuple[str, ...], seed: int, minutes: float, settings: Mapping[str, str] | None = None
) -> Outcome:
    """Fuzz some areas of a copy of the package; `settings` are environment variables.

    Raises `PatchError` where it does not even start.
    """
    arguments = [str(Path(__file__).parent / "look.py"), str(seed), str(minutes), *areas]
    run = run_python(copy, arguments, None, **{"TVMSCRIPT_CACHE_DIR": str(copy / "cache"), **(settings or {})})
    lines = run.output.splitlines()
    if not lines:
        raise PatchError(f"{name}: the package does not start:\n{run.errors}")
    if run.status == -signal.SIGXCPU:
        return Outcome(name, "does not end", 60 * minutes)
    if run.status > 0:
        # the fuzzer itself failed, which finds nothing: an area that cannot be imported, for instance
        print(f"{name}: the fuzzer ended with {run.status}\n{run.errors}", file=sys.stderr)
        return Outcome(name, "", run.seconds)
    if run.status:
        # machine code crashed: what it ran is left behind
        script = "\n".join(file.read_text("utf-8") for file in (copy / "found").glob("*-runs.txt"))
        return Outcome(name, f"the process ended with {run.status}", run.seconds, script=script)
    facts = json.loads(lines[-1])
    script = "\n".join(facts["reports"])
    return Outcome(name, "; ".join(facts["causes"]), facts["seconds"], facts["examples"], script, facts["is_executed"])
