"""Kernels that are written as programs, and the rules that put them in the place of functions.

`RULES` come before those of `tvmscript.dlight.gpu`.
"""

from __future__ import annotations

from typing import Final

from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule
from tvmscript.kernels.attention import Attention as Attention
from tvmscript.kernels.errors import NoSuchKernel as NoSuchKernel
from tvmscript.kernels.paged_attention import paged_attention as paged_attention
from tvmscript.kernels.paged_prefill import paged_prefill as paged_prefill

RULES: Final[tuple[type[ScheduleRule], ...]] = (Attention,)
