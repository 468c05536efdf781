"""TVM's front door `tvm.relax.transform`: `@function_pass(opt_level=0)`."""

from __future__ import annotations

from tvmscript.ir.relax.function_pass import GraphFunctionPass as FunctionPass
from tvmscript.ir.relax.function_pass import function_pass

__all__ = ["FunctionPass", "function_pass"]
