"""Steps after which TVM's program computes something else, or reads outside of buffers: refused, or made right."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.analysis.overlapping_iterations import RepeatedUpdateError
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.rolling_buffer import TileAtOnceError, UnorderedRingError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.stmt import ForKind


def rows(loops: str, i: str, k: str, where: str = "True", size: tuple[int, int] = (3, 10)) -> str:
    """Sums of rows, in some loops."""
    return f"""
@T.prim_func
def main(A: T.Buffer({size}, "int32"), S: T.Buffer(({size[0]},), "int32")):
    for {loops}:
        with T.block("S"):
            vi = T.axis.spatial({size[0]}, {i})
            vk = T.axis.reduce({size[1]}, {k})
            T.where({where})
            T.reads(A[vi, vk])
            T.writes(S[vi])
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
"""


PLAIN = rows("i, k in T.grid(3, 10)", "i", "k")
#: 30 steps in 4 * 8, row by row, or column by column
STRAIGHT = rows("f, g in T.grid(4, 8)", "(f * 8 + g) // 10", "(f * 8 + g) % 10", "f * 8 + g < 30")
ACROSS = rows("f, g in T.grid(4, 8)", "(f * 8 + g) % 3", "(f * 8 + g) // 3", "f * 8 + g < 30")
#: the loops are digits of one of the axes each
WHOLE = rows("f, g in T.grid(6, 4)", "(f * 4 + g) // 8", "(f * 4 + g) % 8", size=(3, 8))
UNIT = rows("i, u, k in T.grid(4, 1, 10)", "i", "k", "i + u < 3")
REPEATED = rows("t, i, k in T.grid(2, 3, 10)", "i", "k")
#: windows: a row is computed in two iterations
WINDOWS = rows("i, w, k in T.grid(2, 2, 10)", "i + w", "k")
#: only one digit of a loop is used
AGAIN = rows("i, k in T.grid(6, 10)", "i % 3", "k")


def triangle(loops: str, where: str = "True") -> str:
    """A lower triangle; what is above it keeps what it was."""
    return f"""
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), S: T.Buffer((4, 4), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    {loops}
            with T.block("S"):
                vi, vj = T.axis.spatial(4, i), T.axis.spatial(4, j)
                T.where({where})
                S[vi, vj] = B[vj, vi]
"""


TRIANGLE = triangle("for i in range(4):\n        for j in range(i + 1):")
UNDER = "sch.reverse_compute_at('S', sch.get_loops('B')[{}])"

#: name -> program, step, code of the error
REFUSED: dict[str, tuple[str, str, str]] = {
    "reorder across rows": (STRAIGHT, "sch.reorder(*loops[::-1])", "TS4147"),
    "reorder across columns": (ACROSS, "sch.reorder(*loops[::-1])", "TS4147"),
    "repeated steps": (REPEATED, "sch.reorder(*loops[::-1])", "TS4146"),
    "steps of windows": (WINDOWS, "sch.reorder(k, i)", "TS4149"),
    "init before windows": (WINDOWS, "sch.decompose_reduction('S', i)", "TS4149"),
    "init before digits": (AGAIN, "sch.decompose_reduction('S', i)", "TS4149"),
    "init before repeated loops": (REPEATED, "sch.decompose_reduction('S', loops[0])", "TS4146"),
}

#: What rfactor makes of 10 steps in 4 * 3; TVM's check of its own facts ends there.
PARTS = "a, b = sch.split(k, [4, 3]); rf = sch.rfactor(a, 0); "
RIGHT_ALONE = {
    "steps up to the predicate": (PLAIN, PARTS + "sch.compute_at(rf, i)"),
    "steps of one part up to the predicate": (PLAIN, PARTS + "sch.compute_at(rf, a)"),
    "parts that no step feeds": (PLAIN, "sch.rfactor(sch.split(k, [3, 16])[0], 0)"),
    "parts of a loop that the predicate cuts": (PLAIN, "sch.rfactor(sch.split(k, [None, 2, 7])[1], 0)"),
    "init of steps up to the predicate": (
        PLAIN,
        PARTS + "sch.compute_at(rf, i); sch.decompose_reduction(rf, sch.get_loops(rf)[1])",
    ),
}

#: name -> program, step
RIGHT: dict[str, tuple[str, str]] = {
    "init of rows up to a bound": (UNIT, "sch.decompose_reduction('S', loops[0])"),
    "parts of rows up to a bound": (UNIT, "sch.rfactor(k, 0)"),
    "a triangle under rows": (TRIANGLE, UNDER.format(0)),
    "a triangle under elements": (TRIANGLE, UNDER.format(1)),
    "a triangle by its predicate": (
        triangle("for i in range(4):\n        for j in range(4):", "j <= i"),
        UNDER.format(0),
    ),
    "parts without steps": (PLAIN, "sch.rfactor(sch.split(k, [None, 16])[1], 0)"),
}

#: What is allowed next to the refused: name -> program, step
ALLOWED: dict[str, tuple[str, str]] = {
    "digits of one axis each": (WHOLE, "sch.reorder(*loops[::-1])"),
    "loops of one axis each": (PLAIN, "sch.reorder(*loops[::-1])"),
    "repeated rows": (REPEATED, "sch.reorder(loops[1], loops[0])"),
    "steps of one window": (WINDOWS, "sch.reorder(k, loops[1])"),
    "init before one window": (WINDOWS, "sch.decompose_reduction('S', loops[1])"),
    "init inside of repeated loops": (REPEATED, "sch.decompose_reduction('S', loops[1])"),
    "a predicate that says what axes say": (
        PLAIN,
        "rf = sch.rfactor(k, 0); f = sch.fuse(*sch.get_loops(rf)); sch.split(f, [4, 8]); sch.compute_at(rf, i)",
    ),
    "a triangle that is square": (triangle("for i in range(4):\n        for j in range(i - i + 4):"), UNDER.format(0)),
    "a part whose steps all run": (
        PLAIN,
        "rf = sch.rfactor(k, 0); a, b = sch.split(i, [2, 2]); sch.compute_at(rf, a)",
    ),
}


def _script(step: str) -> str:
    return script_of("loops = sch.get_loops('S'); i, k = loops[0], loops[-1]", step)


def _done(program: str, step: str) -> Any:
    sch = Schedule(tvmscript.from_source(program))
    load_script(_script(step))(sch)
    return sch.mod


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    program, step, code = REFUSED[case]
    with pytest.raises(ScheduleError) as caught:
        _done(program, step)
    assert caught.value.code == code
    assert caught.value.at


@pytest.mark.parametrize("case", [*RIGHT, *RIGHT_ALONE, *ALLOWED])
def test_same_values(case: str) -> None:
    program, step = {**RIGHT, **RIGHT_ALONE, **ALLOWED}[case]
    same_values(tvmscript.from_source(program), _done(program, step))


@pytest.mark.oracle
@pytest.mark.parametrize("case", [*REFUSED, *RIGHT])
def test_values_of_tvm_are_others(case: str, oracle: Any) -> None:
    program, step = REFUSED[case][:2] if case in REFUSED else RIGHT[case]
    theirs = both(oracle, program, _script(step)).theirs
    assert isinstance(theirs, dict)
    with pytest.raises((AssertionError, TVMScriptError)):
        same_values(tvmscript.from_source(program), tvmscript.from_source(theirs["text"]))


@pytest.mark.oracle
@pytest.mark.parametrize("case", ALLOWED)
def test_tvm_makes_the_same(case: str, oracle: Any) -> None:
    both(oracle, ALLOWED[case][0], _script(ALLOWED[case][1])).check()


SUMS_ROWS_TWICE = """
@T.prim_func
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4,), "int32")):
    for i, u, k in T.grid(4, 2, 8):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
"""
RING = """
@T.prim_func
def main(A: T.Buffer((12,), "int32"), C: T.Buffer((10,), "int32")):
    B = T.alloc_buffer((12,), "int32")
    for i in range(10):
        for j in range(3):
            with T.block("B"):
                v = T.axis.spatial(12, i + j)
                B[v] = A[v]
        with T.block("C"):
            v = T.axis.spatial(10, i)
            C[v] = B[v] + B[v + 1] + B[v + 2]
"""


def test_a_block_around_a_loop_that_repeats_a_reduction() -> None:
    for place in (0, 1):
        sch = tvmscript.Schedule(tvmscript.from_source(SUMS_ROWS_TWICE))
        with pytest.raises(RepeatedUpdateError, match="no axis depends on it"):
            sch.blockize(sch.get_loops("B")[place])
    sch = tvmscript.Schedule(tvmscript.from_source(SUMS_ROWS_TWICE), check="values")
    sch.blockize(sch.get_loops("B")[2])
    assert "B_o" in sch.mod.script()


def test_a_ring_over_iterations_in_no_order() -> None:
    sch = tvmscript.Schedule(tvmscript.from_source(RING), check="values")
    sch.copy().rolling_buffer("B", 0)
    # what TVM does, and what `vectorize` would refuse here
    loop = sch.get_sref(sch.get_loops("C")[0])
    assert loop is not None
    loop.tree.replace(loop, loop.loop.replace(kind=ForKind.VECTORIZED))
    with pytest.raises(UnorderedRingError, match="loop i over the tiles must be serial, but is vectorized"):
        sch.rolling_buffer("B", 0)


def test_a_tile_that_is_computed_at_once_is_no_ring() -> None:
    """Found by the promises of rolling_buffer: TVM's result computes the first tile alone."""
    program = """
@T.prim_func
def main(A: T.Buffer((12,), "float32"), B: T.Buffer((10,), "float32")):
    S = T.alloc_buffer((12,))
    for i in range(10):
        with T.block("S"):
            vi = T.axis.spatial(10, i)
            T.reads(A[vi:vi + 3])
            T.writes(S[vi:vi + 3])
            for x in range(3):
                S[vi + x] = A[vi + x]
        for k in range(3):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + S[vi + vk]
"""
    sch = Schedule(tvmscript.from_source(program))
    with pytest.raises(TileAtOnceError, match=r"S\[vi:vi \+ 3\]"):
        sch.rolling_buffer("S", 0)
