"""Expressions that CUDA has other means for than C: narrow floats, conversions, bits."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.c.expressions import binary, write_arithmetic, write_cast, write_division
from tvmscript.backends.c.types import BIT_AND, PRIMARY, PRODUCT, SUM, UNARY, Value
from tvmscript.backends.cuda.codegen import NARROW_FLOATS, NIBBLES, CudaCodegen, call_rule, rule
from tvmscript.ir.core import INT32, DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

_SYMBOLS: Final[dict[type[Expr], tuple[str, int]]] = {tir.Add: ("+", SUM), tir.Sub: ("-", SUM), tir.Mul: ("*", PRODUCT)}


@rule(*_SYMBOLS)
def write_operation(cg: CudaCodegen, node: tir.BinaryOp) -> Value:
    """Narrow floats have operators, which round once; integers of 4 bits are computed as wider ones."""
    symbol, level = _SYMBOLS[type(node)]
    if node.dtype in NIBBLES:
        return _nibble(binary(cg.expr(node.a), symbol, cg.expr(node.b), level, INT32).text, node.dtype)
    if node.dtype not in NARROW_FLOATS:
        return write_arithmetic(cg, node)
    return binary(cg.expr(node.a), symbol, cg.expr(node.b), level, node.dtype)


def _nibble(text: str, dtype: DType) -> Value:
    """Return the lowest 4 bits of an integer."""
    return Value(f"nibble<{'true' if dtype.is_signed else 'false'}>({text})", PRIMARY, dtype)


@rule(tir.Div, tir.Mod, tir.FloorDiv, tir.FloorMod)
def write_quotient(cg: CudaCodegen, node: tir.BinaryOp) -> Value:
    if isinstance(node, tir.Div) and node.dtype in NARROW_FLOATS:
        return binary(cg.expr(node.a), "/", cg.expr(node.b), PRODUCT, node.dtype)
    return write_division(cg, node)


@rule(tir.Cast)
def write_conversion(cg: CudaCodegen, node: tir.Cast) -> Value:
    """Convert. The machine's conversion to 32-bit integers gives the nearest one, and 0 for nan."""
    source, target = node.value.dtype, node.dtype
    if target in NARROW_FLOATS and source.is_integer:
        return Value(f"({cg.type_name(target)}){cg.expr(node.value).inside(UNARY)}", UNARY, target)
    if target in NIBBLES and source.is_integer:
        return _nibble(f"(int32_t){cg.expr(node.value).inside(UNARY)}", target)
    if not source.is_floating or not target.is_integer or target.is_bool:
        return write_cast(cg, node)
    value = cg.expr(node.value)
    if source in NARROW_FLOATS:
        value = value.as_type(DType("float32"))
    if target.bits == 32:
        return Value(f"({cg.type_name(target)}){value.inside(UNARY)}", UNARY, target)
    if target in NIBBLES:
        raise cg.refusal(f"a conversion from {source} to {target}", node.span)
    return Value(f"saturate<{cg.type_name(target)}>({value.text})", PRIMARY, target)


@call_rule("reinterpret")
def write_reinterpret(cg: CudaCodegen, node: tir.Call) -> Value:
    source, target = node.args[0].dtype, node.dtype
    value = cg.expr(node.args[0])
    if source.is_handle or target.is_handle:
        kind = "uintptr_t" if source.is_handle else "void *"
        return Value(f"({kind}){value.inside(UNARY)}", UNARY, target)
    if not source.is_vector and source.is_integer and source.bits < 32:
        value = Value(f"({cg.type_name(source)}){value.inside(UNARY)}", UNARY, source)
    return Value(f"reinterpret<{cg.type_name(target, node.span)}>({value.text})", PRIMARY, target)


@call_rule("popcount", "ctpop")
def write_popcount(cg: CudaCodegen, node: tir.Call) -> Value:
    return _count(cg, node.args[0], "__popc")


@call_rule("clz")
def write_clz(cg: CudaCodegen, node: tir.Call) -> Value:
    value = _count(cg, node.args[0], "__clz")
    bits = node.args[0].dtype.bits
    return value if bits >= 32 else Value(f"{value.text} - {32 - bits}", SUM, INT32)


def _count(cg: CudaCodegen, argument: Expr, name: str) -> Value:
    value, bits = cg.expr(argument), argument.dtype.bits
    # CUDA's types of the names of integers of 4 bits are vectors
    counted = f"{value.inside(BIT_AND)} & 15" if argument.dtype in NIBBLES else value.as_type(DType(f"uint{bits}")).text
    return Value(f"{name}{'ll' if bits == 64 else ''}({counted})", PRIMARY, INT32)
