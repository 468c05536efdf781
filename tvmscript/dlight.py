"""The names of `tvm.dlight`: schedule rules, and the pass that applies them.

    with Target("llvm"):
        mod = dlight.ApplyDefaultSchedule(dlight.cpu.Matmul())(mod)

`dlight.cpu.Default` has all rules for CPUs; `tvmscript.build` applies it to functions that no schedule has touched.
"""

from __future__ import annotations

from tvmscript.ir.schedule.default import cpu as cpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule as ApplyDefaultSchedule
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule as ScheduleRule
