"""An interrupt leaves the package usable: modules are imported once more, limits are what they were."""

from __future__ import annotations

import gc
import importlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.core.python_settings import deep_recursion, short_turns, without_collection
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.pass_record import PassRecord
from tvmscript.ir.transform.registry import get_pass, pass_class

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
    limit, interval = sys.getrecursionlimit(), sys.getswitchinterval()
    run = deep_recursion(without_collection(short_turns(lambda: None)))

    remaining = 0
    for number in range(1, 60):
        remaining = number

        def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
            nonlocal remaining
            if not frame.f_code.co_filename.endswith("python_settings.py"):
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
        assert sys.getswitchinterval() == interval
        assert gc.isenabled()
    assert remaining > 0, "the decorators have more lines"


def test_a_record_survives_a_pass_that_it_did_not_see_begin() -> None:
    module, simplify = tvmscript.from_source(SOURCE), tvmscript.tir.transform.Simplify()
    assert isinstance(module, tvmscript.tir.PrimFunc)
    record = PassRecord()
    record.run_failed_pass(tvmscript.ir.IRModule({"f": module}), simplify.info, KeyboardInterrupt())
    with tvmscript.transform.PassContext(instruments=[record]):
        simplify(tvmscript.ir.IRModule({"f": module}))
    assert [run.info.name for _, run in record] == ["tir.Simplify"]


FRESH = """
import ast, os, random, sys
import llvmlite.binding, numpy  # libraries, which interrupts may break

TEXT = {source!r}
BLOCK = TEXT.replace("A[i] =", "with T.block('B'):\\n            vi = T.axis.spatial(64, i)\\n            A[vi] =")
BLOCK = BLOCK.replace("= A[i]", "= A[vi]")
GRAPH = '@R.function\\ndef f(x: R.Tensor(("n", 4), "float32")):\\n    y = R.add(x, x)\\n    return y\\n'

def build():
    import tvmscript
    values = numpy.zeros(64, "float32")
    tvmscript.build(tvmscript.from_source(TEXT), target="llvm")(values)
    assert values[0] == 1

def schedule():
    import tvmscript
    sch = tvmscript.Schedule(tvmscript.from_source(BLOCK))
    sch.unroll(sch.split(sch.get_loops("B")[0], [None, 8])[1])
    assert "unroll" in sch.mod.script() and str(sch.trace) and sch.trace.as_json()

def graph():
    import tvmscript
    assert "R.add" in tvmscript.from_source(GRAPH).script()

def in_child(action, at):
    # run the action in a fresh process, interrupt it at a call, run it twice more; return the number of its calls
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        told = os.fdopen(read).read()
        assert os.waitpid(child, 0)[1] == 0, (action.__name__, at)
        return int(told)
    count = 0
    def trace(frame, event, _):
        nonlocal count
        count += 1
        if count == at:
            raise KeyboardInterrupt
    try:
        sys.settrace(trace)
        try:
            action()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        action()
        action()
        os.write(write, str(count).encode())
        os._exit(0)
    except BaseException:
        import traceback
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)

draw = random.Random({seed})
for action in (build, schedule, graph):
    calls = in_child(action, 0)
    for _ in range({count}):
        in_child(action, draw.randrange(calls))
    print(action.__name__, calls)
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="fresh processes are forked")
def test_lazy_imports_are_repeated_after_an_interrupt(tmp_path: Path) -> None:
    """An interrupt at any call, most of them during imports, leaves a process that can do the same again."""
    code = FRESH.format(source=SOURCE, seed=1, count=6)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 3


def test_rules_of_a_family_are_imported_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are looked up again after the import of their module was interrupted."""
    table = Dispatch(default="none", families={__name__: "rules"})
    interrupts = [KeyboardInterrupt()]

    def import_module(name: str) -> None:
        assert name == "rules"
        if interrupts:
            raise interrupts.pop()
        table.register(Dispatched)("rule")

    monkeypatch.setattr(importlib, "import_module", import_module)
    with pytest.raises(KeyboardInterrupt):
        table[Dispatched]
    assert table[Dispatched] == "rule"


class Dispatched:
    """A class whose rule is in a module of its family."""


def test_a_pass_whose_import_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The class was registered, and its module is loaded again."""
    cls = pass_class("tir.UnrollLoop")
    monkeypatch.delitem(sys.modules, cls.__module__)
    assert get_pass("tir.UnrollLoop").info.summary
    assert cls.__module__ in sys.modules
    assert pass_class("tir.UnrollLoop") is not cls
    monkeypatch.setitem(Pass.registry, "tir.UnrollLoop", cls)
