"""The names of `tvm.tir.transform`: `LowerInitBlock()(mod)`, `@prim_func_pass`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from tvmscript.ir.core import UnknownName
from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.transform.base import PrimFuncPass as PrimFuncPass
from tvmscript.ir.transform.decorators import prim_func_pass as prim_func_pass
from tvmscript.ir.transform.registry import pass_class, pass_modules

if TYPE_CHECKING:
    from tvmscript.ir.transform.functions.apply import Apply as Apply
    from tvmscript.ir.transform.functions.filter import Filter as Filter
    from tvmscript.ir.transform.loops.hoist_expression import HoistedConditionals as HoistedConditionals
    from tvmscript.ir.transform.loops.hoist_expression import HoistedLetBindings as HoistedLetBindings

#: names that are not passes -> module
_OTHERS: Final = {
    "HoistedConditionals": "loops.hoist_expression",
    "HoistedLetBindings": "loops.hoist_expression",
}
# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []


def __getattr__(name: str) -> Any:
    if name in _OTHERS:
        return getattr(importlib.import_module(f"tvmscript.ir.transform.{_OTHERS[name]}"), name)
    try:
        return pass_class(f"tir.{name}")
    except UnknownName as error:
        absent = submodule(__name__, name)
        if absent is not None:
            return absent
        raise AttributeError(f"module {__name__} has no pass {name}") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *_OTHERS, *(name.removeprefix("tir.") for name in pass_modules())})
