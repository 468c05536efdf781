"""The laws of graph passes hold for some programs, and are broken by passes that break them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tvmscript.fuzz.graphs import area
from tvmscript.fuzz.graphs.area import Example, GraphPassBroken, check
from tvmscript.fuzz.graphs.effects import EFFECTS
from tvmscript.ir.core import Op, on
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxRewriterPass

TEXT = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            y = R.exp(x)
            z = R.sin(y)
            R.output(z)
        return z
"""


class _SinesForExponentials(RelaxRewriter):
    @on(Call)
    def call(self, node: Call) -> Call:
        call: Call = self.descend(node)
        return Call("relax.sin", call.args) if call.op is Op.get("relax.exp") else call


@dataclass(frozen=True)
class ComputeSines(RelaxRewriterPass):
    """A pass that changes values."""

    name = "relax.ComputeSines"

    def rewriter(self, mod: IRModule) -> RelaxRewriter:
        return _SinesForExponentials()


@pytest.mark.parametrize("seed", range(12))
def test_laws_hold(seed: int) -> None:
    check(area.random_example(seed))


def test_changed_values() -> None:
    with pytest.raises(GraphPassBroken, match=r"relax\.ComputeSines changes the values: result 0 differs"):
        check(Example(TEXT, ("relax.ComputeSines",)))


def test_missed_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFECTS, "relax.Normalize", lambda mod: "a call of R.exp")
    with pytest.raises(GraphPassBroken, match=r"relax\.Normalize leaves a call of R\.exp"):
        check(Example(TEXT, ("relax.Normalize",)))
