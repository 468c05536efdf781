"""`@T.macro`, `@R.macro`: functions that are expanded at their calls."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import FrameType

from tvmscript.parser.diagnostics.errors import NoSource
from tvmscript.parser.names.namespace import MACRO_OPTIONS, Decorator, NotDecoratable
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.source.closure import capture_names
from tvmscript.parser.source.lookup import source_of


def decorator(name: str) -> Decorator:
    """The decorator of macros of a level: `T.macro`, `R.macro`."""

    def apply(
        func: Callable[..., object], frame: FrameType | None, hygienic: bool = True, source: str | None = None
    ) -> Macro:
        """Convert a Python function to a macro. `source` is its text, for code without a file."""
        if not inspect.isfunction(func):
            raise NotDecoratable(name=name, expected="a Python function", got=repr(func))
        return _macro_of(func, frame, hygienic, source)

    return Decorator(name, "macro", MACRO_OPTIONS, apply)


def _macro_of(func: Callable[..., object], frame: FrameType | None, hygienic: bool, source: str | None) -> Macro:
    tree = source_of(func, frame, source)
    node = tree.definition
    if not isinstance(node, ast.FunctionDef):
        raise NoSource(name=func.__name__, span=tree.point(1, 0))
    return Macro(node, tree, {}, capture_names(func, frame), inspect.signature(func), hygienic)


macro = decorator("T.macro")
