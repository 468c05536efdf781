"""Default schedules for CPUs: rules that recognize what blocks compute, not names."""

from __future__ import annotations

from tvmscript.ir.schedule.default.cpu.cpu_rule import Convolution as Convolution
from tvmscript.ir.schedule.default.cpu.cpu_rule import CPURule as CPURule
from tvmscript.ir.schedule.default.cpu.cpu_rule import Default as Default
from tvmscript.ir.schedule.default.cpu.cpu_rule import Injective as Injective
from tvmscript.ir.schedule.default.cpu.cpu_rule import Matmul as Matmul
from tvmscript.ir.schedule.default.cpu.cpu_rule import Pooling as Pooling
from tvmscript.ir.schedule.default.cpu.cpu_rule import Reduction as Reduction
from tvmscript.ir.schedule.default.cpu.cpu_rule import Rows as Rows
from tvmscript.ir.schedule.default.cpu.cpu_rule import Scan as Scan
