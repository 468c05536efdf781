"""Elementwise operators of two tensors or scalars, with NumPy's broadcasting."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, VOID, DType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import NO_GRADIENT, apply, broadcast
from tvmscript.ir.relax.operator import Gradient, Legalize, Operator, Reference, invalid_argument
from tvmscript.ir.relax.struct_info import PrimStructInfo, TensorStructInfo


def _infer_arithmetic(call: Call) -> StructInfo:
    """Infer a broadcast result of the common dtype."""
    left, right = _expect_operand(call, 0), _expect_operand(call, 1)
    if VOID in (left.dtype, right.dtype):
        return _broadcast(call, left, right, VOID)
    if left.dtype is not right.dtype:
        raise invalid_argument(call, 1, f"{left.dtype}, as {call.op.arguments[0].name}", right.dtype)
    return _broadcast(call, left, right, left.dtype)


def _infer_comparison(call: Call) -> StructInfo:
    """Infer a broadcast result of dtype bool."""
    return _broadcast(call, _expect_operand(call, 0), _expect_operand(call, 1), BOOL)


def _expect_operand(call: Call, position: int) -> TensorStructInfo | PrimStructInfo:
    info = rules.struct_info_of(call, position)
    if isinstance(info, (TensorStructInfo, PrimStructInfo)):
        return info
    raise invalid_argument(call, position, "a tensor or a scalar", rules.describe_kind(info))


def _broadcast(
    call: Call, left: TensorStructInfo | PrimStructInfo, right: TensorStructInfo | PrimStructInfo, dtype: DType
) -> StructInfo:
    if isinstance(left, PrimStructInfo) and isinstance(right, PrimStructInfo):
        return PrimStructInfo(dtype)
    a, b = _as_tensor(left), _as_tensor(right)
    vdevice = rules.unify_vdevices(call, (a, b))
    if a.extents is not None and b.extents is not None:
        extents = rules.broadcast_extents(call, 1, a.extents, b.extents)
        for operand in (a, b):
            if extents is not None and rules.are_identical(extents, operand.extents):
                return TensorStructInfo(operand.shape, dtype, vdevice=vdevice)
        return rules.make_tensor(extents, max(a.ndim, b.ndim), dtype, vdevice)
    if a.shape is not None and a.shape is b.shape:
        return TensorStructInfo(a.shape, dtype, vdevice=vdevice)
    return rules.tensor_of_ndim(rules.max_ndim(a.ndim, b.ndim), dtype, vdevice)


def _as_tensor(info: TensorStructInfo | PrimStructInfo) -> TensorStructInfo:
    """Convert a scalar to a tensor of one element."""
    return info if isinstance(info, TensorStructInfo) else TensorStructInfo((rules.ONE,), info.dtype)


def _by_name(name: str) -> Legalize:
    """Return the legalization by the operator of the inventory of the same name."""
    return lambda topi, a, b: getattr(topi, name)(a, b)


def _arithmetic_operator(
    name: str, reference: Reference, doc: str, legalize: Legalize | None = None, gradient: Gradient | None = None
) -> Operator:
    return Operator(
        name,
        "x1: Expr, x2: Expr",
        _infer_arithmetic,
        mixed_precision="follow",
        layout="binary",
        reference=reference,
        legalize=legalize or _by_name(name),
        inlines_scalars=True,
        gradient=gradient,
        doc=doc,
    )


def _comparison_operator(name: str, reference: Reference, doc: str) -> Operator:
    return Operator(
        name,
        "x1: Expr, x2: Expr",
        _infer_comparison,
        mixed_precision="follow",
        layout="binary",
        reference=reference,
        legalize=_by_name(name),
        inlines_scalars=True,
        gradient=NO_GRADIENT,
        doc=doc,
    )


add = _arithmetic_operator(
    "add",
    lambda np, a, b: np.add(a, b),
    "Addition, x1 + x2.",
    gradient=broadcast(lambda a: a.gradient, lambda a: a.gradient),
)
subtract = _arithmetic_operator(
    "subtract",
    lambda np, a, b: np.subtract(a, b),
    "Subtraction, x1 - x2.",
    gradient=broadcast(lambda a: a.gradient, lambda a: -a.gradient),
)
multiply = _arithmetic_operator(
    "multiply",
    lambda np, a, b: np.multiply(a, b),
    "Multiplication, x1 * x2.",
    gradient=broadcast(lambda a: a.gradient * a.y, lambda a: a.gradient * a.x),
)
divide = _arithmetic_operator(
    "divide",
    lambda np, a, b: np.divide(a, b).astype(a.dtype),
    "Division, x1 / x2; integers round towards zero.",
    gradient=broadcast(lambda a: a.gradient / a.y, lambda a: -a.gradient * a.result / a.y),
)
floor_divide = _arithmetic_operator(
    "floor_divide", lambda np, a, b: np.floor_divide(a, b).astype(a.dtype), "Floor division, x1 // x2."
)
power = _arithmetic_operator(
    "power",
    lambda np, a, b: np.power(a, b).astype(a.dtype),
    "Exponentiation, x1 ** x2.",
    gradient=broadcast(
        lambda a: a.gradient * a.y * a.x ** (a.y - a.scalar(1)), lambda a: a.gradient * a.result * apply("log", a.x)
    ),
)
# of equal operands of an extremum, the first one has the gradient
maximum = _arithmetic_operator(
    "maximum",
    lambda np, a, b: np.maximum(a, b),
    "The elementwise maximum.",
    gradient=broadcast(
        lambda a: apply("where", a.x < a.y, a.scalar(0), a.gradient),
        lambda a: apply("where", a.x >= a.y, a.scalar(0), a.gradient),
    ),
)
minimum = _arithmetic_operator(
    "minimum",
    lambda np, a, b: np.minimum(a, b),
    "The elementwise minimum.",
    gradient=broadcast(
        lambda a: apply("where", a.x >= a.y, a.scalar(0), a.gradient),
        lambda a: apply("where", a.x < a.y, a.scalar(0), a.gradient),
    ),
)

atan2 = _arithmetic_operator(
    "atan2",
    lambda np, a, b: np.arctan2(a, b).astype(a.dtype),
    "The angle of the point (x2, x1), in radians.",
    lambda topi, a, b: topi.graph.atan2(a, b),
)
floor_mod = _arithmetic_operator(
    "floor_mod",
    lambda np, a, b: np.mod(a, b).astype(a.dtype),
    "The remainder of floor division; it has the sign of x2.",
)
log_add_exp = _arithmetic_operator(
    "log_add_exp",
    lambda np, a, b: np.logaddexp(a, b).astype(a.dtype),
    "log(exp(x1) + exp(x2)).",
    lambda topi, a, b: topi.graph.log_add_exp(a, b),
)
mod = _arithmetic_operator(
    "mod", lambda np, a, b: np.fmod(a, b).astype(a.dtype), "The remainder of truncated division; it has the sign of x1."
)

left_shift = _arithmetic_operator(
    "left_shift", lambda np, a, b: np.left_shift(a, b).astype(a.dtype), "Left shift, x1 << x2."
)
right_shift = _arithmetic_operator(
    "right_shift", lambda np, a, b: np.right_shift(a, b).astype(a.dtype), "Right shift, x1 >> x2."
)
bitwise_and = _arithmetic_operator("bitwise_and", lambda np, a, b: np.bitwise_and(a, b), "Bitwise AND.")
bitwise_or = _arithmetic_operator("bitwise_or", lambda np, a, b: np.bitwise_or(a, b), "Bitwise OR.")
bitwise_xor = _arithmetic_operator("bitwise_xor", lambda np, a, b: np.bitwise_xor(a, b), "Bitwise XOR.")
logical_and = _arithmetic_operator(
    "logical_and",
    lambda np, a, b: np.logical_and(a, b).astype(a.dtype),
    "Logical AND.",
    lambda topi, a, b: topi.graph.of_bools(topi.logical_and, a, b),
)
logical_or = _arithmetic_operator(
    "logical_or",
    lambda np, a, b: np.logical_or(a, b).astype(a.dtype),
    "Logical OR.",
    lambda topi, a, b: topi.graph.of_bools(topi.logical_or, a, b),
)
logical_xor = _arithmetic_operator(
    "logical_xor",
    lambda np, a, b: np.logical_xor(a, b).astype(a.dtype),
    "Logical XOR.",
    lambda topi, a, b: topi.graph.of_bools(topi.logical_xor, a, b),
)

equal = _comparison_operator("equal", lambda np, a, b: np.equal(a, b), "Whether x1 == x2.")
not_equal = _comparison_operator("not_equal", lambda np, a, b: np.not_equal(a, b), "Whether x1 != x2.")
greater = _comparison_operator("greater", lambda np, a, b: np.greater(a, b), "Whether x1 > x2.")
greater_equal = _comparison_operator("greater_equal", lambda np, a, b: np.greater_equal(a, b), "Whether x1 >= x2.")
less = _comparison_operator("less", lambda np, a, b: np.less(a, b), "Whether x1 < x2.")
less_equal = _comparison_operator("less_equal", lambda np, a, b: np.less_equal(a, b), "Whether x1 <= x2.")
