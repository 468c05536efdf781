"""Operators and subscripts with Relax operands."""

from __future__ import annotations

import ast
from typing import Any, Final

from tvmscript.ir.core import Op, Span, TVMScriptError
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Constant, PrimValue, Tuple, TupleGetItem
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm, as_expr, const
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import InvalidOperation, NotAnExpression, UnsupportedSyntax, refused
from tvmscript.parser.python.evaluator import EXPRESSIONS, Handler
from tvmscript.parser.python.operations import SYMBOLS
from tvmscript.parser.python.operators import apply, compare_with, unary_of
from tvmscript.parser.relax.error_location import refused_operand
from tvmscript.parser.relax.reader import ValueReader
from tvmscript.parser.tir.constant_data import constant_array

#: operator of Python -> Relax operator
_BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "relax.add",
    ast.Sub: "relax.subtract",
    ast.Mult: "relax.multiply",
    ast.Div: "relax.divide",
    ast.FloorDiv: "relax.floor_divide",
    ast.Mod: "relax.mod",
    ast.Pow: "relax.power",
}
_COMPARE: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "relax.less",
    ast.LtE: "relax.less_equal",
    ast.Gt: "relax.greater",
    ast.GtE: "relax.greater_equal",
}
_WORDS: Final[dict[type[ast.cmpop], str]] = {ast.Eq: "R.equal", ast.NotEq: "R.not_equal"}


def as_constant(value: float | int, span: Span) -> Constant:
    """Convert a Python number to a constant of dtype bool, int32 or float32."""
    scalar = const(value, None, span)
    return Constant(constant_array(value, scalar.dtype, (), span), scalar.dtype, span=span)


def as_prim(value: object, span: Span) -> PrimValue:
    """Convert a scalar to a PrimValue; Python integers become int64."""
    return PrimValue(const(int(value), "int64", span) if isinstance(value, int) else as_expr(value), span=span)


def _call(parser: ValueReader, node: object, name: str, *args: Any) -> Call:
    span = parser.span(node)
    for arg, place in zip(args, _places(node), strict=True):
        if not isinstance(arg, RelaxExpr):
            hint = f'write R.const({arg}, "float32")' if isinstance(arg, (int, float)) else None
            raise NotAnExpression(what=describe(arg), span=parser.span(place), hint=hint)
    try:
        return Call(Op.get(name), args, span=span)
    except TVMScriptError as error:
        raise refused_operand(parser.tree, _places(node), error, node) from error


def _places(node: Any) -> list[object]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [node.left, node.comparators[0]] if isinstance(node, ast.Compare) else [node.operand]


def _binary(parser: ValueReader, node: ast.BinOp) -> object:
    """Evaluate `a + b`."""
    left, right = parser.operand(parser.value(node.left)), parser.operand(parser.value(node.right))
    if not isinstance(left, RelaxExpr) and not isinstance(right, RelaxExpr):
        return apply(parser, node, type(node.op), left, right)
    name = _BINARY.get(type(node.op))
    if name is None:
        what = f"the operator {SYMBOLS[type(node.op)]} on Relax values"
        hint = "write R.matmul(a, b)" if isinstance(node.op, ast.MatMult) else None
        raise UnsupportedSyntax(what=what, span=parser.span(node), hint=hint)
    return _call(parser, node, name, left, right)


def _unary(parser: ValueReader, node: ast.UnaryOp) -> object:
    """Evaluate `-a`."""
    value = parser.operand(parser.value(node.operand))
    if not isinstance(value, RelaxExpr):
        return unary_of(parser, node, value)
    if not isinstance(node.op, ast.USub):
        hint = "write R.logical_not(a)" if isinstance(node.op, ast.Not) else None
        raise UnsupportedSyntax(what="this operator on Relax values", span=parser.span(node), hint=hint)
    return _call(parser, node, "relax.negative", value)


def _compare(parser: ValueReader, node: ast.Compare) -> object:
    """Evaluate `a < b`."""
    left = parser.operand(parser.value(node.left))
    if len(node.ops) == 1 and isinstance(left, RelaxExpr):
        kind = type(node.ops[0])
        name = _COMPARE.get(kind)
        if name is None:
            hint = f"write {_WORDS[kind]}(a, b)" if kind in _WORDS else None
            what = "this comparison of Relax values"
            raise UnsupportedSyntax(what=what, span=parser.span(node), hint=hint)
        return _call(parser, node, name, left, parser.value(node.comparators[0]))
    return compare_with(parser, node, left)


def _subscript(parser: ValueReader, node: ast.Subscript) -> object:
    """Evaluate `x[0]`, a field of a tuple."""
    owner = parser.value(node.value)
    if not isinstance(owner, RelaxExpr):
        return parser.element(owner, node)
    index = parser.value(node.slice)
    if isinstance(index, IntImm):
        index = index.value
    if not isinstance(index, int):
        reason = "the index of a tuple must be an integer"
        raise InvalidOperation(what="[]", reason=reason, span=parser.span(node.slice))
    owner_info = owner.struct_info
    if owner_info is not None and not isinstance(owner_info, (TupleStructInfo, ObjectStructInfo)):
        hint = "R.take(x, R.const(0), axis=0) takes elements of tensors"
        raise InvalidOperation(what="[]", reason="the value is not a tuple", span=parser.span(node.value), hint=hint)
    try:
        item = TupleGetItem(owner, index, span=parser.span(node))
    except TVMScriptError as error:
        diagnostic = refused(error, parser.span(node.slice))
        diagnostic.span = parser.span(node.slice)
        raise diagnostic from error
    return owner.fields[index] if isinstance(owner, Tuple) else item


#: node type -> function that evaluates it
RELAX_EXPRESSIONS: Final[dict[type, Handler]] = {
    **EXPRESSIONS,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.Subscript: _subscript,
}
