"""Steps on programs whose blocks depend on each other: the values are kept, or the step is refused.

Buffers are written in part, by several blocks, after they are read, in place, under conditions, and in other scopes.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import tvmscript
from tests.ir.schedule.scripts import load_script, script_of
from tvmscript.fuzz.programs.dependent_blocks import dependent_program
from tvmscript.fuzz.schedule.steps import KEEP_VALUES, STEPS, Steps, random_steps
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.testing.schedule_values import ValuesCheck

#: programs for each primitive, and attempts of the step on each
_PROGRAMS, _ATTEMPTS = 20, 3


def _check(name: str, seed: int, most_before: int = 0) -> bool:
    """Apply a step to a random program, after some other steps; return whether it was applied.

    Raises `ValuesChanged`, `StepBreaksProgram`, and every error that is no error of the package.
    """
    pick = random.Random(f"{name} {seed}").randrange
    schedule = Schedule(tvmscript.from_source(dependent_program(pick)), seed=1, error_render_level="fast")
    if most_before:
        random_steps(schedule, pick, pick(most_before + 1), KEEP_VALUES)
    schedule.observers.append(ValuesCheck(1))
    steps = Steps(schedule, pick)
    for _ in range(_ATTEMPTS):
        try:
            STEPS[name](steps)
        except IRError:
            continue
        return True
    return False


@pytest.mark.parametrize("name", STEPS)
def test_values_are_kept_or_the_step_is_refused(name: str) -> None:
    applied = 0
    for seed in range(_PROGRAMS):
        applied += _check(name, seed)
    if name not in _RARE:
        assert applied, "no step was applied, so nothing was checked"


#: primitives that need patterns which these programs rarely have
_RARE = (
    "unannotate",
    "decompose_padding",
    "rolling_buffer",
    "reverse_compute_inline",
    "rfactor",
    "compute_inline",
    "compute_at",
)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", STEPS)
def test_values_are_kept_at_length(name: str) -> None:
    for seed in range(1000):
        try:
            _check(name, seed, most_before=4)
        except TVMScriptError as error:
            raise AssertionError(f"seed {seed}") from error


def test_every_kind_of_dependence_is_drawn() -> None:
    texts = [dependent_program(random.Random(seed).randrange) for seed in range(60)]
    for feature in ("T.where", "T.init", "if vj >", "_second", "T.alloc_buffer", "range(1,", "A0[vi, vj] ="):
        assert any(feature in text for text in texts), feature
    for text in texts:
        tvmscript.from_source(text)


class Case(NamedTuple):
    """A program, a step, and the code of the error."""

    program: str
    step: str
    code: str


def einsum(rows: int, of: int, store: str = "C[vi, vj]") -> str:
    """The product of two matrices, for some rows of the output."""
    return f"""
@T.prim_func
def main(A: T.Buffer((8, 12), "int32"), B: T.Buffer((12, 6), "int32"), C: T.Buffer(({of}, 6), "int32")):
    for i, j, r in T.grid({rows}, 6, 12):
        with T.block("C"):
            vi, vj, vr = T.axis.remap("SSR", [i, j, r])
            with T.init():
                {store} = 0
            {store} = {store} + A[vi, vr] * B[vr, vj]
"""


def line(*blocks: tuple[str, str], params: str = "A D", alloc: str = "", loop: str = "range(8)") -> str:
    """A chain of blocks over 8 elements."""
    head = ", ".join(f'{name}: T.Buffer((8,), "int32")' for name in params.split())
    lines = ["@T.prim_func", f"def main({head}):"]
    lines += [f'    {name} = T.alloc_buffer((8,), "int32")' for name in alloc.split()]
    for name, store in blocks:
        lines += [f"    for i in {loop}:", f'        with T.block("{name}"):', "            vi = T.axis.spatial(8, i)"]
        lines += [f"            {part}" for part in store.split("\n")]
    return "\n".join([*lines, ""])


DOUBLED, CLEARED, RAISED = ("B", "B[vi] = A[vi] * 2"), ("Z", "A[vi] = 7"), ("D", "D[vi] = B[vi] + 1")
FLIPPED = ("D", "D[vi] = B[7 - vi] + 1")
BLOCKIZED = "sch.blockize(sch.get_loops('C')[0]); "
INNER = BLOCKIZED + "sch.cache_read('C', 0, 'global', "
MERGED = "sch.merge(sch.get_loops('B')[0], sch.get_loops('D')[0])"
SCAN = """
@T.prim_func
def main(C: T.Buffer((6, 5), "int32"), B: T.Buffer((5, 5), "int32")):
    for i, j, r in T.grid(6, 5, 5):
        with T.block("C"):
            vi, vj, vr = T.axis.remap("SSR", [i, j, r])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + C[vi, vr] * B[vr, vj]
"""
REPEATED = """
@T.prim_func
def main(A: T.Buffer((1, 2), "int32"), C: T.Buffer((2,), "int32")):
    for i, j in T.grid(1, 2):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vj] = A[vi, vj]
"""
TABLE = """
@T.prim_func
def main(A: T.Buffer((2, 12), "int32"), P: T.Buffer((2, 12), "int32")):
    for c, i in T.grid(2, 12):
        with T.block("P"):
            vc, vi = T.axis.remap("SS", [c, i])
            P[vc, vi] = A[vc, vi]
"""
PART = """
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), O: T.Buffer((8, 8), "int32")):
    B = T.alloc_buffer((8, 8), "int32")
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
    for i, j in T.grid(5, 8):
        with T.block("O"):
            vi, vj = T.axis.spatial(8, i), T.axis.spatial(8, j)
            O[vi, vj] = {value}
"""
BELOW = "sch.reverse_compute_at('O', sch.get_loops('B')[{}])"
CONDITION = line(("D", "if vi > 3:\n    D[vi] = A[vi]"))
IN_PLACE = line(("D", "if vi > 3:\n    D[vi] = D[0] + A[vi]"))
#: one row for all, in place, by blocks in a block
BROADCAST = """
@T.prim_func
def main(D: T.Buffer((6, 5), "int32")):
    for o in range(1):
        with T.block("O"):
            vo = T.axis.spatial(1, o)
            for i, j in T.grid(6, 5):
                with T.block("D"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(i + j < 1)
                    D[vi, vj] = D[vi, 0] + 1
"""
PARTIAL = """
@T.prim_func
def main(A: T.Buffer((6, 5), "int32"), D: T.Buffer((6, 5), "int32")):
    for i in range(6):
        with T.block("O"):
            vi = T.axis.spatial(6, i)
            T.reads(A[vi, 0:5])
            T.writes(D[vi, 0:5])
            for j in range(3, 4):
                with T.block("D"):
                    vj = T.axis.spatial(5, j)
                    D[vi, vj] = A[vi, vj] + 1
"""
TOGETHER = """
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32"), D: T.Buffer((8, 8), "int32")):
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[{0}] = A[vi, vj] + 1
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.if_then_else(vi > 0 and vj < 7, B[{1}], 0)
"""
#: a nest of two blocks with a temporary
TEMPORARY = """
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32"), D: T.Buffer((1,), "int32")):
    P = T.alloc_buffer(({size},), "int32")
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            {first}
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            {second}
    with T.block("last"):
        vi = T.axis.spatial(1, 0)
        D[vi] = {last}
"""
#: the same, each block in a loop of its own
ROW = """
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        for j in range(8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                P[vj] = A[vi, vj]
        for j in range(8):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = P[vj]
"""
FIRST = """
    for i, j in T.grid(8, 8):
        with T.block("first"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = A[vi, vj] + 1
"""
AFTER_ROW = ROW.replace("    for i in range(8):", f"{FIRST}    for i in range(8):", 1)
#: each iteration reads what the one before wrote
CARRIED = """
@T.prim_func
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32"), P: T.Buffer((1,), "int32")):
    for i, j in T.grid(8, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = P[0] * 2
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            P[0] = A[vi, vj] + 3
"""
INTERCHANGED = "sch.reorder(*sch.get_loops('B')[::-1])"
ROWS = """
@T.prim_func
def main(D: T.Buffer((6, 5), "int32")):
    for i in range(30):
        with T.block("D"):
            vi, vj = T.axis.spatial(6, i // 5), T.axis.spatial(5, i % 5)
            D[vi, vj] = D[vi, 0] + 1
"""
TILED = """
@T.prim_func
def main(A: T.Buffer((6, 5), "int32"), D: T.Buffer((6, 5), "int32")):
    for i, j in T.grid(5, 5):
        with T.block("D"):
            vi, vj = T.axis.spatial(6, i), T.axis.spatial(5, j)
            T.where(i + j < 7)
            D[vi, vj] = A[vi, vj]
"""
SEVERAL = """
@T.prim_func
def main(A: T.Buffer((8, 12), "int32"), X: T.Buffer((4, 5), "int32"), B: T.Buffer((4,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i, k in T.grid(8, 12):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
    for i, k in T.grid(4, 5):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + X[vi, vk]
"""

REFUSED: dict[str, Case] = {
    "pad a part of the rows": Case(einsum(8, 16), "sch.pad_einsum('C', [1, 4, 1])", "TS4152"),
    "pad a partition": Case(
        einsum(8, 8),
        "sch.loop_partition(sch.get_loops('C')[0], [None, 3]); sch.pad_einsum('C_i1', [1, 5, 1])",
        "TS4152",
    ),
    "pad a diagonal": Case(einsum(6, 6, "C[vj, vj]"), "sch.pad_einsum('C', [1, 4, 1])", "TS4152"),
    "pad one row of several": Case(einsum(8, 8, "C[0, vj]"), "sch.pad_einsum('C', [1, 4, 1])", "TS4152"),
    "pad an axis of what is written again": Case(REPEATED, "sch.pad_einsum('C', [4, 1])", "TS4152"),
    "pad a scan": Case(SCAN, "sch.pad_einsum('C', [1, 4, 1])", "TS4152"),
    "a consumer before the writer": Case(
        line(("D", "D[vi] = A[vi] * 2"), CLEARED), "sch.cache_write('Z', 0, 'global', ['D'])", "TS4195"
    ),
    "consumers on both sides of the writer": Case(
        line(DOUBLED, CLEARED, ("D", "D[vi] = A[vi] + B[vi]"), alloc="B"),
        "sch.cache_read('D', 'A', 'global', ['B', 'D'])",
        "TS4195",
    ),
    "a consumer around the scope": Case(einsum(8, 8), INNER + "['C_o'])", "TS4195"),
    "the root as consumer": Case(einsum(8, 8), INNER + "['root'])", "TS4195"),
    "a consumer outside of the scope": Case(
        line(DOUBLED, RAISED, alloc="B"),
        "sch.blockize(sch.get_loops('D')[0]); sch.cache_read('D', 0, 'global', ['B'])",
        "TS4195",
    ),
    "a consumer of more than the writer writes": Case(
        PART.format(value="B[vi, vj]") + PART[PART.index("    for") :].partition("    for i, j in T.grid(5")[0].replace(
            "B[vi, vj] = A", "A[vi, vj] = O"
        ).replace('"B"', '"D"'),
        "sch.cache_write('O', 0, 'global', ['D'])",
        "TS4132",
    ),
    "a cache of a scan": Case(SCAN, "sch.cache_write('C', 0, 'global')", "TS4178"),
    "a cache written under a condition": Case(CONDITION, "sch.cache_write('D', 0, 'global')", "TS4178"),
    "a cache in place under a condition": Case(IN_PLACE, "sch.cache_inplace('D', 'D', 'global')", "TS4178"),
    "reorder what blocks of a nest pass on": Case(
        TOGETHER.format("vi, vj", "vi - 1, vj + 1"), INTERCHANGED, "TS4182"
    ),
    "reorder what blocks of a nest pass on in a row": Case(
        TOGETHER.format("vj, 0", "vj + 1, 0"), INTERCHANGED, "TS4182"
    ),
    "move the writer of a temporary row": Case(
        AFTER_ROW, "sch.reverse_compute_at('B', sch.get_loops('first')[0])", "TS4142"
    ),
    "a copy of what the iteration before wrote": Case(CARRIED, "sch.cache_read('B', 0, 'global')", "TS4195"),
    "a copy back behind the iterations": Case(CARRIED, "sch.cache_write('C', 0, 'global')", "TS4195"),
    "lanes that read what others wrote": Case(CARRIED, "sch.vectorize(sch.get_loops('B')[1])", "TS4182"),
    "cores that read what others wrote": Case(CARRIED, "sch.parallel(sch.get_loops('B')[0])", "TS4182"),
    "threads that read what others wrote": Case(CARRIED, "sch.bind(sch.get_loops('B')[1], 'threadIdx.x')", "TS4182"),
    "compute a temporary row in its reader's loop": Case(ROW, "sch.compute_at('B', sch.get_loops('C')[1])", "TS4142"),
    "read a temporary row in its writer's loop": Case(
        ROW, "sch.reverse_compute_at('C', sch.get_loops('B')[1])", "TS4142"
    ),
    "reorder a temporary that is read before it is written": Case(
        TEMPORARY.format(size=1, first="B[vi, vj] = P[0]", second="P[0] = A[vi, vj]", last=0), INTERCHANGED, "TS4182"
    ),
    "reorder a temporary that some iterations write": Case(
        TEMPORARY.format(
            size=1, first="if vi > vj:\n                P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0
        ),
        INTERCHANGED,
        "TS4182",
    ),
    "reorder a temporary whose last value is read": Case(
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last="P[0]"),
        INTERCHANGED,
        "TS4182",
    ),
    "reorder a temporary of another iteration": Case(
        TEMPORARY.format(size=9, first="P[vj + 1] = A[vi, vj]", second="B[vi, vj] = P[vj]", last=0),
        INTERCHANGED,
        "TS4182",
    ),
    "reorder a temporary that has an address": Case(
        TEMPORARY.format(
            size=1,
            first="P[0] = A[vi, vj]",
            second='B[vi, vj] = P[0] + T.call_extern("int32", "f", T.address_of(P[0]))',
            last=0,
        ),
        INTERCHANGED,
        "TS4182",
    ),
    "a cache of what nested blocks write in part": Case(
        PARTIAL, "sch.cache_write('O', 'D', 'global')", "TS4178"
    ),
    "a cache in place in nested blocks under a condition": Case(
        BROADCAST, "sch.cache_inplace('O', 'D', 'global')", "TS4178"
    ),
    "a cache in place of a part of rows": Case(
        ROWS, "sch.loop_partition(sch.get_loops('D')[0], [3, None]); "
        "sch.cache_inplace('D_i1_partition', 0, 'global')", "TS4178"
    ),
    "a copy in a loop under a condition": Case(
        CONDITION, "sch.write_at(sch.get_loops('D')[0], 'D', 0, 'shared')", "TS4174"
    ),
    "a copy of a scan in a loop": Case(SCAN, "sch.write_at(sch.get_loops('C')[1], 'C', 0, 'shared')", "TS4107"),
    "two elements in one place of a copy, read": Case(
        TABLE, "sch.reindex_cache_read('P', 0, 'global', lambda i, j: i * 8 + j)", "TS4197"
    ),
    "two elements in one place of a copy, written": Case(
        TABLE, "sch.reindex_cache_write('P', 0, 'global', lambda i, j: (i, j // 2))", "TS4197"
    ),
    "merge across a write": Case(line(DOUBLED, CLEARED, RAISED, alloc="B"), MERGED, "TS4196"),
    "merge what is read in another order": Case(line(DOUBLED, FLIPPED, alloc="B"), MERGED, "TS4196"),
    "merge the consumer first": Case(
        line(DOUBLED, RAISED, alloc="B"), "sch.merge(sch.get_loops('D')[0], sch.get_loops('B')[0])", "TS4196"
    ),
    "merge with a later write": Case(
        line(("B", "B[vi] = A[7 - vi]"), ("D", "A[vi] = B[vi]"), alloc="B", params="A"), MERGED, "TS4196"
    ),
    "decompose a scan": Case(SCAN, "sch.decompose_reduction('C', sch.get_loops('C')[1])", "TS4107"),
    "rfactor of a scan": Case(SCAN, "sch.rfactor(sch.get_loops('C')[2], 0)", "TS4107"),
    "blockize a scan": Case(SCAN, "sch.blockize(sch.get_loops('C')[1])", "TS4107"),
    "reorder a scan": Case(SCAN, "sch.reorder(*sch.get_loops('C')[1:][::-1])", "TS4107"),
    "axes of a scan": Case(SCAN, "sch.transform_block_layout('C', lambda i, j, k: (j, i, k))", "TS4107"),
    "axes of a part under a predicate": Case(
        TILED, "sch.transform_block_layout('D', lambda i, j: (j, i))", "TS4191"
    ),
    "a part without producers": Case(PART.format(value="A[vi, vj]"), BELOW.format(0), "TS4148"),
    "a part of what is produced": Case(PART.format(value="B[vi, vj]"), BELOW.format(0), "TS4148"),
    "inline a part into its producer": Case(
        PART.format(value="B[vi, vj] + 1"), "sch.reverse_compute_inline('O')", "TS4136"
    ),
    "threads that repeat a reduction": Case(
        SEVERAL,
        "sch.reverse_compute_at('B', sch.get_loops('S')[0]); "
        "i, *_ = sch.split(sch.get_loops('S')[0], [None, 2, 3]); sch.bind(i, 'threadIdx.x')",
        "TS4144",
    ),
    "parallel iterations that repeat a block": Case(
        line(DOUBLED, RAISED, ("E", "E[vi] = B[vi]"), alloc="B", params="A D E"),
        "sch.parallel(sch.get_loops('D')[0]); sch.reverse_compute_at('B', sch.get_loops('D')[0])",
        "TS4182",
    ),
    "a kernel whose parallel loop has a temporary": Case(
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0),
        "i, j = sch.get_loops('B'); sch.parallel(j); sch.bind(i, 'blockIdx.x')",
        "TS4182",
    ),
    "a kernel beside a parallel loop with a temporary": Case(
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0),
        "sch.parallel(sch.get_loops('B')[0]); sch.bind(sch.add_unit_loop(sch.get_block('last')), 'blockIdx.x')",
        "TS4182",
    ),
    "a parallel loop of a kernel with a temporary": Case(
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0),
        "i, j = sch.get_loops('B'); sch.bind(i, 'blockIdx.x'); sch.parallel(j)",
        "TS4182",
    ),
}  # fmt: skip

#: what is allowed next to the refused
KEPT: dict[str, tuple[str, str]] = {
    "pad all rows": (einsum(8, 8), "sch.pad_einsum('C', [3, 4, 5])"),
    "pad only the reduction": (einsum(8, 16), "sch.pad_einsum('C', [1, 1, 5])"),
    "a consumer after the writer": (
        line(DOUBLED, RAISED, alloc="B"), "sch.cache_write('B', 0, 'local', ['D'])"
    ),
    "a consumer inside of the scope": (einsum(8, 8), BLOCKIZED + "sch.cache_read('C_o', 0, 'global', ['C'])"),
    "a cache in place of what is read": (
        line(("D", "if vi > 3:\n    D[vi] = D[vi] + A[vi]")), "sch.cache_inplace('D', 'D', 'global')"
    ),
    "one place for each element": (TABLE, "sch.reindex_cache_read('P', 0, 'global', lambda i, j: i * 12 + j)"),
    "a consumer with blocks in blocks": (
        line(DOUBLED, RAISED, alloc="B"),
        "sch.blockize(sch.get_loops('D')[0]); sch.blockize(sch.get_loops('D')[0]); "
        "sch.cache_write('B', 0, 'global', [sch.get_child_blocks(sch.get_block('root'))[-1]])",
    ),
    "places with gaps": (TABLE, "sch.reindex_cache_write('P', 0, 'global', lambda i, j: (j, i * 2))"),
    "reorder what iterations use themselves": (TOGETHER.format("vi, vj", "vi, vj"), INTERCHANGED),
    "reorder what keeps its order": (TOGETHER.format("vi, vj", "vi - 1, vj"), INTERCHANGED),
    "reorder what each row computes again": (TOGETHER.format("vj, 0", "vj, 0"), INTERCHANGED),
    "reorder a temporary of one element": (
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0), INTERCHANGED
    ),
    "reorder a temporary row": (
        TEMPORARY.format(size=8, first="P[vj] = A[vi, vj]", second="B[vi, vj] = P[vj] + P[vj]", last=0), INTERCHANGED
    ),
    "lanes with a temporary of their own": (
        TEMPORARY.format(size=1, first="P[0] = A[vi, vj]", second="B[vi, vj] = P[0]", last=0),
        "sch.vectorize(sch.get_loops('B')[1]); sch.parallel(sch.get_loops('B')[0])",
    ),
    "a whole block in each iteration": (
        line(DOUBLED, RAISED, ("E", "E[vi] = B[vi]"), alloc="B", params="A D E"),
        "sch.reverse_compute_at('B', sch.get_loops('D')[0])",
    ),
    "merge a producer": (line(DOUBLED, RAISED, alloc="B"), MERGED),
    "merge across what is independent": (
        line(DOUBLED, ("E", "E[vi] = A[vi]"), RAISED, alloc="B", params="A D E"), MERGED
    ),
    "merge a write behind a read": (
        line(("B", "B[vi] = A[vi]"), ("D", "A[vi] = B[vi]"), alloc="B", params="A"), MERGED
    ),
}  # fmt: skip


def _schedule(program: str, enable_check: bool = True) -> Schedule:
    return Schedule(tvmscript.from_source(program), error_render_level="fast", enable_check=enable_check)


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    program, step, code = REFUSED[case]
    schedule = _schedule(program)
    with pytest.raises(ScheduleError) as caught:
        load_script(script_of(step))(schedule)
    assert caught.value.code == code, caught.value
    assert caught.value.at


@pytest.mark.parametrize("case", KEPT)
def test_kept(case: str) -> None:
    program, step = KEPT[case]
    schedule = _schedule(program)
    schedule.observers.append(ValuesCheck())
    load_script(script_of(step))(schedule)


def test_dependent_iterations_are_reordered_without_checks() -> None:
    schedule = _schedule(TOGETHER.format("vi, vj", "vi - 1, vj + 1"), enable_check=False)
    schedule.reorder(*schedule.get_loops("B")[::-1])
    assert "for j, i in" in schedule.mod.script()


def test_dependent_bodies_are_merged_without_checks() -> None:
    schedule = _schedule(line(DOUBLED, FLIPPED, alloc="B"), enable_check=False)
    schedule.merge(schedule.get_loops("B")[0], schedule.get_loops("D")[0])
    assert "i_m" in schedule.mod.script()
