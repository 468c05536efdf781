"""What primitives promise where they are defined, checked from the declarations: random steps, and the case files."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import tvmscript
from tests.ir.schedule.casefile import cases, load
from tests.ir.schedule.scripts import load_script
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.schedule import PromiseBroken, check_promises, drawn_step
from tvmscript.fuzz.schedule.inverse_steps import UNDO
from tvmscript.fuzz.schedule.steps import KEEP_VALUES, STEPS, Steps, random_steps
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind, Promises
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.testing.schedule_values import ValuesChanged, ValuesCheck

#: the same on every Python
pytestmark = pytest.mark.long

KINDS = sorted(kind.method for kind in InstructionKind.registry.values() if not kind.is_pure)
#: programs for each primitive, and how many of them are enough
_SEEDS, _ENOUGH = 60, 8


def _declared(kind: InstructionKind) -> set[str]:
    """The promises of a primitive, as `check_promises` names them."""
    promises = kind.promises
    words = {"values": promises.keeps_values, "again": promises.is_idempotent, "undone": promises.undone_by is not None}
    return {word for word, is_declared in words.items() if is_declared} | {*promises.commutes_with}


def _in_random_programs(name: str) -> Counter[str]:
    """How often each promise of a primitive was checked."""
    found: Counter[str] = Counter()
    for seed in range(_SEEDS):
        pick = random.Random(f"{name} {seed}").randrange
        schedule = Schedule(tvmscript.from_source(staged_program(pick)), seed=1)
        random_steps(schedule, pick, pick(4), KEEP_VALUES)
        steps = Steps(schedule, pick)
        step = drawn_step(schedule, partial(STEPS[name], steps))
        if step is not None:
            others = [drawn_step(schedule, partial(STEPS[each], steps)) for each in step.kind.promises.commutes_with]
            found.update(check_promises(schedule, step, filter(None, others)))
        if found and min(found.values()) >= _ENOUGH and len(found) == len(_declared(InstructionKind.of_method(name))):
            break
    return found


def _in_cases(name: str) -> Counter[str]:
    """The same, for every step of the case files of a primitive."""
    found: Counter[str] = Counter()
    for path in cases():
        case = load(path)
        if case.primitive != name or (case.values_differ and InstructionKind.of_method(name).promises.keeps_values):
            continue
        changes = [each for each in case.scheduled().trace.insts if not each.kind.is_pure]
        for place in [place for place, each in enumerate(changes) if each.kind.method == name]:
            schedule = Schedule(case.program())
            step = drawn_step(schedule, partial(load_script(case.script), schedule), place=place)
            assert step is not None
            found.update(check_promises(schedule, step))
    return found


@pytest.mark.parametrize("name", KINDS)
def test_promises(name: str) -> None:
    found = _in_cases(name)
    if name in STEPS:
        found += _in_random_programs(name)
    missing = _declared(InstructionKind.of_method(name)).difference(found)
    assert not missing - {"values"}, "a promise that nothing was found to check of"
    if missing:
        pytest.skip("no example of it can be run")


def test_what_is_promised_is_known() -> None:
    for kind in InstructionKind.registry.values():
        for other in (kind.promises.undone_by, *kind.promises.commutes_with):
            assert other is None or InstructionKind.of_method(other)
    assert sum(kind.promises.undone_by is not None for kind in InstructionKind.registry.values()) >= 12


PROGRAM = """
@T.prim_func
def main(A: T.Buffer((8, 4), "float32"), B: T.Buffer((8,), "float32")):
    for i, j in T.grid(8, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vj]
"""


def _promising(step: Instruction, promises: Promises) -> Instruction:
    """The step of a primitive that promises something else."""
    return replace(step, kind=replace(step.kind, promises=promises))


@pytest.mark.parametrize(
    ("do", "promises", "said"),
    [
        (
            lambda sch, i, j: sch.split(i, [2, 4]),
            Promises(is_idempotent=True),
            "that it may be done again",
        ),
        (lambda sch, i, j: sch.add_unit_loop(i), Promises(is_idempotent=True), "that a second time changes nothing: "),
        (lambda sch, i, j: sch.fuse(i, j), Promises(undone_by="unroll"), "fuse promises that unroll undoes it: "),
    ],
)
def test_broken_promises(do: Any, promises: Promises, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UNDO, "fuse", lambda before, step, made: lambda sch: sch.unroll(made[0]))
    schedule = Schedule(tvmscript.from_source(PROGRAM))
    step = drawn_step(schedule, lambda: do(schedule, *schedule.get_loops("B")))
    assert step is not None
    before = schedule.mod
    with pytest.raises(PromiseBroken, match=said):
        check_promises(schedule, _promising(step, promises))
    assert schedule.mod is before


def test_steps_that_do_not_commute() -> None:
    schedule = Schedule(tvmscript.from_source(PROGRAM))
    i, j = schedule.get_loops("B")
    step, other = (
        drawn_step(schedule, lambda: schedule.reorder(j, i)),
        drawn_step(schedule, lambda: schedule.fuse(i, j)),
    )
    assert step is not None
    assert other is not None
    with pytest.raises(PromiseBroken, match="one order is refused, the other is not"):
        check_promises(schedule, _promising(step, Promises(commutes_with=("fuse",))), [other])


def test_bits_are_promised() -> None:
    """Sums in another order are near enough for steps that do not promise the same bits."""
    schedule = Schedule(tvmscript.from_source(PROGRAM.replace("8, 4", "8, 64")))
    before = schedule.mod
    outer, _ = schedule.split(schedule.get_loops("B")[1], [None, 4])
    schedule.rfactor(outer, 0)
    ValuesCheck()(before, schedule)
    schedule.trace.append(_promising(schedule.trace.insts[-1], Promises()))
    with pytest.raises(ValuesChanged, match="after rfactor"):
        ValuesCheck()(before, schedule)


def test_refused_steps_are_not_drawn() -> None:
    schedule = Schedule(tvmscript.from_source(PROGRAM))
    assert drawn_step(schedule, lambda: schedule.parallel(schedule.get_loops("B")[1])) is None
    assert drawn_step(schedule, lambda: None) is None
    assert schedule.observers == []
