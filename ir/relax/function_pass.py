"""Passes that people write for functions of the graph level: `@function_pass`."""

from __future__ import annotations

from typing import ClassVar, Final

from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.decorators import FunctionPass, PassDecorator


class GraphFunctionPass(FunctionPass):
    """A pass that `function_pass` made."""

    kind: ClassVar[type[BaseFunc]] = Function


#: `@function_pass(opt_level=0)` above `f(func, mod, ctx) -> Function | None`, or a class with `transform_function`
function_pass: Final = PassDecorator[GraphFunctionPass](GraphFunctionPass, "transform_function", "function_pass")
