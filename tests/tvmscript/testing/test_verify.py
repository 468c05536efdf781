"""Checks after every pass, switched on by a context or by the environment."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import tvmscript
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import on
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.normal_form.normalize import Normalize
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import BufferStore, SeqStmt
from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.decorators import module_pass
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.loops.unroll_loop.unroll_loop import UnrollLoop
from tvmscript.ir.transform.sequential import Sequential
from tvmscript.testing import verify_passes
from tvmscript.testing.errors import (
    IllFormedAfterPass,
    NotPrinted,
    PassBreaksProgram,
    PassChangesValues,
    UnknownCheck,
)

pytestmark = pytest.mark.usefixtures("unobserved")

TEXT = """
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for i in T.unroll(4):
        A[i] = A[i] + (i + 0)
"""


@dataclass(frozen=True)
class Spoil(PrimFuncPass):
    """Gives every function an attribute that cannot be written."""

    name: ClassVar[str] = "testing.Spoil"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.replace(attrs={**func.attrs, "odd": Node()})


@dataclass(frozen=True)
class Twice(PrimFuncPass):
    """Runs every body twice, and binds its names twice so."""

    name: ClassVar[str] = "testing.Twice"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(SeqStmt((func.body, func.body)))


def program() -> PrimFunc:
    made = tvmscript.from_source(TEXT)
    assert isinstance(made, PrimFunc)
    return made


def test_the_error_names_the_pass() -> None:
    with verify_passes("roundtrip"), pytest.raises(NotPrinted, match=r"what the pass testing\.Spoil made"):
        Sequential((Simplify(), Spoil(), Simplify()))(program())
    assert Spoil()(program()).attrs["odd"] is not None, "nobody looks any more"


def test_right_passes_are_silent() -> None:
    with verify_passes("roundtrip", "wellformed"):
        assert isinstance(Sequential((UnrollLoop(), Simplify()))(program()), PrimFunc)


def test_well_formedness_after_a_pass() -> None:
    with verify_passes("wellformed"), pytest.raises(IllFormedAfterPass, match=r"testing\.Twice.*i is defined twice"):
        Twice()(program())


@dataclass(frozen=True)
class ForgetsBindings(Pass):
    """Takes the bindings of graph functions away, and leaves what uses them."""

    name: ClassVar[str] = "testing.ForgetsBindings"

    def run(self, mod: IRModule) -> IRModule:
        spoiled: Any = {
            var: func.replace(body=func.body.replace(blocks=())) if isinstance(func, Function) else func
            for var, func in mod.functions.items()
        }
        return mod.replace(functions=spoiled)


def test_graph_functions_are_looked_at_too() -> None:
    graph = tvmscript.from_source("""
@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
""")
    with verify_passes("wellformed", "roundtrip"):
        assert Simplify()(graph) is graph
    with verify_passes("wellformed"), pytest.raises(IllFormedAfterPass, match=r"ForgetsBindings.*y is used"):
        ForgetsBindings()(graph)


def test_what_was_wrong_before_is_not_the_fault_of_the_pass() -> None:
    wrong = Twice()(program())
    with verify_passes("roundtrip", "wellformed"):
        assert Simplify()(wrong) is not wrong


def test_unknown_check() -> None:
    with pytest.raises(UnknownCheck, match="'round'") as info, verify_passes("round"):
        pass
    assert info.value.hint == "the checks are roundtrip, wellformed, values"
    assert info.value.code == "TS8007"


def test_checks_are_made_in_contexts_of_their_own_too() -> None:
    with verify_passes("wellformed"), PassContext(opt_level=3), pytest.raises(IllFormedAfterPass):
        Twice()(program())


@dataclass(frozen=True)
class AddsOne(PrimFuncPass):
    """Writes one more than the program did."""

    name: ClassVar[str] = "testing.AddsOne"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Plus().rewrite(func.body))


class _Plus(TirRewriter):
    @on(BufferStore)
    def stored(self, node: BufferStore) -> BufferStore:
        return node.replace(value=node.value + 1)


@dataclass(frozen=True)
class OutOfBounds(PrimFuncPass):
    """Writes behind the end of the buffer."""

    name: ClassVar[str] = "testing.OutOfBounds"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Behind().rewrite(func.body))


class _Behind(TirRewriter):
    @on(BufferStore)
    def stored(self, node: BufferStore) -> BufferStore:
        return node.replace(indices=(node.indices[0] + 1,))


def test_values_after_a_pass() -> None:
    with verify_passes("values"):
        Sequential((UnrollLoop(), Simplify()))(program())
        with pytest.raises(PassChangesValues, match=r"testing\.AddsOne, main computes other values: A\[0\] was"):
            Sequential((Simplify(), AddsOne()))(program())
        with pytest.raises(PassBreaksProgram, match=r"testing\.OutOfBounds, main does not run"):
            OutOfBounds()(program())
        Simplify()(program())


SCRIPT = f"""
import sys, tvmscript
func = tvmscript.from_source('''{TEXT}''')
print("tvmscript.testing.verify" in sys.modules)
tvmscript.transform.get_pass("tir.Simplify")(func)
print("tvmscript.testing.verify" in sys.modules)
"""


def run(value: str, code: str = SCRIPT) -> Any:
    environment = {"TVMSCRIPT_VERIFY": value, "PATH": ""}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(("value", "loaded"), [("", "False"), ("roundtrip", "True"), ("wellformed, roundtrip", "True")])
def test_environment(value: str, loaded: str) -> None:
    """The checks are loaded when a pass runs, and only where they are asked for."""
    assert run(value).stdout.split() == ["False", loaded]


def test_environment_with_a_wrong_word() -> None:
    assert "error[TS8007]: there is no check named 'rounds'" in run("rounds").stderr


def test_environment_finds_the_pass() -> None:
    spoiled = SCRIPT.replace('"tir.Simplify")(func)', '"tir.Simplify")(func.replace(attrs={"odd": Node()}))')
    code = f"from tvmscript.ir.core.node import Node\n{spoiled}"
    assert "error[TS8001]: what the pass tir.Simplify made cannot be printed" in run("roundtrip", code).stderr


GRAPH = """
@R.function
def main(x: R.Tensor(("n", 4), "float32"), t: R.Tuple(R.Tensor((4,), "float32"), R.Shape(["n", 4]))):
    y = R.add(x, t[0])
    z = R.reshape(y, t[1])
    return (z, y)
"""


def with_other_result(position: int) -> IRModule:
    """The graph with another operator at one of its bindings."""
    texts = (("R.add(x, t[0])", "R.subtract(x, t[0])"), ("R.reshape(y, t[1])", "R.reshape(x, t[1])"))
    return IRModule({"main": tvmscript.from_source(GRAPH.replace(*texts[position]))})


@pytest.mark.parametrize("position", [0, 1])
def test_values_of_graphs(position: int) -> None:
    graph = IRModule({"main": tvmscript.from_source(GRAPH)})

    @module_pass(opt_level=0, name="testing.Replace")
    def replace(mod: IRModule, context: PassContext) -> IRModule:
        return with_other_result(position)

    with verify_passes("values"):
        assert Normalize()(graph)["main"].script() == Normalize()(graph)["main"].script()
        with pytest.raises(PassChangesValues, match=r"testing\.Replace, main computes other values: result 0 \[0, 0\]"):
            replace(graph)


def test_graph_that_does_not_run_after_a_pass() -> None:
    graph = IRModule({"main": tvmscript.from_source(GRAPH)})

    @module_pass(opt_level=0, name="testing.Break")
    def break_down(mod: IRModule, context: PassContext) -> IRModule:
        text = GRAPH.replace(
            "R.add(x, t[0])", 'R.call_pure_packed("testing.nothing", x, sinfo_args=R.Tensor(("n", 4), "float32"))'
        )
        return IRModule({"main": tvmscript.from_source(text)})

    with verify_passes("values"), pytest.raises(PassBreaksProgram, match=r"testing\.nothing"):
        break_down(graph)
