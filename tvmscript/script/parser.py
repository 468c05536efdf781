"""TVM's other spelling of what `tvmscript.script` has: `from tvmscript.script.parser import ir as I, relax as R`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript import script
from tvmscript.script import from_source, ir, ir_module, prim_func, tir, tirx

if TYPE_CHECKING:
    import tvmscript.language.R as relax

__all__ = ["from_source", "ir", "ir_module", "prim_func", "relax", "tir", "tirx"]


def __getattr__(name: str) -> object:
    # the graph level is loaded when it is first used
    if name != "relax":
        raise AttributeError(f"module 'tvmscript.script.parser' has no attribute {name!r}")
    found: object = script.relax
    globals()[name] = found
    return found
