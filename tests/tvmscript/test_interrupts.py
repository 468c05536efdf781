"""An interrupt leaves the package usable: modules are imported once more, limits are what they were."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
import time

import pytest

import tvmscript

REIMPORT = """
import importlib, pkgutil, sys, tvmscript
names = [item.name for item in pkgutil.walk_packages(tvmscript.__path__, "tvmscript.")]
names = [name for name in names if not name.endswith(("__main__", ".plugin"))]
for name in names:
    importlib.import_module(name)
for name in names:
    first = sys.modules.pop(name)
    importlib.import_module(name)
    sys.modules[name] = first
print(len(names))
"""
SOURCE = """
@T.prim_func
def f(A: T.Buffer((64,), "float32")):
    for i in range(64):
        A[i] = A[i] + T.float32(1)
"""


def test_modules_are_imported_once_more() -> None:
    """A module can register again what it registered in an import that was interrupted."""
    run = subprocess.run([sys.executable, "-c", REIMPORT], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 900


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files that Python was reading
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts are timed by setitimer")
def test_limits_are_restored() -> None:
    limit, draw = sys.getrecursionlimit(), random.Random(1)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        end = time.monotonic() + 3
        while time.monotonic() < end:
            try:
                signal.setitimer(signal.ITIMER_REAL, draw.uniform(0.0002, 0.002))
                tvmscript.build(tvmscript.from_source(SOURCE), target="interp")
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert sys.getrecursionlimit() == limit
            assert gc.isenabled()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert interrupted
