"""Schedules of operators that suit any target: loops in the order of the definitions. TVM's `topi.generic`."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.te.schedule.schedule import Schedule, auto_inline_injective, create_schedule
from tvmscript.ir.te.tensor import Tensor

Outputs = Tensor | Sequence[Tensor]


def schedule_plain(outs: Outputs, layout: str | None = None) -> Schedule:
    """Return a schedule that computes each operator by itself; `layout` is that of pooled images."""
    return create_schedule([out.op for out in ([outs] if isinstance(outs, Tensor) else outs)])


def schedule_injective(outs: Outputs) -> Schedule:
    """Return a schedule that inlines operators without reductions, with one loop for the first output."""
    schedule = schedule_plain(outs)
    auto_inline_injective(schedule)
    return schedule_injective_from_existing(schedule, outs if isinstance(outs, Tensor) else outs[0])


def schedule_injective_from_existing(sch: Schedule, out: Tensor) -> Schedule:
    """Fuse the loops of an output; return the schedule."""
    stage = sch[out]
    if out.op.root_axes:
        stage.fuse(*out.op.root_axes)
    return sch
