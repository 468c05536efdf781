"""`T` as TVM 0.27 understands it: `from tvmscript.script import tirx as T`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType
from typing import Any

from tvmscript.ir.core import UnknownName, closest
from tvmscript.ir.tir import PrimFunc
from tvmscript.language.decorators import prim_func
from tvmscript.language.macro import macro
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.entry import parse_decorated
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import (
    JIT_OPTIONS,
    MACRO_OPTIONS,
    PRIM_FUNC_OPTIONS_V0_27,
    Decorator,
    Namespace,
    NotDecoratable,
)
from tvmscript.parser.source.closure import Closure, capture_names
from tvmscript.parser.source.lookup import source_of


def _prim_func(func: object, around: object, persistent: bool = False, **options: object) -> object:
    """A PrimFunc of a Python function in the spelling of TVM 0.27."""
    assert prim_func.apply is not None
    return prim_func.apply(func, around, **options)


class JitFunction:
    """A kernel of `@T.jit`: `specialize` gives its constants values and makes the PrimFunc."""

    __slots__ = ("_closure", "_func", "_options", "_tree")

    def __init__(
        self, func: Callable[..., object], frame: FrameType | None, source: str | None = None, **options: bool
    ) -> None:
        self._func = func
        self._tree = source_of(func, frame, source)
        self._closure = capture_names(func, frame)
        self._options = options

    def specialize(self, **values: object) -> PrimFunc:
        """Return the PrimFunc with values of its constants; None leaves an optional parameter out."""
        parameters = inspect.signature(self._func).parameters
        for name in values:
            if name not in parameters:
                raise UnknownName(kind=f"parameter of {self._func.__name__}", name=name, hint=closest(name, parameters))
        closure = Closure(self._closure.outer, self._closure.annotations, values)
        check = self._options.get("check_well_formed", True)
        program = parse_decorated(self._tree, closure, check, private=self._options.get("private", False))
        assert isinstance(program, PrimFunc)
        return program


def _jit(func: object, frame: FrameType | None, **options: Any) -> JitFunction:
    """A kernel with parameters that are constants, `N: T.constexpr`; `.specialize(N=4)` makes the PrimFunc."""
    if not inspect.isfunction(func):
        raise NotDecoratable(name="T.jit", expected="a Python function", got=repr(func))
    return JitFunction(func, frame, **options)


_DECORATORS = {
    "jit": Decorator("T.jit", "prim_func", JIT_OPTIONS, _jit, dialect="0.27"),
    "prim_func": Decorator("T.prim_func", "prim_func", PRIM_FUNC_OPTIONS_V0_27, _prim_func, dialect="0.27"),
    "macro": macro,
    "inline": Decorator("T.inline", "macro", MACRO_OPTIONS, macro.apply),
}
#: Any: what `T.<name>` means depends on its context, which Python types cannot express.
T: object = Namespace("T", LayeredTable(_DECORATORS, LazyTable("T of 0.27")))
