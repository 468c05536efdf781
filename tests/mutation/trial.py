"""One planted bug in a copy of the package, and what the fuzzers find there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.patch import ROOT, Patch, PatchError

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

    @property
    def is_found(self) -> bool:
        return bool(self.cause)


def copy_package(root: Path, to: Path) -> None:
    """The package at `root` once more, with what Python compiled of it."""
    for folder in _FOLDERS:
        shutil.copytree(root / folder, to / folder, symlinks=True)


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
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *patch.tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    with (copy / "out.txt").open("w+") as out:
        process = subprocess.Popen(command, cwd=copy, env=environment, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        told = out.read()
    failed = re.search(r"^(?:FAILED|ERROR) \S*?(\w+\.py(?:::.*?)?)(?: - |$)", told, re.MULTILINE)
    if process.returncode not in (0, 1):
        raise PatchError(f"{patch.name}: the tests do not start:\n{told[-2000:]}")
    return Outcome(patch.name, failed[1] if failed else "", used.ru_utime + used.ru_stime)


def look(name: str, copy: Path, areas: tuple[str, ...], seed: int, minutes: float) -> Outcome:
    """Fuzz some areas of a copy of the package. Raises `PatchError` where it does not even start."""
    command = [sys.executable, str(Path(__file__).parent / "look.py"), str(seed), str(minutes), *areas]
    environment = {**os.environ, "PYTHONPATH": str(copy), "TVMSCRIPT_CACHE_DIR": str(copy / "cache")}
    with (copy / "out.txt").open("w+") as out, (copy / "err.txt").open("w+") as err:
        process = subprocess.Popen(command, cwd=copy, env=environment, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)  # unlike `wait`, it tells the time of the processor
        process.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        lines, told = out.read().splitlines(), err.read()
    if not lines:
        raise PatchError(f"{name}: the package does not start:\n{told}")
    if code == -signal.SIGXCPU:
        return Outcome(name, "does not end", 60 * minutes)
    if code > 0:
        # the fuzzer itself failed, which finds nothing: an area that cannot be imported, for instance
        print(f"{name}: the fuzzer ended with {code}\n{told}", file=sys.stderr)
        return Outcome(name, "", used.ru_utime + used.ru_stime)
    if code:
        # machine code crashed: what it ran is left behind
        script = "\n".join(file.read_text("utf-8") for file in (copy / "found").glob("*-runs.txt"))
        return Outcome(name, f"the process ended with {code}", used.ru_utime + used.ru_stime, script=script)
    facts = json.loads(lines[-1])
    script = "\n".join(facts["reports"])
    return Outcome(name, "; ".join(facts["causes"]), facts["seconds"], facts["examples"], script)
