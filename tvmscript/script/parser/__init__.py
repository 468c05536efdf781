"""The names of `tvmscript.script` under TVM's other path: `from tvmscript.script.parser import ir as I, relax as R`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.script import from_source, ir, ir_module, prim_func, tir, tirx

if TYPE_CHECKING:
    import tvmscript.language.R as relax

__all__ = ["from_source", "ir", "ir_module", "prim_func", "relax", "tir", "tirx"]

# the graph level is loaded on first use
__getattr__, __dir__ = lazy_names(__name__, {"relax": "tvmscript.language.relax:R"})
