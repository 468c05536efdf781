"""`@prim_func` and `@ir_module`: Python functions and classes become programs where they are defined."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType

from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc
from tvmscript.parser.entry import parse_decorated
from tvmscript.parser.names.namespace import IR_MODULE_OPTIONS, PRIM_FUNC_OPTIONS, Decorator, NotDecoratable
from tvmscript.parser.source.closure import capture_names
from tvmscript.parser.source.lookup import is_in_module_class, source_of


def _prim_func(
    func: Callable[..., object],
    frame: FrameType | None,
    private: bool = False,
    check_well_formed: bool = True,
    s_tir: bool = True,
    source: str | None = None,
) -> object:
    """Convert a Python function to a PrimFunc. In the class of a module, return it unchanged for `ir_module`.

    `source` is the text of the function, for code without a file.
    """
    if not inspect.isfunction(func):
        raise NotDecoratable(name="T.prim_func", expected="a Python function", got=repr(func))
    if is_in_module_class(func, frame):
        return func
    program = parse_decorated(
        source_of(func, frame, source), capture_names(func, frame), check_well_formed, private=private
    )
    assert isinstance(program, PrimFunc)
    return program


def _ir_module(
    cls: type,
    frame: FrameType | None,
    check_well_formed: bool = True,
    s_tir: bool = True,
    source: str | None = None,
) -> IRModule:
    """An IRModule of the functions of a class.

    `source` is the text of the class, for code without a file.
    """
    if not isinstance(cls, type):
        raise NotDecoratable(name="I.ir_module", expected="a class", got=repr(cls))
    program = parse_decorated(source_of(cls, frame, source), capture_names(cls, frame), check_well_formed)
    assert isinstance(program, IRModule)
    return program


prim_func = Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS, _prim_func)
ir_module = Decorator("I.ir_module", "ir_module", IR_MODULE_OPTIONS, _ir_module)
