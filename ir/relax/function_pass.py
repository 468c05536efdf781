"""User-defined passes over graph functions: `@function_pass`."""

from __future__ import annotations

from typing import ClassVar, Final

from tvmscript.ir.core import BaseFunc
from tvmscript.ir.relax.function import Function
from tvmscript.ir.transform.decorators import FunctionPass, PassDecorator


class GraphFunctionPass(FunctionPass):
    """A pass created by `function_pass`."""

    kind: ClassVar[type[BaseFunc]] = Function


#: `@function_pass(opt_level=0)` above `f(func, mod, ctx) -> Function | None`, or a class with `transform_function`
function_pass: Final = PassDecorator[GraphFunctionPass](GraphFunctionPass, "transform_function", "function_pass")
