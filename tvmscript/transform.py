"""The names of `tvm.transform`: `Sequential`, `PassContext(opt_level=3, config={...})`, `@module_pass(opt_level=0)`,
`get_pass("tir.Simplify")(mod)`.
"""

from __future__ import annotations

from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.checks.print_ir import PrintIR
from tvmscript.ir.transform.context import PassContext, PassInfo
from tvmscript.ir.transform.decorators import ModulePass, module_pass
from tvmscript.ir.transform.functions.apply_pass_to_function import ApplyPassToFunction
from tvmscript.ir.transform.registry import get_pass, get_passes
from tvmscript.ir.transform.sequential import Sequential

__all__ = [
    "ApplyPassToFunction",
    "ModulePass",
    "Pass",
    "PassContext",
    "PassInfo",
    "PrimFuncPass",
    "PrintIR",
    "Sequential",
    "get_pass",
    "get_passes",
    "module_pass",
]
