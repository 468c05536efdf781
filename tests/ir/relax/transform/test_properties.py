"""Random graphs through passes: the result is well formed, and its text reads back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.verify import find_errors
from tvmscript.ir.transform.registry import get_pass
from tvmscript.testing.graph_strategies import graph_modules

PASSES = (
    "relax.CanonicalizeBindings",
    "relax.ConvertToDataflow",
    "relax.DeadCodeElimination",
    "relax.EliminateCommonSubexpr",
    "relax.ExpandTupleArguments",
    "relax.FuseOps",
    "relax.FuseTIR",
    "relax.InlinePrivateFunctions",
    "relax.RemoveUnusedOutputs",
    "relax.RemoveUnusedParameters",
)


@pytest.mark.parametrize("name", PASSES)
@given(module=graph_modules())
@settings(max_examples=15, deadline=None)
def test_result_is_well_formed_and_reads_back(name: str, module: IRModule) -> None:
    text = module.script()
    after = get_pass(name)(module)
    assert module.script() == text, "the pass modified its input"
    assert not find_errors(after, kernel_calls=False, results=False)
    assert_structural_equal(after, tvmscript.from_source(after.script(), check_well_formed=False))
