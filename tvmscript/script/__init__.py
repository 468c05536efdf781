"""The language under TVM's names: `from tvmscript.script import ir as I, tir as T`; in TVM 0.27 `tirx as T`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.language import I as ir
from tvmscript.language import T as tir
from tvmscript.language import ir_module, prim_func
from tvmscript.parser import from_source
from tvmscript.parser.source.lookup import register_source

if TYPE_CHECKING:
    import tvmscript.language.R as relax
    import tvmscript.language.TIRX as tirx
else:
    from tvmscript.language.tirx import T as tirx

__all__ = ["from_source", "ir", "ir_module", "prim_func", "register_source", "relax", "tir", "tirx"]

# the graph level is loaded on first use
__getattr__, __dir__ = lazy_names(__name__, {"relax": "tvmscript.language.relax:R"})
