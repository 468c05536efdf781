"""Random steps on random programs: values, well-formedness, the tree, replay, JSON, and the text."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tests.ir.schedule.compare_with_tvm import replayed
from tvmscript.fuzz.programs.stages import Pick, staged_program
from tvmscript.fuzz.schedule.refused_steps import WrongSteps
from tvmscript.fuzz.schedule.steps import KEEP_VALUES, STEPS, random_steps
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.analysis.verify_tree import verify_trees
from tvmscript.ir.tir.verify import verify
from tvmscript.schedule import Schedule, Trace

#: the same on every Python
pytestmark = pytest.mark.long

#: steps of one program
_STEPS = 10


def _check_laws(pick: Pick, seed: int, only: tuple[str, ...] = ()) -> None:
    program = tvmscript.from_source(staged_program(pick))
    sch = Schedule(program, seed=seed, check="values", debug_mask="all")
    random_steps(sch, pick, _STEPS, only)
    verify(sch.mod)
    assert_structural_equal(tvmscript.from_source(sch.mod.script()), sch.mod)
    for trace in (sch.trace, sch.trace.simplified()):
        for copy in (trace, Trace.from_json(trace.as_json())):
            again = Schedule(program)
            copy.apply_to_schedule(again)
            assert_structural_equal(again.mod, sch.mod)
    names: dict[str, Any] = {"tir": tvmscript.tir, "T": tvmscript.T}
    exec(str(sch.trace), names)
    again = Schedule(program)
    names["apply_trace"](again)
    assert_structural_equal(again.mod, sch.mod)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data())
def test_laws(data: st.DataObject) -> None:
    _check_laws(lambda count: data.draw(st.integers(0, count - 1)), 1)


@pytest.mark.fuzz
def test_laws_at_length() -> None:
    for seed in range(5000):
        rng = random.Random(seed)
        try:
            _check_laws(rng.randrange, seed, KEEP_VALUES)
        except (AssertionError, TVMScriptError) as error:
            raise AssertionError(f"seed {seed}") from error


def _check_refusals(pick: Pick, seed: int) -> tuple[int, int]:
    """Nearly right arguments: (refused, done). What refuses says so, and changes nothing."""
    program = tvmscript.from_source(staged_program(pick))
    sch = Schedule(program, seed=seed, error_render_level="fast", enable_check=seed % 3 != 0)
    random_steps(sch, pick, 4)
    refused = done = 0
    for step in WrongSteps(sch, pick).steps(40):
        before = sch.mod
        try:
            step()
        except (TVMScriptError, TypeError):
            refused += 1
            assert sch.mod is before
        else:
            done += 1
            verify_trees(sch.state, sch.last_primitive)
    return refused, done


def test_refusals() -> None:
    counts = [_check_refusals(random.Random(seed).randrange, seed) for seed in range(30)]
    assert sum(refused for refused, _ in counts) > 600


@pytest.mark.fuzz
def test_refusals_at_length() -> None:
    for seed in range(5000):
        try:
            _check_refusals(random.Random(seed).randrange, seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


def test_every_primitive_that_changes_programs_is_drawn() -> None:
    missing = [name for name in STEPS if not hasattr(Schedule, name)]
    assert not missing


@pytest.mark.oracle
def test_tvm_makes_the_same(oracle: Any) -> None:
    """Of 12 random traces; TVM does not end all of them, and some of its results are wrong or written otherwise.

    `python -m tests.ir.schedule.compare_with_tvm` shows each difference.
    """
    # the blocks that these make say more of what they read and write than TVM's
    names = tuple(name for name in STEPS if name not in ("loop_partition", "cache_index"))
    verdicts = Counter(replayed(oracle, seed, names, _STEPS)[0] for seed in range(12))
    assert verdicts["refused"] <= 3
    # two results of TVM access elements outside of buffers or lose a copy; one has the index v0 + ax0 for ax0 = 0
    assert verdicts["different"] <= 3
