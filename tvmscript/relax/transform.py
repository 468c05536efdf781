"""TVM's front door `tvm.relax.transform`: `Normalize()(mod)`, `@function_pass(opt_level=0)`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import UnknownName
from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.relax.function_pass import GraphFunctionPass as FunctionPass
from tvmscript.ir.relax.function_pass import function_pass as function_pass
from tvmscript.ir.transform.registry import graph_pass_modules, pass_class

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []


def __getattr__(name: str) -> Any:
    try:
        return pass_class(f"relax.{name}")
    except UnknownName as error:
        absent = submodule(__name__, name)
        if absent is not None:
            return absent
        raise AttributeError(f"module {__name__} has no pass {name}") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *(name.removeprefix("relax.") for name in graph_pass_modules())})


__all__ = ["FunctionPass", "function_pass"]
