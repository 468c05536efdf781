"""Macros are written out where they are called."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.span import Span
from tvmscript.parser.diagnostics.errors import UndefinedName, UnknownDecorator, ValueTooLarge
from tvmscript.parser.diagnostics.limits import is_large
from tvmscript.parser.names.namespace import Decorator
from tvmscript.parser.names.parameters import signature_of
from tvmscript.parser.python.macro import Macro

if TYPE_CHECKING:
    from tvmscript.parser.relax.body import RelaxBodyParser
    from tvmscript.parser.tir.body import BodyParser

#: Calls of macros that an error tells.
_MAX_CALLS = 8


def expand(
    parser: BodyParser | RelaxBodyParser, node: Any, macro: Macro, args: list[Any], kwargs: dict[str, Any]
) -> None:
    """Write out the body of a macro; what is wrong in it tells where the macro was called."""
    span = parser.span(node)
    values = macro.bind(args, kwargs, span)
    if parser.captured is None and any(is_large(value) for value in values.values()):
        raise ValueTooLarge(what=f"the macro {macro.name}", span=span)
    spend(parser, macro.node)
    reported = parser.report.errors if parser.report is not None else []
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
        for kept in reported[before:]:
            _add_call(kept, *note)


def nested_function(parser: BodyParser, node: Any) -> None:
    """A function inside of a kernel: a macro that sees the names that are defined up to here."""
    parser.define(node.name, nested_macro(parser, node), node)


def nested_macro(parser: BodyParser | RelaxBodyParser, node: Any) -> Macro:
    """The macro of a function inside of another one. Raises `UnknownDecorator`."""
    hygienic = True
    for item in node.decorator_list:
        call = item if type(item) is ast.Call else None
        found = parser.value(item if call is None else call.func)
        if not isinstance(found, Decorator) or found.kind != "macro":
            raise UnknownDecorator(name=node.name, expected="@T.macro", span=parser.span(item))
        options = {word.arg: parser.value(word.value) for word in call.keywords if word.arg} if call else {}
        found.check(options, parser.span(item))
        hygienic = options.get("hygienic", True) is not False
    signature = signature_of(node.args, parser.value, parser.span)
    return Macro(node, parser.tree, parser.names_now(node), parser.captured, signature, hygienic)


def spend(parser: BodyParser | RelaxBodyParser, node: Any) -> None:
    """Count the statements that are written out once more."""
    parser.budget.statements -= len(node.body)
    if parser.budget.statements < 0:
        raise ValueTooLarge(what="writing out statements", span=parser.span(node))


def _add_call(error: TVMScriptError, span: Span, text: str) -> None:
    """Note a call of a macro, unless it is one of many in a recursion."""
    if isinstance(error, UndefinedName) and text.startswith(f"in the macro {error.facts['name']},"):
        error.hint = "a macro cannot call itself: write a loop"
    if len(error.notes) < _MAX_CALLS and all(repr(span) != repr(known) for known, _ in error.notes):
        error.notes.append((span, text))
