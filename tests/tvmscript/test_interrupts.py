"""An interrupt leaves the package usable: modules are imported once more, limits are what they were."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.recursion import deep_recursion, without_collection
from tvmscript.ir.transform.pass_record import PassRecord

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


def test_limits_are_restored_where_the_end_is_interrupted() -> None:
    """An interrupt at any line of the decorators, also inside of `finally`, leaves the limits as they were."""
    limit = sys.getrecursionlimit()

    def run() -> None:
        deep_recursion(without_collection(lambda: None))()

    for number in range(1, 40):
        remaining = number

        def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
            nonlocal remaining
            if not frame.f_code.co_filename.endswith("recursion.py"):
                return None
            remaining -= 1
            if remaining == 0:
                raise KeyboardInterrupt
            return trace

        outer = sys.gettrace()
        try:
            sys.settrace(trace)
            run()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(outer)
        assert sys.getrecursionlimit() == limit
        assert gc.isenabled()


def test_a_record_survives_a_pass_that_it_did_not_see_begin() -> None:
    module, simplify = tvmscript.from_source(SOURCE), tvmscript.tir.transform.Simplify()
    assert isinstance(module, tvmscript.tir.PrimFunc)
    record = PassRecord()
    record.run_failed_pass(tvmscript.ir.IRModule({"f": module}), simplify.info, KeyboardInterrupt())
    with tvmscript.transform.PassContext(instruments=[record]):
        simplify(tvmscript.ir.IRModule({"f": module}))
    assert [run.info.name for _, run in record] == ["tir.Simplify"]
