"""Steps of schedules: each keeps the values, the trace makes the same again, and what is refused changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.core.equal import first_difference
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.consistency import verify_trees
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace import Trace
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.verify import verify
from tvmscript.parser import from_source
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.scripts import as_literal
from tvmscript.testing.refusals import WrongSteps
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.schedules import KEEP_VALUES, STEPS, random_steps
from tvmscript.testing.staged import Pick, staged_program
from tvmscript.testing.values import ValuesCheck

_MOST_STEPS: Final = 8


class TraceMakesAnother(TVMScriptError):
    """A trace that makes another program than the schedule that it was recorded from."""

    code = "TS8047"
    message = "{law}: the trace makes another program, first at {path}: {reason}"


class RefusedButChanged(TVMScriptError):
    """A step of a schedule that raised an error and changed the program all the same."""

    code = "TS8048"
    message = "a step was refused and changed the program: {reason}"


@dataclass
class Scheduled:
    """A program and where the choices of its steps come from: they are written down."""

    #: what is checked, see `_LAWS`
    law: str
    text: str
    picks: Pick
    made: list[int] = field(default_factory=list[int])
    #: what was done, as Python
    trace: str = ""

    def pick(self, count: int) -> int:
        """A choice."""
        self.made.append(self.picks(count))
        return self.made[-1]


def again(law: str, text: str, picks: Sequence[int]) -> Scheduled:
    """The same once more, from what was written down; 0 where there is no more."""
    left: Iterator[int] = iter(picks)
    return Scheduled(law, text, lambda count: min(next(left, 0), count - 1))


@st.composite
def examples(draw: st.DrawFn) -> Scheduled:
    """A program; the steps are drawn while they are checked, since what can be done depends on what was."""
    text = staged_program(lambda count: draw(st.integers(0, count - 1)))
    data = draw(st.data())
    return Scheduled(draw(st.sampled_from(list(_LAWS))), text, lambda count: data.draw(st.integers(0, count - 1)))


def check(example: Scheduled) -> None:
    """Raises what is wrong."""
    program: PrimFunc = from_source(example.text)
    example.made.clear()
    _LAWS[example.law](example, program)


def _values(example: Scheduled, program: PrimFunc) -> None:
    """Each step keeps the values."""
    schedule = Schedule(program, seed=1, debug_mask="all", observers=[ValuesCheck(1)])
    try:
        random_steps(schedule, example.pick, example.pick(_MOST_STEPS) + 1, KEEP_VALUES)
    finally:
        example.trace = str(schedule.trace)
    _check_result(schedule, program)


def _forms(example: Scheduled, program: PrimFunc) -> None:
    """Every step, also those that do what TVM does where the values are not kept."""
    schedule = Schedule(program, seed=1, debug_mask="all")
    try:
        random_steps(schedule, example.pick, example.pick(_MOST_STEPS) + 1, tuple(STEPS))
    finally:
        example.trace = str(schedule.trace)
    _check_result(schedule, program)


def _refusals(example: Scheduled, program: PrimFunc) -> None:
    """Nearly right arguments are refused with an error of ours, and nothing has changed then."""
    schedule = Schedule(program, seed=1, error_render_level="fast", enable_check=example.pick(3) != 0)
    try:
        random_steps(schedule, example.pick, 4)
        for step in WrongSteps(schedule, example.pick).steps(10):
            before = schedule.mod
            try:
                step()
            except (TVMScriptError, TypeError) as error:
                if schedule.mod is not before:
                    raise RefusedButChanged(reason=error) from error
            else:
                verify_trees(schedule.state, schedule.last_primitive)
    finally:
        example.trace = str(schedule.trace)


def _check_result(schedule: Schedule, program: PrimFunc) -> None:
    """The result is well formed and reads back, and the trace makes it again in every form."""
    verify(schedule.mod)
    check_round_trip(schedule.mod, "the scheduled program")
    for law, trace in (("as it is", schedule.trace), ("simplified", schedule.trace.simplified())):
        for words, copy in ((law, trace), (f"{law}, from JSON", Trace.from_json(trace.as_json()))):
            other = Schedule(program)
            copy.apply_to_schedule(other)
            found = first_difference(schedule.mod, other.mod)
            if found is not None:
                raise TraceMakesAnother(law=words, path=found.path, reason=found.reason)


_LAWS: Final = {"values": _values, "forms": _forms, "refusals": _refusals}


def write(example: Scheduled) -> str:
    """The program, the choices, and what they did as a comment."""
    trace = "".join(f"# {line}\n" for line in example.trace.splitlines())
    return (
        "from tvmscript.testing.fuzzing.schedule import again, check\n\n"
        f"PROGRAM = {as_literal(example.text)}\n"
        f"# what is done before it goes wrong:\n{trace}"
        f"check(again({example.law!r}, PROGRAM, {example.made}))\n"
    )


AREA: Final = Area("schedule", "steps of schedules keep the values", examples, check, write, batch=20, is_native=True)
