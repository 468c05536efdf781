"""split, fuse, reorder, merge, loop_partition, add_unit_loop; kinds of loops; annotations; the order of axes."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.primitive.random_loops import PROGRAMS, random_script
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.core.errors import InvalidAttribute, WrongArgumentCount
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import For, ForKind

_, MATMUL, _, SYMBOLIC, BLOCKS, _, _, WIDE = PROGRAMS
THREE = """
@T.prim_func
def main(A: T.Buffer((12, 20), "float32"), B: T.Buffer((12, 20), "float32"), C: T.Buffer((12, 20), "float32")):
    for i, j in T.grid(12, 20):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for k, l in T.grid(12, 20):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [k, l])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for x in range(12):
        for y in range(1, 20):
            with T.block("D"):
                vx, vy = T.axis.remap("SS", [x, y])
                C[vx, vy] = C[vx, vy] * B[vx, vy]
"""
OPAQUE = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i in range(16):
        for j in range(i + 1):
            with T.block("O"):
                T.reads()
                T.writes(A[i, j])
                A[i, j] = T.float32(1)
"""
LOOPS = 'i, j = sch.get_loops("B"); k, l = sch.get_loops("C"); x, y = sch.get_loops("D")'


def schedule(program: str, *lines: str) -> Schedule:
    sch = Schedule(tvmscript.from_source(program), debug_mask="all")
    load_script(script_of(*lines))(sch)
    return sch


def loops(program: str, *lines: str) -> list[tuple[str, Any]]:
    """Names and extents of the loops around the first block."""
    found: list[tuple[str, Any]] = []
    stmt: Any = schedule(program, *lines).mod["main"].body.block.body
    stmt = stmt.seq[0] if hasattr(stmt, "seq") else stmt
    while isinstance(stmt, For):
        found.append((stmt.loop_var.name, getattr(stmt.extent, "value", str(stmt.extent))))
        stmt = stmt.body
    return found


# what loops become


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sch.split(j, [None, 4])", [("i", 12), ("j_0", 5), ("j_1", 4)]),
        ("sch.split(j, [3, None])", [("i", 12), ("j_0", 3), ("j_1", 7)]),
        ("sch.split(j, [2, None, 3])", [("i", 12), ("j_0", 2), ("j_1", 4), ("j_2", 3)]),
        ("sch.split(j, [7, 3])", [("i", 12), ("j_0", 7), ("j_1", 3)]),
        ("sch.split(j, [None])", [("i", 12), ("j_0", 20)]),
        ("sch.fuse(i, j)", [("i_j_fused", 240)]),
        ("sch.fuse(i)", [("i_fused", 12), ("j", 20)]),
        ("sch.reorder(j, i)", [("j", 20), ("i", 12)]),
        ("a, b = sch.split(i, [3, 4]); sch.reorder(j, b)", [("i_0", 3), ("j", 20), ("i_1", 4)]),
        ("sch.add_unit_loop(i)", [("u", 1), ("i", 12), ("j", 20)]),
        ("sch.add_unit_loop(sch.get_block('B'))", [("i", 12), ("j", 20), ("u", 1)]),
        ("sch.merge(j, l)", [("i_m", 12), ("j_m", 20)]),
    ],
)
def test_loops(line: str, expected: list[tuple[str, int]]) -> None:
    assert loops(THREE, LOOPS, line) == expected
    before = tvmscript.from_source(THREE)
    same_values(before, schedule(THREE, LOOPS, line).mod)


def test_loops_that_stay_keep_their_random_variables() -> None:
    sch = Schedule(tvmscript.from_source(THREE))
    i, j = sch.get_loops("B")
    outer, inner = sch.split(i, [None, 4])
    sch.reorder(j, outer)
    assert [sch.get(loop).loop_var.name for loop in (j, outer, inner)] == ["j", "i_0", "i_1"]
    with pytest.raises(ScheduleError, match="this loop is not a loop of the current program"):
        sch.get(i)


def test_what_becomes_of_parallel_and_vectorized_loops_is_serial() -> None:
    sch = schedule(THREE, LOOPS, "sch.parallel(i); sch.vectorize(j); sch.split(j, [None, 4])")
    kinds = [sch.get(loop).kind for loop in sch.get_loops("B")]
    assert kinds == [ForKind.PARALLEL, ForKind.SERIAL, ForKind.SERIAL]
    sch = schedule(THREE, LOOPS, "sch.parallel(i); sch.vectorize(j); sch.fuse(i, j)")
    assert [sch.get(loop).kind for loop in sch.get_loops("B")] == [ForKind.SERIAL]


def test_preserve_unit_iters() -> None:
    kept = schedule(THREE, LOOPS, "sch.split(i, [1, 12])").mod["main"].script()
    left = schedule(THREE, LOOPS, "sch.split(i, [1, 12], preserve_unit_iters=False)").mod["main"].script()
    assert "i_0 * 12 + i_1" in kept
    assert "i_0 * 12" not in left


def test_disable_predication() -> None:
    assert "T.where" in schedule(THREE, LOOPS, "sch.split(j, [None, 7])").mod["main"].script()
    assert (
        "T.where"
        not in schedule(THREE, LOOPS, "sch.split(j, [None, 7], disable_predication=True)").mod["main"].script()
    )


def test_nests_of_a_whole_scope_are_merged() -> None:
    # TVM 0.17 fails inside of itself here: no statement is left beside the merged loop
    program = THREE[: THREE.index("    for x in")]
    sch = schedule(program, LOOPS.rpartition(";")[0], "sch.merge(i, k)")
    assert [sch.get(loop).loop_var.name for loop in sch.get_loops("C")] == ["i_m", "l"]
    same_values(tvmscript.from_source(program), sch.mod)


def test_parts_of_a_loop_that_starts_elsewhere_cover_it() -> None:
    # TVM 0.17 counts them from 0, and leaves out the last iterations
    sch = schedule(THREE, LOOPS, "sch.loop_partition(y, [4, None])")
    bounds: list[tuple[Any, Any]] = [
        (sch.get(loop).min, sch.get(loop).extent) for name in ("D_y0", "D_y1") for loop in sch.get_loops(name)
    ]
    assert [(start.value, extent.value) for start, extent in bounds] == [(1, 4), (5, 15)]
    same_values(tvmscript.from_source(THREE), sch.mod)


def test_values_of_annotations() -> None:
    sch = schedule(
        THREE, LOOPS, "sch.annotate(i, 'a', True); sch.annotate(i, 'b', [1, 'x', 2.5]); sch.annotate(i, 'c', {'d': 1})"
    )
    notes = sch.get(sch.get_loops("B")[0]).annotations
    assert isinstance(notes["a"], IntImm)
    assert notes["a"].dtype == "int32"
    assert [getattr(item, "value", item) for item in notes["b"]] == [1, "x", 2.5]
    assert notes["c"]["d"].value == 1


def test_a_note_that_is_there_stays() -> None:
    sch = schedule(THREE, LOOPS, "sch.annotate(i, 'a', 1); sch.annotate(i, 'a', 2)")
    assert sch.get(sch.get_loops("B")[0]).annotations["a"].value == 1


def test_numbers_that_were_drawn_are_noted() -> None:
    sch = schedule(THREE, LOOPS, "sch.annotate(i, 'a', [sch.sample_categorical([3, 5], [0.5, 0.5], decision=1)])")
    assert sch.get(sch.get_loops("B")[0]).annotations["a"][0].value == 5


# errors: program, script, class, code; what is said beside


ERRORS = [
    (
        THREE,
        "sch.split(i, [None, None])",
        "NotSingleInferFactorError",
        "TS4112",
        "more than one factor of loop i is None",
    ),
    (
        THREE,
        "sch.split(i, [None, 0])",
        "NonPositiveFactorError",
        "TS4113",
        "factor 1 of loop i is 0; factors must be positive",
    ),
    (
        THREE,
        "sch.split(i, [-1, 4])",
        "NonPositiveFactorError",
        "TS4113",
        "factor 0 of loop i is -1; factors must be positive",
    ),
    (
        THREE,
        "sch.split(i, [3, 3])",
        "WrongFactorError",
        "TS4114",
        "cannot prove that their product is at least the extent",
    ),
    (
        THREE,
        "sch.split(y, [None, 3])",
        "LoopNotStartWithZeroError",
        "TS4111",
        "loop y must start at 0, but starts at 1",
    ),
    (
        THREE,
        "sch.annotate(i, 'a', 1); sch.split(i, [3, 4])",
        "HasAnnotationOrThreadBindingError",
        "TS4110",
        "loop i has annotations or a thread binding",
    ),
    (
        THREE,
        "sch.bind(i, 'threadIdx.x'); sch.split(i, [3, 4])",
        "HasAnnotationOrThreadBindingError",
        "TS4110",
        "loop i",
    ),
    (
        THREE,
        "sch.bind(i, 'threadIdx.x'); sch.fuse(i, j)",
        "HasAnnotationOrThreadBindingError",
        "TS4110",
        "loop i has annotations or a thread binding",
    ),
    (THREE, "sch.fuse(x, y)", "LoopNotStartWithZeroError", "TS4111", "loop y must start at 0, but starts at 1"),
    (THREE, "sch.fuse(j, i)", "OuterNotInnerParent", "TS4115", "loop i is not directly nested in loop j"),
    (
        WIDE,
        "sch.fuse(*sch.get_loops('B'))",
        "NotOnlyChildError",
        "TS4116",
        "loop j is not the only statement in loop i",
    ),
    (BLOCKS, "sch.fuse(*sch.get_loops('T'))", "DependentLoopError", "TS4117", "the bounds of loop j depend on loop i"),
    (
        BLOCKS,
        "i, j = sch.get_loops('T'); sch.reorder(j, i)",
        "NotAffineBindingError",
        "TS4130",
        "block T does not have affine bindings",
    ),
    (
        OPAQUE,
        "i, j = sch.get_loops('O'); sch.reorder(j, i)",
        "DependentLoopError",
        "TS4117",
        "the bounds of loop j depend on loop i",
    ),
    (THREE, "sch.reorder(i, j, i)", "LoopMultiAppearanceError", "TS4118", "loop i is given more than once"),
    (THREE, "sch.reorder(i, k)", "LoopsNotAChainError", "TS4119", "k and i are not nested"),
    (WIDE, "sch.reorder(*sch.get_loops('B'))", "LoopsNotAChainError", "TS4119", "j is not the only statement in i"),
    (
        THREE,
        "sch.reorder_block_iter_var(sch.get_block('B'), [1, 1])",
        "InvalidReorderIndex",
        "TS4121",
        "[1, 1] is not a permutation of the 2 axes of block B",
    ),
    (
        MATMUL,
        "sch.parallel(sch.get_loops('C')[2])",
        "WrongBlockIterTypeError",
        "TS4122",
        "axis vk of block C depends on it and is not spatial",
    ),
    (MATMUL, "sch.vectorize(sch.get_loops('C')[2])", "WrongBlockIterTypeError", "TS4122", "cannot be vectorized"),
    (
        MATMUL,
        "sch.bind(sch.get_loops('C')[2], 'blockIdx.x')",
        "WrongBlockIterTypeError",
        "TS4122",
        "bound to blockIdx.x",
    ),
    (THREE, "sch.bind(i, 'threadId.x')", "UnknownThreadAxis", "TS4155", "unknown thread axis threadId.x"),
    (THREE, "sch.unannotate(i, 'a')", "AnnotationNotFound", "TS4156", "loop i has no annotation a"),
    (THREE, "sch.merge(i, l)", "LoopsNotAlikeError", "TS4154", "their nests differ in depth"),
    (
        THREE,
        "sch.split(k, [3, 4]); sch.merge(i, sch.get_loops('C')[0])",
        "LoopsNotAlikeError",
        "TS4154",
        "i has extent 12, k_0 has extent 3",
    ),
    (THREE, "sch.merge(j, y)", "LoopNotStartWithZeroError", "TS4111", "loop y must start at 0, but starts at 1"),
    (
        WIDE,
        "i, j = sch.get_loops('B'); u = sch.add_unit_loop(sch.get_block('C')); sch.merge(j, u)",
        "LoopsNotAlikeError",
        "TS4154",
        "j has extent T.int64(7), u has extent 1",
    ),
    (
        THREE,
        "sch.loop_partition(i, [None, None])",
        "NotSingleInferFactorError",
        "TS4112",
        "more than one factor of loop i is None",
    ),
    (THREE, "sch.loop_partition(i, [12])", "WrongFactorError", "TS4114", "the last part would be empty"),
    (
        THREE,
        "sch.loop_partition(i, [0, 2])",
        "NonPositiveFactorError",
        "TS4113",
        "factor 0 of loop i is 0; factors must be positive",
    ),
    (
        THREE,
        "sch.annotate(i, 'a', 1); sch.loop_partition(i, [2])",
        "HasAnnotationOrThreadBindingError",
        "TS4110",
        "loop i",
    ),
    (
        SYMBOLIC,
        "sch.loop_partition(sch.get_loops('B')[0], [2])",
        "SymbolicShapeError",
        "TS4123",
        "not all are constants",
    ),
]


@pytest.mark.parametrize(("program", "line", "name", "code", "said"), ERRORS)
def test_errors(program: str, line: str, name: str, code: str, said: str) -> None:
    before = Schedule(tvmscript.from_source(program))
    lines = [LOOPS, line] if program is THREE else [line]
    with pytest.raises(ScheduleError) as caught:
        schedule(program, *lines)
    error = caught.value
    assert (type(error).__name__, error.code) == (name, code)
    assert said in error.text
    assert error.at
    assert error.primitive is not None
    assert error.module is not None
    assert "^" in str(error)
    assert before.mod["main"].script()


@pytest.mark.oracle
@pytest.mark.parametrize(("program", "line", "name", "code", "said"), ERRORS)
def test_tvm_has_the_same_errors(program: str, line: str, name: str, code: str, said: str, oracle: Any) -> None:
    lines = [LOOPS, line] if program is THREE else [line]
    outcome = both(oracle, program, script_of(*lines))
    outcome.check()
    assert outcome.ours == name


def test_block_with_an_ordered_axis_is_not_reordered() -> None:
    program = THREE.replace('remap("SS", [i, j])', 'remap("SO", [i, j])').replace('"SO"', '"SR"').replace(
        'vi, vj = T.axis.remap("SR", [i, j])', 'vi = T.axis.spatial(12, i)\n            vj = T.axis.scan(20, j)'
    )  # fmt: skip
    with pytest.raises(ScheduleError, match="TS4120"):
        schedule(program, LOOPS, "sch.reorder(j, i)")


def test_reductions_with_an_init_are_not_cut() -> None:
    with pytest.raises(ScheduleError, match="TS4158"):
        schedule(MATMUL, "sch.loop_partition(sch.get_loops('C')[2], [4])")


def test_no_loops() -> None:
    sch = Schedule(tvmscript.from_source(THREE))
    with pytest.raises(WrongArgumentCount):
        sch.fuse()
    with pytest.raises(WrongArgumentCount):
        sch.merge(sch.get_loops("B")[0])
    sch.reorder()
    with pytest.raises(InvalidAttribute):
        sch.annotate(sch.get_block("B"), "a", object())
    with pytest.raises(ScheduleError, match="TS4104"):
        sch.add_unit_loop(sch.get_block("root"))


def test_checks_of_whole_scopes_can_be_left_out() -> None:
    program = THREE.replace("C[vx, vy] = C", "A[vx, vy] = C").replace("* B[vx", "* A[vx")
    with pytest.raises(ScheduleError, match="TS4109"):
        schedule(program, LOOPS, "sch.parallel(x)")
    sch = Schedule(tvmscript.from_source(program), enable_check=False)
    sch.parallel(sch.get_loops("D")[0])
    assert sch.get(sch.get_loops("D")[0]).kind is ForKind.PARALLEL


# loops of unknown extents

EXTENTS = (
    "n", "n * 32", "(n + 31) // 32 * 32", "n * m", "n + 1", "n * 2 + 4", "n // 4", "n % 8 + 1", "T.max(n, 1)",
    "T.min(n, 64)",
)  # fmt: skip
TILINGS = (
    "sch.split(i, [None, 4, 8])",
    "sch.split(i, [32, None])",
    "a, b = sch.split(i, [None, 16]); sch.split(a, [None, 2])",
    "a, b = sch.split(sch.fuse(i, j), [None, 256]); sch.bind(a, 'blockIdx.x'); sch.bind(b, 'threadIdx.x')",
    "sch.split(sch.fuse(i, j), [256, None])",
    "sch.reorder(j, i); a, b = sch.split(i, [None, 32]); sch.fuse(j, a)",
    "a, b = sch.split(i, [None, 32]); c, d = sch.split(j, [None, 32]);"
    " sch.reorder(a, c, b, d); sch.fuse(a, c); sch.fuse(b, d)",
)


@pytest.mark.oracle
@pytest.mark.parametrize("other", ["m", "128"])
@pytest.mark.parametrize("extent", EXTENTS)
def test_tvm_does_the_same_with_unknown_extents(extent: str, other: str, oracle: Any) -> None:
    program = f"""
@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int32, m: T.int32):
    A = T.match_buffer(a, ({extent}, {other}))
    B = T.match_buffer(b, ({extent}, {other}))
    for i, j in T.grid({extent}, {other}):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)
"""
    for tiling in TILINGS:
        outcome = both(oracle, program, script_of("i, j = sch.get_loops('B')", tiling))
        outcome.check()
        assert outcome.has_same_text, outcome.describe()


def test_sizes_stay_as_they_are_written() -> None:
    sch = Schedule(tvmscript.from_source(SYMBOLIC))
    i, _ = sch.get_loops("B")
    outer, _ = sch.split(i, [None, 48])
    inner, _ = sch.split(outer, [None, 2])
    assert str(sch.get(inner).extent) == "(n + 95) // 96"
    fused = sch.fuse(*sch.get_loops("B")[3:])
    assert str(sch.get(fused).extent) == "m"


# random scripts

#: What TVM does to itself: texts in its answers where it fails, or disagrees with itself.
OWN_FAILURES = ("length 1 is prohibited", "ill-formed", "Well-formedness check failed")


@pytest.mark.parametrize("seed", range(60))
def test_random_scripts_keep_the_values(seed: int) -> None:
    script = random_script(seed)
    # order matters where loops that depend on each other were merged
    if "merge" in script.text or "disable_predication" in script.text:
        pytest.skip("the steps do not promise to keep the values")
    same_values(tvmscript.from_source(script.program), script.sch.mod, tolerance=1e-4)


def _differs(oracle: Any, seed: int) -> str | None:
    """What TVM makes of a random script, where it is something else."""
    script = random_script(seed)
    try:
        outcome = both(oracle, script.program, script.text)
    except Exception as error:  # the class of the oracle's errors is in a file outside
        if getattr(error, "kind", "") != "lost":  # it crashed
            raise
        return None
    if outcome.is_unverified or (outcome.is_same and outcome.has_same_text):
        return None
    if isinstance(outcome.theirs, str) and any(text in outcome.theirs for text in OWN_FAILURES):
        return None
    if outcome.ours == "PartitionedReductionError":
        return None
    return outcome.describe()


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(60))
def test_tvm_does_the_same(seed: int, oracle: Any) -> None:
    different = _differs(oracle, seed)
    assert different is None, different


@pytest.mark.fuzz
@pytest.mark.oracle
def test_tvm_does_the_same_for_long(oracle: Any) -> None:
    assert [seed for seed in range(60, 5000) if _differs(oracle, seed) is not None] == []
