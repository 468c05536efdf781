"""Laws of every step: refused ones and questions change nothing at all, copies share nothing, checks tell the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.test_schedule import MATMUL
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.analysis.block_properties import is_affine_binding, recompute_facts
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.sampling import InvalidSampleError
from tvmscript.schedule import Schedule

STAGES = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16), "float32")
    C = T.alloc_buffer((16, 16), "float32")
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + B[vi, vk]
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = C[vi, vj] + T.float32(1)
"""


def _loop(sch: Schedule, block: str, place: int) -> Any:
    return sch.get_loops(sch.get_block(block))[place]


REFUSED: dict[str, Callable[[Schedule], object]] = {
    "split": lambda sch: sch.split(_loop(sch, "C", 0), [3, 4]),
    "fuse": lambda sch: sch.fuse(_loop(sch, "C", 0), _loop(sch, "C", 2)),
    "reorder": lambda sch: sch.reorder(_loop(sch, "C", 0), _loop(sch, "B", 0)),
    "parallel": lambda sch: sch.parallel(_loop(sch, "C", 2)),
    "compute_at": lambda sch: sch.compute_at("D", _loop(sch, "C", 0)),
    "reverse_compute_at": lambda sch: sch.reverse_compute_at("B", _loop(sch, "D", 0)),
    "compute_inline": lambda sch: sch.compute_inline("D"),
    "reverse_compute_inline": lambda sch: sch.reverse_compute_inline("C"),
    "cache_read": lambda sch: sch.cache_read("C", "no such buffer", "shared"),
    "cache_write": lambda sch: sch.cache_write("C", 0, "no such memory"),
    "reindex": lambda sch: sch.reindex("C", ("read", 3)),
    "set_scope": lambda sch: sch.set_scope("D", 0, "shared"),
    "storage_align": lambda sch: sch.storage_align("B", 0, 7, 8, 1),
    "rfactor": lambda sch: sch.rfactor(_loop(sch, "C", 1), 0),
    "decompose_reduction": lambda sch: sch.decompose_reduction("C", _loop(sch, "B", 0)),
    "pad_einsum": lambda sch: sch.pad_einsum("C", [3]),
    "tensorize": lambda sch: sch.tensorize(_loop(sch, "C", 0), "wmma_sync_16x16x16_f16f16f16"),
    "transform_layout": lambda sch: sch.transform_layout("B", ("write", 0), lambda i, j: (i,)),
    "sample_perfect_tile": lambda sch: sch.sample_perfect_tile(_loop(sch, "C", 0), n=0),
}


def _looked_at(text: str = STAGES) -> Schedule:
    sch = Schedule(tvmscript.from_source(text), seed=7)
    sch.get_block("C")
    return sch


def _tree(sch: Schedule) -> set[object]:
    """The loops and blocks, and where facts about them are found."""
    return {(ref, ref.stmt, ref.parent, ref.origin) for tree in sch.state.trees.values() for ref in tree.refs.values()}


def _rest(sch: Schedule) -> list[object]:
    """Everything else that steps can change: the trace, what is drawn, which random variables there are."""
    state = vars(sch)
    return [sch.trace.as_json(), sch.random.state, sch.decision, [*state["_refs"]], [*state["_numbers"]]]


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_step_leaves_nothing_behind(name: str) -> None:
    sch = _looked_at()
    before, tree, drawn = sch.mod, _tree(sch), sch.random.state
    with pytest.raises(TVMScriptError) as caught:
        REFUSED[name](sch)
    if isinstance(caught.value, ScheduleError):
        assert (caught.value.primitive, caught.value.module) == (name, before)
    assert sch.mod is before
    assert _tree(sch) == tree
    assert (sch.random.state, sch.decision) == (drawn, None)
    # the loops that it was called with were looked up by steps of their own
    assert {inst.kind.method for inst in sch.trace.insts} <= {"get_block", "get_loops"}


def test_blocks_of_names_are_not_recorded_for_a_refused_step() -> None:
    sch = _looked_at()
    steps: list[Callable[[], object]] = [
        lambda: sch.compute_inline("D"),
        lambda: sch.cache_read("C", "no such buffer", "shared"),
    ]
    for step in steps:
        before = _rest(sch)
        with pytest.raises(ScheduleError) as caught:
            step()
        assert _rest(sch) == before
        assert "^" in str(caught.value)


QUESTIONS: dict[str, Callable[[Schedule], object]] = {
    "split": lambda sch: sch.can.split(_loop(sch, "C", 0), [4, None]),
    "cache_read": lambda sch: sch.can.cache_read("C", "B", "shared"),
    "cache_write": lambda sch: sch.can.cache_write("C", 0, "shared"),
    "compute_inline": lambda sch: sch.can.compute_inline("B"),
    "rfactor": lambda sch: sch.can.rfactor(_loop(sch, "C", 2), 0),
    "blockize": lambda sch: sch.can.blockize(_loop(sch, "C", 1)),
    "transform_layout": lambda sch: sch.can.transform_layout("B", ("write", 0), lambda i, j: (j, i)),
    "sample_categorical": lambda sch: sch.can.sample_categorical([1, 2, 4], [0.25, 0.5, 0.25]),
    "sample_perfect_tile": lambda sch: sch.can.sample_perfect_tile(_loop(sch, "C", 0), n=3),
    "sample_compute_location": lambda sch: sch.can.sample_compute_location("B"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_leaves_nothing_behind(name: str) -> None:
    sch = _looked_at()
    before, tree, drawn = sch.mod, _tree(sch), sch.random.state
    assert QUESTIONS[name](sch)
    assert sch.mod is before
    assert _tree(sch) == tree
    assert (sch.random.state, sch.decision) == (drawn, None)
    assert {inst.kind.method for inst in sch.trace.insts} <= {"get_block", "get_loops"}
    counts = _rest(sch)
    if name in {"sample_categorical", "cache_read", "cache_write", "compute_inline"}:
        assert QUESTIONS[name](sch)
        assert _rest(sch) == counts


def test_an_answer_shows_the_place() -> None:
    sch = Schedule(tvmscript.from_source(STAGES))
    error = sch.can.compute_inline("D").error
    assert error is not None
    assert str(error).startswith("compute_inline: error[TS4131]")
    assert "^" in str(error)


def test_facts_are_undone() -> None:
    sch = Schedule(tvmscript.from_source(STAGES))
    ref = sch.block("C")
    assert is_affine_binding(ref)
    before = ref.origin, ref.facts
    tree = ref.tree
    tree.journal.clear()
    sch.split(_loop(sch, "C", 0), [4, 4])
    root = tree.root
    recompute_facts(root)
    assert ref.origin != before[0]
    assert ref.facts == {}
    tree.rollback(0)
    assert (ref.origin, ref.facts) == before


def test_draws_do_not_depend_on_what_was_asked() -> None:
    def drawn(ask: bool) -> list[int]:
        sch = Schedule(tvmscript.from_source(STAGES), seed=11)
        loop = _loop(sch, "C", 0)
        if ask:
            assert sch.can.sample_perfect_tile(loop, n=2)
            with pytest.raises(InvalidSampleError):
                sch.sample_perfect_tile(loop, n=0)
        return [sch.get(factor) for factor in sch.sample_perfect_tile(loop, n=3)]

    assert drawn(True) == drawn(False)


def test_copies_share_no_draws_no_observers_and_no_facts() -> None:
    sch = Schedule(tvmscript.from_source(STAGES), seed=3)
    sch.get_block("B")
    seen: list[str] = []
    other = sch.copy()
    other.observers.append(lambda before, schedule: seen.append(schedule.last_primitive))
    states = sch.random.state
    other.sample_categorical([1, 2], [0.5, 0.5])
    assert sch.random.state == states
    other.compute_inline("B")
    sch.split(_loop(sch, "C", 0), [4, 4])
    assert seen == ["compute_inline"]
    recompute_facts(other.block("C").tree.root)
    assert sch.block("C").origin != other.block("C").origin


FUSED = MATMUL.replace("16", "12").replace("T.grid(12, 12, 12)", "T.grid(12, 12, 3)")


def test_a_reorder_that_moves_the_init_is_not_done_unnoticed() -> None:
    # TVM 0.17 reorders here: the step with the init is then not the first one of an element
    sch = Schedule(tvmscript.from_source(FUSED), check="values")
    _, j, k = sch.get_loops("C")
    outer, inner = sch.split(sch.fuse(j, k), [3, 14])
    with pytest.raises(TVMScriptError, match="reorder"):
        sch.reorder(inner, outer)
    assert [loop.loop_var.name for loop in map(sch.get, sch.get_loops("C"))] == ["i", "j_k_fused_0", "j_k_fused_1"]


def test_names_that_are_gone_are_not_proposed() -> None:
    sch = _looked_at()
    sch.compute_inline("B")
    with pytest.raises(ScheduleError, match="hint: the blocks are root, C, D") as caught:
        sch.get_block("producer")
    assert "B," not in str(caught.value).splitlines()[1]
