"""Bit operations, shifts, bit casts and fixed-point products."""

from __future__ import annotations

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, select
from tvmscript.backends.llvm.codegen.codegen import Codegen, call_rule
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import integer_constant, value_type
from tvmscript.ir.core import INT64, DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

_BITWISE = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}


@call_rule(**_BITWISE)
def emit_bitwise(cg: Codegen, node: tir.Call, op: str) -> str:
    a, b = cg.expr(node.args[0]), cg.expr(node.args[1])
    return cg.text.value(f"{op} {value_type(node.dtype)} {a}, {b}")


@call_rule("bitwise_not")
def emit_bitwise_not(cg: Codegen, node: tir.Call) -> str:
    ones = 1 if node.dtype.is_bool else -1
    a = cg.expr(node.args[0])
    return cg.text.value(f"xor {value_type(node.dtype)} {a}, {integer_constant(node.dtype, ones)}")


def _emit_shift(cg: Codegen, node: tir.Call, op: str) -> str:
    dtype = node.dtype
    a, amount = cg.expr(node.args[0]), cg.expr(node.args[1])
    shifted = cg.text.value(f"{op} {value_type(dtype)} {a}, {amount}")
    low, high = cg.ranges.range_of(node.args[1])
    # An amount outside of the dtype has no meaning, but must not make the compiler drop what follows.
    if low >= 0 and high < dtype.bits:
        return shifted
    return cg.text.value(f"freeze {value_type(dtype)} {shifted}")


@call_rule("shift_left")
def emit_shift_left(cg: Codegen, node: tir.Call) -> str:
    return _emit_shift(cg, node, "shl")


@call_rule("shift_right")
def emit_shift_right(cg: Codegen, node: tir.Call) -> str:
    return _emit_shift(cg, node, "ashr" if node.dtype.is_signed else "lshr")


@call_rule("popcount", "ctpop")
def emit_popcount(cg: Codegen, node: tir.Call) -> str:
    return call_overloaded(cg, "llvm.ctpop", node.dtype, [cg.expr(node.args[0])])


@call_rule("clz")
def emit_clz(cg: Codegen, node: tir.Call) -> str:
    dtype = node.args[0].dtype
    count = call_overloaded(cg, "llvm.ctlz", dtype, [cg.expr(node.args[0])], ", i1 false")
    unsigned = DType(f"uint{dtype.bits}").with_lanes(dtype.lanes)
    return cg.convert.cast(count, unsigned, node.dtype)


@call_rule("reinterpret")
def emit_reinterpret(cg: Codegen, node: tir.Call) -> str:
    return reinterpret_bits(cg, cg.expr(node.args[0]), node.args[0].dtype, node.dtype)


def reinterpret_bits(cg: Codegen, operand: str, source: DType, target: DType) -> str:
    """Return the same bits as a value of another dtype."""
    if source.is_handle or target.is_handle:
        return cg.convert.cast(operand, source, target)
    before, after = value_type(source), value_type(target)
    return operand if before == after else cg.text.value(f"bitcast {before} {operand} to {after}")


@call_rule("large_uint_imm")
def emit_large_uint_imm(cg: Codegen, node: tir.Call) -> str:
    low, high = node.args
    if isinstance(low, tir.IntImm) and isinstance(high, tir.IntImm):
        return str((high.value << 32) | (low.value & 0xFFFFFFFF))
    raise NotSupportedByLLVM(what="large_uint_imm of values that are no constants", span=node.span)


@call_rule("q_multiply_shift")
def emit_q_multiply_shift(cg: Codegen, node: tir.Call) -> str:
    """round(x * y * 2 ** (s - q)), with 64-bit intermediates."""
    x, y, q, s = (_widen_to_int64(cg, arg) for arg in node.args)
    kind = value_type(INT64.with_lanes(node.dtype.lanes))
    zero = integer_constant(INT64.with_lanes(node.dtype.lanes), 0)
    wide = INT64.with_lanes(node.dtype.lanes)
    left = call_overloaded(cg, "llvm.smax", wide, [s, zero])
    back = call_overloaded(cg, "llvm.smax", wide, [cg.text.value(f"sub {kind} {zero}, {s}"), zero])
    shift = cg.text.value(f"add {kind} {q}, {back}")
    return _rounded_product(cg, cg.text.value(f"shl {kind} {x}, {left}"), y, shift, node.dtype)


@call_rule("q_multiply_shift_per_axis")
def emit_q_multiply_shift_per_axis(cg: Codegen, node: tir.Call) -> str:
    x, y, left, right, q, has_left, has_right = (_widen_to_int64(cg, arg) for arg in node.args)
    wide = INT64.with_lanes(node.dtype.lanes)
    kind, zero = value_type(wide), integer_constant(wide, 0)
    flags = wide.lanes
    more = cg.text.value(f"icmp ne {kind} {has_left}, {zero}")
    shifted = select(cg, more, cg.text.value(f"shl {kind} {x}, {left}"), x, wide, flags)
    less = cg.text.value(f"icmp ne {kind} {has_right}, {zero}")
    shift = cg.text.value(f"add {kind} {q}, {select(cg, less, right, zero, wide, flags)}")
    return _rounded_product(cg, shifted, y, shift, node.dtype)


def _widen_to_int64(cg: Codegen, node: Expr) -> str:
    return cg.convert.cast(cg.expr(node), node.dtype, INT64.with_lanes(node.dtype.lanes))


def _rounded_product(cg: Codegen, x: str, y: str, shift: str, dtype: DType) -> str:
    wide = INT64.with_lanes(dtype.lanes)
    kind, one = value_type(wide), integer_constant(wide, 1)
    product = cg.text.value(f"mul {kind} {x}, {y}")
    half = cg.text.value(f"shl {kind} {one}, {cg.text.value(f'sub {kind} {shift}, {one}')}")
    total = cg.text.value(f"ashr {kind} {cg.text.value(f'add {kind} {product}, {half}')}, {shift}")
    return cg.convert.cast(total, wide, dtype)
