"""TVM's front door `tvm.relax.distributed.transform`: `PropagateSharding()(mod)`."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.core import UnknownName
from tvmscript.ir.transform.registry import graph_pass_modules, pass_class

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []

_PREFIX: Final = "relax.distributed."


def __getattr__(name: str) -> Any:
    try:
        return pass_class(f"{_PREFIX}{name}")
    except UnknownName as error:
        raise AttributeError(f"module {__name__} has no pass {name}") from error


def __dir__() -> list[str]:
    return [name.removeprefix(_PREFIX) for name in graph_pass_modules() if name.startswith(_PREFIX)]
