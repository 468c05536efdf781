"""Extract lanes of vector expressions."""

from __future__ import annotations

from tvmscript.ir.arith import fold
from tvmscript.ir.core import CallEffect, Op
from tvmscript.ir.tir import BinaryOp, Broadcast, BufferLoad, Call, Cast, Expr, IntImm, Not, Ramp, Select, Shuffle, cast

#: vectors of more lanes are not looked at lane by lane
_MOST_LANES = 64


def ends_of(index: Expr) -> list[Expr] | None:
    """Return scalars that bound all lanes of an index; None if there is no scalar form.

    A ramp lies between its first and its last lane; of other vectors these are all lanes.
    """
    lanes = index.dtype.lanes
    if lanes == 1:
        return [index]
    if lanes < 0 or (lanes > _MOST_LANES and not isinstance(index, Ramp)):
        return None
    numbers = (0, lanes - 1) if isinstance(index, Ramp) else range(lanes)
    scalars = [lane(index, IntImm(index.dtype.element, number)) for number in numbers]
    present = [scalar for scalar in scalars if scalar is not None]
    return present if len(present) == len(scalars) else None


def lane(expr: Expr, number: Expr) -> Expr | None:
    """Return the scalar in a lane of a vector; None if there is no scalar form. A scalar is returned itself.

    The number of the lane may be a variable.
    """
    if expr.dtype.lanes == 1:
        return expr
    if isinstance(expr, Ramp):
        return fold.add(expr.base, fold.mul(expr.stride, cast(expr.stride.dtype, number)))
    if isinstance(expr, Broadcast):
        return expr.value
    if isinstance(expr, Shuffle):
        return _of_shuffle(expr, number)
    if isinstance(expr, BufferLoad) and expr.buffer.dtype.lanes == 1 and expr.predicate is None:
        last = lane(expr.indices[-1], number)
        return None if last is None else BufferLoad(expr.buffer, (*expr.indices[:-1], last))
    parts = _parts(expr)
    lanes = [] if parts is None else [lane(part, number) for part in parts]
    scalars = tuple([scalar for scalar in lanes if scalar is not None])
    if parts is None or len(scalars) != len(lanes):
        return None
    if isinstance(expr, Cast):
        return Cast(expr.dtype.element, scalars[0])
    if isinstance(expr, Call):
        return Call(expr.dtype.element, expr.op, scalars)
    if isinstance(expr, BinaryOp):
        return type(expr)(*scalars)
    return Not(*scalars) if isinstance(expr, Not) else Select(*scalars)


def _parts(expr: Expr) -> tuple[Expr, ...] | None:
    """The operands of an operation that works lane by lane; None for anything else."""
    if isinstance(expr, BinaryOp):
        return expr.a, expr.b
    if isinstance(expr, Select):
        return expr.condition, expr.true_value, expr.false_value
    if isinstance(expr, Not):
        return (expr.a,)
    if isinstance(expr, Cast):
        return (expr.value,)
    if isinstance(expr, Call) and isinstance(expr.op, Op) and expr.op.effect is CallEffect.PURE:
        return expr.args if all(arg.dtype.lanes in (1, expr.dtype.lanes) for arg in expr.args) else None
    return None


def _of_shuffle(expr: Shuffle, number: Expr) -> Expr | None:
    picked = expr.indices[number.value] if isinstance(number, IntImm) else None
    if not isinstance(picked, IntImm):
        return None
    at = picked.value
    for vector in expr.vectors:
        if at < vector.dtype.lanes:
            return lane(vector, IntImm(number.dtype, at))
        at -= vector.dtype.lanes
    return None
