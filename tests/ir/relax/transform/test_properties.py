"""Random graphs through passes: the result is well formed, and its text reads back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, SeqExpr
from tvmscript.ir.relax.transform.normal_form.convert_to_dataflow import ConvertToDataflow
from tvmscript.ir.relax.verify import find_errors
from tvmscript.ir.transform.registry import get_pass
from tvmscript.testing.graph_strategies import graph_modules

PASSES = (
    "relax.CanonicalizeBindings",
    'relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})',
    "relax.CombineParallelMatmul",
    "relax.ConvertToDataflow",
    "relax.DeadCodeElimination",
    "relax.EliminateCommonSubexpr",
    "relax.ExpandTupleArguments",
    "relax.FuseOps",
    "relax.FuseTIR",
    "relax.InlinePrivateFunctions",
    "relax.LambdaLift",
    "relax.NormalizeGlobalVar",
    "relax.RemoveUnusedOutputs",
    "relax.RemoveUnusedParameters",
    "relax.ToMixedPrecision",
    "relax.TopologicalSort",
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


#: passes over weights: half of the parameters of `main`
OVER_WEIGHTS = (
    "relax.BundleModelParams",
    "relax.LazyGetInput",
    "relax.LazySetOutput",
    "relax.LazyTransformParams",
    "relax.LiftTransformParams",
)


@pytest.mark.parametrize("name", OVER_WEIGHTS)
@given(module=graph_modules())
@settings(max_examples=15, deadline=None)
def test_passes_over_weights(name: str, module: IRModule) -> None:
    module = ConvertToDataflow(1)(module)
    main: Any = module["main"]
    var = module.get_global_var("main")
    half = main.with_attr("num_input", len(main.params) // 2)
    law: Any = test_result_is_well_formed_and_reads_back
    law.hypothesis.inner_test(name, module.replace(functions={**module.functions, var: half}))


def test_blocks_are_compared_one_by_one() -> None:
    """As many blocks as before, of which one becomes another."""
    program: Any = tvmscript.from_source("""
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        p = R.print(x, format="{}")
        a = R.add(x, x)
        b = R.multiply(a, a)
        return b
""")
    main = program["main"]
    (block,) = main.body.blocks
    blocks = BindingBlock(block.bindings[:1]), BindingBlock(block.bindings[1:])
    split = main.replace(body=SeqExpr(blocks, main.body.body, struct_info=main.body.struct_info))
    made: Any = ConvertToDataflow(2)(program.replace(functions={program.get_global_var("main"): split}))
    assert [type(each) for each in made["main"].body.blocks] == [BindingBlock, DataflowBlock]
