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
from tvmscript.ir.tir import IterKind, IterVar


@dataclass(frozen=True)
class Step:
    """A primitive of a classic schedule, and numbers that choose its stage, its loops and its sizes."""

    primitive: str
    numbers: tuple[int, ...]


class _Choice:
    """Choices among what a schedule has, by numbers."""

    def __init__(self, schedule: Schedule, numbers: Sequence[int]) -> None:
        self.schedule = schedule
        self._numbers = list(numbers)

    def number(self, count: int) -> int:
        """Return a number from 0 on."""
        return self._numbers.pop(0) % count if self._numbers else 0

    def one(self, items: Sequence[Any]) -> Any:
        """Choose an item. Raises `_NoChoice` where there is none."""
        if not items:
            raise _NoChoice
        return items[self.number(len(items))]

    def stage(self, *, is_output: bool | None = None) -> Stage:
        """Choose a stage that computes something."""
        return self.one(  # type: ignore[no-any-return]
            [
                stage
                for stage in self.schedule.stages
                if not isinstance(stage.op, PlaceholderOp) and is_output in (None, stage.is_output)
            ]
        )

    def tensor(self, stage: Stage) -> Tensor:
        return self.one(stage.op.outputs)  # type: ignore[no-any-return]

    def axis(self, stage: Stage, *kinds: IterKind) -> IterVar:
        """Choose a loop of a stage."""
        leaves = [axis for axis in stage.leaf_iter_vars if not kinds or axis.iter_type in kinds]
        return self.one(leaves)  # type: ignore[no-any-return]


class _NoChoice(Exception):
    """The schedule has nothing that the primitive could change."""


_FACTORS: Final = (2, 3, 4, 1, 8)


def _split(c: _Choice) -> None:
    stage = c.stage()
    stage.split(c.axis(stage), **{c.one(("factor", "nparts")): c.one(_FACTORS)})


def _tile(c: _Choice) -> None:
    stage = c.stage()
    place = c.number(max(len(stage.leaf_iter_vars) - 1, 1))
    axes = stage.leaf_iter_vars[place : place + 2]
    if len(axes) < 2:
        raise _NoChoice
    stage.tile(axes[0], axes[1], c.one(_FACTORS), c.one(_FACTORS))


def _fuse(c: _Choice) -> None:
    stage = c.stage()
    place = c.number(len(stage.leaf_iter_vars) or 1)
    stage.fuse(*stage.leaf_iter_vars[place : place + 2 + c.number(2)])


def _reorder(c: _Choice) -> None:
    stage = c.stage()
    axes = list(stage.leaf_iter_vars)
    chosen = [axes.pop(c.number(len(axes))) for _ in range(min(2 + c.number(2), len(axes)))]
    stage.reorder(*chosen)


def _annotate(c: _Choice) -> None:
    stage = c.stage()
    method = c.one(("unroll", "parallel", "vectorize"))
    kinds = () if method == "unroll" else (IterKind.DATA_PAR,)  # a sum in parallel is a race
    getattr(stage, method)(c.axis(stage, *kinds))


def _bind(c: _Choice) -> None:
    stage = c.stage()
    stage.bind(c.axis(stage, IterKind.DATA_PAR), thread_axis(c.one(("vthread", "cthread"))))


def _compute_at(c: _Choice) -> None:
    stage = c.stage(is_output=False)
    readers = [other for other in c.schedule.stages if any(t.op is stage.op for t in other.op.input_tensors)]
    parent: Stage = c.one(readers or c.schedule.stages)
    stage.compute_at(parent, c.axis(parent))


def _cache_read(c: _Choice) -> None:
    reader = c.stage()
    c.schedule.cache_read(c.one(reader.op.input_tensors), c.one(_SCOPES), [reader.op])


_SCOPES: Final = ("local", "global", "shared")


def _cache_write(c: _Choice) -> None:
    c.schedule.cache_write(list(c.stage().op.outputs), c.one(_SCOPES))


def _rfactor(c: _Choice) -> None:
    stages = [stage for stage in c.schedule.stages if isinstance(stage.op, ComputeOp) and stage.op.reduce_axis]
    stage: Stage = c.one(stages)
    c.schedule.rfactor(c.tensor(stage), c.axis(stage, IterKind.COMM_REDUCE), c.number(3) - 1)


def _storage_align(c: _Choice) -> None:
    stage = c.stage(is_output=False)
    if stage.op.root_axes:
        stage.storage_align(c.one(stage.op.root_axes), c.one(_FACTORS), c.number(4))


def _transform_layout(c: _Choice) -> None:
    stage = c.stage(is_output=False)
    if not stage.op.outputs[0].shape:
        raise _NoChoice
    kind, factor = c.number(2), c.one(_FACTORS)
    stage.transform_layout(lambda *i: i[::-1] if kind else [*i[:-1], i[-1] // factor, i[-1] % factor])


def _group(c: _Choice) -> None:
    inner = c.stage(is_output=False)
    parent = c.stage()
    group = c.schedule.create_group(c.tensor(inner), c.one([[], [*inner.op.input_tensors]]), include_inputs=True)
    group.compute_at(parent, c.axis(parent))


#: name -> the step; simpler ones first
PRIMITIVES: Final[dict[str, Callable[[_Choice], Any]]] = {
    "split": _split,
    "reorder": _reorder,
    "fuse": _fuse,
    "tile": _tile,
    "annotate": _annotate,
    "compute_inline": lambda c: c.stage(is_output=False).compute_inline(),
    "compute_at": _compute_at,
    "compute_root": lambda c: c.stage(is_output=False).compute_root(),
    "cache_read": _cache_read,
    "cache_write": _cache_write,
    "rfactor": _rfactor,
    "set_scope": lambda c: c.stage(is_output=False).set_scope(c.one(_SCOPES)),
    "storage_align": _storage_align,
    "double_buffer": lambda c: c.stage(is_output=False).double_buffer(),
    "rolling_buffer": lambda c: c.stage(is_output=False).rolling_buffer(),
    "bind": _bind,
    "transform_layout": _transform_layout,
    "group": _group,
}


def classic_steps(max_size: int = 8) -> st.SearchStrategy[tuple[Step, ...]]:
    """Strategy of steps, for any schedule."""
    numbers = st.tuples(*[st.integers(0, 11)] * 6)
    step = st.builds(Step, st.sampled_from([*PRIMITIVES]), numbers)
    return st.lists(step, max_size=max_size).map(tuple)


def apply_steps(schedule: Schedule, steps: Sequence[Step]) -> list[TVMScriptError | None]:
    """Apply steps to a schedule, but those that it has no loop or stage for; return the refusals.

    A step that is refused leaves the schedule as it was.
    """
    refusals: list[TVMScriptError | None] = []
    for step in steps:
        try:
            PRIMITIVES[step.primitive](_Choice(schedule, step.numbers))
        except (InvalidSchedule, NotInvertible) as error:
            refusals.append(error)
        except _NoChoice:
            pass
        else:
            refusals.append(None)
    return refusals
