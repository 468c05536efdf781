"""Unrolled loops that a code generator unrolls: their iterations differ in constants of addresses alone."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.tir import BufferLoad, Call, Expr, IntImm, Stmt, Var, uses
from tvmscript.ir.tir.expr import Add, And, Broadcast, CompareOp, Div, FloatImm, Max, Min, Mul, Ramp, Sub
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, IfThenElse

_ARITHMETIC: Final = (Add, Sub, Mul, Div, Min, Max)


def is_vector_store_nest(loop: For, max_stores: int) -> bool:
    """Return whether unrolled loops of at most so many iterations are around one store of vectors, in linear places.

    Conditions depend on the variables of the loops alone.
    """
    loops = set[Var]()
    body: Stmt = loop
    while isinstance(body, For):
        if body.kind is not ForKind.UNROLLED or not isinstance(body.extent, IntImm) or not is_const(body.min, 0):
            return False
        loops.add(body.loop_var)
        max_stores //= max(body.extent.value, 1)
        body = body.body
    if isinstance(body, IfThenElse):
        if body.else_case is not None or not _decides(body.condition, loops):
            return False
        body = body.then_case
    if max_stores < 1 or not isinstance(body, BufferStore) or body.value.dtype.lanes == 1:
        return False
    return body.predicate is None and all(map(_is_linear, body.indices)) and _is_plain(body.value, loops)


def _decides(condition: Expr, loops: set[Var]) -> bool:
    """Return whether the variables of unrolled loops decide a condition, which has comparisons of sums alone."""
    if isinstance(condition, And):
        return _decides(condition.a, loops) and _decides(condition.b, loops)
    is_sum = isinstance(condition, CompareOp) and _is_linear(condition.a) and _is_linear(condition.b)
    return is_sum and uses(condition) <= loops


def _is_linear(index: Expr) -> bool:
    if isinstance(index, Ramp):
        return is_const(index.stride, 1) and _is_linear(index.base)
    if isinstance(index, (Add, Sub)):
        return _is_linear(index.a) and _is_linear(index.b)
    if isinstance(index, Mul):
        return isinstance(index.b, IntImm) and _is_linear(index.a)
    return isinstance(index, (Var, IntImm)) and index.dtype.is_signed


def _is_plain(value: Expr, loops: set[Var]) -> bool:
    if isinstance(value, BufferLoad):
        return value.predicate is None and all(map(_is_linear, value.indices))
    if isinstance(value, _ARITHMETIC):
        return _is_plain(value.a, loops) and _is_plain(value.b, loops)
    if isinstance(value, Broadcast):
        return _is_plain(value.value, loops)
    if isinstance(value, Call) and value.op is if_then_else_:
        condition, *values = value.args
        return _decides(condition, loops) and all(_is_plain(each, loops) for each in values)
    return isinstance(value, FloatImm)
