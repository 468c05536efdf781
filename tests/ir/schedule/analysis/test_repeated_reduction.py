"""Iterations that run side by side do not all do one reduction, in memory that others see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tvmscript
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.schedule.analysis.repeated_reduction import RepeatedReductionError, check_no_reduction_is_repeated
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import ForKind
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.testing import oracles

REDUCTION = """
@T.prim_func
def main(A: T.Buffer((6, 4), "int32"), C: T.Buffer((6, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i, j in T.grid(6, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + 1
    for i, k in T.grid(4, 6):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vk, vi]
"""
#: the sums are read where they are made
PRIVATE = """
@T.prim_func
def main(A: T.Buffer((6, 4), "int32"), C: T.Buffer((6, 4), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i, k in T.grid(4, 6):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vk, vi]
    for i, j in T.grid(6, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + B[vj]
"""
BESIDE: dict[str, Callable[[Schedule], None]] = {
    "parallel": lambda sch: sch.parallel(sch.get_loops("C")[0]),
    "bind": lambda sch: sch.bind(sch.get_loops("C")[0], "threadIdx.x"),
    # all inits would run before the sums
    "vectorize": lambda sch: sch.vectorize(sch.get_loops("C")[0]),
}


def _move(sch: Schedule) -> None:
    sch.reverse_compute_at("B", sch.get_loops("C")[0])


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.parametrize("is_moved_first", [True, False])
def test_is_refused(kind: str, is_moved_first: bool) -> None:
    sch = Schedule(tvmscript.from_source(REDUCTION))
    steps = [_move, BESIDE[kind]] if is_moved_first else [BESIDE[kind], _move]
    steps[0](sch)
    before = sch.mod
    with pytest.raises(RepeatedReductionError, match="loop i would repeat steps of the reduction in block B"):
        steps[1](sch)
    assert sch.mod is before


def _races(sch: Schedule) -> int:
    return sum(len(check_races(func).races) for func in sch.mod.values() if isinstance(func, PrimFunc))


def test_one_after_the_other_is_taken() -> None:
    program = tvmscript.from_source(REDUCTION)
    sch = Schedule(program)
    _move(sch)
    oracles.same_values(program, sch.mod)


def test_one_iteration_is_taken() -> None:
    sch = Schedule(tvmscript.from_source(REDUCTION.replace("(6, 4)", "(1, 4)").replace("T.grid(4, 6)", "T.grid(4, 1)")))
    sch.parallel(sch.get_loops("C")[0])
    _move(sch)
    assert _races(sch) == 0


def test_own_memory_is_taken() -> None:
    program = tvmscript.from_source(PRIVATE)
    sch = Schedule(program)
    sch.compute_at("B", sch.get_loops("C")[0])
    sch.parallel(sch.get_loops("C")[0])
    assert _races(sch) == 0
    oracles.same_values(program, sch.mod)


@pytest.mark.parametrize(
    ("condition", "is_taken"),
    [
        ("i == 0", True),
        ("i == 0 and k < 5", True),
        ("k < 5 and 3 == i", True),
        ("i < 1", False),
        ("k == 0", False),
        ("i + k == 3", False),
        ("k < 5", False),
    ],
)
def test_one_iteration_is_selected(condition: str, is_taken: bool) -> None:
    sch = Schedule(
        tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("B"):
            v0 = T.axis.spatial(1, 0)
            vk = T.axis.reduce(6, k)
            T.where({condition})
            with T.init():
                B[v0] = 0
            B[v0] = B[v0] + A[vk]
""")
    )
    loop = sch.get_sref(sch.get_loops("B")[0])
    assert loop is not None
    if is_taken:
        check_no_reduction_is_repeated(loop, ForKind.PARALLEL)
    else:
        with pytest.raises(RepeatedReductionError, match="loop i would repeat steps of the reduction in block B"):
            check_no_reduction_is_repeated(loop, ForKind.PARALLEL)
