"""Laws of the graph level on random programs. `-m fuzz` draws many more of them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings

import tvmscript
from tvmscript.fuzz.relax.module_laws import LAWS, Law, leads
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.script_functions import KINDS
from tvmscript.ir.relax.operator import Operator
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.graph_strategies.calls import DRAWN

pytestmark = pytest.mark.long


def loads_as_it_was_saved(module: IRModule) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "module.py"
        tvmscript.save(module, file)
        other = tvmscript.load(file)
    assert_structural_equal(module, other)
    assert structural_hash(module) == structural_hash(other)


def test_every_kind_of_parameter_is_drawn() -> None:
    assert set(KINDS) <= set(DRAWN) | {"ints", "numbers"}


def test_many_operators_are_called() -> None:
    called: set[str] = set()

    @settings(max_examples=200, phases=[Phase.generate])
    @given(graph_modules())
    def look(module: IRModule) -> None:
        calls = [part for part in nodes(module) if isinstance(part, Call) and isinstance(part.op, Operator)]
        called.update(call.op.name for call in calls)

    look()
    assert len(called) > 40


ALL = [*LAWS, loads_as_it_was_saved]


@pytest.mark.parametrize("law", ALL, ids=lambda law: law.__name__)
def test_law(law: Law) -> None:
    settings(max_examples=40)(given(graph_modules())(law))()


@pytest.mark.fuzz
@pytest.mark.parametrize("law", ALL, ids=lambda law: law.__name__)
def test_law_long(law: Law) -> None:
    settings(max_examples=5000)(given(graph_modules())(law))()


@settings(max_examples=40)
@given(graph_modules(), graph_modules())
def test_differences(first: IRModule, second: IRModule) -> None:
    leads(first, second)
    assert not tvmscript.diff(first, first)


@pytest.mark.fuzz
@settings(max_examples=3000)
@given(graph_modules(), graph_modules())
def test_differences_long(first: IRModule, second: IRModule) -> None:
    leads(first, second)
