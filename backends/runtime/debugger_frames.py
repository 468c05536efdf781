"""Frames at lines of scripts, in which Python's debugger stops."""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Callable
from keyword import iskeyword
from types import CodeType, FunctionType

from tvmscript.ir.core import Span


def is_usable(name: str) -> bool:
    """Return whether a name of the script is valid as a Python variable."""
    return name.isidentifier() and not iskeyword(name) and name != "breakpoint"


def frame_of(name: str, span: Span | None, names: tuple[str, ...]) -> Callable[..., None]:
    """Return a function of these parameters that calls `breakpoint()` at a line of the user's file."""
    call = ast.Expr(ast.Call(ast.Name("breakpoint", ast.Load()), [], []))
    parameters = ast.arguments([], [ast.arg(parameter) for parameter in names], None, [], [], None, [])
    function = ast.FunctionDef(name, parameters, [call], [])
    for child in ast.walk(function):
        if isinstance(child, (ast.stmt, ast.expr, ast.arg)):
            child.lineno = child.end_lineno = 1 if span is None else span.line
            child.col_offset = child.end_col_offset = 0
    file = "<tvmscript>" if span is None else span.source.name
    module = compile(ast.Module([function], []), file, "exec", dont_inherit=True)
    code = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    function_at_line: Callable[..., None] = FunctionType(code, {"__name__": name, "__builtins__": builtins})
    return function_at_line


def show_source(span: Span | None) -> None:
    """Register the lines of a text that is no file in Python's line cache."""
    is_text = span is not None and span.source.name.startswith("<")
    if span is None or (not is_text and linecache.getline(span.source.name, span.line)):
        return
    source = span.source
    lines = [*[""] * (source.first_line - 1), *source.lines]
    linecache.cache[source.name] = (len(source.text), None, [f"{line}\n" for line in lines], source.name)
