"""Default schedules for GPUs, one rule a file; `RULES` is the order in which `build` tries them."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.schedule.default.gpu.elementwise import Elementwise as Elementwise
from tvmscript.ir.schedule.default.gpu.fallback import Fallback as Fallback
from tvmscript.ir.schedule.default.gpu.gemv import GEMV as GEMV
from tvmscript.ir.schedule.default.gpu.general_reduction import GeneralReduction as GeneralReduction
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule as GPURule
from tvmscript.ir.schedule.default.gpu.low_batch_gemv import LowBatchGEMV as LowBatchGEMV
from tvmscript.ir.schedule.default.gpu.matmul import Matmul as Matmul
from tvmscript.ir.schedule.default.gpu.matmul_tensorization import MatmulInt8Tensorization as MatmulInt8Tensorization
from tvmscript.ir.schedule.default.gpu.matmul_tensorization import MatmulTensorization as MatmulTensorization
from tvmscript.ir.schedule.default.gpu.matmul_wgmma import MatmulWGMMA as MatmulWGMMA
from tvmscript.ir.schedule.default.gpu.parallel_loops import ParallelLoops as ParallelLoops
from tvmscript.ir.schedule.default.gpu.reduction import Reduction as Reduction
from tvmscript.ir.schedule.default.gpu.rms_norm import RMSNorm as RMSNorm
from tvmscript.ir.schedule.default.gpu.transpose import Transpose as Transpose
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule

#: special rules before general ones; `Fallback` takes anything
RULES: Final[tuple[type[ScheduleRule], ...]] = (
    LowBatchGEMV, MatmulWGMMA, MatmulTensorization, GEMV, Matmul, RMSNorm, Reduction, GeneralReduction, Transpose,
    Elementwise, ParallelLoops, Fallback,
)  # fmt: skip
