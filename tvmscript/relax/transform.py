"""TVM's front door `tvm.relax.transform`: `@function_pass(opt_level=0)`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.relax.function_pass import GraphFunctionPass as FunctionPass
from tvmscript.ir.relax.function_pass import function_pass

# the names of TVM's other passes say why they are absent: `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})

__all__ = ["FunctionPass", "function_pass"]
