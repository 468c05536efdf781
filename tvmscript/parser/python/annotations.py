"""Annotations of parameters, results and variables, in the spelling that type checkers accept.

`Annotated[T.Buffer, (16, 16), "float32"]` says what `T.Buffer((16, 16), "float32")` says: the first item is what is
called, the others are its arguments, a dict at the end holds keyword arguments.
"""

from __future__ import annotations

import ast
import typing
from collections.abc import Mapping
from typing import Annotated, Any

from tvmscript.ir.core.span import Span
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, InvalidArguments, UndefinedName
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.reader import Reader

#: The module `typing` as programs know it.
TYPING = Namespace("typing", {"Annotated": Annotated})
#: Modules of Python that a text may import it from.
TYPING_MODULES = ("typing", "typing_extensions")

_EXAMPLE = 'write Annotated[T.Buffer, (16, 16), "float32"]'


class Annotation:
    """What `Annotated[...]` says: a name of the script and its arguments. Each use makes a value of its own."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Builtin, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __repr__(self) -> str:
        return f"Annotated[{self.function.name}, ...]"


def annotation(parts: Any, span: Span) -> Annotation:
    """The annotation of the items in `Annotated[...]`. Raises `InvalidArguments`."""
    if not isinstance(parts, tuple) or len(parts) < 2:
        raise InvalidArguments(function="Annotated", reason="a type and its arguments belong there", span=span,
                               hint=_EXAMPLE)  # fmt: skip
    function, *args = parts
    if not isinstance(function, Builtin):
        raise InvalidArguments(function="Annotated", reason="the first item is no type of the script", span=span,
                               hint=_EXAMPLE)  # fmt: skip
    kwargs: Any = args.pop() if isinstance(args[-1], dict) else {}
    if not all(isinstance(key, str) for key in kwargs):
        raise InvalidArguments(function="Annotated", reason="the keys of the dict at its end are names of arguments",
                               span=span)  # fmt: skip
    return Annotation(function, tuple(args), kwargs)


def annotation_of(value: Any, span: Span) -> Any:
    """`Annotated[...]` that Python evaluated as an `Annotation`; other values as they are."""
    if typing.get_origin(value) is Annotated:
        return annotation((value.__origin__, *value.__metadata__), span)
    return value


def written_annotation(parser: Reader, function: str, arg: ast.arg) -> Any:
    """The value of a parameter's annotation; that of Python where it uses names that are not captured."""
    annotation: Any = arg.annotation
    if type(annotation) is ast.Constant and isinstance(annotation.value, str):
        annotation = _quoted(parser, annotation)
    try:
        return parser.value(annotation)
    except UndefinedName:
        known = parser.closure.annotations.get(function, {}) if parser.closure is not None else {}
        found = known.get(arg.arg)
        if found is None or isinstance(found, str):
            raise
        return found


def _quoted(parser: Reader, node: Any) -> ast.expr:
    """The expression in an annotation that is a string; every part of it stands where the string stands."""
    try:
        found: ast.expr = ast.parse(node.value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidAnnotation(what=repr(node.value), role="parameter", span=parser.span(node)) from None
    for part in ast.walk(found):
        if isinstance(part, ast.expr | ast.keyword):
            ast.copy_location(part, node)
    return found
