"""The laws of graph passes hold for some programs, and are broken by passes that break them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from tvmscript.fuzz.graphs import area, sharding_laws
from tvmscript.fuzz.graphs.area import Example, GraphPassBroken, check
from tvmscript.fuzz.graphs.effects import EFFECTS
from tvmscript.fuzz.graphs.sharding_laws import PASSES as SHARDING
from tvmscript.fuzz.graphs.signature_laws import LAWS
from tvmscript.ir.core import Op, on
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxRewriterPass
from tvmscript.ir.transform.registry import pass_class
from tvmscript.parser import from_source

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


@pytest.mark.parametrize("seed", range(9))
def test_laws_hold(seed: int) -> None:
    check(area.random_example(seed))


@pytest.mark.parametrize("name", LAWS)
def test_laws_of_signatures_hold(name: str) -> None:
    for seed in range(2):
        check(area.random_example(seed, (name,)))


def test_workers_compute_the_whole() -> None:
    for seed in range(3):
        check(area.random_example(seed, ("relax.distributed.PropagateSharding",)))


def test_workers_that_reduce_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of shards are the greatest of them."""
    text = """
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32"), b: R.Tensor((4,), "float32")):
        with R.dataflow():
            v0 = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
            v1 = R.sum(v0, axis=[0])
            v2 = R.matmul(v0, w)
            v3 = R.dist.annotate_sharding(b, device_mesh="mesh[0]", placement="R")
            v4 = R.add(v2, v3)
            R.output(v1, v4)
        return (v1, v4)
"""
    example = Example(text, SHARDING)
    check(example)
    right = sharding_laws.Workers.reduce
    monkeypatch.setattr(sharding_laws.Workers, "reduce", lambda self, x, kind, out: right(self, x, 3, out))
    with pytest.raises(GraphPassBroken, match=r"relax\.distributed\.LowerDistIR changes the values"):
        check(example)


WEIGHTS = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32"), v: R.Tensor((3, 2), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.subtract(w, v)
            y = R.matmul(x, a)
            R.output(y, a)
        return (y, a)
"""


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("relax.LiftTransformParams", "(w, v)", "(v, w)", "changes the values"),
        ("relax.BundleModelParams", "model_params[1]", "model_params[0]", "changes the values"),
        ("relax.LazyGetInput", 'R.str("w")', 'R.str("v")', "fetches weight 0 by the name v rather than w"),
        ("relax.LazySetOutput", "R.prim_value(1)", "R.prim_value(0)", "sets a result twice or never"),
        ("relax.ToMixedPrecision", '"float16"', '"float32"', "leaves a call of R.matmul in another precision"),
    ],
)  # fmt: skip
def test_broken_signatures(name: str, old: str, new: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each law sees a result that is written wrong."""
    right = pass_class(name).__call__

    def run(each: Any, mod: IRModule) -> IRModule:
        text = right(each, mod).script()
        assert old in text
        wrong: IRModule = from_source(text.replace(old, new))
        return wrong

    monkeypatch.setattr(pass_class(name), "__call__", run)
    with pytest.raises(GraphPassBroken, match=re.escape(f"{name} {fault}")):
        check(Example(WEIGHTS, (name,)))


def test_changed_values() -> None:
    with pytest.raises(GraphPassBroken, match=r"relax\.ComputeSines changes the values: result 0 differs"):
        check(Example(TEXT, ("relax.ComputeSines",)))


def test_missed_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFECTS, "relax.Normalize", lambda mod: "a call of R.exp")
    with pytest.raises(GraphPassBroken, match=r"relax\.Normalize leaves a call of R\.exp"):
        check(Example(TEXT, ("relax.Normalize",)))
