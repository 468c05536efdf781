"""At every boundary of the pipeline: the same values, text that reads back, and an input that is as it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import tvmscript
from tests.test_docs import BLOCKS, NOT_RUN
from tests.test_oracle import program_text
from tvmscript.backends.llvm.target import EXACT
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.testing.strategies import block_funcs, prim_funcs

#: the same on every Python
pytestmark = pytest.mark.long


def outputs(module: IRModule, target: str = "interp") -> list[Any]:
    """What every public function leaves in its arguments."""
    built = tvmscript.build(module, target=target)
    left: list[Any] = []
    for var, func in module.functions_items():
        if not isinstance(func, PrimFunc) or "global_symbol" not in func.attrs:
            continue
        arguments = [each.value for each in random_inputs(func, seed=1)]
        built[var.name_hint](*arguments)
        left += arguments
    return left


def check_boundaries(module: IRModule, runs: bool) -> None:
    """Every pass of the pipeline, one after the other."""
    expected = outputs(module) if runs else []
    for each in llvm_passes({}):
        before = structural_hash(module)
        lowered = each(module)
        assert structural_hash(module) == before, f"{each.name} changed its input"
        text = lowered.script()
        again = tvmscript.from_source(text, check_well_formed=False)
        assert_structural_equal(lowered, again)
        if runs:
            for mine, theirs in zip(outputs(lowered), expected, strict=True):
                np.testing.assert_array_equal(mine, theirs, err_msg=each.name)
        module = lowered
    if runs:
        for mine, theirs in zip(outputs(module, EXACT), expected, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-5)


@settings(max_examples=40)
@given(block_funcs())
def test_block_programs(func: PrimFunc) -> None:
    check_boundaries(IRModule.from_expr(func), runs=True)


@settings(max_examples=60)
@given(prim_funcs())
def test_any_program_reads_back_at_every_boundary(func: PrimFunc) -> None:
    check_boundaries(IRModule.from_expr(func), runs=False)


@pytest.mark.parametrize("text", BLOCKS)
def test_language_reference(text: str) -> None:
    program = tvmscript.from_source(text)
    module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
    check_boundaries(module, runs="while " not in text and "T.Add(i, 0)" not in text and text not in NOT_RUN)


#: example -> its sizes, and smaller ones
EXAMPLES = {
    "softmax": {"128": "40"},
    "conv2d": {"14": "5", "15": "6", "16": "7", "8": "4"},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    text = program_text(Path(__file__).parent.parent / "examples" / f"{name}.py")
    text = re.sub(r"\b\d+\b", lambda size: EXAMPLES[name].get(size[0], size[0]), text)
    check_boundaries(IRModule.from_expr(tvmscript.from_source(text)), runs=True)
