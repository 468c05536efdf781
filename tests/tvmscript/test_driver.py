"""`tvmscript.build`: what it takes, and what it says about everything else."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.runtime.errors import WrongArrayShape
from tvmscript.driver import GraphNotBuilt, UnknownTarget
from tvmscript.ir.core.errors import NotCompiled, WrongType
from tvmscript.ir.core.targets.target import InvalidTarget, Target
from tvmscript.ir.tir.errors import SameSymbol

KERNEL = """@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)
"""
MIXED = """@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x
"""


def undecorated(a: object) -> None:
    """Not a kernel."""


class Undecorated:
    """Not a module."""


@pytest.mark.parametrize("target", ["lvm", "lllvm", "interpp"])
def test_misspelt_backend(target: str) -> None:
    with pytest.raises(UnknownTarget) as caught:
        tvmscript.build(tvmscript.from_source(KERNEL), target=target)
    assert caught.value.hint in ("did you mean llvm?", "did you mean interp?")


@pytest.mark.parametrize(("text", "proposal"), [("lvm", "llvm"), ("cudaa", "cuda"), ("llvm -mcpuu=x", "mcpu")])
def test_misspelt_target(text: str, proposal: str) -> None:
    """However the target is made."""
    for make in (Target, Target.make):
        with pytest.raises(InvalidTarget, match=rf"did you mean {proposal}\?"):
            make(text)
    if " " not in text:
        with pytest.raises(InvalidTarget, match=rf"did you mean {proposal}\?"):
            Target.make({"kind": text})


@pytest.mark.parametrize(
    ("program", "proposal"),
    [
        (undecorated, "@T.prim_func"),
        (Undecorated, "@I.ir_module"),
        (KERNEL, "tvmscript.from_source"),
        (tvmscript.Schedule(tvmscript.from_source(KERNEL)), "sch.mod"),
    ],
)
def test_no_programs(program: object, proposal: str) -> None:
    with pytest.raises(WrongType) as caught:
        tvmscript.build(program)
    assert caught.value.hint is not None
    assert proposal in caught.value.hint
    assert " at 0x" not in caught.value.text or proposal == "sch.mod"


def test_schedules_of_no_programs() -> None:
    not_a_program: Any = undecorated
    with pytest.raises(WrongType, match="the undecorated function undecorated") as caught:
        tvmscript.Schedule(not_a_program)
    assert caught.value.hint is not None
    assert "@T.prim_func" in caught.value.hint


def test_modules_are_not_called() -> None:
    """The error says how to build them; it is also a TypeError, as for other objects that cannot be called."""
    program: Any = tvmscript.IRModule({"f": tvmscript.from_source(KERNEL)})
    with pytest.raises(NotCompiled) as caught:
        program(np.zeros(4, "float32"))
    assert isinstance(caught.value, TypeError)
    assert "tvmscript.build" in str(caught.value.hint)
    assert '["f"](...)' in str(caught.value.hint)


def test_functions_are_compiled_when_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[Any] = []
    original = tvmscript.driver.build

    def build(program: Any, target: Any) -> Any:
        builds.append(target)
        return original(program, target)

    monkeypatch.setattr(tvmscript.driver, "build", build)
    func = tvmscript.from_source(TWICE_AS_MUCH)
    values = np.arange(4, dtype="float32")
    for _ in range(2):
        np.testing.assert_array_equal(func(values, ...), values * 2)
    with tvmscript.target.Target("llvm -opt-level=1"):
        np.testing.assert_array_equal(func(B=..., A=values), values * 2)
    assert [str(target) for target in builds] == ["None", "llvm -keys=cpu -opt-level=1"]
    with pytest.raises(WrongArrayShape, match="extent 4"):
        func(values[:3], ...)


def test_functions_that_were_called_are_freed() -> None:
    func = tvmscript.from_source(TWICE_AS_MUCH)
    func(np.zeros(4, "float32"), ...)
    reference = weakref.ref(func)
    del func
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_graphs_are_not_dropped(target: str) -> None:
    module = tvmscript.from_source(MIXED)
    for program in (module, module["main"]):
        with pytest.raises(GraphNotBuilt, match="main") as caught:
            tvmscript.build(program, target=target)
        assert caught.value.span is not None
        assert caught.value.span.line == 8
    assert "f" in tvmscript.build(tvmscript.IRModule({"f": module["f"]}), target=target)


TWICE_AS_MUCH = """
@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] * T.float32(2)
"""
TWICE = """
@I.ir_module
class Module:
    @T.prim_func
    def a(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "main"})
        A[0] = T.float32(1)

    @T.prim_func
    def b(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "main"})
        A[0] = T.float32(2)
"""


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_one_symbol_of_several_functions(target: str) -> None:
    """A module may hold a function for each of several targets; one library cannot."""
    module = tvmscript.from_source(TWICE)
    assert len(module.functions) == 2
    with pytest.raises(SameSymbol, match="main"):
        tvmscript.build(module, target=target)


@pytest.mark.parametrize("strides", ["(1,)", "(16, 4, 1)"])
def test_strides_of_another_rank(strides: str) -> None:
    text = f"@T.prim_func\ndef f(A: T.Buffer((4, 4), 'float32', strides={strides})):\n    A[1, 2] = T.float32(0)\n"
    func = tvmscript.from_source(text)
    with pytest.raises(WrongType, match="2 strides"):
        tvmscript.build(func)


def test_vectorized_loops_become_serial_where_vectors_are_off() -> None:
    text = "@T.prim_func\ndef f(A: T.Buffer((16,), 'int8')):\n    for i in T.vectorized(16):\n        A[i] = T.int8(1)"
    func = tvmscript.from_source(text)
    with tvmscript.transform.PassContext(config={"tir.disable_vectorize": True}):
        lowered = tvmscript.lower(func).script()
    assert "for i in range(16)" in lowered
