"""`@prim_func` and `@ir_module`: Python functions and classes become programs where they are defined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.parser.captured import captured_by
from tvmscript.parser.module import parse_decorated
from tvmscript.parser.namespace import IR_MODULE_OPTIONS, PRIM_FUNC_OPTIONS, Decorator
from tvmscript.parser.source import source_of


def _prim_func(
    func: Callable[..., Any],
    around: Mapping[str, Any],
    private: bool = False,
    check_well_formed: bool = True,
    s_tir: bool = True,
) -> Any:
    """A PrimFunc of a Python function. In the class of a module it stays what it is until the class is read."""
    if _is_in_class(func):
        return func
    made = parse_decorated(source_of(func), captured_by(func, around), check_well_formed, private)
    assert isinstance(made, PrimFunc)
    return made


def _ir_module(cls: type, around: Mapping[str, Any], check_well_formed: bool = True, s_tir: bool = True) -> IRModule:
    """An IRModule of the functions of a class."""
    made = parse_decorated(source_of(cls), captured_by(cls, around), check_well_formed)
    assert isinstance(made, IRModule)
    return made


def _is_in_class(func: Callable[..., Any]) -> bool:
    """Whether a function is being defined in the body of a class."""
    outer = func.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


prim_func = Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS, _prim_func)
ir_module = Decorator("I.ir_module", "ir_module", IR_MODULE_OPTIONS, _ir_module)
