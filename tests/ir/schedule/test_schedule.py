"""What holds for every primitive: steps are recorded, refused steps change nothing, copies are independent."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.schedule.analysis.verify_tree import InconsistentTree, verify_trees
from tvmscript.ir.schedule.errors import (
    NoSchedule,
    NotSchedulable,
    NotSingleResult,
    ScheduleError,
    UnknownRandomVariable,
    WrongArguments,
)
from tvmscript.ir.schedule.primitive.sampling import InvalidSampleError
from tvmscript.ir.tir.stmt import Block, For
from tvmscript.schedule import Schedule
from tvmscript.testing.schedule_values import StepBreaksProgram, ValuesChanged

MATMUL = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""
TWICE = """
@T.prim_func
def main(A: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("a"):
            vi = T.axis.spatial(4, i)
            A[vi] = T.float32(1)
    for i in range(4):
        with T.block("a"):
            vi = T.axis.spatial(4, i)
            A[vi] = A[vi] + T.float32(1)
"""


def scheduled(text: str = MATMUL, **options: object) -> Schedule:
    return Schedule(tvmscript.from_source(text), **options)  # type: ignore[arg-type]  # options by name


def test_loops_and_blocks_are_followed() -> None:
    sch = scheduled(debug_mask="all")
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    outer, inner = sch.split(i, [4, None])
    assert [loop.loop_var.name for loop in map(sch.get, sch.get_loops(block))] == ["i_0", "i_1", "j", "k"]
    assert isinstance(sch.get(block), Block)
    assert sch.get(outer).extent.value == 4  # type: ignore[attr-defined]  # a constant
    assert isinstance(sch.get(j), For)
    assert sch.get_child_blocks(outer) != sch.get_child_blocks(inner)
    assert sch.get(sch.get_child_blocks(k)[0]) is sch.get(block)
    ref = sch.get_sref(j)
    assert ref is not None
    assert sch.get(ref) is sch.get(j)
    assert sch.get_sref(sch.get(j)) is ref


def test_references_outlive_their_schedule() -> None:
    sch = scheduled()
    ref = sch.get_sref(sch.get_loops("C")[2])
    assert ref is not None
    del sch
    gc.collect()
    assert ref.parent is not None
    assert (ref.loop.loop_var.name, ref.parent.loop.loop_var.name, ref.seq_index) == ("k", "j", -1)
    with pytest.raises(NoSchedule, match="the schedule of this loop or block is gone"):
        _ = ref.tree


def test_what_is_gone_is_said_to_be() -> None:
    sch = scheduled()
    i, j, _ = sch.get_loops("C")
    sch.split(i, [4, 4])
    with pytest.raises(UnknownRandomVariable, match="this loop is not a loop of the current program"):
        sch.split(i, [2, 2])
    with pytest.raises(UnknownRandomVariable, match="is not a block"):
        sch.get_loops(3)  # type: ignore[arg-type]  # what is tested
    sch.remove_rv(j)
    with pytest.raises(UnknownRandomVariable):
        sch.get(j)


def test_a_refused_step_changes_and_records_nothing() -> None:
    sch = scheduled()
    i, _, _ = sch.get_loops("C")
    before, steps = sch.mod, len(sch.trace.insts)
    with pytest.raises(ScheduleError) as caught:
        sch.split(i, [3, 2])
    assert sch.mod is before
    assert len(sch.trace.insts) == steps
    assert caught.value.primitive == "split"
    assert "^" in str(caught.value)
    with pytest.raises(TypeError):
        sch.split(i, [2, None], no_such_option=True)  # type: ignore[call-arg]  # what is tested
    assert len(sch.trace.insts) == steps


def test_how_much_an_error_shows() -> None:
    texts: dict[str, str] = {}
    for level in ("detail", "fast", "none"):
        with pytest.raises(NotSingleResult) as caught:
            scheduled(error_render_level=level).get_block("D")
        texts[level] = str(caught.value)
    assert "T.grid" in texts["detail"]
    assert (
        texts["fast"] == "get_block: error[TS4101]: no block is named D in function main\nhint: the blocks are root, C"
    )
    assert texts["none"] == "error[TS4101]: get_block cannot be applied"


def test_names_of_blocks() -> None:
    with pytest.raises(NotSingleResult, match="2 blocks are named a in function main"):
        scheduled(TWICE).get_block("a")
    with pytest.raises(NotSchedulable):
        scheduled("@T.prim_func\ndef main(A: T.Buffer((4,), 'float32')):\n    A[0] = 1.0\n").get_block("root")


def test_asking_changes_nothing() -> None:
    sch = scheduled()
    i, _, _ = sch.get_loops("C")
    before, steps = sch.mod, len(sch.trace.insts)
    assert sch.can.split(i, [4, None])
    answer = sch.can.split(i, [3, 2])
    assert not answer
    assert isinstance(answer.error, ScheduleError)
    assert repr(answer).startswith("no: factors [3, 2]")
    assert sch.mod is before
    assert len(sch.trace.insts) == steps
    assert "split" in dir(sch.can)
    with pytest.raises(AttributeError, match="split"):
        sch.can.spilt(i)


def test_copies_are_independent() -> None:
    sch = scheduled()
    i, j, _ = sch.get_loops("C")
    other = sch.copy()
    other.split(i, [4, 4])
    assert structural_equal(sch.mod["main"], tvmscript.from_source(MATMUL).with_attr("global_symbol", "main"))
    sch.split(j, [2, 8])
    assert [inst.kind.name for inst in other.trace.insts] == [inst.kind.name for inst in sch.trace.insts]
    assert "j_0" not in other.mod.script()
    assert "i_0" not in sch.mod.script()


def test_programs_before_stay_as_they_were() -> None:
    sch = scheduled()
    before = sch.mod
    text = before.script()
    sch.split(sch.get_loops("C")[0], [4, 4])
    assert before.script() == text
    assert sch.mod.script() != text


def test_what_is_no_program() -> None:
    with pytest.raises(WrongType):
        Schedule("main")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(WrongType):
        scheduled(check="numbers")


def test_steps_that_change_values() -> None:
    sch = scheduled(check="values")
    _, _, k = sch.get_loops("C")
    before = sch.mod
    with pytest.raises(StepBreaksProgram, match="after split, main does not run: reading A"):
        sch.split(k, [3, 6], disable_predication=True)
    assert sch.mod["main"] is before["main"]
    assert len(sch.trace.insts) == 2
    sch.split(k, [3, 6])
    # a sum that runs over too many elements of a larger buffer
    wider = tvmscript.from_source(MATMUL.replace("(16, 16)", "(18, 18)"))
    sch = Schedule(wider, check="values")
    with pytest.raises(ValuesChanged, match=r"after split, main computes other values: C\[0, 0\] was"):
        sch.split(sch.get_loops("C")[2], [3, 6], disable_predication=True)


def test_words_of_options() -> None:
    for mask in ("none", "all", 0, 1, 2, 3, -1):
        sch = scheduled(debug_mask=mask)
        sch.split(sch.get_loops("C")[0], [4, 4])
    with pytest.raises(WrongType, match='debug_mask takes "none" or "all"'):
        scheduled(debug_mask="some")
    with pytest.raises(WrongType, match='error_render_level takes "detail" or "fast" or "none"'):
        scheduled(error_render_level="slow")


def test_seeds() -> None:
    # what TVM 0.17 draws; it refuses Schedule(seed=0), and takes 0 for 1 in `seed`
    expected = {0: [1581695857, 1444132755], 1: [1581695857, 1444132755], 2**31 + 5: [1490175250, 664796638]}
    for seed, drawn in expected.items():
        sch = scheduled(seed=seed)
        assert [sch.fork_seed(), sch.fork_seed()] == drawn
        sch.seed(seed)
        assert [sch.fork_seed(), sch.fork_seed()] == drawn
    sch = scheduled(seed=1)
    assert [sch.copy().fork_seed(), sch.fork_seed()] == [953824074, 1444132755]
    for unknown in (None, -1):
        assert scheduled(seed=unknown).fork_seed() != scheduled(seed=unknown).fork_seed()
    with pytest.raises(InvalidSampleError, match="the seed -5 is negative"):
        scheduled(seed=-5)


def test_state() -> None:
    sch = scheduled()
    body = sch.mod["main"].body
    root = sch.state.get_sref(body.block)
    assert root is sch.get_sref(sch.get_block("root"))
    assert root is not None
    assert root.stmt is body.block
    loop = sch.get(sch.get_loops("C")[0])
    sref = sch.state.get_sref(loop)
    assert sref is not None
    assert sref.parent is root
    sch.split(sch.get_loops("C")[0], [4, 4])
    assert sch.state.get_sref(loop) is None
    assert sch.state.mod is sch.mod
    flags = sch.state.flags(root)
    assert flags == (True, True, True)
    assert flags.stage_pipeline


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    sch = scheduled()
    sch.get_block("C")
    sch.show()
    plain = capsys.readouterr().out
    assert "T.grid" in plain
    assert plain.endswith('b0 = sch.get_block(name="C", func_name="main")\n')
    sch.show("light", black_format=False)
    assert capsys.readouterr().out == plain


def test_without_checks() -> None:
    strict, lenient = scheduled(), scheduled(enable_check=False)
    for sch in (strict, lenient):
        i, _, k = sch.get_loops("C")
        sch.reorder(k, i)
    with pytest.raises(ScheduleError, match="decompose_reduction"):
        strict.decompose_reduction("C", strict.get_loops("C")[1])
    lenient.decompose_reduction("C", lenient.get_loops("C")[1])
    assert not lenient.copy().enable_check
    assert strict.copy().enable_check


def test_a_wrong_tree_is_found() -> None:
    sch = scheduled()
    ref = sch.get_sref(sch.get_loops("C")[1])
    assert ref is not None
    verify_trees(sch.state, "nothing")
    ref.parent = None
    with pytest.raises(InconsistentTree, match="after nothing the tree of main is inconsistent:"):
        verify_trees(sch.state, "nothing")


def test_replacing_keeps_what_is_the_same() -> None:
    sch = scheduled()
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    refs = [sch.get_sref(item) for item in (j, k, block)]
    sch.split(i, [2, 8])
    assert [sch.get_sref(item) for item in (j, k, block)] == refs
    assert_structural_equal(sch.mod, sch.copy().mod)


@pytest.mark.parametrize(
    ("call", "problem", "hint"),
    [
        (lambda sch, loop: sch.unroll(loop, 3), "unroll: too many positional arguments", "write unroll(loop)"),
        (
            lambda sch, loop: sch.split(loop),
            "split: missing a required argument: 'factors'",
            "write split(loop, factor",
        ),
        (lambda sch, loop: sch.split(loop, 3), "split: factors takes a list, but got 3", "write split(loop, factors"),
        (lambda sch, loop: sch.split(loop, factor=[2]), "split: there is no argument factor", "write split(loop, fact"),
        (lambda sch, loop: sch.bind(loop, 3), "bind: thread_axis takes a string, but got 3", "write bind(loop, thread"),
        (
            lambda sch, loop: sch.cache_read("C", 0, "local", "C"),
            "consumer_blocks takes a list, but got 'C'",
            "write c",
        ),
        (
            lambda sch, loop: sch.rfactor(loop, 1.5),
            "rfactor: factor_axis takes a number, but got 1.5",
            "write rfactor(",
        ),
        (lambda sch, loop: sch.can.unroll(loop, 3), "unroll: too many positional arguments", "write unroll(loop)"),
    ],
)
def test_wrong_arguments(call: Any, problem: str, hint: str) -> None:
    sch = scheduled()
    loop = sch.get_loops("C")[0]
    steps = len(sch.trace.insts)
    with pytest.raises(WrongArguments) as caught:
        call(sch, loop)
    assert isinstance(caught.value, TypeError)
    assert problem in caught.value.text
    assert str(caught.value.hint).startswith(hint)
    assert len(sch.trace.insts) == steps


def test_misspelt_attributes() -> None:
    sch = scheduled()
    objects: list[tuple[Any, str, str]] = [
        (sch, "spilt", "split"),
        (sch.mod, "scirpt", "script"),
        (sch.mod["main"], "buffer_mpa", "buffer_map"),
    ]
    for obj, name, meant in objects:
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; did you mean {meant}"):
            getattr(obj, name)
        assert not hasattr(obj, name)
        assert getattr(obj, "nothing_like_it", None) is None
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing_like_it'$"):
        _ = objects[0][0].nothing_like_it


def test_reprs() -> None:
    sch = scheduled()
    block = sch.get_block("C")
    loops = sch.get_loops(block)
    assert repr(sch) == "<Schedule of main (C) after 0 steps>"
    assert repr(block) == "<block C>"
    assert repr(loops[0]) == "<loop i>"
    sch.split(loops[0], [None, 4])
    assert repr(sch) == "<Schedule of main (C) after 1 step>"
