"""Operators and elements of a text that are those of the graph level where an operand is one of its values."""

from __future__ import annotations

import ast
from typing import Any, Final

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Constant, PrimValue, Tuple, TupleGetItem
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TupleStructInfo
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.operators import as_expr, const
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import (
    InvalidOperation,
    NotAnExpression,
    UnsupportedSyntax,
    refused,
)
from tvmscript.parser.python.evaluator import EXPRESSIONS, Handler
from tvmscript.parser.python.operations import SYMBOLS
from tvmscript.parser.python.operators import apply, compare_with, unary_of
from tvmscript.parser.relax.error_location import refused_operand
from tvmscript.parser.relax.reader import ValueReader
from tvmscript.parser.tir.constant_data import constant_array

#: operator of Python -> operator of the graph level
_BINARY: Final = {
    ast.Add: "relax.add",
    ast.Sub: "relax.subtract",
    ast.Mult: "relax.multiply",
    ast.Div: "relax.divide",
    ast.FloorDiv: "relax.floor_divide",
    ast.Mod: "relax.mod",
    ast.Pow: "relax.power",
}
_COMPARE: Final = {
    ast.Lt: "relax.less",
    ast.LtE: "relax.less_equal",
    ast.Gt: "relax.greater",
    ast.GtE: "relax.greater_equal",
}
_WORDS: Final = {ast.Eq: "R.equal", ast.NotEq: "R.not_equal"}


def as_constant(value: float | int, span: Span) -> Constant:
    """A number of Python as a constant: bool, int32 or float32."""
    made = const(value, None, span)
    return Constant(constant_array(value, made.dtype, (), span), made.dtype, span=span)


def as_prim(value: Any, span: Span) -> PrimValue:
    """A scalar as a value: Python's integers are int64."""
    return PrimValue(const(int(value), "int64", span) if isinstance(value, int) else as_expr(value), span=span)


def _call(parser: ValueReader, node: Any, name: str, *args: Any) -> Call:
    span = parser.span(node)
    for arg, place in zip(args, _places(node), strict=True):
        if not isinstance(arg, RelaxExpr):
            hint = f'write R.const({arg}, "float32")' if isinstance(arg, int | float) else None
            raise NotAnExpression(what=describe(arg), span=parser.span(place), hint=hint)
    try:
        return Call(Op.get(name), args, span=span)
    except TVMScriptError as error:
        raise refused_operand(parser.tree, _places(node), error, node) from error


def _places(node: Any) -> list[Any]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [node.left, node.comparators[0]] if isinstance(node, ast.Compare) else [node.operand]


def _binary(parser: ValueReader, node: Any) -> Any:
    """`a + b`."""
    left, right = parser.operand(parser.value(node.left)), parser.operand(parser.value(node.right))
    if not isinstance(left, RelaxExpr) and not isinstance(right, RelaxExpr):
        return apply(parser, node, type(node.op), left, right)
    name = _BINARY.get(type(node.op))
    if name is None:
        what = f"the operator {SYMBOLS[type(node.op)]} on values of the graph level"
        hint = "write R.matmul(a, b)" if isinstance(node.op, ast.MatMult) else None
        raise UnsupportedSyntax(what=what, span=parser.span(node), hint=hint)
    return _call(parser, node, name, left, right)


def _unary(parser: ValueReader, node: Any) -> Any:
    """`-a`."""
    value = parser.operand(parser.value(node.operand))
    if not isinstance(value, RelaxExpr):
        return unary_of(parser, node, value)
    if not isinstance(node.op, ast.USub):
        hint = "write R.logical_not(a)" if isinstance(node.op, ast.Not) else None
        raise UnsupportedSyntax(what="this operator on values of the graph level", span=parser.span(node), hint=hint)
    return _call(parser, node, "relax.negative", value)


def _compare(parser: ValueReader, node: Any) -> Any:
    """`a < b`."""
    left = parser.operand(parser.value(node.left))
    if len(node.ops) == 1 and isinstance(left, RelaxExpr):
        kind = type(node.ops[0])
        name = _COMPARE.get(kind)
        if name is None:
            hint = f"write {_WORDS[kind]}(a, b)" if kind in _WORDS else None
            what = "this comparison of values of the graph level"
            raise UnsupportedSyntax(what=what, span=parser.span(node), hint=hint)
        return _call(parser, node, name, left, parser.value(node.comparators[0]))
    return compare_with(parser, node, left)


def _subscript(parser: ValueReader, node: Any) -> Any:
    """`x[0]`: one of several values."""
    owner = parser.value(node.value)
    if not isinstance(owner, RelaxExpr):
        return parser.element(owner, node)
    index = parser.value(node.slice)
    if isinstance(index, IntImm):
        index = index.value
    if not isinstance(index, int):
        reason = "the index of a tuple is a number"
        raise InvalidOperation(what="[]", reason=reason, span=parser.span(node.slice))
    known = owner.struct_info
    if known is not None and not isinstance(known, TupleStructInfo | ObjectStructInfo):
        hint = "R.take(x, R.const(0), axis=0) takes elements of tensors"
        raise InvalidOperation(what="[]", reason="that is no tuple", span=parser.span(node.value), hint=hint)
    try:
        return item_of(owner, index, parser.span(node))
    except TVMScriptError as error:
        made = refused(error, parser.span(node.slice))
        made.span = parser.span(node.slice)
        raise made from error


def item_of(owner: RelaxExpr, index: int, span: Span | None) -> Any:
    """One of several values; of a tuple that is written out, what is written there. Raises `WrongType`."""
    made = TupleGetItem(owner, index, span=span)
    return owner.fields[index] if isinstance(owner, Tuple) else made


#: node type -> how its value is found
RELAX_EXPRESSIONS: Final[dict[type, Handler]] = {
    **EXPRESSIONS,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.Subscript: _subscript,
}
