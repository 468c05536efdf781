"""Structural keys and equality of expressions: equal keys are equal values at the same point of a program."""

from __future__ import annotations

import struct

from tvmscript.ir.core import CallEffect, Node, Op
from tvmscript.ir.tir import BinaryOp, Call, Expr, FloatImm, IntImm, Let


def structural_key(value: object) -> object:
    """Return a key that is equal for expressions of the same structure.

    Names are compared by identity, and so are calls with side effects and lets.
    """
    if isinstance(value, Node):
        if value.is_name:
            return value
        if isinstance(value, FloatImm):
            return FloatImm, value.dtype, struct.pack("d", value.value)
        is_unique = isinstance(value, Let) or (
            isinstance(value, Call) and (not isinstance(value.op, Op) or value.op.effect > CallEffect.READ_STATE)
        )
        if is_unique:
            return value
        return (type(value), *map(structural_key, value.schema.compared_of(value)))
    if isinstance(value, (tuple, list)):
        return tuple([structural_key(item) for item in value])
    return value


def expr_deep_equal(a: Expr, b: Expr) -> bool:
    """Whether two expressions have the same structure, names compared by identity.

    Unlike `structural_equal` it maps no names: `let x = 1 in x` is not `let y = 1 in y`.
    """
    if a is b:
        return True
    if type(a) is not type(b) or a.is_name:
        return False
    if isinstance(a, BinaryOp) and isinstance(b, BinaryOp):
        return (a.a is b.a or expr_deep_equal(a.a, b.a)) and (a.b is b.b or expr_deep_equal(a.b, b.b))
    if isinstance(a, IntImm) and isinstance(b, IntImm):
        return a.value == b.value and a.dtype is b.dtype
    return all(_deep_equal(getattr(a, name), getattr(b, name)) for name, _ in a.schema.compared)


def _deep_equal(a: object, b: object) -> bool:
    if isinstance(a, Expr):
        return isinstance(b, Expr) and expr_deep_equal(a, b)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(_deep_equal, a, b))
    if isinstance(a, float):
        return isinstance(b, float) and struct.pack("d", a) == struct.pack("d", b)
    return a is b or (not isinstance(a, Node) and type(a) is type(b) and bool(a == b))
