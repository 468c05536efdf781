"""Random steps of classic schedules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.te.construct import thread_axis
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.schedule import Schedule
from tvmscript.ir.te.schedule.stage import Stage
from tvmscript.ir.te.tensor import ComputeOp, PlaceholderOp, Tensor
from tvmscript.ir.tir import IntImm, IterKind, IterVar


@dataclass(frozen=True)
class Step:
    """A primitive of a classic schedule, and numbers that choose its stage, its loops and its sizes."""

    primitive: str
    numbers: tuple[int, ...]


class _Choice:
    """Choices among what a schedule has, by numbers. Most are of the stage that the step before has changed."""

    def __init__(
        self, schedule: Schedule, numbers: Sequence[int], last: Stage | None = None, *, has_empty: bool = True
    ) -> None:
        self.schedule = schedule
        self.has_empty = has_empty
        self.last = last
        self._numbers = list(numbers)

    @property
    def stages(self) -> list[Stage]:
        """The stages that compute something."""
        return [stage for stage in self.schedule.stages if not isinstance(stage.op, PlaceholderOp)]

    def number(self, count: int) -> int:
        """Return a number from 0 on."""
        return self._numbers.pop(0) % count if self._numbers else 0

    def one(self, items: Sequence[Any]) -> Any:
        """Choose an item. Raises `_NoChoice` where there is none."""
        if not items:
            raise _NoChoice
        return items[self.number(len(items))]

    def stage(self, fits: Callable[[Stage], bool] = lambda _: True) -> Stage:
        """Choose a stage that computes something."""
        fitting = [stage for stage in self.stages if fits(stage)]
        is_other = self.number(3) == 2
        if is_other or self.last not in fitting:
            self.last = self.one(fitting)
        assert self.last is not None
        return self.last

    def inner_stage(self) -> Stage:
        """Choose a stage that is no output."""
        return self.stage(lambda stage: not stage.is_output)

    def producers(self, parent: Stage) -> list[Stage]:
        """Return the stages that a stage reads, or one that is computed under it."""
        readers = [parent, *(stage for stage in self.stages if stage.attach_stage is parent)]
        read = {tensor.op for reader in readers for tensor in reader.op.input_tensors}
        return [stage for stage in self.stages if stage.op in read and not stage.is_output and stage is not parent]

    def tensor(self, stage: Stage) -> Tensor:
        return self.one(stage.op.outputs)  # type: ignore[no-any-return]

    def axis(self, stage: Stage, *kinds: IterKind) -> IterVar:
        """Choose a loop of a stage."""
        leaves = [axis for axis in stage.leaf_iter_vars if not kinds or axis.iter_type in kinds]
        return self.one(leaves)  # type: ignore[no-any-return]

    def neighbors(self, stage: Stage, limit: int = 2) -> list[IterVar]:
        """Choose neighboring loops. Spatial ones and a reduction over a size that may be 0 have no init when fused."""
        place = self.number(len(stage.leaf_iter_vars) - 1)
        count = 2 + (self.number(limit - 1) if limit > 2 else 0)
        axes = stage.leaf_iter_vars[place : place + count]
        if self.has_empty and len({axis.iter_type for axis in axes}) > 1:
            extents = [axis.dom.extent for axis in stage.op.root_axes if axis.dom is not None]
            if not all(isinstance(extent, IntImm) for extent in extents):
                raise _NoChoice
        return axes


class _NoChoice(Exception):
    """The schedule has nothing that the primitive could change."""


_FACTORS: Final = (2, 3, 4, 1, 8)
_SCOPES: Final = ("local", "global", "shared")
_THREADS: Final = ("threadIdx.x", "threadIdx.y", "threadIdx.z")


def _split(c: _Choice) -> None:
    stage = c.stage()
    _split_in_parts(c, stage, c.axis(stage))


def _has_loops(stage: Stage) -> bool:
    return len(stage.leaf_iter_vars) > 1


def _tile(c: _Choice) -> None:
    stage = c.stage(_has_loops)
    place = c.number(len(stage.leaf_iter_vars) - 1)
    outer, inner = stage.leaf_iter_vars[place : place + 2]
    stage.tile(outer, inner, c.one(_FACTORS), c.one(_FACTORS))


def _fuse(c: _Choice) -> None:
    stage = c.stage(_has_loops)
    stage.fuse(*c.neighbors(stage, limit=3))


def _split_in_parts(c: _Choice, stage: Stage, axis: IterVar) -> tuple[IterVar, IterVar]:
    return stage.split(axis, **{c.one(("factor", "nparts")): c.one(_FACTORS)})


def _divide(c: _Choice) -> None:
    """Fuse two loops of a stage, split the result, as one divides the work of both, and compute a producer there."""
    stage = c.stage(lambda stage: _has_loops(stage) and bool(c.producers(stage)))
    outer, _ = _split_in_parts(c, stage, stage.fuse(*c.neighbors(stage)))
    if c.number(4):
        producer: Stage = c.one(c.producers(stage))
        producer.compute_at(stage, outer)


def _reorder(c: _Choice) -> None:
    stage = c.stage(_has_loops)
    axes = list(stage.leaf_iter_vars)
    stage.reorder(*[axes.pop(c.number(len(axes))) for _ in range(min(2 + c.number(2), len(axes)))])


def _annotate(c: _Choice) -> None:
    stage = c.stage()
    method = c.one(("unroll", "parallel", "vectorize"))
    kinds = () if method == "unroll" else (IterKind.DATA_PAR,)  # a sum in parallel is a race
    getattr(stage, method)(c.axis(stage, *kinds))


def _bind(c: _Choice) -> None:
    stage = c.stage()
    stage.bind(c.axis(stage, IterKind.DATA_PAR), thread_axis(c.one(("vthread", "cthread"))))


def _reduce_by_threads(c: _Choice) -> None:
    """Let threads reduce along a loop, or along a part of one; the rest of it is serial. No threads compute nothing."""
    stage = c.stage(_has_reduction)
    if c.has_empty:
        raise _NoChoice
    for each in c.stages:
        if each.scope not in ("", "global") or each.attach_stage is not None:
            raise _NoChoice
    axis = c.axis(stage, IterKind.COMM_REDUCE)
    if c.number(4):
        axis = c.one(_split_in_parts(c, stage, axis))
    stage.bind(axis, thread_axis(c.one([tag for tag in _THREADS if tag not in _threads_of(stage)])))


def _threads_of(stage: Stage) -> list[str]:
    threads = [attributes.bind_thread for attributes in stage.attrs.values()]
    return [thread.thread_tag for thread in threads if thread is not None and thread.thread_tag in _THREADS]


def _compute_at(c: _Choice) -> None:
    parent = c.stage(lambda stage: bool(c.producers(stage)))
    stage: Stage = c.one(c.producers(parent))
    stage.compute_at(parent, c.axis(parent))


def _cache_read(c: _Choice) -> None:
    reader = c.stage()
    c.schedule.cache_read(c.one(reader.op.input_tensors), c.one(_SCOPES), [reader.op])


def _cache_write(c: _Choice) -> None:
    """Compute a stage in a cache: its loops go with it, in half of the cases with one that is in parts."""
    stage = c.stage()
    if c.number(2) and stage.leaf_iter_vars:
        _split_in_parts(c, stage, c.axis(stage))
    c.schedule.cache_write(list(stage.op.outputs), c.one(_SCOPES))


def _has_reduction(stage: Stage) -> bool:
    return isinstance(stage.op, ComputeOp) and bool(stage.op.reduce_axis)


def _rfactor(c: _Choice) -> None:
    """Factor a reduction by a loop, or by a part of one."""
    stage = c.stage(_has_reduction)
    axis = c.axis(stage, IterKind.COMM_REDUCE)
    if c.number(4):
        axis = c.one(_split_in_parts(c, stage, axis))
    c.schedule.rfactor(c.tensor(stage), axis, c.number(3) - 1)


def _compute_inline(c: _Choice) -> None:
    """Inline a stage, in half of the cases one of several outputs."""
    several = [stage for stage in c.stages if not stage.is_output and len(stage.op.outputs) > 1]
    stage: Stage = c.one(several) if several and c.number(2) else c.inner_stage()
    stage.compute_inline()


def _storage_align(c: _Choice) -> None:
    stage = c.inner_stage()
    if stage.op.root_axes:
        stage.storage_align(c.one(stage.op.root_axes), c.one(_FACTORS), c.number(4))


def _transform_layout(c: _Choice) -> None:
    stage = c.inner_stage()
    if not stage.op.outputs[0].shape:
        raise _NoChoice
    kind, factor = c.number(2), c.one(_FACTORS)
    stage.transform_layout(lambda *i: i[::-1] if kind else [*i[:-1], i[-1] // factor, i[-1] % factor])


def _group(c: _Choice) -> None:
    inner = c.inner_stage()
    parent = c.stage()
    group = c.schedule.create_group(c.tensor(inner), c.one([[], [*inner.op.input_tensors]]), include_inputs=True)
    group.compute_at(parent, c.axis(parent))


#: name -> the step; simpler ones first
PRIMITIVES: Final[dict[str, Callable[[_Choice], Any]]] = {
    "split": _split,
    "reorder": _reorder,
    "fuse": _fuse,
    "tile": _tile,
    "divide": _divide,
    "annotate": _annotate,
    "compute_inline": _compute_inline,
    "compute_at": _compute_at,
    "compute_root": lambda c: c.inner_stage().compute_root(),
    "cache_read": _cache_read,
    "cache_write": _cache_write,
    "rfactor": _rfactor,
    "set_scope": lambda c: c.inner_stage().set_scope(c.one(_SCOPES)),
    "storage_align": _storage_align,
    "double_buffer": lambda c: c.inner_stage().double_buffer(),
    "rolling_buffer": lambda c: c.inner_stage().rolling_buffer(),
    "bind": _bind,
    "transform_layout": _transform_layout,
    "group": _group,
    "reduce_by_threads": _reduce_by_threads,
}


#: steps that change what the step before has made; half of those that follow it are of them
_FOLLOWERS: Final[dict[str, tuple[str, ...]]] = {
    "split": ("rfactor", "cache_write", "compute_at", "fuse"),
    "fuse": ("split",),
    "tile": ("compute_at", "cache_write", "fuse"),
    "divide": ("compute_at",),
    "cache_read": ("compute_at",),
    "cache_write": ("compute_at", "split"),
    "rfactor": ("compute_at", "split"),
    "compute_at": ("split", "compute_at"),
}


#: steps of schedules in which threads reduce: what others compute is in global memory, before or behind
_WITH_THREADS: Final = frozenset({"split", "reorder", "fuse", "tile", "compute_inline", "bind", "reduce_by_threads"})


@st.composite
def classic_steps(draw: st.DrawFn, max_size: int = 8) -> tuple[Step, ...]:
    """Draw steps, for any schedule."""
    steps: list[Step] = []
    primitive = ""
    for _ in range(draw(st.integers(0, max_size))):
        is_follower = draw(st.booleans())
        followers = _FOLLOWERS.get(primitive, ()) if is_follower else ()
        primitive = draw(st.sampled_from(followers or tuple(PRIMITIVES)))
        steps.append(Step(primitive, draw(st.tuples(*[st.integers(0, 11)] * 8))))
    return tuple(steps)


def apply_steps(schedule: Schedule, steps: Sequence[Step], *, has_empty: bool = True) -> list[TVMScriptError | None]:
    """Apply steps to a schedule, but those that it has no loop or stage for; return the refusals.

    A primitive that is refused leaves the schedule as it was. `has_empty` tells whether a symbolic size may be 0.
    """
    refusals: list[TVMScriptError | None] = []
    last: Stage | None = None
    for step in steps:
        choice = _Choice(schedule, step.numbers, last, has_empty=has_empty)
        if step.primitive not in _WITH_THREADS and any(map(_threads_of, choice.stages)):
            continue
        try:
            PRIMITIVES[step.primitive](choice)
        except (InvalidSchedule, NotInvertible) as error:
            refusals.append(error)
        except _NoChoice:
            pass
        else:
            refusals.append(None)
        last = choice.last
    return refusals
