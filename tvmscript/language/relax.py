"""`R`, the Relax namespace of the script. Loaded on first use."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType
from typing import cast

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.rewriters.pattern_matching_rewriter import PatternMatchingRewriter
from tvmscript.language.macro import decorator
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.entry import parse_decorated
from tvmscript.parser.names.namespace import Decorator, Namespace, NotDecoratable
from tvmscript.parser.relax.builtins.table import FUNCTION_OPTIONS, RELAX
from tvmscript.parser.relax.function import RelaxParser
from tvmscript.parser.source.closure import capture_names
from tvmscript.parser.source.lookup import is_in_module_class, source_of


def _function(
    func: Callable[..., object],
    frame: FrameType | None,
    pure: bool = True,
    private: bool = False,
    check_well_formed: bool = True,
    source: str | None = None,
) -> object:
    """Convert a Python function to a Relax function. In the class of a module, return it unchanged for `ir_module`.

    `source` is the text of the function, for code without a file.
    """
    if not inspect.isfunction(func):
        raise NotDecoratable(name="R.function", expected="a Python function", got=repr(func))
    if is_in_module_class(func, frame):
        return func
    tree = source_of(func, frame, source)
    program = parse_decorated(tree, capture_names(func, frame), check_well_formed, private=private, pure=pure)
    assert isinstance(program, Function)
    return program


function = Decorator("R.function", "function", FUNCTION_OPTIONS, _function, parser=RelaxParser)


def _rewriter(
    cls: type | IRModule, frame: FrameType | None, check_well_formed: bool = True, source: str | None = None
) -> PatternMatchingRewriter:
    """Convert a class with the functions `pattern` and `replacement` to a rewriter of graph functions.

    `source` is the text of the class, for code without a file. Raises `BadRewriteRule`.
    """
    if isinstance(cls, IRModule):
        return PatternMatchingRewriter.from_module(cls)
    if not isinstance(cast(object, cls), type):
        raise NotDecoratable(name="R.rewriter", expected="a class or a module", got=repr(cls))
    program = parse_decorated(source_of(cls, frame, source), capture_names(cls, frame), check_well_formed)
    assert isinstance(program, IRModule)
    return PatternMatchingRewriter.from_module(program)


rewriter = Decorator("R.rewriter", "ir_module", ("check_well_formed", "source"), _rewriter)

macro = decorator("R.macro")

#: Any: what `R.<name>` means depends on its context, which Python types cannot express.
R: object = Namespace("R", LayeredTable({"function": function, "macro": macro, "rewriter": rewriter}, RELAX))
