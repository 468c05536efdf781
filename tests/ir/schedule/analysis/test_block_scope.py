"""Which blocks depend on which, before and after changes, and what is known about blocks."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.programs import chain
from tests.ir.schedule.scripts import script_of
from tvmscript.ir.schedule.analysis import block_properties, block_scope
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir.rewrite import NOOP

PROGRAM = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] + 1.0
    for i in range(16):
        with T.block("C2"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi] * 2.0
    for i in range(16):
        with T.block("D"):
            vi = T.axis.spatial(16, i)
            D[vi] = C[vi]
"""


def schedule(text: str = PROGRAM) -> Schedule:
    return Schedule(tvmscript.from_source(text))


def names(refs: list[StmtRef]) -> list[str]:
    return [ref.block.name_hint for ref in refs]


def test_producers_and_consumers() -> None:
    sch = schedule()
    assert names(block_scope.producers(sch.block("B"))) == []
    assert names(block_scope.producers(sch.block("C2"))) == ["B", "C"]
    assert names(block_scope.producers(sch.block("D"))) == ["C", "C2"]
    assert names(block_scope.consumers(sch.block("B"))) == ["C", "C2"]
    assert names(block_scope.consumers(sch.block("C"))) == ["C2", "D"]
    assert names(block_scope.read_producers(sch.block("C2"))) == ["B"]
    assert names(block_scope.producers(sch.block("root"))) == names(block_scope.consumers(sch.block("root"))) == []


def test_readers_and_writers_follow_changes() -> None:
    sch = schedule()
    block = sch.block("C")
    tree, root = block.tree, block.tree.root
    buffer = block.block.writes[0].buffer
    assert names(block_scope.writers(root, buffer)) == ["C", "C2"]
    mark = len(tree.journal)
    tree.replace(tree.refs[block.parent.loop] if block.parent else block, NOOP)
    assert names(block_scope.writers(root, buffer)) == ["C2"]
    assert names(block_scope.producers(sch.block("D"))) == ["C2"]
    tree.rollback(mark)
    assert names(block_scope.writers(root, buffer)) == ["C", "C2"]
    assert names(block_scope.readers(root, buffer)) == ["D"]


def test_a_loop_is_a_scope_too() -> None:
    sch = schedule()
    (loop,) = sch.get_loops("C")
    block = sch.block("C")
    assert names(block_scope.writers(sch.loop(loop), block.block.writes[0].buffer)) == ["C"]
    assert block_properties.is_complete_block(block, sch.loop(loop))
    assert not block_properties.is_complete_block(block)


def test_what_was_found_once_holds() -> None:
    text = PROGRAM.replace(
        'for i in range(16):\n        with T.block("D"):', 'for i in range(15):\n        with T.block("D"):'
    )
    sch = schedule(text)
    (loop,) = sch.get_loops("D")
    sch.split(loop, [4, 4])
    assert block_properties.is_affine_binding(sch.block("D"))
    assert block_properties.covers_region(sch.block("D"))
    assert block_properties.is_stage_pipeline(sch.block("root"))
    again = sch.copy()
    assert block_properties.is_stage_pipeline(again.block("root"))
    block_properties.recompute_facts(sch.block("root"))
    assert block_properties.is_stage_pipeline(sch.block("root"))


def test_a_block_that_overwrites_what_was_read() -> None:
    sch = schedule(PROGRAM.replace("D[vi] = C[vi]", "B[vi] = C[vi]"))
    assert block_scope.find_write_after_read(sch.block("root"))
    with pytest.raises(block_properties.NotStagePipelineError, match="D writes what an earlier block reads"):
        block_properties.check_stage_pipeline(sch.block("root"))


def test_a_block_that_reads_more_than_is_written() -> None:
    sch = schedule(PROGRAM.replace("for i in range(16):", "for i in range(12):", 1))
    with pytest.raises(block_properties.NotStagePipelineError, match="C reads more than earlier blocks write"):
        block_properties.check_stage_pipeline(sch.block("root"))
    with pytest.raises(
        block_properties.NotRegionCoverError, match="producers of block C do not write all that it reads"
    ):
        block_properties.check_region_cover(sch.block("C"))


def test_kinds_of_blocks() -> None:
    sch = schedule()
    block_properties.check_complete_block(sch.block("B"))
    with pytest.raises(
        block_properties.IncompleteBlockError, match="block C is not a complete block: other blocks write C too"
    ):
        block_properties.check_complete_block(sch.block("C"))
    with pytest.raises(block_properties.NotReductionBlockError, match="it has no init"):
        block_properties.check_reduction_block(sch.block("C"))
    with pytest.raises(
        block_properties.NotCompleteOrReductionBlockError, match=r"neither a complete block .* nor a reduction block "
    ):
        block_properties.check_complete_or_reduction_block(sch.block("C"))
    with pytest.raises(
        block_properties.NotCompactDataFlowError, match="block C in block root is neither a complete block"
    ):
        block_properties.check_subtree_compact_dataflow(sch.block("root"))
    with pytest.raises(
        block_properties.OutputBlockError, match="block C is an output block: it writes C, which scope root"
    ):
        block_properties.check_not_output_block(sch.block("C"))


REDUCTION = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16,), "float32")):
    for i, k in T.grid(16, 16):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0.0
            C[vi] = C[vi] + A[vi, vk]
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"SR", [i, k]', '"SR", [i, i]', "its bindings are not affine"),
        ('T.axis.remap("SR", [i, k])', "T.axis.spatial(16, i), T.axis.scan(16, k)", "neither spatial nor a reduction"),
        ("C[vi] = C[vi] +", "C[vk] = C[vk] +", "reduction axis vk indexes its output"),
    ],
)
def test_reductions(old: str, new: str, why: str) -> None:
    sch, broken = schedule(REDUCTION), schedule(REDUCTION.replace(old, new))
    block_properties.check_reduction_block(sch.block("C"))
    with pytest.raises(block_properties.NotReductionBlockError, match=why):
        block_properties.check_reduction_block(broken.block("C"))


def test_affine_bindings() -> None:
    sch = schedule(REDUCTION)
    block_properties.check_affine_binding(sch.block("C"))
    sch = schedule(REDUCTION.replace('"SR", [i, k]', '"SR", [i, i]'))
    with pytest.raises(block_properties.NotAffineBindingError, match="block C does not have affine bindings"):
        block_properties.check_affine_binding(sch.block("C"))


_FLAGS = """
out = []
for name in NAMES:
    block = sch.get_block(name)
    flags = sch.state._get_cached_flags(sch.get_sref(block))
    out += [int(flags.affine_binding), int(flags.region_cover), int(flags.stage_pipeline)]
    if name != "root":
        out.append([sch.get(item).name_hint for item in sch.get_producers(block)])
        out.append([sch.get(item).name_hint for item in sch.get_consumers(block)])
raise ValueError(str(out))
"""


def ours(sch: Schedule, blocks: list[str]) -> str:
    out: list[Any] = []
    for name in blocks:
        ref = sch.block(name)
        out += [
            int(block_properties.is_affine_binding(ref)),
            int(block_properties.covers_region(ref)),
            int(block_properties.is_stage_pipeline(ref)),
        ]
        if name != "root":
            out += [names(block_scope.producers(ref)), names(block_scope.consumers(ref))]
    return str(out)


@pytest.mark.oracle
def test_tvm_knows_the_same(oracle: Any) -> None:
    for seed in range(40):
        rng = Random(seed)
        text, blocks = chain(rng)
        if seed % 3 == 0:
            text = re.sub(r"T\.grid\(16, ", "T.grid(15, ", text)
        names_of_all = ["root", *blocks]
        with pytest.raises(Exception, match=r"\[") as caught:
            oracle.schedule(script_of(_FLAGS.replace("NAMES", repr(names_of_all))), text, brief=True)
        assert str(caught.value).endswith(ours(schedule(text), names_of_all)), text


NESTED = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        with T.block("around"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi * 4:vi * 4 + 4])
            T.writes(B[vi * 4:vi * 4 + 4])
            with T.block("directly"):
                T.reads(A[vi * 4])
                T.writes(B[vi * 4])
                B[vi * 4] = A[vi * 4]
            for j in range(3):
                with T.block("in a loop"):
                    vj = T.axis.spatial(3, j)
                    with T.block("twice"):
                        T.reads(A[vi * 4 + vj + 1])
                        T.writes(B[vi * 4 + vj + 1])
                        B[vi * 4 + vj + 1] = A[vi * 4 + vj + 1]
    with T.block("blind"):
        T.reads()
        T.writes()
        for i in range(16):
            with T.block("inside"):
                vi = T.axis.spatial(16, i)
                B[vi] = A[vi] + B[vi]
    for i in range(16):
        with T.block("apart"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] + B[vi]
"""


def test_outermost_users() -> None:
    """Blocks in a block that uses the buffer are none, whether directly in it or in its loops."""
    sch = Schedule(tvmscript.from_source(NESTED, check_well_formed=False))
    apart = sch.block("apart")
    for buffer in (apart.block.reads[0].buffer, apart.block.writes[0].buffer):
        users = block_scope.outermost_users(buffer, apart)
        assert sorted(names(users)) == ["around", "inside"]
        users = block_scope.outermost_users(buffer, sch.block("around"))
        assert sorted(names(users)) == ["apart", "directly", "in a loop", "inside"]
        users = block_scope.outermost_users(buffer, sch.block("inside"))
        assert sorted(names(users)) == ["apart", "around"]
