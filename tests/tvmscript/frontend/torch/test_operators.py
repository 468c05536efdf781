"""Each operator against torch, from fx graphs and from exported programs with and without decompositions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.tvmscript.frontend.torch.running import assert_equal, flatten, run
from tvmscript.frontend.torch import from_exported_program, from_fx, from_traced
from tvmscript.ir.core import IRModule

torch: Any = pytest.importorskip("torch", reason="torch is optional")
cases: Any = pytest.importorskip("tests.tvmscript.frontend.torch.operator_cases", reason="its cases are calls of torch")
edges: Any = pytest.importorskip("tests.tvmscript.frontend.torch.edge_cases", reason="its cases are calls of torch")

#: operators that each test run tries; all of them are tried with `-m "not fuzz"`
QUICK = {"unary": 3, "reductions": 3, "layers": 4, "shapes": 4, "edges": 3}
FAMILIES = {**cases.FAMILIES, "edges": edges.EDGES}
Base: Any = torch.nn.Module
NO_INPUT = torch.zeros(1)


class Batch(Base):  # type: ignore[misc]  # torch has no types here
    """All cases as one model, whose inputs are the different inputs of the cases."""

    def __init__(self, batch: Sequence[Any]) -> None:
        super().__init__()
        self.batch = list(batch)
        self.tensors = list({id(tensor): tensor for case in batch for tensor in case.inputs}.values())
        self.tensors += [NO_INPUT] * (24 - len(self.tensors))

    def forward(
        self,
        a: Any,
        b: Any,
        c: Any,
        d: Any,
        e: Any,
        f: Any,
        g: Any,
        h: Any,
        i: Any,
        j: Any,
        k: Any,
        z: Any,
        m: Any,
        n: Any,
        o: Any,
        p: Any,
        q: Any,
        r: Any,
        s: Any,
        t: Any,
        u: Any,
        v: Any,
        w: Any,
        x: Any,
    ) -> Any:
        # torch.fx traces named arguments alone
        values = (a, b, c, d, e, f, g, h, i, j, k, z, m, n, o, p, q, r, s, t, u, v, w, x)
        inputs = {id(tensor): value for tensor, value in zip(self.tensors, values, strict=True)}
        return tuple(case.function(*[inputs[id(tensor)] for tensor in case.inputs]) for case in self.batch)


def _from_fx(batch: Batch) -> IRModule:
    graph = torch.fx.symbolic_trace(batch)
    return from_fx(graph, [(tuple(tensor.shape), tensor.dtype) for tensor in batch.tensors])


def _from_export(batch: Batch) -> IRModule:
    return from_exported_program(torch.export.export(batch, tuple(batch.tensors)), run_ep_decomposition=False)


def _from_decomposed(batch: Batch) -> IRModule:
    return from_exported_program(torch.export.export(batch, tuple(batch.tensors)))


def _from_trace(batch: Batch) -> IRModule:
    traced = torch.jit.trace(batch, tuple(batch.tensors), check_trace=False)
    infos = [(f"x{place}", (tuple(tensor.shape), tensor.dtype)) for place, tensor in enumerate(batch.tensors)]
    return from_traced(traced, infos)


SOURCES: dict[str, Callable[[Batch], IRModule]] = {
    "fx": _from_fx,
    "export": _from_export,
    "decomposed": _from_decomposed,
    "traced": _from_trace,
}


def _check(importing: Callable[[Batch], IRModule], chosen: Sequence[Any]) -> None:
    batch = Batch(chosen)
    results = run(importing(batch), batch.tensors)
    for number, case in enumerate(batch.batch):
        expected = flatten(case.function(*[tensor.clone() for tensor in case.inputs]))
        assert_equal(results[: len(expected)], expected, f"case {number}, line {_line(case.function)}")
        results = results[len(expected) :]
    assert results == []


def _line(function: Any) -> object:
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if code is not None else getattr(function, "__name__", function)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # torch's own
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("family", FAMILIES)
def test_operators_of_a_family(family: str, source: str) -> None:
    # assignments to items are fx graphs never, and operations in place on views only after decompositions
    chosen = [case for case in FAMILIES[family] if source == "decomposed" or not case.assigns]
    chosen = [case for case in chosen if source != "traced" or not case.untraceable]
    for start in range(0, len(chosen), 40):
        _check(SOURCES[source], chosen[start : start + 40])


@pytest.mark.filterwarnings("ignore")  # torch's own
def test_some_operators() -> None:
    _check(_from_export, [case for family, count in QUICK.items() for case in FAMILIES[family][:count]])
