"""TVM's front door `tvm.relax.transform`: `Normalize()(mod)`, `@function_pass(opt_level=0)`."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.core import UnknownName
from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.relax.dataflow_block_pass import DataflowBlockPass as DataflowBlockPass
from tvmscript.ir.relax.dataflow_block_pass import dataflowblock_pass as dataflowblock_pass
from tvmscript.ir.relax.function_pass import GraphFunctionPass as FunctionPass
from tvmscript.ir.relax.function_pass import function_pass as function_pass
from tvmscript.ir.transform.registry import graph_pass_modules, pass_class

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []


#: classes that FuseOpsByPattern takes
_CLASSES: Final = ("FusionPattern", "PatternCheckContext")


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        from tvmscript.ir.relax.transform.fusion import fuse_ops_by_pattern  # passes are loaded when they are used

        return getattr(fuse_ops_by_pattern, name)
    try:
        return pass_class(f"relax.{name}")
    except UnknownName as error:
        absent = submodule(__name__, name)
        if absent is not None:
            return absent
        raise AttributeError(f"module {__name__} has no pass {name}") from error


def __dir__() -> list[str]:
    names = [name.removeprefix("relax.") for name in graph_pass_modules()]
    return sorted({*globals(), *_CLASSES, *(name for name in names if "." not in name)})


__all__ = ["DataflowBlockPass", "FunctionPass", "dataflowblock_pass", "function_pass"]
