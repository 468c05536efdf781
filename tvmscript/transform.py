"""TVM's spelling of passes: `tvm.transform.Sequential`, `tvm.transform.get_pass("tir.Simplify")(mod)`."""

from __future__ import annotations

from tvmscript.ir.transform.base import Pass, PrimFuncPass, Sequential
from tvmscript.ir.transform.registry import get_pass

__all__ = ["Pass", "PrimFuncPass", "Sequential", "get_pass"]
