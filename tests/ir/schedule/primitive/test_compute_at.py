"""compute_at, reverse_compute_at, sample_compute_location: what they refuse, and that they do what TVM does."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.against_tvm import both
from tests.ir.schedule.programs import chain
from tests.ir.schedule.refusals import Refusal
from tests.ir.schedule.scripts import load_script, script_of
from tests.ir.schedule.values import same_values
from tvmscript.ir.schedule.primitive.compute_at import (
    NotAllRequiredBlocksAreVisitedError,
    NotInSameScopeError,
    PredicateLostError,
)
from tvmscript.ir.schedule.schedule import Schedule

STAGES = """
@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
"""
UNFOLDED = """
@T.prim_func
def main(A: T.Buffer((12,), "float32"), C: T.Buffer((3, 4), "float32")):
    B = T.alloc_buffer((3, 4))
    for i in range(12):
        with T.block("B"):
            vi = T.axis.spatial(12, i)
            B[vi // 4, vi % 4] = A[vi] * T.float32(2)
    for i, j in T.grid(3, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)
"""
STENCIL = """
@T.prim_func
def main(A: T.Buffer((34, 34), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((34, 34))
    for i, j in T.grid(34, 34):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + 2, vj + 1] + B[vi + 1, vj + 2]
"""
SYMBOLIC = (
    STAGES.replace('A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")', "a: T.handle, c: T.handle")
    .replace("    B = T", "    n, m = T.int32(), T.int32()\n    A = T.match_buffer(a, (n, m))\n    B = T", 1)
    .replace("    B = T", "    C = T.match_buffer(c, (n, m))\n    B = T", 1)
    .replace("(32, 32)", "(n, m)")
)
MATMUL = """
@T.prim_func
def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), E: T.Buffer((32, 32), "float32")):
    P = T.alloc_buffer((32, 32))
    C = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("P"):
            vi, vj = T.axis.remap("SS", [i, j])
            P[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j, k in T.grid(32, 32, 32):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + P[vi, vk] * B[vk, vj]
    for i, j in T.grid(32, 32):
        with T.block("E"):
            vi, vj = T.axis.remap("SS", [i, j])
            E[vi, vj] = C[vi, vj] + T.float32(1)
"""
BEFORE = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32"), E: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    C = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]
    for i in range(16):
        with T.block("D"):
            vi = T.axis.spatial(16, i)
            D[vi] = B[vi]
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            C[vi] = A[vi]
    for i in range(16):
        with T.block("E"):
            vi = T.axis.spatial(16, i)
            E[vi] = B[vi] + C[vi]
"""
PADDED = STAGES.replace("= B[vi, vj] +", "= T.if_then_else(vi > 0, B[vi - 1, vj], T.float32(0)) +")
TILES = """i, j = sch.get_loops('{0}')
a, b = sch.split(i, [None, {1}])
c, d = sch.split(j, [None, {2}])
sch.reorder(a, c, b, d)"""
FUSED = "i, j = sch.get_loops('{0}')[:2]\nf = sch.fuse(i, j)\na, b, c = sch.split(f, [None, {1}, {2}])"


def at(block: str, loops_of: str, number: int, options: str = "", *, reverse: bool = False) -> str:
    """Move a block to one of the loops around another one."""
    name = "reverse_compute_at" if reverse else "compute_at"
    return f"sch.{name}('{block}', sch.get_loops('{loops_of}')[{number}]{options})"


#: program, step, error, a part of its message; TVM has the same error
ERRORS: dict[str, tuple[str, str, str, str]] = {
    "root": (STAGES, at("root", "C", 0), "RootBlockError", "cannot be applied to the root block"),
    "pipeline": (
        STAGES.replace("T.grid(32, 32)", "T.grid(32, 31)", 1),
        at("B", "C", 0),
        "NotStagePipelineError",
        "C reads more",
    ),
    "kind of block": (
        STAGES.replace('"SS"', '"SR"', 1),
        at("B", "C", 0),
        "NotCompleteOrReductionBlockError",
        "block B is neither a complete block (axis vj is not",
    ),
    "in the loop already": (STAGES, at("B", "B", 0), "NotInSameScopeError", "the block is already inside it"),
    "another scope": (
        STAGES.replace(
            '        with T.block("C")',
            '        with T.block("O"):\n          for k in range(1):\n           with T.block("C")',
        ).replace(
            '            vi, vj = T.axis.remap("SS", [i, j])\n            C',
            "            vi, vj = T.axis.spatial(32, i), T.axis.spatial(32, j)\n            C",
        ),
        at("B", "C", 0),
        "NotInSameScopeError",
        "the loop is not in the block's scope root",
    ),
    "output": (MATMUL, at("E", "C", 0), "OutputBlockError", "it writes E, which scope root does not allocate"),
    "not all consumers": (
        BEFORE,
        at("B", "D", 0),
        "NotAllRequiredBlocksAreVisitedError",
        "consumer E is not inside loop i, but it reads B",
    ),
    "not all producers": (
        BEFORE,
        at("E", "B", 0, reverse=True),
        "NotAllRequiredBlocksAreVisitedError",
        "producer C is not inside loop i, but E reads it",
    ),
    "no consumer there": (
        MATMUL,
        at("P", "E", 0),
        "NotAllRequiredBlocksAreVisitedError",
        "consumer C is not inside loop i, but it reads P",
    ),
    "only leaf": (
        MATMUL.split("    for i, j, k in")[0].replace("P[vi, vj] = A", "E[vi, vj] = A"),
        at("P", "P", 0, reverse=True),
        "NotInSameScopeError",
        "already",
    ),
}

#: the same, where TVM has an error without a name, or computes something else
OURS_ALONE: dict[str, tuple[str, str, str, str]] = {
    "rows that are not computed yet": (
        UNFOLDED.replace("for i in range(12)", "for i, j in T.grid(2, 6)").replace("(12, i)", "(12, i * 6 + j)"),
        at("C", "B", 0, reverse=True),
        "NotRegionCoverError",
        "the producers of block C do not write all that it reads",
    ),
    "index": (
        MATMUL,
        at("P", "C", 1, ", index=7"),
        "InsertionPointNotFoundError",
        "position 7 is not after all producers and before all consumers",
    ),
    "pattern": (
        STENCIL,
        at("C", "B", 0, reverse=True),
        "RegionPatternError",
        "cannot solve region vi of B for the axes of block C",
    ),
    "padding": (
        PADDED,
        at("C", "B", 0, reverse=True),
        "UncoveredAxisError",
        "block C in loop i would run for vi in [1, 32] only,",
    ),
    "behind a consumer": (
        MATMUL,
        at("P", "E", 0, reverse=True),
        "InsertionPointNotFoundError",
        "a consumer precedes the loop",
    ),
    "repeated reduction": (
        MATMUL.replace("E: T.Buffer((32, 32)", "E: T.Buffer((32,)").replace(
            """vi, vj = T.axis.remap("SS", [i, j])
            E[vi, vj] = C[vi, vj] + T.float32(1)""",
            """vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                E[vi] = T.float32(0)
            E[vi] = E[vi] + C[vi, vj]""",
        ),
        at("E", "C", 2, reverse=True),
        "RepeatedReductionError",
        "loop k would repeat steps of the reduction in block E",
    ),
    "name of a loop": (
        """
@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8, 4), "float32"), C: T.Buffer((8, 4), "float32")):
    for i in range(8):
        with T.block("B"):
            for j in range(4):
                with T.block("inner"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    B[vi, vj] = A[vi, vj]
    for i, j in T.grid(8, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj]
""",
        at("B", "C", 0, reverse=True),
        "NotInSameScopeError",
        "the block uses loop variable i, which is undefined there",
    ),
    "sampled for the root": (
        STAGES,
        'sch.sample_compute_location("root")',
        "RootBlockError",
        "cannot be applied to the root block",
    ),
}


@pytest.mark.parametrize("case", [*ERRORS, *OURS_ALONE])
def test_errors(case: str) -> None:
    Refusal(*{**ERRORS, **OURS_ALONE}[case]).check()


@pytest.mark.oracle
@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_those_of_tvm(case: str, oracle: Any) -> None:
    Refusal(*ERRORS[case]).check_with_tvm(oracle)


def test_what_would_work_is_said() -> None:
    sch = Schedule(tvmscript.from_source(BEFORE))
    with pytest.raises(NotInSameScopeError) as caught:
        load_script(script_of(at("C", "D", 0)))(sch)
    assert caught.value.hint == "compute_at works for: i"


DONE: dict[str, tuple[str, tuple[str, ...]]] = {
    **{
        f"{name} {options} {number}{'' if not reverse else ' reverse'}": (
            text,
            (at("C" if reverse else "B", "B" if reverse else "C", number, options, reverse=reverse),),
        )
        for name, text in (("stages", STAGES), ("symbolic", SYMBOLIC))
        for options in ("", ", preserve_unit_loops=True")
        for number in (0, 1)
        for reverse in (False, True)
    },
    "tiles": (STAGES, (TILES.format("C", 8, 16), at("B", "C", 1))),
    "tiles that do not divide": (STAGES, (TILES.format("C", 7, 9), at("B", "C", 1))),
    "tiles of a stencil": (STENCIL, (TILES.format("C", 7, 9), at("B", "C", 1))),
    "tiles reverse": (STAGES, (TILES.format("B", 7, 9), at("C", "B", 1, reverse=True))),
    "symbolic tiles": (SYMBOLIC, (TILES.format("C", 8, 16), at("B", "C", 1))),
    "fused": (STAGES, (FUSED.format("C", 8, 4), at("B", "C", 1))),
    "fused stencil": (STENCIL, (FUSED.format("C", 8, 4), at("B", "C", 0))),
    "threads": (
        STAGES.replace("alloc_buffer((32, 32))", 'alloc_buffer((32, 32), scope="shared")'),
        (FUSED.format("C", 8, 4), "sch.bind(a, 'blockIdx.x')", "sch.bind(b, 'threadIdx.x')", at("B", "C", 1)),
    ),
    "reduction": (MATMUL, (at("C", "E", 1),)),
    "both ends": (
        MATMUL,
        (
            "i, j, k = sch.get_loops('C')",
            "a, b = sch.split(i, [None, 8])",
            "c, d = sch.split(j, [None, 16])",
            "e, f = sch.split(k, [None, 4])",
            "sch.reorder(a, c, e, f, b, d)",
            "sch.compute_at('P', e)",
            "sch.reverse_compute_at('E', c)",
        ),
    ),
    "first place": (MATMUL, (at("P", "C", 1, ", index=-2"),)),
    "place by number": (MATMUL, (at("E", "C", 1, ", index=1", reverse=True),)),
}


@pytest.mark.oracle
@pytest.mark.parametrize("case", DONE)
def test_done_as_in_tvm(case: str, oracle: Any) -> None:
    text, steps = DONE[case]
    outcome = both(oracle, text, script_of(*steps))
    outcome.check()
    assert outcome.has_same_text, outcome.describe()
    assert not isinstance(outcome.ours, str)
    if "threadIdx" not in steps[-2:]:
        same_values(tvmscript.from_source(text), outcome.ours.mod["main"], tolerance=1e-5)


@pytest.mark.oracle
@pytest.mark.parametrize("block", ["P", "C", "E"])
@pytest.mark.parametrize("drawn", [*(f"decision={number}" for number in range(-2, 4)), "seed 1", "seed 2", "seed 7"])
def test_places_are_drawn_as_in_tvm(block: str, drawn: str, oracle: Any) -> None:
    seeds = [f"sch.seed({drawn.removeprefix('seed ')})"] if drawn.startswith("seed") else []
    option = "" if seeds else f", {drawn}"
    steps = [*seeds, f"loop = sch.sample_compute_location('{block}'{option})", f"sch.compute_at('{block}', loop)"]
    outcome = both(oracle, MATMUL, script_of(*steps))
    outcome.check()
    assert not isinstance(outcome.ours, str)
    assert not isinstance(outcome.theirs, str)
    made = outcome.ours.trace
    sampled = next(inst for inst in made.insts if inst.kind.name == "SampleComputeLocation")
    assert made.decisions[sampled] == outcome.theirs["trace"][1][0][1]


#: refusals where TVM stops without a name, or makes a program that computes something else
_ON_PURPOSE = ("RegionPatternError", "UncoveredAxisError", "NotRegionCoverError")


@pytest.mark.oracle
def test_random_programs(oracle: Any) -> None:
    done = 0
    for seed in range(40):
        rng = Random(seed)
        text, blocks = chain(rng)
        place = rng.randrange(len(blocks) - 1)
        pair = blocks[place], blocks[place + 1]
        reverse = rng.random() < 0.4
        block, other = reversed(pair) if reverse else pair
        options = rng.choice(("", "", ", preserve_unit_loops=True", ", index=-2"))
        steps = (
            [] if rng.random() < 0.5 else [f"sch.split(sch.get_loops('{other}')[0], [None, {rng.choice((2, 3, 4))}])"]
        )
        steps.append(f"loops = sch.get_loops('{other}')")
        name = "reverse_compute_at" if reverse else "compute_at"
        steps.append(f"sch.{name}('{block}', loops[{rng.randrange(4)} % len(loops)]{options})")
        outcome = both(oracle, text, script_of(*steps))
        if isinstance(outcome.ours, str):
            assert outcome.is_same or outcome.ours in _ON_PURPOSE, outcome.describe()
            continue
        if "verification failed" in str(outcome.theirs):
            continue  # TVM does it, and finds that facts that it keeps are no longer so
        assert outcome.is_same, outcome.describe()
        same_values(tvmscript.from_source(text), outcome.ours.mod["main"], tolerance=1e-5)
        done += 1
    assert done >= 10


@pytest.mark.parametrize("factor", [2, 4, 8, 12])
def test_rows_that_are_computed(factor: int) -> None:
    """Parts of rows, and whole rows, are consumed where they are computed."""
    sch = Schedule(tvmscript.from_source(UNFOLDED))
    loop, _ = sch.split(sch.get_loops("B")[0], [None, factor])
    sch.reverse_compute_at("C", loop)
    same_values(tvmscript.from_source(UNFOLDED), sch.mod["main"])


def test_producers_that_are_complete_before_the_loop() -> None:
    """`reverse_compute_at` moves behind one producer what reads another one that precedes the loop."""
    program = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((8, 12), "float32"), D: T.Buffer((8, 12), "float32")):
    B = T.alloc_buffer((8, 12))
    C = T.alloc_buffer((8, 12))
    for i, j in T.grid(8, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(8, 12):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 12):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[vi, vj] - C[7 - vi, vj]
""")
    a, d = np.random.default_rng(0).random((8, 12), "f"), np.zeros((8, 12), "f")
    sch = tvmscript.Schedule(program)
    with pytest.raises(NotAllRequiredBlocksAreVisitedError, match="producer C is not inside loop i"):
        sch.reverse_compute_at("D", sch.get_loops("B")[0])
    sch = tvmscript.Schedule(tvmscript.from_source(program.script().replace("C[7 - vi, vj]", "C[vi, vj]")))
    sch.reverse_compute_at("D", sch.get_loops("C")[0])
    tvmscript.build(sch.mod, target="interp")["main"](a, d)
    np.testing.assert_array_equal(d, a + 1 - a * 2)


def test_producers_in_loops_that_the_block_would_enter() -> None:
    """Other iterations of the loop that is entered may still write what the block reads."""
    sch = tvmscript.Schedule(
        tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((8, 12), "float32"), D: T.Buffer((8, 12), "float32")):
    B = T.alloc_buffer((8, 12))
    C = T.alloc_buffer((8, 12))
    for i in range(8):
        for j in range(12):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
        for j in range(12):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 12):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = B[7 - vi, vj] - C[vi, vj]
""")
    )
    with pytest.raises(NotAllRequiredBlocksAreVisitedError, match="producer B is not inside loop j"):
        sch.reverse_compute_at("D", sch.get_loops("C")[1])


@pytest.mark.parametrize(
    ("first", "end", "value", "lost"),
    [
        (0, 8, "i", None),
        (0, 6, "i", "0 <= vi and vi <= 5"),
        (2, 8, "i", "2 <= vi and vi <= 7"),
        (0, 6, "i + 2", "2 <= vi and vi <= 7"),
        (0, 1, "i + 7", "7 <= vi and vi <= 7"),
    ],
)
def test_a_consumer_runs_no_more_than_before(first: int, end: int, value: str, lost: str | None) -> None:
    """Its loops may leave out a part of its axis."""
    program = tvmscript.from_source(f"""
@T.prim_func
def main(A: T.Buffer((8,)), D: T.Buffer((8,))):
    B = T.alloc_buffer((8,))
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range({first}, {end}):
        with T.block("C"):
            vi = T.axis.spatial(8, {value})
            D[vi] = B[vi] + T.float32(1)
""")
    sch = Schedule(program)
    if lost is None:
        sch.reverse_compute_at("C", sch.get_loops("B")[0])
        same_values(program, sch.mod)
    else:
        with pytest.raises(PredicateLostError) as caught:
            sch.reverse_compute_at("C", sch.get_loops("B")[0])
        assert lost in caught.value.text
