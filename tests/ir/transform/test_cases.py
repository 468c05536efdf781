"""Every case file: the text after the pass, that it reads back, that it computes the same, that TVM agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.golden import is_updating
from tests.ir.transform.casefile import CASES, cases, load
from tests.ir.transform.running import assert_same_values
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.equal import assert_structural_equal
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import DeclBuffer
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.ir.transform.memory.flatten_buffer import FlattenBuffer

#: A second run finds nothing to do.
IDEMPOTENT = {
    "tir.CompactBufferAllocation", "tir.ConvertBlocksToOpaque", "tir.FlattenBuffer", "tir.LowerInitBlock",
    "tir.LowerMatchBuffer", "tir.LowerOpaqueBlock", "tir.PlanAndUpdateBufferAllocationLocation", "tir.RemoveNoOp",
    "tir.Simplify", "tir.StorageRewrite", "tir.UnrollLoop", "tir.VectorizeLoop",
}  # fmt: skip

every_case = pytest.mark.parametrize("path", cases(), ids=lambda path: str(path.relative_to(CASES)))


@every_case
def test_text(path: Path) -> None:
    case = load(path)
    made = case.make_pass()(case.program())
    if is_updating():
        case.update(made.script())
    assert made.script().strip() == load(path).after.strip()


@every_case
def test_reads_back(path: Path) -> None:
    case = load(path)
    made = case.make_pass()(case.program())
    assert_structural_equal(made, tvmscript.from_source(made.script(), check_well_formed=False), map_free_vars=True)


@every_case
def test_second_run(path: Path) -> None:
    case = load(path)
    assert case.pass_name in IDEMPOTENT
    made = case.make_pass()(case.program())
    assert case.make_pass()(made).script() == made.script()


@every_case
def test_same_values(path: Path) -> None:
    case = load(path)
    before = case.program()
    if any(isinstance(node, Call) and getattr(node.op, "name", "") == "tir.call_extern" for node in nodes(before)):
        pytest.skip("the interpreter has no external functions")
    if any(buffer.strides or not is_const(buffer.elem_offset, 0) for buffer in before.buffer_map.values()):
        pytest.skip("arguments are drawn compact")
    assert_same_values(before, case.make_pass()(before))


@every_case
def test_input_is_left_alone(path: Path) -> None:
    case = load(path)
    before = case.program()
    text = before.script()
    case.make_pass()(before)
    assert before.script() == text


class _WithoutDeclarations(TirRewriter):
    """TVM's lowered programs do not declare the aliases that they use."""

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> Stmt:
        made: Stmt = self.rewrite(node.body)
        return made


@pytest.mark.oracle
@every_case
def test_tvm_agrees(path: Path, oracle: Any) -> None:
    """TVM's pass gives the same program; flat indices are compared when both are simplified."""
    case = load(path)
    if case.tvm_differs:
        pytest.skip(case.tvm_differs)
    config = {case.pass_name: case.options} if case.options else None
    ours, passes = case.make_pass()(case.program()), case.pass_name
    if passes == FlattenBuffer.name:
        ours, passes = Simplify()(ours), f"{passes},{Simplify.name}"
        ours = ours.with_body(_WithoutDeclarations().rewrite(ours.body))
    theirs = oracle.apply(passes, case.before, config=config, check=False)
    same, where = oracle.equal(theirs, ours.script(), check=False)
    assert same, f"differs at {where}\n{theirs}\n{ours.script()}"
