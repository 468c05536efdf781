"""Parameters of `@T.jit` that a program does not have: constants, and those that may be left out."""

from __future__ import annotations

import ast
import copy
from typing import Any

from tvmscript.ir.core import WrongType
from tvmscript.parser.names.namespace import Builtin


class Constexpr:
    """The annotation `T.constexpr`: a parameter that `specialize` gives a value."""

    def __repr__(self) -> str:
        return "T.constexpr"


class OptionalParameter:
    """The annotation `T.Optional(T.handle)`: a parameter that `specialize(name=None)` leaves out."""

    __slots__ = ("annotation",)

    def __init__(self, annotation: object) -> None:
        self.annotation = annotation

    def __repr__(self) -> str:
        return f"T.Optional({self.annotation!r})"


CONSTEXPR = Constexpr()


def optional(annotation: object, span: object = None) -> OptionalParameter:
    """The annotation of a parameter that may be left out."""
    return OptionalParameter(annotation)


#: annotations of parameters of `@T.jit`
ANNOTATIONS: dict[str, object] = {"constexpr": CONSTEXPR, "Optional": Builtin("T.Optional", optional)}


def specialize(parser: Any, node: ast.FunctionDef) -> ast.FunctionDef:
    """Define the constants and absent parameters of a function; return it with the others. Raises `WrongType`."""
    given: Any = node.args
    every: list[ast.arg] = [*given.args, *given.kwonlyargs]
    marked = [arg for arg in every if _is_marked(arg.annotation)]
    if not marked:
        return node
    values = {} if parser.session.closure is None else parser.session.closure.specialized
    defaults = {
        **dict(zip([arg.arg for arg in reversed(given.args)], reversed(given.defaults), strict=False)),
        **{arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None},
    }
    arguments = copy.copy(given)
    dropped: set[str] = set()
    kept: dict[str, ast.arg] = {}
    for arg in marked:
        annotation, name = parser.value(arg.annotation), arg.arg
        if isinstance(annotation, OptionalParameter):
            if name in values:
                parser.scope.replace(name, None)
                dropped.add(name)
            else:
                call: Any = arg.annotation
                kept[name] = replaced = copy.copy(arg)
                replaced.annotation = call.args[0]
        elif annotation is CONSTEXPR:
            if name not in values and name not in defaults:
                expected = f"a value, by specialize({name}=...)"
                raise WrongType(where=f"the parameter {name}", expected=expected, got="none", span=parser.span(arg))
            parser.scope.replace(name, values[name] if name in values else parser.value(defaults[name]))
            dropped.add(name)
    others = [kept.get(arg.arg, arg) for arg in every if arg.arg not in dropped]
    count = sum(arg.arg not in dropped for arg in every[: len(given.args)])
    positional, named = others[:count], others[count:]
    arguments.args, arguments.kwonlyargs = positional, named
    arguments.defaults = [defaults[arg.arg] for arg in positional if arg.arg in defaults]
    arguments.kw_defaults = [defaults.get(arg.arg) for arg in named]
    function = copy.copy(node)
    function.args = arguments
    return function


def _is_marked(annotation: ast.expr | None) -> bool:
    name = annotation.func if isinstance(annotation, ast.Call) else annotation
    return isinstance(name, ast.Attribute) and name.attr in ANNOTATIONS
