"""Expansion of macros."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from typing import Any

from tvmscript.ir.core import DiagnosticError, Span, TVMScriptError
from tvmscript.parser.diagnostics.errors import UndefinedName, UnknownDecorator, ValueTooLarge
from tvmscript.parser.names.namespace import Decorator
from tvmscript.parser.names.parameters import signature_of
from tvmscript.parser.python.macro import Macro
from tvmscript.parser.reader import MacroReader, Reader

#: calls of macros that the notes of an error list
_MAX_CALLS = 8


def expand(parser: MacroReader, node: object, macro: Macro, args: list[object], kwargs: dict[str, object]) -> None:
    """Expand a macro at a call. Errors in its body get a note about the call."""
    span = parser.span(node)
    values = macro.bind(args, kwargs, span)
    is_large = parser.session.limits.is_large
    if parser.closure is None and any(is_large(value) for value in values.values()):
        raise ValueTooLarge(what=f"the macro {macro.name}", span=span)
    count_expanded(parser, macro.node)
    reported = parser.session.report.errors
    before = len(reported)
    note = span, f"in the macro {macro.name}, which is called here"
    try:
        with parser.elsewhere(*macro.place) if macro.hygienic else nullcontext():
            mark = parser.scope.enter()
            for name, value in values.items():
                parser.scope.define(name, value)
            parser.depth += 1
            parser.splice(macro.node.body)
            parser.depth -= 1
            parser.scope.leave(mark)
    except DiagnosticError as error:
        _add_call(error, *note)
        raise
    finally:
        for recorded in reported[before:]:
            _add_call(recorded, *note)


def nested_macro(parser: Reader, node: ast.FunctionDef) -> Macro:
    """Return the macro that a nested function defines. Raises `UnknownDecorator`."""
    hygienic = True
    for item in node.decorator_list:
        call = item if type(item) is ast.Call else None
        decorator = parser.value(item if call is None else call.func)
        if not isinstance(decorator, Decorator) or decorator.kind != "macro":
            raise UnknownDecorator(name=node.name, expected="@T.macro", span=parser.span(item))
        options = {word.arg: parser.value(word.value) for word in call.keywords if word.arg} if call else {}
        decorator.check(options, parser.span(item))
        hygienic = options.get("hygienic", True) is not False
    signature = signature_of(node.args, parser.value, parser.span)
    return Macro(node, parser.tree, parser.snapshot_names(node), parser.closure, signature, hygienic)


def count_expanded(parser: Reader, node: Any) -> None:
    """Count statements against the limit of expanded statements. Raises `ValueTooLarge`."""
    parser.session.limits.statements -= len(node.body)
    if parser.session.limits.statements < 0:
        raise ValueTooLarge(what="expanding macros and loops", span=parser.span(node))


def _add_call(error: TVMScriptError, span: Span, text: str) -> None:
    """Add a note about the call of a macro, up to `_MAX_CALLS` of them."""
    if isinstance(error, UndefinedName) and text.startswith(f"in the macro {error.facts['name']},"):
        error.hint = "a macro cannot call itself: write a loop"
    if len(error.notes) < _MAX_CALLS and all(repr(span) != repr(known) for known, _ in error.notes):
        error.notes.append((span, text))
