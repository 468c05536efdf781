"""Arithmetic, comparisons and index arithmetic of integers and floats, lane by lane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen import division
from tvmscript.backends.llvm.codegen.codegen import Codegen, UnrolledIndex, rule
from tvmscript.backends.llvm.codegen.small_floats import divide_by_one, divide_halves_by_one, round_result
from tvmscript.backends.llvm.math.remainder import remainder
from tvmscript.backends.llvm.types import float_constant, is_encoded, lanes_suffix, value_type, vector_type
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import BFLOAT16, BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

#: operator -> opcode for floats, signed and unsigned integers
_ARITHMETIC: dict[type[Expr], tuple[str, str]] = {
    tir.Add: ("fadd", "add"),
    tir.Sub: ("fsub", "sub"),
    tir.Mul: ("fmul", "mul"),
}
_DIVISION: dict[type[Expr], Callable[[FunctionText, str, str, division.Known], str]] = {
    tir.Div: division.truncdiv,
    tir.Mod: division.truncmod,
    tir.FloorDiv: division.floordiv,
    tir.FloorMod: division.floormod,
}
_EXTREMES: dict[type[Expr], tuple[str, str]] = {tir.Min: ("olt", "min"), tir.Max: ("ogt", "max")}


def emit_index(cg: Codegen, node: Expr) -> str:
    """Write an index as an i64; its sums and products do not wrap, because it is in the bounds of a buffer."""
    if not cg.constants:
        return _emit_terms(cg, node)
    index = cg.indices.get(node)
    if index is None:
        index = cg.indices[node] = _split_index(cg, node)
    constant = index.constant
    for var, factor in index.factors:
        constant += cg.constants[var].value * factor
    if not index.terms:
        return str(constant)
    return cg.text.pure_value(f"add nsw i64 {index.terms}, {constant}") if constant else index.terms


def _split_index(cg: Codegen, node: Expr) -> UnrolledIndex:
    """Write the terms of an index of plain nests, which is linear, that are the same in all iterations."""
    if isinstance(node, tir.IntImm):
        return UnrolledIndex("", (), node.value)
    if isinstance(node, tir.Var) and node in cg.constants:
        return UnrolledIndex("", ((node, 1),), 0)
    if isinstance(node, (tir.Add, tir.Sub)) and node.dtype.is_signed:
        a, b = _split_index(cg, node.a), _split_index(cg, node.b)
        terms, sign = a.terms or b.terms, 1
        if isinstance(node, tir.Sub):
            sign = -1
            terms = cg.text.pure_value(f"sub nsw i64 {a.terms or 0}, {b.terms}") if b.terms else a.terms
        elif a.terms and b.terms:
            terms = cg.text.pure_value(f"add nsw i64 {a.terms}, {b.terms}")
        factors = (*a.factors, *[(var, sign * factor) for var, factor in b.factors])
        return UnrolledIndex(terms, factors, a.constant + sign * b.constant)
    if isinstance(node, tir.Mul) and isinstance(node.b, tir.IntImm) and node.dtype.is_signed:
        a, by = _split_index(cg, node.a), node.b.value
        terms = a.terms and cg.text.pure_value(f"mul nsw i64 {a.terms}, {by}")
        return UnrolledIndex(terms, tuple([(var, factor * by) for var, factor in a.factors]), a.constant * by)
    return UnrolledIndex(_emit_terms(cg, node), (), 0)


def _emit_terms(cg: Codegen, node: Expr) -> str:
    if isinstance(node, tir.IntImm):
        return str(node.value)
    if isinstance(node, tir.Var):
        wide = cg.wide.get(node)
        return wide if wide is not None else cg.convert.cast(cg.lookup(node), node.dtype, INT64)
    kind = type(node)
    if isinstance(node, tir.BinaryOp) and node.dtype.is_signed:
        if kind in _ARITHMETIC:
            return cg.text.value(f"{_ARITHMETIC[kind][1]} nsw i64 {emit_index(cg, node.a)}, {emit_index(cg, node.b)}")
        if kind in _DIVISION and cg.ranges.is_exact(node):
            division_facts = INT64, cg.ranges.is_never_negative(node.a), cg.ranges.range_of(node.b)
            return _DIVISION[kind](cg.text, emit_index(cg, node.a), emit_index(cg, node.b), division_facts)
    return cg.convert.cast(cg.expr(node), node.dtype, INT64)


def emit_int64(cg: Codegen, node: Expr) -> str:
    """Write a signed integer as an i64."""
    return emit_index(cg, node) if cg.ranges.is_exact(node) else cg.convert.cast(cg.expr(node), node.dtype, INT64)


@rule(*_ARITHMETIC)
def emit_arithmetic(cg: Codegen, node: tir.BinaryOp) -> str:
    a, b = cg.expr(node.a), cg.expr(node.b)
    floats, integers = _ARITHMETIC[type(node)]
    dtype = node.dtype
    if dtype.is_floating:
        return float_binary(cg, floats, a, b, dtype)
    return cg.text.value(f"{integers} {value_type(dtype)} {a}, {b}")


def float_binary(cg: Codegen, op: str, a: str, b: str, dtype: DType) -> str:
    """Write an operation of two floats, in float32 where the dtype has no arithmetic of its own."""
    flags = cg.program.target.float_flags(op, contracts=cg.contracts)
    if not is_encoded(dtype):
        return cg.text.value(f"{op}{flags} {value_type(dtype)} {a}, {b}")
    # products of e8m0 leave the range of float32, and have no zero to go to
    wide = (FLOAT64 if dtype.code == "float8_e8m0fnu" else FLOAT32).with_lanes(dtype.lanes)
    left, right = cg.convert.cast(a, dtype, wide), cg.convert.cast(b, dtype, wide)
    result = cg.text.value(f"{op}{flags} {value_type(wide)} {left}, {right}")
    if dtype.element is BFLOAT16:
        return cg.program.call(cg.text, "round.bfloat16", round_result, dtype.lanes, [("float", result)]).operand
    return cg.convert.cast(result, wide, dtype)


#: dtypes whose quotients by one number are products
_BY_ONE: Final = {BFLOAT16: divide_by_one, FLOAT16: divide_halves_by_one}


@rule(*_DIVISION)
def emit_division(cg: Codegen, node: tir.BinaryOp) -> str:
    dtype = node.dtype
    a, b = cg.expr(node.a), cg.expr(node.b)
    is_by_one = isinstance(node, tir.Div) and isinstance(node.b, tir.Broadcast) and not dtype.is_scalable
    if is_by_one and dtype.element in _BY_ONE:
        wide, body = FLOAT32.with_lanes(dtype.lanes), _BY_ONE[dtype.element]
        operands = [("float", cg.convert.cast(each, dtype, wide)) for each in (a, b)]
        return cg.program.call(cg.text, body.__name__, body, dtype.lanes, operands).operand
    if dtype.is_floating:
        return _divide_floats(cg, type(node), a, b, dtype)
    positive = cg.ranges.is_never_negative(node.a)
    return _DIVISION[type(node)](cg.text, a, b, (dtype, positive, cg.ranges.range_of(node.b)))


def _divide_floats(cg: Codegen, kind: type, a: str, b: str, dtype: DType) -> str:
    if kind is tir.Div:
        return float_binary(cg, "fdiv", a, b, dtype)
    if kind is tir.Mod:
        return emit_remainder(cg, a, b, dtype)
    # In double precision, rounded once more at the end, as the reference interpreter does it.
    wide = FLOAT64.with_lanes(dtype.lanes)
    y = cg.convert.cast(b, dtype, wide)
    if kind is tir.FloorDiv:
        x = cg.convert.cast(a, dtype, wide)
        quotient = cg.text.value(f"fdiv {value_type(wide)} {x}, {y}")
        return cg.convert.cast(call_overloaded(cg, "llvm.floor", wide, [quotient]), wide, dtype)
    rest = cg.convert.cast(emit_remainder(cg, a, b, dtype), dtype, wide)
    return cg.convert.cast(_move_to_sign_of(cg, rest, y, wide), wide, dtype)


def emit_remainder(cg: Codegen, a: str, b: str, dtype: DType) -> str:
    """Write the remainder of a truncated quotient of floats, which is exact in any precision that holds both."""
    wide = dtype if dtype.bits >= FLOAT32.bits else FLOAT32.with_lanes(dtype.lanes)
    kind = value_type(wide.element)
    operands = [(kind, cg.convert.cast(each, dtype, wide)) for each in (a, b)]
    if dtype.is_scalable:
        value = cg.text.value(f"frem {value_type(wide)} {operands[0][1]}, {operands[1][1]}")
    else:
        value = cg.program.call(cg.text, f"remainder.{kind}", remainder, dtype.lanes, operands).operand
    return cg.convert.cast(value, wide, dtype)


def _move_to_sign_of(cg: Codegen, remainder: str, divisor: str, dtype: DType) -> str:
    """Add the divisor to a nonzero remainder of the other sign."""
    kind, flag = value_type(dtype), value_type(BOOL.with_lanes(dtype.lanes))
    zero = float_constant(dtype, 0.0)
    below = cg.text.value(f"fcmp olt {kind} {remainder}, {zero}")
    above = cg.text.value(f"fcmp olt {kind} {divisor}, {zero}")
    differ = cg.text.value(f"xor {flag} {below}, {above}")
    some = cg.text.value(f"fcmp une {kind} {remainder}, {zero}")
    moved = cg.text.value(f"fadd {kind} {remainder}, {divisor}")
    return select(cg, cg.text.value(f"and {flag} {differ}, {some}"), moved, remainder, dtype, dtype.lanes)


def call_overloaded(cg: Codegen, intrinsic: str, dtype: DType, operands: list[str], extra: str = "") -> str:
    """Call an overloaded LLVM intrinsic whose arguments and result have this dtype; `extra` is appended."""
    kind = value_type(dtype)
    lanes = lanes_suffix(dtype.lanes)
    letter = "i" if dtype.is_integer else "f"
    params = ", ".join([kind] * len(operands)) + (", i1" if extra else "")
    symbol = cg.program.text.declare(f"{intrinsic}.{lanes}{letter}{dtype.bits}", f"{kind} {{}}({params})")
    listed = ", ".join(f"{kind} {operand}" for operand in operands)
    return cg.text.pure_value(f"call {kind} {symbol}({listed}{extra})")


@rule(tir.Min, tir.Max)
def emit_min_max(cg: Codegen, node: tir.BinaryOp) -> str:
    dtype, left = node.dtype, node.a
    constant = node.b.value if isinstance(node.b, tir.Broadcast) else node.b
    if type(left) is type(node) and isinstance(constant, tir.FloatImm) and expr_deep_equal(left.a, node.b):
        # max(max(c, x), c) is max(x, c); LLVM 22 makes max(c, x) of it, which is another value for nan and -0.0
        left = left.b
    a, b = cg.expr(left), cg.expr(node.b)
    predicate, name = _EXTREMES[type(node)]
    if dtype.is_integer:
        return call_overloaded(cg, f"llvm.{'s' if dtype.is_signed else 'u'}{name}", dtype, [a, b])
    flag = compare(cg, f"fcmp {predicate}", a, b, dtype)
    return select(cg, flag, a, b, dtype, dtype.lanes)


def compare(cg: Codegen, op: str, a: str, b: str, dtype: DType) -> str:
    """Write an fcmp or icmp; encoded floats are decoded first."""
    if is_encoded(dtype):
        a, b, dtype = cg.convert.decode(a, dtype), cg.convert.decode(b, dtype), FLOAT32.with_lanes(dtype.lanes)
    return cg.text.value(f"{op} {value_type(dtype)} {a}, {b}")


def select(cg: Codegen, flag: str, a: str, b: str, dtype: DType, flags: int) -> str:
    """Write a select with one flag or one for each lane."""
    kind = value_type(dtype)
    condition = vector_type(flags, "i1")
    return cg.text.value(f"select {condition} {flag}, {kind} {a}, {kind} {b}")
