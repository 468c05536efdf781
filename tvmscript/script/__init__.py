"""TVM's spelling: `from tvmscript.script import ir as I, tir as T`, that of TVM 0.27: `tirx as T`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

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


def __getattr__(name: str) -> object:
    # the graph level is loaded when it is first used
    if name != "relax":
        raise AttributeError(f"module 'tvmscript.script' has no attribute {name!r}")
    found: object = importlib.import_module("tvmscript.language.relax").R
    globals()[name] = found
    return found
