"""Fuzz schedule steps: values are kept, traces replay to the same program, refused steps change nothing.

The programs are chains of blocks, blocks that depend on each other, and kernels of every kind: symbolic extents,
strides, extents of 0 and 1, scans, predicates, private buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.dependent_blocks import dependent_program
from tvmscript.fuzz.programs.stages import Pick, staged_program
from tvmscript.fuzz.schedule import check_promises, drawn_step
from tvmscript.fuzz.schedule.accepted_steps import ACCEPTED, tensorize_other
from tvmscript.fuzz.schedule.layout_laws import compare_layouts, drawn_layout
from tvmscript.fuzz.schedule.outcomes import OUTCOMES
from tvmscript.fuzz.schedule.refused_steps import WrongSteps
from tvmscript.fuzz.schedule.region_laws import check_regions, region_text
from tvmscript.fuzz.schedule.steps import KEEP_VALUES, STEPS, Steps, random_steps, shares
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.analysis.access.races import Race, check_races
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import IRError, TVMScriptError, nodes
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.schedule.analysis.verify_tree import verify_trees
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.tir import Block, IterKind, PrimFunc, Var
from tvmscript.ir.tir.verify import verify
from tvmscript.parser import from_source
from tvmscript.testing.kernels import kernel_texts, sizes_for
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.schedule_values import ValuesCheck

_MOST_STEPS: Final = 8
#: common primitives, drawn more often; bugs need several of them on one block
_COMMON: Final = ("split", "fuse", "reorder", "parallel", "bind", "compute_at", "reverse_compute_at", "rfactor")


class TraceMakesAnother(TVMScriptError, code="TS8047"):
    """A trace replays to another program than its schedule."""

    message = "{law}: the trace makes another program, first at {path}: {reason}"


class RefusedButChanged(TVMScriptError, code="TS8048"):
    """A refused step changed the program."""

    message = "a step was refused and changed the program: {reason}"


class LegalStepRefused(TVMScriptError, code="TS8074"):
    """A primitive refused a step that `accepted_steps` says it must accept, or accepted it and did nothing."""

    message = "{primitive} must accept this step: {reason}"


class RaceMade(TVMScriptError, code="TS8055"):
    """Schedule steps introduced a data race."""

    message = "after the steps iterations run side by side that wait for each other: {reason}"


@dataclass
class Scheduled:
    """A program, and the recorded choices of its schedule steps."""

    #: the law to check, see `_LAWS`
    law: str
    text: str
    picks: Pick
    #: values of symbolic extents
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    #: primitives of half of the steps; all if empty
    about: tuple[str, ...] = ()
    made: list[int] = field(default_factory=list[int])
    #: the trace as Python
    trace: str = ""

    def pick(self, count: int) -> int:
        """Draw and record a choice."""
        self.made.append(self.picks(count))
        return self.made[-1]

    def primitives(self, of: tuple[str, ...]) -> tuple[str, ...]:
        """The primitives to draw from, weighted towards common ones."""
        here = tuple(name for name in self.about if name in of)
        return here * -(-len(of) // len(here)) + of if here else of + _COMMON * 2


def again(
    law: str, text: str, picks: Sequence[int], sizes: Mapping[str, int] | None = None, about: tuple[str, ...] = ()
) -> Scheduled:
    """Replay recorded choices, then 0."""
    left: Iterator[int] = iter(picks)
    return Scheduled(law, text, lambda count: min(next(left, 0), count - 1), sizes or {}, about)


#: kinds of examples, those of random steps more often
_KINDS: Final = (
    "accepted", "meant", "layout", "tensorized", "regions", "staged", "staged", "kinds", "kinds", "blocks",
    "dependent",
)  # fmt: skip


@st.composite
def examples(draw: st.DrawFn, about: tuple[str, ...] = ()) -> Scheduled:
    """Draw a program; the check draws the steps, since legal steps depend on earlier ones."""
    kind = draw(st.sampled_from(_KINDS))
    data = draw(st.data())
    if kind in _OWN_PROGRAMS:
        return Scheduled(kind, "", lambda count: data.draw(st.integers(0, count - 1)), about=about)
    if kind in ("staged", "dependent"):
        write_program = staged_program if kind == "staged" else dependent_program
        text = write_program(lambda count: draw(st.integers(0, count - 1)))
    elif kind == "meant":
        # a program that a primitive is meant for, and half of the steps of that primitive
        about = about or (draw(st.sampled_from([*ACCEPTED])),)
        meant = [step for name in about for step in ACCEPTED[name]]
        text = draw(st.sampled_from(meant)).text(lambda count: draw(st.integers(0, count - 1)))
    elif kind == "kinds":
        text = draw(kernel_texts())
    else:
        text = random_blocks(draw(st.randoms(use_true_random=False)), False)
    sizes = draw(sizes_for(from_source(text)))
    law = draw(st.sampled_from(list(_LAWS)))
    return Scheduled(law, text, lambda count: data.draw(st.integers(0, count - 1)), sizes, about)


def check(example: Scheduled) -> None:
    """Check an example. Raises the error of the law that is broken."""
    example.made.clear()
    if example.law in _OWN_PROGRAMS:
        _OWN_PROGRAMS[example.law](example)
        return
    program: PrimFunc = from_source(example.text)
    law = "forms" if example.law in _ABOUT_VALUES and reduces_nothing(program, example.sizes) else example.law
    _LAWS[law](example, program)


def reduces_nothing(program: PrimFunc, sizes: Mapping[str, int]) -> bool:
    """Test whether a reduction is empty: its init runs only after decompose_reduction, as in TVM."""
    size_values = {var: sizes[var.name] for var in nodes(program) if isinstance(var, Var) and var.name in sizes}
    return any(
        evaluate_size(axis.dom.extent, size_values) == 0
        for block in nodes(program)
        if isinstance(block, Block) and block.init is not None
        for axis in block.iter_vars
        if axis.iter_type is IterKind.COMM_REDUCE and axis.dom is not None
    )


def _values(example: Scheduled, program: PrimFunc) -> None:
    """Check that each step keeps the values."""
    schedule = Schedule(program, seed=1, debug_mask="all", observers=[ValuesCheck(1, example.sizes)])
    try:
        random_steps(schedule, example.pick, example.pick(_MOST_STEPS) + 1, example.primitives(KEEP_VALUES))
    finally:
        example.trace = str(schedule.trace)
    _check_result(schedule, program)
    _check_races(schedule, program)


def _forms(example: Scheduled, program: PrimFunc) -> None:
    """Check well-formedness and traces of all steps, also of those that may change values as in TVM."""
    schedule = Schedule(program, seed=1, debug_mask="all")
    try:
        random_steps(schedule, example.pick, example.pick(_MOST_STEPS) + 1, example.primitives(tuple(STEPS)))
    finally:
        example.trace = str(schedule.trace)
    _check_result(schedule, program)


def _promises(example: Scheduled, program: PrimFunc) -> None:
    """Check the promises of possible next steps."""
    schedule = Schedule(program, seed=1)
    try:
        random_steps(schedule, example.pick, example.pick(_MOST_STEPS), example.primitives(KEEP_VALUES))
        steps, names = Steps(schedule, example.pick), example.primitives(tuple(STEPS))
        for _ in range(4):
            name = names[example.pick(len(names))]
            step = drawn_step(schedule, partial(STEPS[name], steps))
            if step is not None:
                others = [
                    drawn_step(schedule, partial(STEPS[each], steps)) for each in step.kind.promises.commutes_with
                ]
                check_promises(schedule, step, filter(None, others), seed=1, dims=example.sizes)
    finally:
        example.trace = str(schedule.trace)


def _refusals(example: Scheduled, program: PrimFunc) -> None:
    """Check that nearly valid arguments raise an error and leave the program unchanged."""
    schedule = Schedule(program, seed=1, error_render_level="fast", enable_check=example.pick(3) != 0)
    try:
        random_steps(schedule, example.pick, 4, tuple(name for name in example.about if name in STEPS))
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


def _accepted(example: Scheduled) -> None:
    """Check that a primitive accepts a step that it is meant for, keeps the values, and can be replayed."""
    names = tuple(name for name in example.about if name in ACCEPTED) or tuple(ACCEPTED)
    name = names[example.pick(len(names))]
    step = ACCEPTED[name][example.pick(len(ACCEPTED[name]))]
    example.text = step.text(example.pick)
    program: PrimFunc = from_source(example.text)
    schedule = Schedule(program, seed=1, debug_mask="all", observers=[ValuesCheck(1, {})])
    try:
        step.apply(schedule, example.pick)
    except IRError as error:
        raise LegalStepRefused(primitive=name, reason=error) from error
    finally:
        example.trace = str(schedule.trace)
    if step.is_changing and not first_difference(program, schedule.mod["main"]):
        raise LegalStepRefused(primitive=name, reason="it changes nothing")
    _check_result(schedule, program)


def _layouts(example: Scheduled) -> None:
    """Check the values and the padding of a parameter in another layout."""
    schedule, step = drawn_layout(example.pick)
    try:
        example.text = schedule.mod.script(comments=False)
        compare_layouts(schedule, step)
    finally:
        example.trace = str(schedule.trace)


def _tensorized(example: Scheduled) -> None:
    """Check that an instruction takes the place of what it computes alone: refused, or the values stay."""
    example.text, step = tensorize_other(example.pick)
    schedule = Schedule(from_source(example.text), seed=1, observers=[ValuesCheck(1, {})])
    try:
        step(schedule)
    except ScheduleError:
        return
    finally:
        example.trace = str(schedule.trace)


def _regions(example: Scheduled) -> None:
    """Check the regions that are inferred for a block."""
    example.text = region_text(example.pick)
    check_regions(example.text)


def _check_races(schedule: Schedule, program: PrimFunc) -> None:
    """Check that steps introduce no races. Values do not show them: the interpreter is sequential."""
    if _races(program):
        return
    for func in schedule.mod.values():
        races = _races(func) if isinstance(func, PrimFunc) else []
        if races:
            raise RaceMade(reason=races[0].error().text)


def _races(func: PrimFunc) -> list[Race]:
    """Find races, except of threads in shared memory, where passes insert barriers later."""
    return [
        race
        for race in check_races(func).races
        if not race.loop.thread or race.first.buffer.storage_scope in ("", "global")
    ]


def _check_result(schedule: Schedule, program: PrimFunc) -> None:
    """Check that the result is well formed and reads back, and that the trace replays in every form."""
    verify(schedule.mod)
    check_round_trip(schedule.mod, "the scheduled program")
    for law, trace in (("as it is", schedule.trace), ("simplified", schedule.trace.simplified())):
        for words, copy in ((law, trace), (f"{law}, from JSON", Trace.from_json(trace.as_json()))):
            other = Schedule(program)
            copy.apply_to_schedule(other)
            difference = first_difference(schedule.mod, other.mod)
            if difference is not None:
                raise TraceMakesAnother(law=words, path=difference.path, reason=difference.reason)


#: laws that draw their programs
_OWN_PROGRAMS: Final = {"accepted": _accepted, "layout": _layouts, "tensorized": _tensorized, "regions": _regions}
_LAWS: Final = {"values": _values, "forms": _forms, "promises": _promises, "refusals": _refusals}
#: laws that compare values
_ABOUT_VALUES: Final = ("values", "promises")


def write(example: Scheduled) -> str:
    """Write the program, the choices, and the trace as a comment."""
    trace = "".join(f"# {line}\n" for line in example.trace.splitlines())
    return (
        "from tvmscript.fuzz.schedule.area import again, check\n\n"
        f"PROGRAM = {as_literal(example.text)}\n"
        f"# what is done before it goes wrong:\n{trace}"
        f"check(again({example.law!r}, PROGRAM, {example.made}, {dict(example.sizes)}, {example.about}))\n"
    )


AREA: Final = Area(
    "schedule",
    "steps of schedules keep the values",
    examples,
    check,
    write,
    batch=20,
    is_native=True,
    subjects=Subjects("primitive", lambda: {**STEPS, **ACCEPTED}, examples, shares),
    outcomes=OUTCOMES,
)
