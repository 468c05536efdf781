"""Calls of mathematical functions: LLVM intrinsics where they are exact, expansions of `llvm.math` elsewhere."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, compare
from tvmscript.backends.llvm.codegen.bits import reinterpret_bits
from tvmscript.backends.llvm.codegen.codegen import Codegen, call_rule
from tvmscript.backends.llvm.codegen.expressions import float_literal
from tvmscript.backends.llvm.math import EXPANSIONS, power
from tvmscript.backends.llvm.math.expansion import Expansion
from tvmscript.backends.llvm.types import integer_constant, is_encoded, value_type
from tvmscript.backends.llvm.vector_builder import Lanes, Value
from tvmscript.ir.core import FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.tir import expr as tir


def emit_by_entry(cg: Codegen, node: tir.Call, form: str) -> str:
    """Write a call as the `llvm` of the intrinsic's entry says."""
    kind, _, name = form.partition(".")
    if kind == "math":
        return _call_expansion(cg, node, EXPANSIONS[name])
    return cg.expr(node.args[0]) if node.dtype.is_integer else _call_intrinsic(cg, form, node)


@call_rule("fma")
def emit_fma(cg: Codegen, node: tir.Call) -> str:
    if node.dtype.is_integer:
        a, b, c = (cg.expr(arg) for arg in node.args)
        kind = value_type(node.dtype)
        return cg.text.value(f"add {kind} {cg.text.value(f'mul {kind} {a}, {b}')}, {c}")
    if node.dtype.bits < 32:
        wide = FLOAT64.with_lanes(node.dtype.lanes)
        operands = [("double", cg.convert.cast(cg.expr(arg), arg.dtype, wide)) for arg in node.args]
        total = cg.program.call(cg.text, "fma.odd", _fma_to_odd, node.dtype.lanes, operands)
        return cg.convert.cast(total.operand, wide, node.dtype)
    return _call_intrinsic(cg, "llvm.fma", node)


def _fma_to_odd(lanes: Lanes, a: Value, b: Value, c: Value) -> Value:
    """Return a * b + c of narrow floats, whose product is exact in a double, rounded to odd.

    Rounding that to the narrow float is harmless (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
    2008). The sum of two numbers of different size is inexact in a double, too.
    """
    total, error = lanes.two_sum(a * b, c)
    bits = total.bits()
    is_larger = (error > 0.0) ^ (bits < 0)
    is_even_and_inexact = ((error > 0.0) | (error < 0.0)) & (bits & 1).eq(0)
    return is_even_and_inexact.choose(is_larger.choose(bits + 1, bits - 1), bits).as_float()


def _call_intrinsic(cg: Codegen, intrinsic: str, node: tir.Call) -> str:
    """Call an overloaded LLVM intrinsic of floats, in float32 for dtypes without arithmetic of their own."""
    dtype = node.dtype
    wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
    operands = [cg.convert.cast(cg.expr(arg), arg.dtype, wide) for arg in node.args]
    return cg.convert.cast(call_overloaded(cg, intrinsic, wide, operands), wide, dtype)


@call_rule(isnan="uno", isinf="oeq", isfinite="one")
def emit_classification(cg: Codegen, node: tir.Call, which: str) -> str:
    """Write isnan, isinf or isfinite; `which` is the predicate of a comparison with the infinite magnitude."""
    dtype = node.args[0].dtype
    operand = cg.expr(node.args[0])
    if dtype.is_integer:
        return integer_constant(node.dtype, int(which == "one"))
    if which == "uno":
        return compare(cg, "fcmp uno", operand, operand, dtype)
    wide = FLOAT32.with_lanes(dtype.lanes) if is_encoded(dtype) else dtype
    magnitude = call_overloaded(cg, "llvm.fabs", wide, [cg.convert.cast(operand, dtype, wide)])
    return compare(cg, f"fcmp {which}", magnitude, float_literal(cg, wide, float("inf")), wide)


def _call_expansion(cg: Codegen, node: tir.Call, expansion: Expansion) -> str:
    """Call an expansion in its precision and round the result to the dtype."""
    body, dtype = expansion.body, node.args[0].dtype
    wide = FLOAT64 if expansion.in_double or dtype.bits == 64 or dtype.is_integer else FLOAT32
    lanes = dtype.lanes
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
    return cg.expr(tir.Mod(*node.args))


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
    """Return the pattern after x towards y."""
    width = int(x_bits.type[1:])
    sign = -(1 << (width - 1))
    away = x_bits + ((x < y) ^ (x > 0.0)).choose(x_bits.of(-1), 1)
    smallest = (y_bits & sign) | 1
    moved = x.eq(0.0).choose(smallest, away)
    moved = x.eq(y).choose(y_bits, moved)
    nan = x.is_nan().choose(x_bits, y_bits)
    return (x.is_nan() | y.is_nan()).choose(nan, moved)
