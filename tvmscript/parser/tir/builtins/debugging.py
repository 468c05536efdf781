"""Python's `print(...)` and `breakpoint()` in functions: `T.print` and `T.breakpoint` in kernels, `R.print` and
`R.breakpoint` in graph functions. They are executed with the function.
"""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.core import Node, Span
from tvmscript.ir.tir import Buffer, BufferRegion, Expr
from tvmscript.parser.diagnostics.errors import InvalidArguments, NotInside, UnsupportedSyntax
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.reader import Reader, SpecialForm


def read_print(parser: Reader, node: ast.Call) -> object:
    """Read `print(f"{i=}", A[i])` as `T.print("i={} {}", i, A[i])`, and `print(f"{x=}")` in a graph function as
    `R.print(x, format="x={}")`.

    Python values become part of the format. `sep` is the only option of Python's print that is supported.
    """
    function = parser.print_function
    if function is None:
        raise NotInside(what="print", place="a function", span=parser.span(node))
    separator: Any = " "
    for keyword in node.keywords:
        separator = parser.value(keyword.value)
        if keyword.arg != "sep" or not isinstance(separator, str):
            given = f"{keyword.arg}=..." if keyword.arg else "**"
            reason = f"{given} is not supported, only sep, a string"
            raise InvalidArguments(function="print", reason=reason, span=parser.span(keyword))
    pieces: list[str] = []
    values: list[Any] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            raise UnsupportedSyntax(what="* in print", span=parser.span(arg), hint="list the values")
        is_text = isinstance(arg, ast.JoinedStr)
        pieces.append(_joined(parser, arg, values) if is_text else _field(parser, arg, "", values))
    return parser.call_builtin(node, function, [_escaped(separator).join(pieces), *values], {})


def _joined(parser: Reader, node: Any, values: list[object]) -> str:
    """Return an f-string as a format, with fields for expressions."""
    pieces: list[str] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces.append(_escaped(str(part.value)))
            continue
        spec = "" if part.format_spec is None else parser.value(part.format_spec)
        # `{i=}` requests the repr, which expressions do not distinguish
        pieces.append(_field(parser, part.value, spec, values, part.conversion))
    return "".join(pieces)


def _field(parser: Reader, node: ast.expr, spec: str, values: list[object], conversion: int = -1) -> str:
    """Return a field for an expression, or the text of a Python value."""
    value = parser.value(node)
    if isinstance(value, (Expr, BufferRegion, Buffer)) or (isinstance(value, Node) and not parser.is_kernel):
        values.append(value)
        return f"{{:{spec}}}" if spec else "{}"
    if not (parser.closure is not None or value is None or isinstance(value, (str, int, float))):
        value = parser.as_expr(value, node)
    shown = repr(value) if conversion == ord("r") else value
    return _escaped(parser.guarded(node, "print", format, shown, spec) if spec else str(shown))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _stop(parser: Reader, span: Span) -> object:
    if parser.breakpoint_function is None:
        raise NotInside(what="breakpoint", place="a function", span=span)
    return parser.breakpoint_function.function(span=span)


#: Python's name -> what it is in a function
DEBUGGING: dict[str, object] = {
    "print": SpecialForm("print", read_print),
    "breakpoint": Builtin("breakpoint", _stop, needs_kernel=True),
}
