"""`bisect`: wrong steps that are planted in a schedule, among the passes, in the code generator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import tvmscript
from tvmscript.backends.llvm.codegen import arithmetic
from tvmscript.cli import main
from tvmscript.driver import as_module
from tvmscript.ir.core import IRModule, Op
from tvmscript.ir.core.visit import on
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.normal_form.normalize import Normalize
from tvmscript.ir.tir.expr import Add, Sub
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.sequential import Sequential
from tvmscript.testing import bisect

PROGRAM = as_module(
    tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * 3 - 5 + vi
""")
)


class _Swapped(TirRewriter):
    @on(Sub)
    def sub(self, node: Sub) -> Any:
        return Add(node.a, node.b)


@dataclass(frozen=True)
class _Wrong(PrimFuncPass):
    """Adds what is to be subtracted."""

    name: ClassVar[str] = "test.Wrong"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Swapped().rewrite(func.body))


@dataclass(frozen=True)
class _Refusing(PrimFuncPass):
    """Refuses everything."""

    name: ClassVar[str] = "test.Refusing"

    def transform(self, func: PrimFunc) -> PrimFunc:
        raise tvmscript.TVMScriptError(text="not with me")


def steps(sch: Any) -> None:
    (i,) = sch.get_loops(sch.get_block("B"))
    _, inner = sch.split(i, [None, 4])
    sch.vectorize(inner)


def test_right_steps_are_right() -> None:
    assert bisect(PROGRAM, schedule=steps) is None


def test_the_pass() -> None:
    found = bisect(PROGRAM, passes=[*llvm_passes({})[:4], _Wrong(), *llvm_passes({})[4:]])
    assert found is not None
    assert (found.stage, found.step) == ("pass", "test.Wrong")
    assert "B[0]" in found.problem
    assert "- 5" in found.before.script()
    assert "+ 5" in str(found)
    assert "- 5" not in found.after.script()


def test_a_pass_of_several_that_run_as_one() -> None:
    found = bisect(PROGRAM, passes=[Sequential([Simplify(), Sequential([_Wrong()]), Simplify()])])
    assert found is not None
    assert (found.stage, found.step) == ("pass", "test.Wrong")
    with pytest.raises(tvmscript.TVMScriptError, match="not with me"):
        bisect(PROGRAM, passes=[Sequential([Simplify(), _Refusing()])])


def test_a_pass_that_refuses_is_no_culprit() -> None:
    with pytest.raises(tvmscript.TVMScriptError, match="not with me"):
        bisect(PROGRAM, passes=[Simplify(), _Refusing()])


def test_the_step_of_the_schedule() -> None:
    """A buffer becomes too narrow for what it holds."""
    program = as_module(
        tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    S = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("S"):
            vi = T.axis.spatial(16, i)
            S[vi] = A[vi] * 100
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = S[vi] + 1
""")
    )

    def narrow(sch: Any) -> None:
        block = sch.get_block("S")
        sch.split(sch.get_loops(block)[0], [None, 4])
        sch.unsafe_set_dtype(block, 0, "int8")
        sch.unroll(sch.get_loops(block)[1])

    found = bisect(program, schedule=narrow)
    assert found is not None
    assert (found.stage, found.step) == ("schedule", 'sch.unsafe_set_dtype(block=b0, buffer_index=0, dtype="int8")')
    assert "B[" in found.problem
    assert "int8" not in found.before.script()
    assert "int8" in found.after.script()


def test_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code generator that subtracts where it is to add."""
    table: Any = vars(arithmetic)["_ARITHMETIC"]
    monkeypatch.setitem(table, Add, table[Sub])
    found = bisect(PROGRAM)
    assert found is not None
    assert (found.stage, found.step) == ("code", "llvm -O0")
    assert "B[1]" in found.problem


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, script = tmp_path / "kernel.py", tmp_path / "steps.py"
    file.write_text(PROGRAM["main"].script())
    script.write_text("def schedule(sch):\n    sch.split(sch.get_loops(sch.get_block('B'))[0], [None, 4])\n")
    assert main(["bisect", str(file), "--script", str(script)]) == 0
    assert "every step preserves" in capsys.readouterr().out
    assert main(["bisect", str(file), "--passes", "tir.Simplify,test.Wrong,tir.LowerInitBlock", "--no-code"]) == 1
    told = capsys.readouterr()
    assert "TS7052]: the first step that is wrong: test.Wrong" in told.err
    assert "- 5" in told.out
    assert main(["bisect", str(file), "--passes", "tir.Simplifyy"]) == 2


GRAPH = as_module(
    tvmscript.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 2), "float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(y)
            d = R.subtract(z, y)
            R.output(d)
        return d
""")
)


class _Exponential(RelaxRewriter):
    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        return call.replace(op=Op.get("relax.exp")) if call.op is Op.get("relax.nn.relu") else call


@dataclass(frozen=True)
class _WrongGraph(RelaxFunctionPass):
    """Computes exp in the place of relu."""

    name: ClassVar[str] = "test.WrongGraph"

    def transform(self, func: Function, mod: IRModule) -> Function:
        rewritten: Function = _Exponential().rewrite(func)
        return rewritten


def test_graphs_are_bisected_down_to_the_code() -> None:
    assert bisect(GRAPH) is None


def test_wrong_pass_over_graphs() -> None:
    culprit = bisect(GRAPH, passes=[Normalize(), _WrongGraph(), get_pass("relax.LegalizeOps")])
    assert culprit is not None
    assert (culprit.stage, culprit.step) == ("pass", "test.WrongGraph")
    assert "main computes other values: result 0" in culprit.problem


def test_wrong_code_of_a_kernel_of_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = vars(arithmetic)["_ARITHMETIC"]
    monkeypatch.setitem(table, Sub, table[Add])
    culprit = bisect(GRAPH)
    assert culprit is not None
    assert (culprit.stage, culprit.step) == ("code", "llvm -O0")
