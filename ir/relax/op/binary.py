"""Operators of two tensors or scalars, element by element, broadcast as NumPy does."""

from __future__ import annotations

from tvmscript.ir.core.dtype import BOOL, VOID, DType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.shape_rules import (
    ONE,
    are_identical,
    broadcast_extents,
    describe_kind,
    make_tensor,
    max_ndim,
    struct_info_of,
    tensor_of_ndim,
    unify_vdevices,
)
from tvmscript.ir.relax.operator import Operator, Reference, invalid_argument
from tvmscript.ir.relax.struct_info import PrimStructInfo, TensorStructInfo


def _arithmetic(call: Call) -> StructInfo:
    """One dtype in, the same out."""
    left, right = _operand(call, 0), _operand(call, 1)
    if VOID in (left.dtype, right.dtype):
        return _broadcast(call, left, right, VOID)
    if left.dtype is not right.dtype:
        raise invalid_argument(call, 1, f"{left.dtype}, as {call.op.arguments[0].name}", right.dtype)
    return _broadcast(call, left, right, left.dtype)


def _comparison(call: Call) -> StructInfo:
    """Any dtypes in, bool out."""
    return _broadcast(call, _operand(call, 0), _operand(call, 1), BOOL)


def _operand(call: Call, position: int) -> TensorStructInfo | PrimStructInfo:
    found = struct_info_of(call, position)
    if isinstance(found, TensorStructInfo | PrimStructInfo):
        return found
    raise invalid_argument(call, position, "a tensor or a scalar", describe_kind(found))


def _broadcast(
    call: Call, left: TensorStructInfo | PrimStructInfo, right: TensorStructInfo | PrimStructInfo, dtype: DType
) -> StructInfo:
    if isinstance(left, PrimStructInfo) and isinstance(right, PrimStructInfo):
        return PrimStructInfo(dtype)
    a, b = _as_tensor(left), _as_tensor(right)
    vdevice = unify_vdevices(call, (a, b))
    if a.extents is not None and b.extents is not None:
        made = broadcast_extents(call, 1, a.extents, b.extents)
        for each in (a, b):
            if made is not None and are_identical(made, each.extents):
                return TensorStructInfo(each.shape, dtype, vdevice=vdevice)
        return make_tensor(made, max(a.ndim, b.ndim), dtype, vdevice)
    if a.shape is not None and a.shape is b.shape:
        return TensorStructInfo(a.shape, dtype, vdevice=vdevice)
    return tensor_of_ndim(max_ndim(a.ndim, b.ndim), dtype, vdevice)


def _as_tensor(found: TensorStructInfo | PrimStructInfo) -> TensorStructInfo:
    """A scalar counts as a tensor of one element."""
    return found if isinstance(found, TensorStructInfo) else TensorStructInfo((ONE,), found.dtype)


def _binary(name: str, reference: Reference, doc: str) -> Operator:
    return Operator(
        name, "x1: Expr, x2: Expr", _arithmetic, mixed_precision="follow", layout="binary", reference=reference, doc=doc
    )


def _compare(name: str, reference: Reference, doc: str) -> Operator:
    return Operator(
        name, "x1: Expr, x2: Expr", _comparison, mixed_precision="follow", layout="binary", reference=reference, doc=doc
    )


add = _binary("add", lambda np, a, b: np.add(a, b), "x1 + x2.")
subtract = _binary("subtract", lambda np, a, b: np.subtract(a, b), "x1 - x2.")
multiply = _binary("multiply", lambda np, a, b: np.multiply(a, b), "x1 * x2.")
divide = _binary(
    "divide", lambda np, a, b: np.divide(a, b).astype(a.dtype), "x1 / x2; of integers, rounded towards zero."
)
floor_divide = _binary("floor_divide", lambda np, a, b: np.floor_divide(a, b).astype(a.dtype), "x1 / x2, rounded down.")
power = _binary("power", lambda np, a, b: np.power(a, b).astype(a.dtype), "x1 to the power of x2.")
maximum = _binary("maximum", lambda np, a, b: np.maximum(a, b), "The larger one.")
minimum = _binary("minimum", lambda np, a, b: np.minimum(a, b), "The smaller one.")

atan2 = _binary("atan2", lambda np, a, b: np.arctan2(a, b).astype(a.dtype), "The angle of the point (x2, x1).")
floor_mod = _binary(
    "floor_mod", lambda np, a, b: np.mod(a, b).astype(a.dtype), "What is left of x1 / x2, with the sign of x2."
)
log_add_exp = _binary("log_add_exp", lambda np, a, b: np.logaddexp(a, b).astype(a.dtype), "log(exp(x1) + exp(x2)).")
mod = _binary("mod", lambda np, a, b: np.fmod(a, b).astype(a.dtype), "What is left of x1 / x2, with the sign of x1.")

left_shift = _binary("left_shift", lambda np, a, b: np.left_shift(a, b).astype(a.dtype), "Bits moved to the left.")
right_shift = _binary("right_shift", lambda np, a, b: np.right_shift(a, b).astype(a.dtype), "Bits moved to the right.")
bitwise_and = _binary("bitwise_and", lambda np, a, b: np.bitwise_and(a, b), "Bits that are set in both.")
bitwise_or = _binary("bitwise_or", lambda np, a, b: np.bitwise_or(a, b), "Bits that are set in either.")
bitwise_xor = _binary("bitwise_xor", lambda np, a, b: np.bitwise_xor(a, b), "Bits that are set in one alone.")
logical_and = _binary("logical_and", lambda np, a, b: np.logical_and(a, b).astype(a.dtype), "Whether both hold.")
logical_or = _binary("logical_or", lambda np, a, b: np.logical_or(a, b).astype(a.dtype), "Whether one holds.")
logical_xor = _binary("logical_xor", lambda np, a, b: np.logical_xor(a, b).astype(a.dtype), "Whether one alone holds.")

equal = _compare("equal", lambda np, a, b: np.equal(a, b), "x1 == x2.")
not_equal = _compare("not_equal", lambda np, a, b: np.not_equal(a, b), "x1 != x2.")
greater = _compare("greater", lambda np, a, b: np.greater(a, b), "x1 > x2.")
greater_equal = _compare("greater_equal", lambda np, a, b: np.greater_equal(a, b), "x1 >= x2.")
less = _compare("less", lambda np, a, b: np.less(a, b), "x1 < x2.")
less_equal = _compare("less_equal", lambda np, a, b: np.less_equal(a, b), "x1 <= x2.")
