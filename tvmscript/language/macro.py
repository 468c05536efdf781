"""`@T.macro`: statements that are written out where they are called."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.parser.captured import captured_by
from tvmscript.parser.errors import NoSource
from tvmscript.parser.macro import Macro
from tvmscript.parser.namespace import MACRO_OPTIONS, Decorator
from tvmscript.parser.source import source_of


def _macro(func: Callable[..., Any], around: Mapping[str, Any], hygienic: bool = True) -> Macro:
    """The macro of a Python function."""
    tree = source_of(func)
    node = tree.definition
    if not isinstance(node, ast.FunctionDef):
        raise NoSource(name=func.__name__, span=tree.point(1, 0))
    return Macro(node, tree, {}, captured_by(func, around), inspect.signature(func), hygienic)


macro = Decorator("T.macro", "macro", MACRO_OPTIONS, _macro)
