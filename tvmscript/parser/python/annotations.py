"""Annotations in the form that type checkers accept: `Annotated[T.Buffer, (16, 16), "float32"]`.

It is equivalent to `T.Buffer((16, 16), "float32")`: the first item is the callee, the others are its arguments, a dict
at the end holds keyword arguments.
"""

from __future__ import annotations

import ast
import typing
from collections.abc import Mapping
from typing import Annotated, Any

from tvmscript.ir.core import Span
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, InvalidArguments, UndefinedName, UnsupportedSyntax
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.reader import Reader

#: the module `typing` of a text
TYPING = Namespace("typing", {"Annotated": Annotated})
#: modules that export `Annotated`
TYPING_MODULES = ("typing", "typing_extensions")

_EXAMPLE = 'write Annotated[T.Buffer, (16, 16), "float32"]'


class Annotation:
    """`Annotated[...]`: a function of the script and its arguments. Each use constructs a new value."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Builtin, args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        return f"Annotated[{self.function.name}, ...]"


def annotation(parts: object, span: Span) -> Annotation:
    """Return the annotation for the items of `Annotated[...]`. Raises `InvalidArguments`."""
    if not isinstance(parts, tuple) or len(parts) < 2:
        raise InvalidArguments(function="Annotated", reason="a type and its arguments are needed", span=span,
                               hint=_EXAMPLE)  # fmt: skip
    function, *args = parts
    if not isinstance(function, Builtin):
        raise InvalidArguments(function="Annotated", reason="the first item is not a type of the script", span=span,
                               hint=_EXAMPLE)  # fmt: skip
    kwargs: Any = args.pop() if isinstance(args[-1], dict) else {}
    if not all(isinstance(key, str) for key in kwargs):
        raise InvalidArguments(function="Annotated", reason="the keys of the last dict must be argument names",
                               span=span)  # fmt: skip
    return Annotation(function, tuple(args), kwargs)


def annotation_of(value: Any, span: Span) -> Any:
    """Convert an `Annotated[...]` that Python evaluated to an `Annotation`; return other values unchanged."""
    if typing.get_origin(value) is Annotated:
        return annotation((value.__origin__, *value.__metadata__), span)
    return value


def parameters_of(parser: Reader, node: ast.FunctionDef) -> list[ast.arg]:
    """Return the parameters of a function. Raises `UnsupportedSyntax` for default values, `*args` and `**kwargs`."""
    arguments = node.args
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            raise UnsupportedSyntax(what=f"*{extra.arg}", span=parser.span(extra), hint="list the parameters")
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            hint = "remove it: calls pass all arguments"
            raise UnsupportedSyntax(what="a default value", span=parser.span(default), hint=hint)
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def written_annotation(parser: Reader, function: str, arg: ast.arg) -> Any:
    """Evaluate the annotation of a parameter. If it uses names that are not captured, take Python's value."""
    annotation: Any = arg.annotation
    if type(annotation) is ast.Constant and isinstance(annotation.value, str):
        annotation = _quoted(parser, annotation)
    try:
        return parser.value(annotation)
    except UndefinedName:
        own_annotations = parser.closure.annotations.get(function, {}) if parser.closure is not None else {}
        value = own_annotations.get(arg.arg)
        if value is None or isinstance(value, str):
            raise
        return value


def _quoted(parser: Reader, node: Any) -> ast.expr:
    """Parse an annotation that is a string. Its nodes get the span of the string."""
    try:
        expr: ast.expr = ast.parse(node.value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidAnnotation(what=repr(node.value), role="parameter", span=parser.span(node)) from None
    for part in ast.walk(expr):
        if isinstance(part, (ast.expr, ast.keyword)):
            ast.copy_location(part, node)
    return expr
