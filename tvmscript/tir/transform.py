"""TVM's spelling of the passes of the tensor level: `tvm.tir.transform.LowerInitBlock()(mod)`."""

from __future__ import annotations

from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.base import PrimFuncPass as PrimFuncPass
from tvmscript.ir.transform.registry import FILES, pass_class


def __getattr__(name: str) -> type[Pass]:
    try:
        return pass_class(f"tir.{name}")
    except UnknownName as error:
        raise AttributeError(f"module {__name__} has no pass {name}") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *(name.removeprefix("tir.") for name in FILES)})
