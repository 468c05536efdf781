"""Sampling: the numbers that TVM draws from the same seed, decisions, and what cannot be drawn."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.scripts import load_script, script_of
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_engine import RandomEngine
from tvmscript.ir.schedule.schedule import Schedule


def program(extent: int | str = 360) -> str:
    return f"""
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, ({extent},))
    B = T.match_buffer(b, ({extent},))
    for i in range({extent}):
        with T.block("B"):
            vi = T.axis.spatial({extent}, i)
            B[vi] = A[vi]
"""


#: What is drawn: expressions of `sch` and the loop `i` that give a list.
DRAWS = (
    "[sch.get(x) for x in sch.sample_perfect_tile(i, 2)]",
    "[sch.get(x) for x in sch.sample_perfect_tile(i, 4, 64)]",
    "[sch.get(x) for x in sch.sample_perfect_tile(i, 3, -1)]",
    "[sch.get(x) for x in sch.sample_perfect_tile(i, 1, -1)]",
    "[sch.get(x) for _ in range(5) for x in sch.sample_perfect_tile(i, 5, max_innermost_factor=8)]",
    "[sch.get(sch.sample_categorical([1, 2, 3, 4, 5], [0.1, 0.2, 0.3, 0.2, 0.2])) for _ in range(12)]",
    "[sch.get(sch.sample_categorical([7], [1.0])), sch.get(sch.sample_categorical([1, 2], [0.5, 0.5]))]",
    "[sch.fork_seed() for _ in range(3)] + [sch.get(sch.sample_categorical([1, 2, 3], [0.5, 0.25, 0.25]))]",
    "[sch.get(x) for x in sch.sample_partitioned_tile(i, 3, 1, 2)]",
    "[sch.get(x) for x in sch.sample_partitioned_tile(i, 4, 2, 4)]",
    "[sch.get(x) for x in sch.sample_partitioned_tile(i, 4, 2, 7)]",
    "[sch.get(x) for x in sch.sample_partitioned_tile(i, 3)]",
    "(lambda c: [sch.get(x) for x in sch.sample_perfect_tile(i, 3)]"
    " + [c.get(x) for x in c.sample_perfect_tile(c.get_loops(c.get_block('B'))[0], 3)])(sch.copy())",
)
PERFECT = ([5, 8, 9], [5, 7, 9], [1, 360, 1])
#: where, which factor, the decision
PARTITIONED = (
    (2, 8, [2, 4, 5, 9]),
    (2, 8, [4, 2, 3, 15]),
    (3, 8, [4, 2, 5, 9]),
    (1, 8, [4, 2, 5, 8]),
    (2, 36, [2, 10, 6, 3]),
    (2, 36, [10, 1, 12, 3]),
    (2, 7, [4, 2, 3, 15]),
)
DECISIONS = (
    *(f"[sch.get(x) for x in sch.sample_perfect_tile(i, 3, 16, decision={d})]" for d in PERFECT),
    "[sch.get(sch.sample_categorical([3, 4], [0.5, 0.5], decision=1))]",
    *(
        f"[sch.get(x) for x in sch.sample_partitioned_tile(i, 4, {where}, {part}, decision={d})]"
        for where, part, d in PARTITIONED
    ),
)
NOTED = "sch.annotate(i, 'drawn', ' '.join(map(str, out)))"


def drawn(text: str, seed: int, line: str) -> str:
    sch = Schedule(tvmscript.from_source(text), seed=seed)
    load_script(script_of("(i,) = sch.get_loops(sch.get_block('B'))", f"out = {line}", NOTED))(sch)
    return str(sch.get(sch.get_loops("B")[0]).annotations["drawn"])


def theirs(oracle: Any, text: str, seed: int, line: str) -> str:
    script = script_of("(i,) = sch.get_loops(sch.get_block('B'))", f"out = {line}", NOTED)
    answer = str(oracle.schedule(script, text, seed=seed)["text"])
    return answer.partition('"drawn": "')[2].partition('"')[0]


@pytest.mark.oracle
@pytest.mark.parametrize("line", DRAWS)
def test_tvm_draws_the_same(line: str, oracle: Any) -> None:
    for seed in (1, 2, 42, 123456789, 2**31 - 1):
        assert drawn(program(), seed, line) == theirs(oracle, program(), seed, line)


@pytest.mark.oracle
@pytest.mark.parametrize("extent", [1, 2, 7, 64, 97, 100, 1024, 2310, 4096, 10007, 46189, 720720])
def test_tvm_draws_the_same_tiles(extent: int, oracle: Any) -> None:
    line = "[sch.get(x) for n in (2, 3, 4, 5) for x in sch.sample_perfect_tile(i, n, 64)]"
    for seed in (5, 77):
        assert drawn(program(extent), seed, line) == theirs(oracle, program(extent), seed, line)


@pytest.mark.oracle
@pytest.mark.parametrize("line", DECISIONS)
def test_tvm_takes_the_same_decisions(line: str, oracle: Any) -> None:
    assert drawn(program(), 1, line) == theirs(oracle, program(), 1, line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sch.sample_perfect_tile(i, 3, decision=[5, 8, 9])", [5, 8, 9]),
        # 7 does not divide 360 / 9
        ("sch.sample_perfect_tile(i, 3, decision=[5, 7, 9])", [1, 40, 9]),
        ("sch.sample_partitioned_tile(i, 3, 1, 8, decision=[8, 5, 9])", [45, 8, 1]),
        ("sch.sample_partitioned_tile(i, 3, 1, 7)", [-1, 1, 1]),
        ("[sch.sample_categorical([3, 4], [0.5, 0.5], decision=1)]", [4]),
    ],
)
def test_decisions(line: str, expected: list[int]) -> None:
    sch = Schedule(tvmscript.from_source(program()))
    found: dict[str, Any] = {"sch": sch, "i": sch.get_loops("B")[0]}
    exec(f"out = {line}", found)
    assert [sch.get(x) for x in found["out"]] == expected
    inst = sch.trace.insts[-1]
    kept = sch.trace.decisions[inst]
    assert (kept if isinstance(kept, list) else [4][kept - 1 :]) == expected


def test_loops_without_iterations() -> None:
    """Found by `tvmscript fuzz`: [1, 1] was drawn, of which a trace makes [0, 1], as in TVM; TVM draws nothing."""
    sch = Schedule(tvmscript.from_source(program(0)))
    (loop,) = sch.get_loops("B")
    for refused in (sch.can.sample_perfect_tile(loop, 2), sch.can.sample_partitioned_tile(loop, 2)):
        assert "loop i with extent 0 cannot be tiled" in repr(refused)
    assert [sch.get(x) for x in sch.sample_perfect_tile(loop, 2, decision=[1, 1])] == [0, 1]


def test_loops_of_unknown_extent() -> None:
    sch = Schedule(tvmscript.from_source(program("n")))
    (loop,) = sch.get_loops("B")
    assert [sch.get(x) for x in sch.sample_perfect_tile(loop, 3)] == [-1, 1, 1]
    assert [sch.get(x) for x in sch.sample_partitioned_tile(loop, 2)] == [-1, 1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sch.sample_perfect_tile(i, 1, 16)", "n must be at least 2 with max_innermost_factor, not 1"),
        ("sch.sample_perfect_tile(i, 0, -1)", "the number of factors must be from 1 to 4096, not 0"),
        ("sch.sample_perfect_tile(i, 3, 0)", "max_innermost_factor must be positive or -1, not 0"),
        (
            "sch.sample_perfect_tile(i, 3, decision=[0, 1, 1])",
            "the factors of the decision must be positive: [0, 1, 1]",
        ),
        ("sch.sample_partitioned_tile(i, 3, 3, 2)", "partition_pos 3 is out of range for 3 factors"),
        ("sch.sample_categorical([1, 2], [0.5])", "probs must have one entry for each of the 2 candidates, but has 1"),
        ("sch.sample_categorical([], [])", "candidates must not be empty"),
        ("sch.sample_categorical([1, 2], [0.5, 0.5], decision=2)", "decision 2 is out of range for 2 candidates"),
        ("sch.seed(-2)", "the seed -2 is negative"),
    ],
)
def test_what_cannot_be_drawn(line: str, said: str) -> None:
    sch = Schedule(tvmscript.from_source(program()))
    with pytest.raises(ScheduleError, match="TS4157") as caught:
        exec(line, {"sch": sch, "i": sch.get_loops("B")[0]})
    assert said in caught.value.text


def test_same_seed_same_numbers_and_copies_go_their_own_way() -> None:
    first, second = (Schedule(tvmscript.from_source(program()), seed=3) for _ in range(2))
    numbers = [
        [sch.get(sch.sample_categorical([*range(9)], [1 / 9] * 9)) for _ in range(20)] for sch in (first, second)
    ]
    assert numbers[0] == numbers[1]
    other = first.copy()
    assert [other.fork_seed() for _ in range(4)] != [first.fork_seed() for _ in range(4)]


def test_tiles_are_spread_evenly() -> None:
    engine = RandomEngine(1)
    tiles = [tuple(engine.tile(12, 3)) for _ in range(6000)]
    assert {math.prod(tile) for tile in tiles} == {12}
    # 2 * 2 is shared out in 6 ways, 3 in 3
    counts = Counter(tiles)
    assert len(counts) == 18
    assert 250 < min(counts.values()) <= max(counts.values()) < 420


def test_work_on() -> None:
    text = "@I.ir_module\nclass Module:\n" + "".join(
        "    " + line + "\n" for name in ("first", "second") for line in program(8).replace("main", name).splitlines()
    )
    sch = Schedule(tvmscript.from_source(text))
    assert sch.func_working_on is None
    sch.work_on("second")
    assert sch.func_working_on is sch.mod.get_global_var("second")
    sch.parallel(sch.get_loops("B")[0])
    changed = sch.mod
    assert "T.parallel" in changed["second"].script()
    assert "T.parallel" not in changed["first"].script()
    with pytest.raises(UnknownName):
        sch.work_on("third")
