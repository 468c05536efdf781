"""Spans and hints of errors of Relax calls: the argument that caused the error."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from tvmscript.ir.core import DType, IRError, TVMScriptError, closest
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.parser.diagnostics.errors import Refused, refused
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.source.tree import SourceTree


def refused_argument(tree: SourceTree, node: object, function: Builtin, error: InvalidCall) -> Refused:
    """Convert an error of a call to a diagnostic at the argument that caused it, or at the call."""
    diagnostic = refused(error, tree.span(node))
    diagnostic.span = tree.span(node)
    if not isinstance(node, ast.Call):
        return diagnostic  # Annotated[R.exp, 4]
    name, got = str(error.facts["argument"]), error.facts["got"]
    places = _places(node, function)
    if name == "it":
        word = next((word for word in node.keywords if word.arg == str(got)), None)
        if word is not None:
            diagnostic.span = tree.span(word)
            diagnostic.hint = closest(str(got), _names(function), f"{{}}={ast.unparse(word.value)}") or diagnostic.hint
        return diagnostic
    place = places.get(name)
    if place is not None:
        diagnostic.span = tree.span(place)
        diagnostic.hint = diagnostic.hint or _argument_hint(place, error)
    return diagnostic


def refused_operand(tree: SourceTree, places: list[object], error: TVMScriptError, node: object) -> Refused:
    """Convert an error of a Python operator to a diagnostic at the operand that caused it."""
    diagnostic = refused(error, tree.span(node))
    diagnostic.span = tree.span(node)
    if isinstance(error, InvalidCall):
        number = {"x1": 0, "x": 0, "x2": 1}.get(str(error.facts["argument"]))
        if number is not None and number < len(places):
            diagnostic.span = tree.span(places[number])
    return diagnostic


def _names(function: Builtin) -> list[str]:
    return [name for name in inspect.signature(function.function).parameters if name != "span"]


def _places(node: Any, function: Builtin) -> dict[str, Any]:
    """Return parameter -> node of its argument."""
    written = getattr(node.func, "attr", None)
    if written != function.name.rpartition(".")[2] or any(isinstance(arg, ast.Starred) for arg in node.args):
        return {}  # called from Python code, or with unpacked arguments
    places: dict[str, Any] = {word.arg: word.value for word in node.keywords if word.arg is not None}
    kinds = inspect.signature(function.function).parameters.values()
    positional = [item.name for item in kinds if item.kind is item.POSITIONAL_OR_KEYWORD and item.name != "span"]
    if function.needs_kernel:
        positional = [name for name in positional if name != "parser"]
    return {**places, **dict(zip(positional, node.args, strict=False))}


def _argument_hint(place: ast.expr, error: InvalidCall) -> str | None:
    """Return a hint for an argument."""
    expected, got = str(error.facts["expected"]), error.facts["got"]
    text = ast.unparse(place)
    if expected == "a dtype":
        return closest(str(got), _DTYPES)
    if isinstance(place, ast.Constant) and isinstance(place.value, (int, float)):
        dtype = expected.partition(",")[0]
        try:
            return f'write R.const({text}, "{DType(dtype)}")'
        except IRError:
            return None
    return f"write R.const({text})" if hasattr(got, "tobytes") or str(got).startswith("array(") else None


_DTYPES = ("bool", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
           "float16", "float32", "float64", "bfloat16")  # fmt: skip
