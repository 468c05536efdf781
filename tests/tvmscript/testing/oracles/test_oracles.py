"""Each oracle says nothing about right programs, and finds what is wrong."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import llvm
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.functions.apply import Apply
from tvmscript.testing import oracles
from tvmscript.testing.errors import PassBreaksProgram, PassChangesValues
from tvmscript.testing.oracles import errors, processes, real_tvm
from tvmscript.testing.schedule_values import StepBreaksProgram, ValuesChanged, ValuesCheck
from tvmscript.tir.transform import prim_func_pass
from tvmscript.transform import PassContext, get_pass

HEAD = '@T.prim_func\ndef f(A: T.Buffer((6,), "{dtype}"), B: T.Buffer((6,), "{dtype}"), n: T.int32):\n'
LOOP = (
    HEAD
    + '    for i in range(6):\n        with T.block("b"):\n            v = T.axis.spatial(6, i)\n            {line}\n'
)


def kernel(line: str, dtype: str = "float32") -> Any:
    return tvmscript.from_source(LOOP.format(line=line, dtype=dtype))


DOUBLE = kernel("B[v] = A[v] * T.float32(2)")
TRIPLE = kernel("B[v] = A[v] * T.float32(3)")


def test_all_are_there() -> None:
    assert sorted(oracles.ORACLES) == sorted(oracles.__all__)
    assert set(oracles.ORACLES) <= set(dir(oracles))
    for name, home in oracles.ORACLES.items():
        module, _, inner = home.partition(":")
        assert getattr(oracles, name) is getattr(importlib.import_module(module), inner or name)
        assert name in (oracles.__doc__ or "")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = oracles.nothing


def test_right_programs() -> None:
    oracles.well_formed(IRModule({"f": DOUBLE}))
    oracles.round_trips(DOUBLE)
    oracles.same_values(DOUBLE, kernel("B[v] = T.float32(2) * A[v]"))
    oracles.backends_agree(DOUBLE)
    oracles.backends_agree(kernel("B[v] = T.exp(A[v])"), levels=(0,), ulp=4)
    oracles.deterministic(DOUBLE)


def test_other_values() -> None:
    with pytest.raises(errors.OtherValues, match=r"after the change, f computes other values: B\[0\] is") as caught:
        oracles.same_values(DOUBLE, TRIPLE)
    assert isinstance(caught.value, AssertionError)
    with pytest.raises(errors.DoesNotRun, match=r"f does not run: .*outside"):
        oracles.same_values(DOUBLE, kernel("B[v] = A[v + 1]"))
    with pytest.raises(errors.NotRun, match="no kernel"):
        oracles.same_values(IRModule({}), IRModule({}))


def test_floats_that_are_near() -> None:
    exact, near = kernel("B[v] = A[v]"), kernel("B[v] = T.nextafter(A[v], T.float32(2))")
    with pytest.raises(errors.OtherValues):
        oracles.same_values(exact, near)
    oracles.same_values(exact, near, ulp=1)
    oracles.same_values(exact, near, ulp=None)
    with pytest.raises(errors.OtherValues):
        oracles.same_values(kernel("B[v] = A[v]", "int32"), kernel("B[v] = A[v] + 1", "int32"), ulp=4)


def test_open_sizes() -> None:
    text = (
        "@T.prim_func\ndef f(a: T.handle):\n    n = T.int32()\n    A = T.match_buffer(a, (n,))\n"
        "    for i in range(n):\n        A[i] = T.float32({})\n"
    )
    one, other = (tvmscript.from_source(text.format(value)) for value in ("1", "T.if_then_else(i < 16, 1.0, 2.0)"))
    oracles.same_values(one, other)
    with pytest.raises(errors.OtherValues, match=r"A\[16\]"):
        oracles.same_values(one, other, dims={"n": 17})


def test_compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    right = llvm.build

    def wrong(mod: IRModule, *, opt_level: int = 3, **options: Any) -> Any:
        return right(tvmscript.lower(TRIPLE, "llvm") if opt_level == 2 else mod, opt_level=opt_level, **options)

    monkeypatch.setattr(llvm, "build", wrong)
    oracles.backends_agree(DOUBLE, levels=(0, 3))
    with pytest.raises(errors.OtherValues, match="compiled by LLVM at -O2, f computes other values"):
        oracles.backends_agree(DOUBLE)


@prim_func_pass(opt_level=0)
def mark_again(func: PrimFunc, mod: IRModule, ctx: PassContext) -> PrimFunc:
    """Not idempotent, and it does not say that it is."""
    return func.with_attr("marks", [*func.attrs.get("marks", ()), 1])


def test_passes() -> None:
    made = oracles.pass_keeps(get_pass("tir.Simplify"), kernel("B[v] = A[v + 0]"))
    assert "A[v + 0]" not in made.script()
    with pytest.raises(PassChangesValues, match="Apply") as caught:
        oracles.pass_keeps(Apply(lambda func: TRIPLE.with_attr(dict(func.attrs))), DOUBLE)
    assert isinstance(caught.value, AssertionError)
    with pytest.raises(AssertionError, match="not well formed"):
        oracles.pass_keeps(Apply(lambda func: func.with_body(TRIPLE.body)), DOUBLE)
    assert oracles.pass_keeps(mark_again, DOUBLE) is not DOUBLE
    with pytest.raises(errors.NotIdempotent, match=r"a second run of .* changes"):
        oracles.idempotent(_marked, DOUBLE)
    assert oracles.idempotent(get_pass("tir.Simplify"), DOUBLE) is DOUBLE


WHILE = """
@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    while A[0] < {}:
        A[0] = A[0] + 1
        A[1] = A[0]
"""


def test_loops_that_do_not_end_are_left_out() -> None:
    """A pass may keep an endless loop, but must not make one."""
    endless, ending = (tvmscript.from_source(WHILE.format(limit)) for limit in ("100 + A[0]", "100"))
    oracles.pass_keeps(get_pass("tir.Simplify"), endless)
    with pytest.raises(PassBreaksProgram, match="runs for more iterations"):
        oracles.pass_keeps(Apply(lambda func: tvmscript.from_source(WHILE.format("100 + A[0]"))), ending)


def test_order() -> None:
    simplify, skip = get_pass("tir.Simplify"), get_pass("tir.SkipAssert")
    assert oracles.commute(simplify, skip, DOUBLE) is DOUBLE
    with pytest.raises(errors.NotCommuting, match=r"Simplify.* and _folded do not commute"):
        oracles.commute(simplify, _folded, DOUBLE)


def _folded(func: PrimFunc) -> PrimFunc:
    made: PrimFunc = kernel("B[v] = A[v + 0]")
    return made


def _marked(func: PrimFunc) -> PrimFunc:
    return func.with_attr(f"run{len(func.attrs)}", 1)


def _spoils(func: PrimFunc) -> PrimFunc:
    func.attrs["broken"] = 1
    return func


def test_inputs() -> None:
    assert oracles.input_unchanged(_marked, DOUBLE) is not DOUBLE
    with pytest.raises(errors.InputChanged, match="_spoils changed its input"):
        oracles.input_unchanged(_spoils, kernel("B[v] = A[v]"))


def test_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    made = oracles.steps_keep(lambda s: s.parallel(s.get_loops("b")[0]), DOUBLE)
    assert "T.parallel(6)" in made.script()
    monkeypatch.setattr(ValuesCheck, "results", lambda self, func, like: [np.full(6, id(func), "int64")] * 3)
    with pytest.raises(ValuesChanged, match="after parallel, f computes other values"):
        oracles.steps_keep(lambda s: s.parallel(s.get_loops("b")[0]), DOUBLE)


def test_schedules_of_open_sizes() -> None:
    """The values are compared for the size that is asked for: a tail is there for 5 and not for 16."""
    program = tvmscript.from_source(
        """
@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        with T.block("b"):
            v = T.axis.spatial(n, i)
            B[v] = A[v] + 1
"""
    )

    def split(sch: Schedule) -> None:
        sch.split(sch.get_loops("b")[0], [None, 4], disable_predication=True)

    oracles.steps_keep(split, program)
    with pytest.raises(StepBreaksProgram, match="after split, f does not run: "):
        oracles.steps_keep(split, program, dims={"n": 5})


def test_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = processes._WORKER  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(processes, "_WORKER", worker.replace("program.script()", "str(hash('x'))", 1))
    with pytest.raises(errors.NotDeterministic, match="with the hash seed 1, the text of the script differs"):
        oracles.deterministic(DOUBLE, target=None)
    monkeypatch.setattr(processes, "_WORKER", "import sys; sys.exit('no luck')")
    with pytest.raises(errors.DoesNotRun, match="with the hash seed 0, the compiler does not run: no luck"):
        oracles.deterministic(DOUBLE)


def _tvm() -> str:
    return os.environ.get("TVMSCRIPT_TVM27", "/opt/tvm27/bin/python")


@pytest.fixture
def tvm(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path(_tvm()).exists():
        pytest.skip("no apache-tvm 0.27")
    monkeypatch.setenv("TVMSCRIPT_TVM", _tvm())
    real_tvm.python_with_tvm.cache_clear()


@pytest.mark.usefixtures("tvm")
def test_real_tvm() -> None:
    oracles.agrees_with_tvm(kernel("B[v] = A[v] * T.float32(2) + T.Cast('float32', n)"))


@pytest.mark.oracle
def test_real_tvm_of_another_version(oracle: Any, tmp_path: Path) -> None:
    """TVM 0.17, which is found through variables of its own: a script stands for its Python."""
    driver = sys.modules[type(oracle).__module__]
    home = driver.home_folder()
    python, needed = driver.venv_python(home), driver.peer_environment(home)
    set_up = "".join(
        f"export {key}={shlex.quote(needed[key])}\n" for key in ("PYTHONPATH", "TVM_LIBRARY_PATH", "LD_LIBRARY_PATH")
    )
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\n{set_up}exec {shlex.quote(python)} "$@"\n')
    script.chmod(0o755)
    assert real_tvm.dialect_of(str(script)) == "0.17"
    oracles.agrees_with_tvm(kernel("B[v] = A[v] * T.float32(2) + T.Cast('float32', n)"), python=str(script))


def test_a_python_without_tvm() -> None:
    with pytest.raises(errors.NoTVM):
        oracles.agrees_with_tvm(DOUBLE, python=sys.executable)


@pytest.mark.usefixtures("tvm")
def test_real_tvm_that_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_tvm, "results", lambda *args: {"f": [np.zeros(6, "float32")] * 2 + [np.array(0)]})
    with pytest.raises(errors.OtherValues, match="in real TVM, f computes other values: A"):
        oracles.agrees_with_tvm(DOUBLE)
    monkeypatch.setattr(real_tvm, "_WORKER", "raise SystemExit('not this one')")
    with pytest.raises(errors.RefusedByTVM, match="TVM refuses f: not this one"):
        oracles.agrees_with_tvm(DOUBLE)


def test_without_tvm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TVMSCRIPT_TVM", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    real_tvm.python_with_tvm.cache_clear()
    with pytest.raises(errors.NoTVM) as caught:
        oracles.agrees_with_tvm(DOUBLE)
    assert "TVMSCRIPT_TVM" in caught.value.render()
    monkeypatch.setenv("TVMSCRIPT_TVM", sys.executable)
    assert real_tvm.python_with_tvm() == sys.executable
    real_tvm.python_with_tvm.cache_clear()
