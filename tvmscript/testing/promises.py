"""What the primitives of schedules promise, checked for one step (`InstructionKind.promises`).

step = drawn_step(schedule, lambda: schedule.parallel(loop))     # it is not done
check_promises(schedule, step)                                   # done to copies, and to copies of these
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core.equal import first_difference
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.facts import NotStagePipelineError
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace import do_again, variables
from tvmscript.ir.schedule.tree import loops_above
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, IterKind
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.stmt import Block, BufferStore, For, ForKind
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.testing.values import ValuesCheck

_SIMPLIFY: Final = Simplify()


class PromiseBroken(TVMScriptError, AssertionError):
    """A step of a schedule that does not do what its primitive promises."""

    code = "TS8070"
    message = "{primitive} promises that {promise}: {reason}"


class _Seen(TVMScriptError):
    """Stops a step when it is known what it is."""

    message = "the step is not wanted"


def drawn_step(schedule: Schedule, do: Callable[[], object], *, place: int = 0) -> Instruction | None:
    """The first step of a function that would change the program, or the one after `place` others: it is not done, what
    comes before it is. None where there is no such step, or it is refused.
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
        known = {made for inst in schedule.trace.insts for made in inst.outputs}
        # blocks that were given by name are looked up as a part of the step
        anew = {
            name: do_again(schedule, lookups[name], ())
            for name in variables(seen[-1].inputs) & (lookups.keys() - known)
        }
        return replace(seen[-1], inputs=tuple(_renamed(each, anew) for each in seen[-1].inputs))
    except IRError:
        return None
    finally:
        schedule.observers.remove(observe)
    return None


def _renamed(value: Any, names: Mapping[Any, Any]) -> Any:
    """An input of a step with other random variables."""
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names[value] if isinstance(value, BlockRV | LoopRV) and value in names else value


def check_promises(
    schedule: Schedule,
    step: Instruction,
    others: Iterable[Instruction] = (),
    *,
    seed: int = 0,
    dims: Mapping[str, int] | None = None,
) -> set[str]:
    """The promises of a step that there was something to check of: `values`, `again`, `undone` or the name of one of
    the `others`, which are steps that could be done as well. The schedule stays as it is.

    Arguments of kernels are drawn with `seed`, `dims` has sizes that the signature leaves open. Raises
    `PromiseBroken`, `ValuesChanged` and `StepBreaksProgram`, and what the primitive raises.
    """
    promises = step.kind.promises
    found: set[str] = set()
    after = schedule.copy()
    after.observers = [ValuesCheck(seed, dims)] if promises.keeps_values else []
    outputs = _done(after, step)
    after.observers = []
    if promises.keeps_values:
        found.add("values")
    if promises.is_idempotent:
        _check_again(after, step)
        found.add("again")
    if promises.undone_by is not None and _is_undone(schedule, after, step, outputs):
        found.add("undone")
    found |= {other.kind.method for other in others if _commute(schedule, step, other)}
    return found


def _done(schedule: Schedule, step: Instruction) -> list[Any]:
    """What a step gives; the decisions of the trace do not matter, since steps that draw change nothing."""
    made = do_again(schedule, step, list(step.inputs))
    return made if isinstance(made, list) else [made]


def _check_again(after: Schedule, step: Instruction) -> None:
    once = after.mod
    again = after.copy()
    try:
        _done(again, step)
    except ScheduleError as error:
        raise _broken(step, "it may be done again", error.text) from error
    _check_same(step, "a second time changes nothing", once, again.mod)


def _is_undone(before: Schedule, after: Schedule, step: Instruction, outputs: Sequence[Any]) -> bool:
    """Whether there was something to undo; raises `PromiseBroken` where the program is another one then."""
    undo = UNDO[step.kind.method](before, step, outputs)
    if undo is None:
        return False
    promise = f"{step.kind.promises.undone_by} undoes it"
    back, expected = after.copy(), before.copy()
    try:
        undo(back)
    except NotStagePipelineError:
        return False  # there is nothing to inline into where blocks use what an iteration before has written
    except ScheduleError as error:
        raise _broken(step, promise, error.text) from error
    if step.kind.method in _SIMPLIFYING:
        _SIMPLIFYING[step.kind.method](expected, _given(step))
    _check_same(step, promise, expected.mod, back.mod)
    return True


def _commute(schedule: Schedule, step: Instruction, other: Instruction) -> bool:
    """Whether two steps could be done in both orders; raises `PromiseBroken` where the programs differ."""
    if other.kind.method not in step.kind.promises.commutes_with:
        return False
    if schedule.place(step.inputs[0]) is schedule.place(other.inputs[0]):
        return False
    made: list[Any] = []
    for order in ((step, other), (other, step)):
        copy = schedule.copy()
        try:
            for each in order:
                _done(copy, each)
            made.append(copy.mod)
        except ScheduleError as error:
            made.append(error)
    if any(isinstance(each, ScheduleError) for each in made):
        if type(made[0]) is not type(made[1]):
            raise _broken(step, f"{other.kind.method} may come before", "one order is refused, the other is not")
        return False
    _check_same(step, f"{other.kind.method} may come before", *made)
    return True


def _check_same(step: Instruction, promise: str, expected: Any, found: Any) -> None:
    """Raise `PromiseBroken` unless programs are equal: at once, or simplified, as loops of one iteration and sums of
    what was taken away are.
    """
    difference = first_difference(expected, found) and first_difference(_SIMPLIFY(expected), _SIMPLIFY(found))
    if difference is not None:
        raise _broken(step, promise, f"{difference.path}: {difference.reason}")


def _broken(step: Instruction, promise: str, reason: object) -> PromiseBroken:
    return PromiseBroken(primitive=step.kind.method, promise=promise, reason=reason)


# what undoes a step

#: (the schedule before, the step, what it gave) -> what undoes it; None where there is nothing that does
Undo = Callable[[Schedule, Instruction, Sequence[Any]], Callable[[Schedule], object] | None]


def _given(step: Instruction) -> dict[str, Any]:
    """The arguments of a step by name."""
    named: dict[str, Any] = dict(zip(step.kind.attrs, step.attrs, strict=True))
    rest = list(step.inputs)
    for name in step.kind.inputs:
        named[name] = rest if name.startswith("*") else rest.pop(0)
    return named


def _extents(loops: Sequence[For]) -> list[int] | None:
    """The extents of serial loops, if they are known and one by one positive."""
    sizes = [loop.extent.value for loop in loops if isinstance(loop.extent, IntImm) and loop.kind is ForKind.SERIAL]
    return sizes if len(sizes) == len(loops) and min(sizes) > 0 else None


def _has_symbolic_loops(before: Schedule) -> bool:
    """Whether a loop runs to a size: sums of such loops have no form that all ways of cutting them lead to."""
    return any(isinstance(node, For) and not isinstance(node.extent, IntImm) for node in nodes(before.mod))


def _split(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Callable[[Schedule], object] | None:
    """Fused again, unless iterations were added that a predicate leaves out."""
    (extent,) = _extents([before.get(step.inputs[0])]) or (0,)
    factors = [before.get(factor) for factor in step.inputs[1:]]
    known = 1
    for factor in factors:
        known *= 1 if factor is None else factor
    if not extent or extent % known or (None not in factors and known != extent) or _has_symbolic_loops(before):
        return None
    return lambda sch: sch.fuse(*outputs)


def _fuse(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Callable[[Schedule], object] | None:
    loops: list[For] = [before.get(loop) for loop in step.inputs]
    sizes = _extents(loops)
    if _has_symbolic_loops(before):
        return None
    if sizes is None or len({loop.loop_var.dtype for loop in loops}) > 1 or not _given(step)["preserve_unit_iters"]:
        return None
    return lambda sch: sch.split(outputs[0], [*sizes])


def _add_unit_loop(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Callable[[Schedule], object] | None:
    loop = before.get(step.inputs[0])
    if isinstance(loop, Block) or loop.annotations or loop.kind is not ForKind.SERIAL:
        return None
    if not is_const(loop.min, 0) or is_const(loop.extent, 0) or _has_symbolic_loops(before):
        return None
    return lambda sch: sch.fuse(outputs[0], step.inputs[0])


def _reorder(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    depth = {loop: len(loops_above(before.loop(loop))) for loop in step.inputs}
    return lambda sch: sch.reorder(*sorted(step.inputs, key=depth.__getitem__))


def _annotate(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    given = _given(step)
    target, key = given["block_or_loop"], given["ann_key"]
    return None if key in before.get(target).annotations else lambda sch: sch.unannotate(target, key)


def _unannotate(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    given = _given(step)
    target, key = given["block_or_loop"], given["ann_key"]
    value = before.get(target).annotations[key]
    return lambda sch: sch.annotate(target, key, value)


def _buffer(before: Schedule, block: Any, place: Any) -> Any:
    """The buffer of a block that is meant by a number of its writes, or by (side, number)."""
    side, number = (
        (("read", "write")[place[0]] if isinstance(place[0], int) else place[0], place[1])
        if isinstance(place, list | tuple)
        else ("write", place)
    )
    stmt = before.get(block)
    return (stmt.writes if side == "write" else stmt.reads)[int(number)].buffer


def _is_seen_through(before: Schedule) -> bool:
    """Whether regions are known exactly, in one form: no buffer is used through another one, no place is read
    from memory, and no block but the root has blocks in it, whose predicates do not count for its regions.
    """
    inside = [*nodes(before.mod)]
    accesses = [node for node in inside if isinstance(node, BufferLoad | BufferStore)]
    reads = any(isinstance(part, BufferLoad) for node in accesses for index in node.indices for part in nodes(index))
    roots = {ref.stmt for ref in (tree.root for tree in before.state.trees.values())}
    blocks = [node for node in inside if isinstance(node, Block) and node not in roots]
    nested = any(node.match_buffers or any(isinstance(part, Block) for part in nodes(node.body)) for node in blocks)
    return not reads and not nested


def _cache_read(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Callable[[Schedule], object] | None:
    return (lambda sch: sch.compute_inline(outputs[0])) if _is_seen_through(before) else None


def _cache_write(before: Schedule, step: Instruction, outputs: Sequence[Any]) -> Callable[[Schedule], object] | None:
    """Not for reductions, nor for several stores: those are no values to be put anywhere; nor where others read it."""
    given = _given(step)
    block: Block = before.get(given["block"])
    reduces = block.init is not None or any(axis.iter_type is IterKind.COMM_REDUCE for axis in block.iter_vars)
    if reduces or given["consumer_blocks"] or not isinstance(block.body, BufferStore) or not _is_seen_through(before):
        return None
    return lambda sch: sch.reverse_compute_inline(outputs[0])


def _set_scope(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    given = _given(step)
    block, number = given["block"], given["buffer_index"]
    scope = _buffer(before, block, number).scope
    return lambda sch: sch.set_scope(block, number, scope)


def _set_axis_separator(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    given = _given(step)
    block, place = given["block"], given["buffer"]
    axes = [*_buffer(before, block, place).axis_separators]
    return lambda sch: sch.set_axis_separator(block, place, axes)


def _inverse(index_map: IndexMap, shape: Sequence[Any]) -> IndexMap | None:
    """The map back, if the map is one to one."""
    try:
        return index_map.inverse(shape)
    except TVMScriptError:
        return None


def _transform_layout(before: Schedule, step: Instruction, _: Sequence[Any]) -> Callable[[Schedule], object] | None:
    given = _given(step)
    block, place = given["block"], given["buffer"]
    back = _inverse(given["index_map"], _buffer(before, block, place).shape)
    return None if back is None else lambda sch: sch.transform_layout(block, place, back)


def _transform_block_layout(
    before: Schedule, step: Instruction, _: Sequence[Any]
) -> Callable[[Schedule], object] | None:
    """Loops that are not serial are not made again; of one iteration, axes that are reduced become spatial; what is
    simplified under a condition depends on the form of the axes.
    """
    given = _given(step)
    block: Block = before.get(given["block"])
    loops = [ref.loop for ref in loops_above(before.block(given["block"]))]
    sizes = _extents(loops)
    if sizes is None or any(loop.annotations for loop in loops):
        return None
    if 1 in sizes and any(axis.iter_type is not IterKind.DATA_PAR for axis in block.iter_vars):
        return None
    if any(isinstance(node, Call) for node in nodes(block)):
        return None
    back = _inverse(given["index_map"], [axis.dom.extent for axis in block.iter_vars if axis.dom is not None])
    return None if back is None else lambda sch: sch.transform_block_layout(given["block"], back)


def _reorder_block_iter_var(
    before: Schedule, step: Instruction, _: Sequence[Any]
) -> Callable[[Schedule], object] | None:
    given = _given(step)
    order = [int(before.number(place)) for place in given["new_order"]]
    return lambda sch: sch.reorder_block_iter_var(given["block"], [order.index(place) for place in range(len(order))])


#: primitive -> what undoes a step of it
UNDO: Final[dict[str, Undo]] = {
    "split": _split,
    "fuse": _fuse,
    "add_unit_loop": _add_unit_loop,
    "reorder": _reorder,
    "annotate": _annotate,
    "unannotate": _unannotate,
    "cache_read": _cache_read,
    "cache_write": _cache_write,
    "set_scope": _set_scope,
    "set_axis_separator": _set_axis_separator,
    "transform_layout": _transform_layout,
    "transform_block_layout": _transform_block_layout,
    "reorder_block_iter_var": _reorder_block_iter_var,
}


def _same(*axes: Any) -> tuple[Any, ...]:
    return axes


#: primitives that simplify what they touch: (the schedule before, the arguments) -> does that alone
_SIMPLIFYING: Final[dict[str, Callable[[Schedule, dict[str, Any]], object]]] = {
    "transform_layout": lambda sch, given: sch.transform_layout(given["block"], given["buffer"], _same),
    "transform_block_layout": lambda sch, given: sch.transform_block_layout(given["block"], _same),
}

__all__ = ["PromiseBroken", "check_promises", "drawn_step"]
