"""Run Python, or tests, in a copy of the package."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Run:
    """A process that ended; its status is negative where a signal ended it."""

    status: int
    output: str
    errors: str
    #: of the processor
    seconds: float

    @property
    def text(self) -> str:
        return self.output + self.errors


def run_python(copy: Path, arguments: Sequence[str], limit: int | None = None, **settings: str) -> Run:
    """Run Python in a copy, for `limit` seconds of the processor at most. `settings` are environment variables."""

    def limit_time() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    environment = {**os.environ, "PYTHONPATH": str(copy), **settings}
    with (copy / "out.txt").open("w+") as out, (copy / "err.txt").open("w+") as err:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=copy, env=environment, stdout=out, stderr=err, preexec_fn=limit_time
        )
        _, status, used = os.wait4(process.pid, 0)  # unlike `wait`, it tells the time of the processor
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Run(process.returncode, out.read(), err.read(), used.ru_utime + used.ru_stime)


#: arguments of pytest that choose the tests which `.ci/run` runs
CHOSEN_TESTS: Final = ("-m", "not fuzz and not gpu")


def run_tests(copy: Path, arguments: Sequence[str], limit: int | None = None, **settings: str) -> Run:
    """Run tests on a copy, up to the first that fails: those that `.ci/run` runs."""
    options = ("-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *CHOSEN_TESTS)
    return run_python(copy, [*options, *arguments], limit, **{"TVMSCRIPT_CACHE": "0", **settings})
