"""What the check of each area says about a planted bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tvmscript
from tvmscript.fuzz.codegen import area as codegen
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.parser import area as parser
from tvmscript.fuzz.parser.area import ErrorWithoutPlace
from tvmscript.fuzz.passes import area as passes
from tvmscript.fuzz.passes.area import PassLawBroken, Pipeline
from tvmscript.fuzz.relax import area as relax
from tvmscript.fuzz.relax.area import GraphLawBroken
from tvmscript.fuzz.schedule import area as schedule
from tvmscript.fuzz.schedule.accepted_steps import ACCEPTED, Accepted
from tvmscript.fuzz.schedule.area import LegalStepRefused, RaceMade, RefusedButChanged, TraceMakesAnother, again
from tvmscript.fuzz.schedule.steps import UndocumentedRefusal, documented_errors
from tvmscript.ir.core.errors import DiagnosticError, IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import on
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.op.binary import equal
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive import for_kind
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, Sub
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.pipeline import lower_for_llvm

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi] + 1
"""


class _Subtracts(TirRewriter):
    @on(Add)
    def add(self, node: Add) -> Expr:
        return Sub(node.a, node.b)


def _subtracted(module: IRModule) -> IRModule:
    made: IRModule = _Subtracts().rewrite(module)
    return made


def test_codegen(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = codegen.Kernel(tvmscript.from_source(PROGRAM), levels=(0,))
    codegen.check(kernel)
    monkeypatch.setattr(codegen, "lower_for_llvm", lambda module: lower_for_llvm(_subtracted(module)))
    with pytest.raises(LevelsDisagree, match="LLVM at level 0 computes something else than the interpreter: B"):
        codegen.check(kernel)


def test_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_source(text: str) -> Any:
        raise DiagnosticError(text="no place")

    parser.check(PROGRAM)
    monkeypatch.setattr(parser, "from_source", from_source)
    with pytest.raises(ErrorWithoutPlace, match="does not point into the text"):
        parser.check(PROGRAM)


def test_relax(monkeypatch: pytest.MonkeyPatch) -> None:
    def law(module: IRModule) -> None:
        raise AssertionError("never holds")

    module = BlockBuilder().get()
    relax.check((module, module))
    monkeypatch.setattr(relax, "LAWS", [law])
    with pytest.raises(GraphLawBroken, match="law: never holds"):
        relax.check((module, module))


def test_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = again("values", PROGRAM, [3, 0, 0, 0, 0, 0, 0])
    schedule.check(steps)
    assert "split" in steps.trace
    monkeypatch.setattr(Trace, "simplified", lambda self: Trace())
    with pytest.raises(TraceMakesAnother, match="simplified: the trace makes another program"):
        schedule.check(again("values", PROGRAM, [3, 0, 0, 0, 0, 0, 0]))


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changing:
        def __init__(self, schedule: Schedule, pick: Any) -> None:
            self.schedule = schedule

        def steps(self, count: int) -> Iterator[Callable[[], None]]:
            yield self.step

        def step(self) -> None:
            self.schedule.split(self.schedule.get_loops(self.schedule.get_block("B"))[0], [2, 2])
            raise IRError(text="refused")

    monkeypatch.setattr(schedule, "WrongSteps", Changing)
    with pytest.raises(RefusedButChanged, match="a step was refused and changed the program"):
        schedule.check(again("refusals", PROGRAM, []))


def test_refusals_that_are_not_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise IndexMapNotApplicable(index_map="m", reason="planted")

    class IndexMapNotApplicable(ScheduleError):
        """An error that no docstring names."""

        message = "{index_map}: {reason}"

    assert {"NotInSameScopeError", "UnwrittenCopyError"} <= documented_errors("reverse_compute_at") | documented_errors(
        "cache_write"
    )
    monkeypatch.setattr(for_kind, "check_subtree_compact_dataflow", refuse)
    with pytest.raises(UndocumentedRefusal, match="parallel does not document that it raises IndexMapNotApplicable"):
        schedule.check(again("forms", PROGRAM, [0] * 20, about=("parallel",)))


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (lambda sch, pick: sch.split(sch.get_loops("C")[0], [1, 1]), "do not fit"),
        (lambda sch, pick: None, "it changes nothing"),
    ],
)
def test_legal_steps_that_are_refused(monkeypatch: pytest.MonkeyPatch, step: Any, reason: str) -> None:
    first = next(iter(ACCEPTED))
    schedule.check(again("accepted", "", []))
    monkeypatch.setitem(ACCEPTED, first, (Accepted(ACCEPTED[first][0].program, step),))
    with pytest.raises(LegalStepRefused, match=f"(?s){first} must accept this step: .*{reason}"):
        schedule.check(again("accepted", "", []))


def test_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unstable(Pass):
        """Says that a second run changes nothing."""

        is_idempotent = True

        def run(self, mod: IRModule) -> IRModule:
            return mod.with_attr("runs", int(mod.attrs.get("runs", 0)) + 1)

    Unstable.name = "tests.Unstable"  # not in the registry
    monkeypatch.setattr(passes, "make", lambda name: Unstable())
    with pytest.raises(PassLawBroken, match=r"the pass tests\.Unstable changes .* in a second run"):
        passes.check(Pipeline(PROGRAM, ("tests.Unstable",)))


def test_races(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps(schedule: Schedule, *_: Any) -> None:
        loop = schedule.get_loops(schedule.get_block("B"))[0]
        with monkeypatch.context() as planted:  # a check that is missing
            planted.setattr(for_kind, "check_subtree_compact_dataflow", lambda ref: None)
            schedule.parallel(loop)

    monkeypatch.setattr(schedule, "random_steps", steps)
    every_element = PROGRAM.replace("B[vi] =", "B[0] =")
    schedule.check(again("values", PROGRAM, [0]))
    with pytest.raises(RaceMade, match="iterations run side by side that wait for each other"):
        schedule.check(again("values", every_element, [0]))


def test_dtypes_of_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    module = tvmscript.from_source(
        '@R.function\ndef main(x: R.Tensor((2, 3), "float32")):\n    y = R.equal(x, x)\n    return y\n'
    )
    module = IRModule.from_expr(module)
    relax.check((module, module))
    monkeypatch.setattr(equal, "reference", lambda np, a, b: np.add(a, b))
    with pytest.raises(GraphLawBroken, match=r"agrees_with_numpy: .* but float32 of shape \(2, 3\)"):
        relax.check((module, module))
