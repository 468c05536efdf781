"""`R`, the graph level of the script. It is loaded when it is first used: kernels pay nothing for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType
from typing import Any

from tvmscript.ir.relax.function import Function
from tvmscript.language.macro import decorator
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.entry import parse_decorated
from tvmscript.parser.names.namespace import Decorator, Namespace, NotDecoratable
from tvmscript.parser.relax.builtins.table import FUNCTION_OPTIONS, RELAX
from tvmscript.parser.relax.function import RelaxParser
from tvmscript.parser.source.closure import capture_names
from tvmscript.parser.source.lookup import is_in_module_class, source_of


def _function(
    func: Callable[..., Any],
    frame: FrameType | None,
    pure: bool = True,
    private: bool = False,
    check_well_formed: bool = True,
    source: str | None = None,
) -> Any:
    """A Function of a Python function. In the class of a module it stays what it is until the class is read.

    `source` is a text that holds the function, for code that Python knows no text of.
    """
    if not inspect.isfunction(func):
        raise NotDecoratable(name="R.function", expected="a Python function", got=repr(func))
    if is_in_module_class(func, frame):
        return func
    tree = source_of(func, frame, source)
    made = parse_decorated(tree, capture_names(func, frame), check_well_formed, private=private, pure=pure)
    assert isinstance(made, Function)
    return made


function = Decorator("R.function", "function", FUNCTION_OPTIONS, _function, parser=RelaxParser)

macro = decorator("R.macro")

#: Any: what `R.<name>` means depends on where it stands, which Python's types cannot tell.
R: Any = Namespace("R", LayeredTable({"function": function, "macro": macro}, RELAX))
