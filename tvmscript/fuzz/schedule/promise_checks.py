"""Check that a schedule step keeps the promises of its primitive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tvmscript.fuzz.schedule.inverse_steps import SIMPLIFYING, UNDO, given
from tvmscript.ir.core import IRError, IRModule, TVMScriptError, on
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.schedule.analysis.block_properties import NotStagePipelineError
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace.trace import random_variables_in, replay_instruction
from tvmscript.ir.tir import Block, PrimFunc
from tvmscript.ir.tir.rewrite import StatementRewriter
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.testing.schedule_values import ValuesCheck

_SIMPLIFY: Final = Simplify()


class PromiseBroken(TVMScriptError, AssertionError, code="TS8070"):
    """A schedule step breaks a promise of its primitive."""

    message = "{primitive} promises that {promise}: {reason}"


class _Seen(TVMScriptError):
    """Stops a step once it is recorded."""

    message = "the step is not wanted"


def drawn_step(schedule: Schedule, do: Callable[[], object], *, place: int = 0) -> Instruction | None:
    """Record the first step of a function that changes the program, or the one after `place` others, without applying
    it. Earlier steps are applied. None if there is no such step, or it is refused.
    """
    seen: list[Instruction] = []
    lookups: dict[Any, Instruction] = {}

    def observe(_: Any, recorder: Any) -> None:
        seen.append(recorder.trace.insts[-1])
        if len(seen) > place:
            lookups.update((made, inst) for inst in recorder.trace.insts for made in inst.outputs)
            raise _Seen

    schedule.observers.append(observe)
    try:
        do()
    except _Seen:
        outputs = {made for inst in schedule.trace.insts for made in inst.outputs}
        # lookups of blocks by name are replayed
        anew = {
            name: replay_instruction(schedule, lookups[name], ())
            for name in random_variables_in(seen[-1].inputs) & (lookups.keys() - outputs)
        }
        return replace(seen[-1], inputs=tuple(_renamed(each, anew) for each in seen[-1].inputs))
    except IRError:
        return None
    finally:
        schedule.observers.remove(observe)
    return None


def _renamed(value: Any, names: Mapping[Any, Any]) -> Any:
    """Rename the random variables in an input of a step."""
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names[value] if isinstance(value, (BlockRV, LoopRV)) and value in names else value


def check_promises(
    schedule: Schedule,
    step: Instruction,
    others: Iterable[Instruction] = (),
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
) -> set[str]:
    """Check the promises of a step. Returns those that applied: `values`, `again`, `undone`, or the name of one of
    the `others`, which are other possible steps. The schedule is not changed.

    `seed` draws the arguments of kernels, `dims` holds sizes of symbolic extents. Raises `PromiseBroken`,
    `ValuesChanged`, `StepBreaksProgram`, and the errors of the primitive.
    """
    promises = step.kind.promises
    changed: set[str] = set()
    after = schedule.copy()
    after.observers = [ValuesCheck(seed, dims)] if promises.keeps_values else []
    outputs = _done(after, step)
    after.observers = []
    if promises.keeps_values:
        changed.add("values")
    if promises.is_idempotent:
        _check_again(after, step)
        changed.add("again")
    if promises.undone_by is not None and _is_undone(schedule, after, step, outputs):
        changed.add("undone")
    changed |= {other.kind.method for other in others if _commute(schedule, step, other)}
    return changed


def _done(schedule: Schedule, step: Instruction) -> list[Any]:
    """Apply a step and return its outputs; sampling steps change nothing, so decisions do not matter."""
    outputs = replay_instruction(schedule, step, list(step.inputs))
    return outputs if isinstance(outputs, list) else [outputs]


def _check_again(after: Schedule, step: Instruction) -> None:
    once = after.mod
    again = after.copy()
    try:
        _done(again, step)
    except ScheduleError as error:
        raise _broken(step, "it may be done again", error.text) from error
    _check_same(step, "a second time changes nothing", once, again.mod)


def _is_undone(before: Schedule, after: Schedule, step: Instruction, outputs: Sequence[Any]) -> bool:
    """Test whether the step can be undone. Raises `PromiseBroken` if undoing it gives another program."""
    undo = UNDO[step.kind.method](before, step, outputs)
    if undo is None:
        return False
    promise = f"{step.kind.promises.undone_by} undoes it"
    back, expected = after.copy(), before.copy()
    try:
        undo(back)
    except NotStagePipelineError:
        return False  # loop-carried buffers cannot be inlined
    except ScheduleError as error:
        raise _broken(step, promise, error.text) from error
    if step.kind.method in SIMPLIFYING:
        SIMPLIFYING[step.kind.method](expected, given(step))
    _check_same(step, promise, expected.mod, back.mod)
    return True


def _commute(schedule: Schedule, step: Instruction, other: Instruction) -> bool:
    """Test whether two steps apply in both orders. Raises `PromiseBroken` if the programs differ."""
    if other.kind.method not in step.kind.promises.commutes_with:
        return False
    if schedule.place(step.inputs[0]) is schedule.place(other.inputs[0]):
        return False
    values: list[Any] = []
    for order in ((step, other), (other, step)):
        copy = schedule.copy()
        try:
            for each in order:
                _done(copy, each)
            values.append(copy.mod)
        except ScheduleError as error:
            values.append(error)
    if any(isinstance(each, ScheduleError) for each in values):
        if type(values[0]) is not type(values[1]):
            raise _broken(step, f"{other.kind.method} may come before", "one order is refused, the other is not")
        return False
    _check_same(step, f"{other.kind.method} may come before", *values)
    return True


def _check_same(step: Instruction, promise: str, expected: Any, got: Any) -> None:
    """Raise `PromiseBroken` unless programs are equal, maybe after simplification and with regions in one order."""
    difference = first_difference(expected, got) and first_difference(_normalize(expected), _normalize(got))
    if difference is not None:
        raise _broken(step, promise, f"{difference.path}: {difference.reason}")


class _SortRegions(StatementRewriter):
    """Sort the regions of blocks, which a step may infer anew, by what they cover."""

    @on(Block)
    def block(self, node: Block) -> Block:
        node = self.descend(node)
        return node.replace(reads=tuple(sorted(node.reads, key=str)), writes=tuple(sorted(node.writes, key=str)))


def _normalize(module: IRModule) -> IRModule:
    functions = _SIMPLIFY(module).functions_items()
    sort = _SortRegions().rewrite
    return IRModule({v: f.with_body(sort(f.body)) if isinstance(f, PrimFunc) else f for v, f in functions})


def _broken(step: Instruction, promise: str, reason: object) -> PromiseBroken:
    return PromiseBroken(primitive=step.kind.method, promise=promise, reason=reason)
