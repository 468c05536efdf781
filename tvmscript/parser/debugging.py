"""Python's `print(...)` and `breakpoint()` in functions: `T.print` and `T.breakpoint` in kernels, `R.print` and
`R.breakpoint` in graph functions. They are executed with the function.
"""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.core import Span
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import debug
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.tir import Buffer, BufferRegion, Expr
from tvmscript.ir.tir.intrin.debugging import tir_breakpoint, tir_print
from tvmscript.parser.diagnostics.errors import InvalidArguments, NotInside, UnsupportedSyntax
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.reader import Reader, SpecialForm
from tvmscript.parser.relax.body import RelaxBodyParser


def read_print(parser: Reader, node: ast.Call) -> object:
    """Read `print(f"{i=}", A[i])` as `T.print("i={} {}", i, A[i])`, and `print(f"{x=}")` in a graph function as
    `R.print(x, format="x={}")`.

    Python values become part of the format. `sep` is the only option of Python's print that is supported.
    """
    is_graph = isinstance(parser, RelaxBodyParser)
    if not (parser.is_kernel or is_graph):
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
    form = _escaped(separator).join(pieces)
    if is_graph:
        return parser.call_builtin(node, _GRAPH_PRINT, values, {"format": form})
    return parser.call_builtin(node, _PRINT, [form, *values], {})


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
    if isinstance(value, (Expr, RelaxExpr, BufferRegion, Buffer)):
        values.append(value)
        return f"{{:{spec}}}" if spec else "{}"
    if not (parser.closure is not None or value is None or isinstance(value, (str, int, float))):
        value = parser.as_expr(value, node)
    shown = repr(value) if conversion == ord("r") else value
    return _escaped(parser.guarded(node, "print", format, shown, spec) if spec else str(shown))


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _stop(parser: Reader, span: Span) -> Expr | RelaxExpr:
    if isinstance(parser, RelaxBodyParser):
        return Call(debug.breakpoint, (), span=span)
    if not parser.is_kernel:
        raise NotInside(what="breakpoint", place="a function", span=span)
    return tir_breakpoint(span=span)


_PRINT = Builtin("print", tir_print)
_GRAPH_PRINT = Builtin("print", script_function_of(debug.print))

#: Python's name -> what it is in a function
DEBUGGING: dict[str, object] = {
    "print": SpecialForm("print", read_print),
    "breakpoint": Builtin("breakpoint", _stop, needs_kernel=True),
}
