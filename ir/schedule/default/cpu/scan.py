"""Default schedule of scans: the first step, which reads no result, gets code of its own.

The code generator keeps the last result of a row in a register, and runs rows side by side where they are contiguous.
"""

from __future__ import annotations

from tvmscript.ir.core import nodes
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.inlining import is_conditional
from tvmscript.ir.schedule.default.cpu.steps import PARTITION, axis_loops
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import BufferStore, Call, Expr, IterKind, uses


def schedule_scan(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block whose steps along some axes are in order, and depend on whether they are the first ones.

    Returns what was chosen, None if the rule is not for the block. Raises `ScheduleError`.
    """
    stmt = sch.get(block)
    if not isinstance(stmt.body, BufferStore):
        return None
    choices = [part.args[0] for part in nodes(stmt.body.value) if isinstance(part, Call) and is_conditional(part)]
    conditions: set[Expr] = set().union(*map(uses, choices))
    ordered = [axis.var for axis in stmt.iter_vars if axis.iter_type is IterKind.ORDERED and axis.var in conditions]
    for loop in axis_loops(sch, block, ordered).values():
        sch.annotate(loop, PARTITION, 1)
    return f"first steps along {len(ordered)} axes apart" if ordered else None
