"""Literals: constants, displays, f-strings; comprehensions in decorated functions."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from tvmscript.ir.core import Node
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.parser.diagnostics.describe import construct_name, describe
from tvmscript.parser.diagnostics.errors import InvalidOperation, UnsupportedSyntax, ValueTooLarge, WrongTargetCount
from tvmscript.parser.diagnostics.hints import about_construct
from tvmscript.parser.diagnostics.limits import CONTAINERS, MAX_PARTS
from tvmscript.parser.frames import Loops
from tvmscript.parser.python.operations import MAX_BITS, MAX_LENGTH, SIMPLE
from tvmscript.parser.python.script_values import ScriptValue
from tvmscript.parser.reader import Reader


def constant(parser: Reader, node: Any) -> object:
    """Evaluate a number, a string or None."""
    value = node.value
    kind = type(value)
    if kind is int and value.bit_length() > MAX_BITS:
        raise ValueTooLarge(what="a constant", span=parser.span(node))
    if kind in SIMPLE:
        return value
    raise UnsupportedSyntax(
        what=f"the constant {value!r:.40}", span=parser.span(node), hint="use a number, a string, True, False or None"
    )


def tuple_display(parser: Reader, node: ast.Tuple) -> object:
    """Evaluate `(a, b)`."""
    return check_size(parser, tuple(items(parser, node.elts)), node)


def list_display(parser: Reader, node: ast.List) -> object:
    """Evaluate `[a, b]`."""
    return check_size(parser, items(parser, node.elts), node)


def check_size(parser: Reader, value: object, node: object) -> object:
    """Return a new tuple, list or dict. Raises `ValueTooLarge`."""
    if not parser.session.limits.fits(value):
        raise ValueTooLarge(what="a display", span=parser.span(node))
    return check_budget(parser, value, node)


def check_budget(parser: Reader, value: object, node: object) -> object:
    """Return a string or container that is computed, copied or walked, others as they are. Raises `ValueTooLarge`."""
    if type(value) in CONTAINERS and parser.closure is None and not parser.session.limits.takes(value):
        raise ValueTooLarge(what="computing with so many strings and lists", span=parser.span(node))
    return value


def items(parser: Reader, nodes: list[Any]) -> list[object]:
    """Evaluate the elements of a display or the arguments of a call, `*x` unpacked."""
    values: list[object] = []
    if len(nodes) > MAX_PARTS:
        raise ValueTooLarge(what=f"writing {len(nodes)} values", span=parser.span(nodes[0]))
    for node in nodes:
        if type(node) is ast.Starred:
            unpacked = iterate(parser, parser.value(node.value), node.value)
            check_budget(parser, unpacked, node)
            values += unpacked
        else:
            values.append(parser.value(node))
    return values


def dict_display(parser: Reader, node: ast.Dict) -> object:
    """Evaluate `{"key": value}`."""
    result: dict[object, object] = {}
    if len(node.keys) > MAX_PARTS:
        raise ValueTooLarge(what=f"writing {len(node.keys)} values", span=parser.span(node))
    for key, item in zip(node.keys, node.values, strict=True):
        if key is None:
            unpacked = parser.value(item)
            if not isinstance(unpacked, Mapping):
                raise InvalidOperation(what="**", reason=f"{describe(unpacked)} is no mapping", span=parser.span(item))
            result.update(unpacked)
            continue
        key_ = parser.value(key)
        if not isinstance(key_, (str, int, float, Node, ScriptValue)):
            raise InvalidOperation(what="a key", reason=f"{describe(key_)} cannot be one", span=parser.span(key))
        result[key_] = parser.value(item)
    return check_size(parser, result, node)


def joined(parser: Reader, node: Any) -> object:
    """Evaluate an f-string over Python values. Python 3.11 knows no places inside of it: errors are at the whole."""
    parts: list[str] = []
    if len(node.values) > MAX_PARTS:
        raise ValueTooLarge(what="an f-string", span=parser.span(node))
    for part in node.values:
        if type(part) is ast.Constant:
            parts.append(str(part.value))
            continue
        value = parser.value(part.value)
        if part.format_spec is not None and parser.closure is None:
            raise UnsupportedSyntax(what="a format specification", span=parser.span(node))
        if isinstance(value, Expr) or not (parser.closure or isinstance(value, (str, int, float))):
            raise InvalidOperation(what="an f-string", reason=f"{describe(value)} is not a Python value",
                                   span=parser.span(node))  # fmt: skip
        spec = joined(parser, part.format_spec) if part.format_spec is not None else ""
        parts.append(parser.guarded(node, "an f-string", _formatted, value, part.conversion, spec))
    if sum(map(len, parts)) > MAX_LENGTH:
        raise ValueTooLarge(what="an f-string", span=parser.span(node))
    return check_budget(parser, "".join(parts), node)


def iterate(parser: Reader, value: object, node: object) -> list[object]:
    """Return the elements of a Python value."""
    value = python_value(value)
    if parser.closure is None and not isinstance(value, (tuple, list, dict, str, range)):
        raise InvalidOperation(what="iteration", reason=f"{describe(value)} has no elements", span=parser.span(node))
    if isinstance(value, range) and len(value) > MAX_LENGTH:
        raise ValueTooLarge(what="a range", span=parser.span(node))
    return parser.guarded(node, "iteration", list, value)


def comprehension(parser: Reader, node: Any) -> object:
    """Evaluate a comprehension over Python values, in decorated functions."""
    if parser.closure is None:
        raise UnsupportedSyntax(what=construct_name(node), span=parser.span(node), hint=about_construct(node))
    items_: list[Any] = []
    mark = parser.scope.enter()
    generate(parser, node, node.generators, items_)
    parser.scope.leave(mark)
    if type(node) is ast.DictComp:
        return dict(items_)
    return items_


def generate(parser: Reader, node: Any, generators: list[Any], results: list[Any]) -> None:
    """Evaluate the `for` clauses of a comprehension, outermost first."""
    if not generators:
        if type(node) is ast.DictComp:
            results.append((parser.value(node.key), parser.value(node.value)))
        else:
            results.append(parser.value(node.elt))
        if len(results) > MAX_LENGTH:
            raise ValueTooLarge(what="a comprehension", span=parser.span(node))
        return
    first, *rest = generators
    for item in iterate(parser, parser.value(first.iter), first.iter):
        mark = parser.scope.enter()
        bind_target(parser, first.target, item)
        if all(parser.is_true(parser.value(test), test) for test in first.ifs):
            generate(parser, node, rest, results)
        parser.scope.leave(mark)


def unpack(parser: Reader, target: Any, values: Sequence[object]) -> list[tuple[object, object]]:
    """Pair the parts of a target with values; a starred part takes the remaining ones.

    Raises `WrongTargetCount`.
    """
    parts = target.elts
    stars = [place for place, part in enumerate(parts) if type(part) is ast.Starred]
    if len(stars) == 1 and len(parts) - 1 <= len(values):
        (place,), after = stars, len(values) - (len(parts) - stars[0] - 1)
        parts = [*parts[:place], parts[place].value, *parts[place + 1 :]]
        values = [*values[:place], list(values[place:after]), *values[after:]]
    if len(parts) != len(values) or len(stars) > 1:
        raise WrongTargetCount(names=len(parts), values=len(values), span=parser.span(target))
    return list(zip(parts, values, strict=True))


def bind_target(parser: Reader, target: Any, value: object) -> None:
    """Bind the names of a target to Python values."""
    if type(target) is ast.Name:
        parser.scope.define(target.id, value)
    elif type(target) in (ast.Tuple, ast.List):
        for part, item in unpack(parser, target, iterate(parser, value, target)):
            bind_target(parser, part, item)
    else:
        raise UnsupportedSyntax(what=construct_name(target), span=parser.span(target))


def _formatted(value: object, conversion: int, spec: str) -> str:
    if conversion == ord("r"):
        value = repr(value)
    elif conversion == ord("s"):
        value = str(value)
    elif conversion == ord("a"):
        value = ascii(value)
    return format(value, spec)


def python_value(value: object) -> object:
    """Convert a value of the script to what Python code expects: `range(4)` becomes a range."""
    if isinstance(value, Loops) and value.is_range:
        loop = value.loops[0]
        if isinstance(loop.min, IntImm) and isinstance(loop.extent, IntImm) and loop.step is None:
            return range(loop.min.value, loop.min.value + loop.extent.value)
    return value
