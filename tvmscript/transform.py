"""TVM's spelling of passes: `tvm.transform.Sequential`, `tvm.transform.get_pass("tir.Simplify")(mod)`."""

from __future__ import annotations

from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.context import PassContext, PassInfo
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.sequential import Sequential

__all__ = ["Pass", "PassContext", "PassInfo", "PrimFuncPass", "Sequential", "get_pass"]
