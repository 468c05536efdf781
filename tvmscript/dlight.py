"""The names of `tvm.dlight`: schedule rules, and the pass that applies them.

    with Target("llvm"):
        mod = dlight.ApplyDefaultSchedule(dlight.cpu.Matmul())(mod)

`dlight.cpu.Default` has all rules for CPUs, `dlight.gpu.RULES` are those for GPUs; `tvmscript.build` applies them to
functions that no schedule has touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.schedule.default import cpu as cpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule as ApplyDefaultSchedule
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule as ScheduleRule

if TYPE_CHECKING:
    from tvmscript.ir.schedule.default import gpu as gpu

# modules of TVM below this one, `gpu` among them, are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
