"""`@T.macro`: statements that are written out where they are called."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import FrameType
from typing import Any

from tvmscript.parser.captured import captured_by
from tvmscript.parser.errors import NoSource
from tvmscript.parser.macro import Macro
from tvmscript.parser.namespace import MACRO_OPTIONS, Decorator, NotDecoratable
from tvmscript.parser.origin import source_of


def _macro(
    func: Callable[..., Any], frame: FrameType | None, hygienic: bool = True, source: str | None = None
) -> Macro:
    """The macro of a Python function. `source` is a text that holds it, for code that Python knows no text of."""
    if not inspect.isfunction(func):
        raise NotDecoratable(name="T.macro", expected="a Python function", got=repr(func))
    tree = source_of(func, frame, source)
    node = tree.definition
    if not isinstance(node, ast.FunctionDef):
        raise NoSource(name=func.__name__, span=tree.point(1, 0))
    return Macro(node, tree, {}, captured_by(func, frame), inspect.signature(func), hygienic)


macro = Decorator("T.macro", "macro", MACRO_OPTIONS, _macro)
