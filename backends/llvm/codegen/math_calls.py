"""Calls of mathematical functions: LLVM intrinsics where they are exact, expansions of `llvm.math` elsewhere."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, compare, float_binary, float_unary
from tvmscript.backends.llvm.codegen.bits import reinterpret_bits
from tvmscript.backends.llvm.codegen.codegen import Codegen, call_rule
from tvmscript.backends.llvm.codegen.expressions import float_literal
from tvmscript.backends.llvm.context import Body
from tvmscript.backends.llvm.math import error_function, exponential, inverse, logarithm, power, trigonometric
from tvmscript.backends.llvm.types import integer_constant, is_encoded, value_type
from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core.dtype import FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.tir import expr as tir

#: Roundings and others that LLVM has as one instruction or expands exactly, scalar and vector.
_EXACT = {
    "sqrt": "llvm.sqrt",
    "floor": "llvm.floor",
    "ceil": "llvm.ceil",
    "trunc": "llvm.trunc",
    "round": "llvm.round",
    "nearbyint": "llvm.roundeven",
    "fabs": "llvm.fabs",
}
#: Functions with a float32 form and a double form.
_OWN: dict[str, Body] = {
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "exp10": exponential.exp10,
    "log": logarithm.log,
    "log2": logarithm.log2,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "sin": trigonometric.sin,
    "cos": trigonometric.cos,
    "tan": trigonometric.tan,
    "tanh": exponential.tanh,
    "sigmoid": exponential.sigmoid,
    "erf": error_function.erf,
    "pow": power.pow,
    "rsqrt": power.rsqrt,
}
#: Functions that are computed in double for float32, too.
_DOUBLE: dict[str, Body] = {
    "asin": inverse.asin,
    "acos": inverse.acos,
    "atan": inverse.atan,
    "atan2": inverse.atan2,
    "sinh": exponential.sinh,
    "cosh": exponential.cosh,
    "asinh": logarithm.asinh,
    "acosh": logarithm.acosh,
    "atanh": logarithm.atanh,
    "hypot": power.hypot,
}


@call_rule(**_EXACT)
def emit_exact(cg: Codegen, node: tir.Call, intrinsic: str) -> str:
    operand = cg.expr(node.args[0])
    return operand if node.dtype.is_integer else float_unary(cg, intrinsic, operand, node.dtype)


@call_rule("copysign")
def emit_copysign(cg: Codegen, node: tir.Call) -> str:
    return _call_in_float32(cg, "llvm.copysign", node)


@call_rule("fma")
def emit_fma(cg: Codegen, node: tir.Call) -> str:
    if node.dtype.is_integer:
        a, b, c = (cg.expr(arg) for arg in node.args)
        kind = value_type(node.dtype)
        return cg.text.value(f"add {kind} {cg.text.value(f'mul {kind} {a}, {b}')}, {c}")
    if node.dtype.bits < 32:
        # The product of two narrow floats is exact in a double; odd rounding makes the second rounding harmless.
        wide = FLOAT64.with_lanes(node.dtype.lanes)
        a, b, c = (cg.convert.cast(cg.expr(arg), arg.dtype, wide) for arg in node.args)
        return cg.convert.cast(call_overloaded(cg, "llvm.fma", wide, [a, b, c]), wide, node.dtype)
    return _call_in_float32(cg, "llvm.fma", node)


def _call_in_float32(cg: Codegen, intrinsic: str, node: tir.Call) -> str:
    """An LLVM intrinsic of several floats, in float32 for the narrow ones."""
    dtype = node.dtype
    wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
    operands = [cg.convert.cast(cg.expr(arg), arg.dtype, wide) for arg in node.args]
    return cg.convert.cast(call_overloaded(cg, intrinsic, wide, operands), wide, dtype)


@call_rule(isnan="uno", isinf="oeq", isfinite="one")
def emit_classification(cg: Codegen, node: tir.Call, which: str) -> str:
    """isnan, isinf, isfinite by what `which` says: a predicate against the infinite magnitude."""
    dtype = node.args[0].dtype
    operand = cg.expr(node.args[0])
    if dtype.is_integer:
        return integer_constant(node.dtype, int(which == "one"))
    if which == "uno":
        return compare(cg, "fcmp uno", operand, operand, dtype)
    wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
    magnitude = call_overloaded(cg, "llvm.fabs", wide, [cg.convert.cast(operand, dtype, wide)])
    return compare(cg, f"fcmp {which}", magnitude, float_literal(cg, wide, float("inf")), wide)


@call_rule(**_OWN)
def emit_in_own_precision(cg: Codegen, node: tir.Call, body: Body) -> str:
    dtype = node.args[0].dtype
    return _call_expansion(cg, node, body, FLOAT64 if dtype.bits == 64 or dtype.is_integer else FLOAT32)


@call_rule(**_DOUBLE)
def emit_in_double(cg: Codegen, node: tir.Call, body: Body) -> str:
    return _call_expansion(cg, node, body, FLOAT64)


def _call_expansion(cg: Codegen, node: tir.Call, body: Body, wide: DType) -> str:
    """The function in the precision of `wide`, its result rounded to the dtype."""
    lanes = node.args[0].dtype.lanes
    kind = value_type(wide)
    operands = [(kind, cg.convert.cast(cg.expr(arg), arg.dtype, wide.with_lanes(lanes))) for arg in node.args]
    value = cg.program.call(cg.text, f"{body.__name__}.{kind}", body, lanes, operands)
    return cg.convert.cast(value.operand, wide.with_lanes(lanes), node.dtype)


@call_rule("ldexp")
def emit_ldexp(cg: Codegen, node: tir.Call) -> str:
    x, exponent = node.args
    wide, long = FLOAT64.with_lanes(x.dtype.lanes), INT64.with_lanes(x.dtype.lanes)
    operands = [
        ("double", cg.convert.cast(cg.expr(x), x.dtype, wide)),
        ("i64", cg.convert.cast(cg.expr(exponent), exponent.dtype, long)),
    ]
    value = cg.program.call(cg.text, "ldexp", power.ldexp, x.dtype.lanes, operands)
    return cg.convert.cast(value.operand, wide, node.dtype)


@call_rule("fmod")
def emit_fmod(cg: Codegen, node: tir.Call) -> str:
    """The C library's fmod, lane by lane: LLVM has no vector form of the remainder."""
    x, y = node.args
    if node.dtype.is_integer:
        return cg.expr(tir.Mod(x, y))
    return float_binary(cg, "frem", cg.expr(x), cg.expr(y), node.dtype)


@call_rule("nextafter")
def emit_nextafter(cg: Codegen, node: tir.Call) -> str:
    """One step in the bit pattern, in the dtype's own width."""
    dtype = node.dtype
    if dtype.code not in ("float", "bfloat"):
        cg.refuse(f"nextafter of {dtype}", node)
    wide = FLOAT64 if dtype.bits == 64 else FLOAT32
    integer = DType(f"int{dtype.bits}")
    operands: list[tuple[str, str]] = []
    for arg in node.args:
        operand = cg.expr(arg)
        pattern = reinterpret_bits(cg, operand, dtype, integer.with_lanes(dtype.lanes))
        operands.append((value_type(integer), pattern))
        operands.append((value_type(wide), cg.convert.cast(operand, dtype, wide.with_lanes(dtype.lanes))))
    value = cg.program.call(cg.text, f"nextafter.{dtype.element}", _following, dtype.lanes, operands)
    return reinterpret_bits(cg, value.operand, integer.with_lanes(dtype.lanes), dtype)


def _following(lanes: Lanes, x_bits: Value, x: Value, y_bits: Value, y: Value) -> Value:
    """The pattern after x towards y."""
    width = int(x_bits.type[1:])
    sign = -(1 << (width - 1))
    away = x_bits + ((x < y) ^ (x > 0.0)).choose(x_bits.of(-1), 1)
    smallest = (y_bits & sign) | 1
    moved = x.eq(0.0).choose(smallest, away)
    moved = x.eq(y).choose(y_bits, moved)
    nan = x.is_nan().choose(x_bits, y_bits)
    return (x.is_nan() | y.is_nan()).choose(nan, moved)
