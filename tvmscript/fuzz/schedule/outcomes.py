"""What primitives make of the programs that they are meant for, of others, and of wrong arguments."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.dependent_blocks import dependent_program
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.records.outcomes import Outcomes, Refused
from tvmscript.fuzz.schedule.accepted_steps import ACCEPTED
from tvmscript.fuzz.schedule.refused_steps import WrongSteps
from tvmscript.fuzz.schedule.steps import STEPS, random_steps
from tvmscript.ir.core import IRError, TVMScriptError
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.parser import from_source

#: wrong steps of one program
_WRONG: Final = 8
#: what other steps than those of a primitive are drawn from
_USUAL: Final = ("split", "reorder", "fuse", "compute_at", "cache_read")


def _meant(name: str, rng: random.Random) -> Any:
    """Apply a step to a program that it is meant for."""
    step = rng.choice(ACCEPTED[name])
    schedule = Schedule(from_source(step.text(rng.randrange)), seed=1)
    try:
        step.apply(schedule, rng.randrange)
    except IRError as error:
        return Refused(error.code, error.text)
    return _result(schedule)


def _drawn(name: str, rng: random.Random) -> Any:
    """Apply random steps, half of them of the primitive, to a random program."""
    schedule = Schedule(from_source(_text(name, rng)), seed=1)
    random_steps(schedule, rng.randrange, 6, (name,) * len(_USUAL) + _USUAL if name in STEPS else _USUAL)
    return _result(schedule)


def _wrong(name: str, rng: random.Random) -> Any:
    """Call the primitive with nearly valid arguments."""
    schedule = Schedule(from_source(_text(name, rng)), seed=1)
    random_steps(schedule, rng.randrange, 2, _USUAL)
    steps = WrongSteps(schedule, rng.randrange)
    results: list[Any] = []
    for _ in range(_WRONG):
        try:
            steps.step(InstructionKind.of_method(name))()
        except TVMScriptError as error:
            results.append((error.code, error.text))
        except TypeError:
            results.append("TypeError")  # with the words of Python
        else:
            results.append(_result(schedule))
    return results


def _text(name: str, rng: random.Random) -> str:
    """Draw a program: one that the primitive is meant for, or another one."""
    match rng.randrange(4):
        case 0:
            return staged_program(rng.randrange)
        case 1:
            return dependent_program(rng.randrange)
        case 2:
            return random_blocks(rng, False)
        case _:
            return rng.choice(ACCEPTED[name]).text(rng.randrange)


def _result(schedule: Schedule) -> Any:
    """Return the program, and what the trace replays."""
    return schedule.mod, schedule.trace.as_json()


_KINDS: Final[tuple[Callable[[str, random.Random], Any], ...]] = (_meant, _meant, _drawn, _wrong)
OUTCOMES: Final = Outcomes(
    "schedule", lambda: ACCEPTED, lambda name, rng: rng.choice(_KINDS)(name, rng), count=24, is_observed=False
)
