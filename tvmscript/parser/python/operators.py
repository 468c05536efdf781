"""Operators: IR nodes if an operand is an expression, Python operations otherwise."""

from __future__ import annotations

import ast
from typing import Any

from tvmscript.ir.core import GlobalVar
from tvmscript.ir.core.python_settings import MAX_NESTING
from tvmscript.ir.tir import And, Buffer, BufferRegion, Or, operators, rename_definitions
from tvmscript.ir.tir.base import OPERATORS, Expr
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.slices import region_load
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import (
    InvalidCondition,
    InvalidOperation,
    NotAnExpression,
    UnsupportedSyntax,
    ValueTooLarge,
)
from tvmscript.parser.diagnostics.hints import about_comparison, expression_hint
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python import operations
from tvmscript.parser.python.literals import check_budget, check_size
from tvmscript.parser.python.script_values import ScriptValue
from tvmscript.parser.reader import Reader


def binary(parser: Reader, node: ast.BinOp) -> object:
    """Evaluate `a + b`."""
    left = parser.value(node.left)
    right = parser.value(node.right)
    if isinstance(left, BufferRegion):
        left = region_load(left)
    if isinstance(right, BufferRegion):
        right = region_load(right)
    return apply(parser, node, type(node.op), left, right)


def apply(parser: Reader, node: ast.AST, op: type, left: object, right: object) -> object:
    """Apply a binary operator: construct IR if an operand is an expression, compute in Python otherwise."""
    if isinstance(left, Expr) or isinstance(right, Expr):
        build = operations.BINARY.get(op)
        span = parser.span(node)
        if build is None:
            if isinstance(right, ScriptValue):
                return _script_binary(parser, node, op, left, right)
            raise UnsupportedSyntax(what=f"the operator {operations.SYMBOLS[op]} on expressions", span=span,
                                    hint="write T.pow(a, b)" if op is ast.Pow else None)  # fmt: skip
        if not isinstance(left, Expr):
            if isinstance(left, ScriptValue):
                return _script_binary(parser, node, op, left, right)
            check_operand(parser, left, getattr(node, "left", node))
        if not isinstance(right, Expr):
            if isinstance(right, ScriptValue):
                return _script_binary(parser, node, op, left, right)
            check_operand(parser, right, getattr(node, "right", node))
        return parser.build(span, build, left, right)
    return python_binary(parser, node, op, left, right)


def check_operand(parser: Reader, value: object, node: ast.AST) -> None:
    """Check that an operand is a number or an expression. Raises `NotAnExpression`."""
    if not isinstance(value, (int, float, Expr)) and not (parser.closure and operations.is_number(value)):
        raise NotAnExpression(what=describe(value), span=parser.span(node), hint=expression_hint(value))


def refuse_buffers(parser: Reader, node: object, *operands: object) -> None:
    """Raise `NotAnExpression` if an operand is a buffer, or a construct that is not called."""
    for value in operands:
        if isinstance(value, (Buffer, Builtin, GlobalVar)):
            raise NotAnExpression(what=describe(value), span=parser.span(node), hint=expression_hint(value)) from None


def python_binary(parser: Reader, node: object, op: type, left: object, right: object) -> object:
    """Apply a binary operator to Python values, with a limit on the size of the result."""
    if isinstance(left, ScriptValue) or isinstance(right, ScriptValue):
        return _script_binary(parser, node, op, left, right)
    if parser.closure is None and not (isinstance(left, operations.PLAIN) and isinstance(right, operations.PLAIN)):
        culprit = left if not isinstance(left, operations.PLAIN) else right
        raise NotAnExpression(what=describe(culprit), span=parser.span(node), hint=expression_hint(culprit))
    if operations.too_large(op, left, right):
        raise ValueTooLarge(what=f"the operator {operations.SYMBOLS[op]}", span=parser.span(node))
    try:
        what = f"the operator {operations.SYMBOLS[op]}"
        result = parser.guarded(node, what, operations.PYTHON_BINARY[op], left, right)
    except InvalidOperation:
        refuse_buffers(parser, node, left, right)
        raise
    return check_size(parser, result, node) if isinstance(result, (tuple, list)) else check_budget(parser, result, node)


def _script_binary(parser: Reader, node: object, op: type, left: Any, right: Any) -> object:
    """Apply the operator that one of the operands computes itself."""
    symbol = operations.SYMBOLS[op]
    what = f"the operator {symbol}"
    if isinstance(left, ScriptValue):
        return parser.guarded(node, what, left.apply, symbol, right, True)
    return parser.guarded(node, what, right.apply, symbol, left, False)


def unary(parser: Reader, node: ast.UnaryOp) -> object:
    """Evaluate `-a`, `~a` or `not a`."""
    return unary_of(parser, node, parser.value(node.operand))


def unary_of(parser: Reader, node: ast.UnaryOp, value: object) -> object:
    """Apply a unary operator to a value."""
    if isinstance(value, BufferRegion):
        value = region_load(value)
    op = type(node.op)
    if isinstance(value, Expr):
        if op is ast.Not and value.dtype.is_integer and not value.dtype.element.is_bool:
            hint = "write == 0 instead of not"
            raise InvalidCondition(what=describe(value), span=parser.span(node.operand), hint=hint)
        return parser.build(parser.span(node), operations.UNARY[op], value)
    if op is ast.Not:
        return not parser.is_true(value, node.operand)
    try:
        return parser.guarded(node, "an operator", operations.PYTHON_UNARY[op], value)
    except InvalidOperation:
        refuse_buffers(parser, node, value)
        raise


def compare(parser: Reader, node: ast.Compare) -> object:
    """Evaluate `a < b`; `a < b < c` is `a < b and b < c`."""
    if len(node.ops) > MAX_NESTING:
        parser.too_deep(node)
    return compare_with(parser, node, parser.value(node.left))


def compare_with(parser: Reader, node: ast.Compare, left: object) -> object:
    """Evaluate a chain of comparisons whose first operand is `left`."""
    result: object = None
    for op, item in zip(node.ops, node.comparators, strict=True):
        right = parser.value(item)
        if result is not None and isinstance(left, Expr):
            # both comparisons define its variables
            left = parser.guarded(node, "a comparison", rename_definitions, left)
        condition = comparison(parser, node, type(op), left, right)
        result = condition if result is None else conjunction(parser, node, And, result, condition)
        left = right
    return result


def as_bool(value: object, other: object) -> object:
    """Return 0 and 1 beside a condition as False and True, as TVM reads `(a < b) == 0`."""
    is_bit = type(value) is int and value in (0, 1)
    return bool(value) if is_bit and isinstance(other, Expr) and other.dtype.element.is_bool else value


def comparison(parser: Reader, node: ast.AST, op: type, left: object, right: object) -> object:
    """Apply one comparison of a chain."""
    if isinstance(left, BufferRegion):
        left = region_load(left)
    if isinstance(right, BufferRegion):
        right = region_load(right)
    if (isinstance(left, Expr) or isinstance(right, Expr)) and op in operations.COMPARE:
        check_operand(parser, left, node)
        check_operand(parser, right, node)
        left, right = as_bool(left, right), as_bool(right, left)
        return parser.build(parser.span(node), operations.COMPARE[op], left, right)
    if parser.closure is None and not (isinstance(left, operations.SIMPLE) and isinstance(right, operations.SIMPLE)):
        if isinstance(left, Expr) or isinstance(right, Expr):
            what = f"the operator {operations.WORDS[op]} on expressions"
            raise UnsupportedSyntax(what=what, span=parser.span(node), hint=about_comparison(op))
        culprit = left if not isinstance(left, operations.SIMPLE) else right
        raise NotAnExpression(what=describe(culprit), span=parser.span(node), hint=expression_hint(culprit))
    check_budget(parser, left, node)
    check_budget(parser, right, node)
    try:
        return parser.guarded(node, "a comparison", operations.PYTHON_COMPARE[op], left, right)
    except InvalidOperation:
        refuse_buffers(parser, node, left, right)
        raise


def boolean(parser: Reader, node: ast.BoolOp) -> object:
    """Evaluate `a and b` or `a or b`."""
    join = And if type(node.op) is ast.And else Or
    if len(node.values) > MAX_NESTING:
        parser.too_deep(node)
    result = parser.value(node.values[0])
    for item in node.values[1:]:
        if not isinstance(result, Expr) and parser.is_true(result, node) is (join is Or):
            return result  # short-circuit
        result = conjunction(parser, node, join, result, parser.value(item), item)
    return result


def conjunction(
    parser: Reader, node: ast.AST, join: type, left: object, right: object, last: ast.AST | None = None
) -> object:
    """Apply `and` or `or`; `last` is the node of the right operand."""
    if not isinstance(left, Expr) and not isinstance(right, Expr):
        return right if parser.is_true(left, node) is (join is And) else left
    for item, place in ((left, getattr(node, "values", [node])[0]), (right, last or node)):
        check_operand(parser, item, place)
        if isinstance(item, Expr) and not item.dtype.element.is_bool:
            hint = "write != 0 after it" if item.dtype.is_integer else None
            raise InvalidCondition(what=describe(item), span=parser.span(place), hint=hint)
    if any(isinstance(item, Expr) and item.dtype.is_vector for item in (left, right)):
        return parser.build(parser.span(node), OPERATORS["bitwise_and" if join is And else "bitwise_or"], left, right)
    return parser.build(parser.span(node), operators.logical_and if join is And else operators.logical_or, left, right)


def conditional(parser: Reader, node: Any) -> object:
    """Evaluate `a if condition else b`."""
    test = parser.value(node.test)
    if not isinstance(test, Expr):
        return parser.value(node.body if parser.is_true(test, node) else node.orelse)
    first, second = parser.expr(node.body), parser.expr(node.orelse)
    return parser.build(parser.span(node), SURFACE["if_then_else"], test, first, second)
