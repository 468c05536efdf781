"""Vectors: broadcasts, ramps, shuffles, halves, lane masks."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen, call_rule, rule
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import lanes_suffix, value_type, vector_type
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, DType, Span
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

#: bits of the groups of lanes that processors interleave quickly
GROUP_BITS: Final = 128
#: lanes up to which LLVM looks through all shuffles of a transpose quickly
_LEAST_FENCED: Final = 8


def check_vector(cg: Codegen, dtype: DType, span: Span | None = None) -> None:
    """Raise `NotSupportedByLLVM` for a scalable vector unless the target has these."""
    if dtype.is_scalable and not cg.program.target.has_scalable_vectors:
        raise NotSupportedByLLVM(
            what=f"a vector of dtype {dtype}, whose length is only known when the program runs", span=span, hint=_HINT
        )


_HINT = 'name a target with scalable vectors: "llvm -mtriple=aarch64-linux-gnu -mattr=+sve", or riscv64 with +v'


def splat(cg: Codegen, operand: str, dtype: DType) -> str:
    """Return a scalar in all lanes of a vector dtype."""
    check_vector(cg, dtype)
    kind, scalar = value_type(dtype), value_type(dtype.element)
    if not operand.startswith("%") and not operand.startswith("@"):
        return f"splat ({scalar} {operand})"
    first = cg.text.value(f"insertelement {kind} poison, {scalar} {operand}, i32 0")
    return cg.text.value(
        f"shufflevector {kind} {first}, {kind} poison, {vector_type(dtype.lanes, 'i32')} zeroinitializer"
    )


@rule(tir.Ramp)
def emit_ramp(cg: Codegen, node: tir.Ramp) -> str:
    return ramp(cg, cg.expr(node.base), node.stride, node.dtype)


def ramp(cg: Codegen, base: str, stride: Expr, dtype: DType) -> str:
    """base + stride * (0, 1, 2, ...)."""
    kind = value_type(dtype)
    if dtype.is_floating:
        raise NotSupportedByLLVM(what="a Ramp of floats", span=stride.span)
    scalar = value_type(dtype.element)
    if dtype.is_scalable:
        steps = _scalable_steps(cg, stride, dtype)
    elif isinstance(stride, tir.IntImm):
        mask = (1 << dtype.bits) - 1
        steps = f"<{', '.join(f'{scalar} {(lane * stride.value) & mask}' for lane in range(dtype.lanes))}>"
    else:
        lanes = f"<{', '.join(f'{scalar} {lane}' for lane in range(dtype.lanes))}>"
        steps = cg.text.value(f"mul {kind} {lanes}, {splat(cg, cg.expr(stride), dtype)}")
    if base == "0":
        return steps
    return cg.text.value(f"add {kind} {splat(cg, base, dtype)}, {steps}")


def _scalable_steps(cg: Codegen, stride: Expr, dtype: DType) -> str:
    """stride * (0, 1, 2, ...) in a scalable vector."""
    check_vector(cg, dtype, stride.span)
    # LLVM has lane numbers of 8 bits and more
    wide = dtype if dtype.bits >= 8 else DType("int8").with_lanes(dtype.lanes)
    kind = value_type(wide)
    symbol = cg.program.text.declare(f"llvm.stepvector.{lanes_suffix(dtype.lanes)}i{wide.bits}", f"{kind} {{}}()")
    steps = cg.convert.cast(cg.text.value(f"call {kind} {symbol}()"), wide, dtype)
    if is_const(stride, 1):
        return steps
    return cg.text.value(f"mul {value_type(dtype)} {steps}, {splat(cg, cg.expr(stride), dtype)}")


def last_lane(cg: Codegen, dtype: DType) -> str:
    """Return the number of the last lane of a vector as an i32."""
    if not dtype.is_scalable:
        return str(dtype.lanes - 1)
    count = cg.text.value(f"mul i32 {_vscale(cg, INT32)}, {-dtype.lanes}")
    return cg.text.value(f"sub i32 {count}, 1")


@call_rule("vscale")
def emit_vscale(cg: Codegen, node: tir.Call) -> str:
    check_vector(cg, DType("int32xvscalex4"), node.span)
    return _vscale(cg, node.dtype)


def _vscale(cg: Codegen, dtype: DType) -> str:
    kind = value_type(dtype)
    return cg.text.value(f"call {kind} {cg.program.text.declare(f'llvm.vscale.i{dtype.bits}', f'{kind} {{}}()')}()")


@rule(tir.Shuffle)
def emit_shuffle(cg: Codegen, node: tir.Shuffle) -> str:
    scalar = value_type(node.dtype.element)
    vectors = list(node.vectors)
    first, last = vectors[0].dtype, vectors[-1].dtype
    lanes = [index.value for index in node.indices if isinstance(index, tir.IntImm)]
    if len(vectors) <= 2 and first is last and first.lanes > 1 and 1 < len(lanes) == len(node.indices):
        a = cg.expr(vectors[0])
        b = cg.expr(vectors[1]) if len(vectors) == 2 else "poison"
        return shuffle(cg.program, cg.text, first, a, b, lanes)
    parts: list[str] = []
    if node.dtype.is_scalable or any(vector.dtype.is_scalable for vector in node.vectors):
        raise NotSupportedByLLVM(what="a Shuffle of scalable vectors", span=node.span)
    for vector in node.vectors:
        operand = cg.expr(vector)
        if vector.dtype.lanes == 1:
            parts.append(operand)
            continue
        kind = value_type(vector.dtype)
        parts += [cg.text.value(f"extractelement {kind} {operand}, i32 {lane}") for lane in range(vector.dtype.lanes)]
    picked = [_extract_lane(cg, parts, index, scalar) for index in node.indices]
    return picked[0] if node.dtype.lanes == 1 else build_vector(cg, picked, node.dtype)


def shuffle(program: Program, text: FunctionText, dtype: DType, a: str, b: str, lanes: list[int]) -> str:
    """Return the vector of these lanes of two vectors of a dtype."""
    kind, order = value_type(dtype), ", ".join([f"i32 {lane}" for lane in lanes])
    is_long = b != "poison" and len(lanes) > _LEAST_FENCED
    if is_long and program.target.is_x86 and _moves_groups(lanes, dtype):
        a, b = fence(program, text, a, dtype), fence(program, text, b, dtype)
    return text.value(f"shufflevector {kind} {a}, {kind} {b}, <{len(lanes)} x i32> <{order}>")


def _moves_groups(lanes: list[int], dtype: DType) -> bool:
    """Return whether a shuffle of floats keeps lanes in their places in the groups that instructions interleave."""
    group = GROUP_BITS // dtype.bits
    return dtype.element in (FLOAT32, FLOAT64) and all(
        lane % group == place % group for place, lane in enumerate(lanes)
    )


def fence(program: Program, text: FunctionText, operand: str, dtype: DType) -> str:
    """Write a vector of floats as a value that LLVM does not look into.

    For a shuffle it looks at all shuffles that go into it, in a time that grows exponentially with their depth.
    """
    kind = value_type(dtype)
    name = f"llvm.arithmetic.fence.{lanes_suffix(dtype.lanes)}f{dtype.bits}"
    symbol = program.text.declare(name, f"{kind} {{}}({kind})")
    return text.pure_value(f"call {kind} {symbol}({kind} {operand})")


def _extract_lane(cg: Codegen, lanes: list[str], index: Expr, scalar: str) -> str:
    if isinstance(index, tir.IntImm):
        return lanes[index.value]
    whole = f"<{len(lanes)} x {scalar}>"
    vector = "poison"
    for lane, operand in enumerate(lanes):
        vector = cg.text.value(f"insertelement {whole} {vector}, {scalar} {operand}, i32 {lane}")
    return cg.text.value(f"extractelement {whole} {vector}, {cg.typed(index)}")


def build_vector(cg: Codegen, lanes: list[str], dtype: DType) -> str:
    """Return a vector of these scalars."""
    kind, scalar = value_type(dtype), value_type(dtype.element)
    vector = "poison"
    for lane, operand in enumerate(lanes):
        vector = cg.text.value(f"insertelement {kind} {vector}, {scalar} {operand}, i32 {lane}")
    return vector


@call_rule(vectorlow=0, vectorhigh=1)
def emit_half(cg: Codegen, node: tir.Call, start: int) -> str:
    vector = node.args[0]
    lanes = node.dtype.lanes
    if lanes < 0:
        raise NotSupportedByLLVM(what="half of a scalable vector", span=node.span)
    order = ", ".join(f"i32 {lane}" for lane in range(start * lanes, start * lanes + lanes))
    kind = value_type(vector.dtype)
    picked = f"shufflevector {kind} {cg.expr(vector)}, {kind} poison, <{lanes} x i32> <{order}>"
    if lanes > 1:
        return cg.text.value(picked)
    return cg.text.value(f"extractelement {kind} {cg.expr(vector)}, i32 {start}")


@call_rule("vectorcombine")
def emit_combine(cg: Codegen, node: tir.Call) -> str:
    if node.dtype.is_scalable:
        raise NotSupportedByLLVM(what="the concatenation of scalable vectors", span=node.span)
    if node.args[0].dtype.lanes == 1:
        return build_vector(cg, [cg.expr(arg) for arg in node.args], node.dtype)
    order = ", ".join(f"i32 {lane}" for lane in range(node.dtype.lanes))
    a, b = (cg.typed(arg) for arg in node.args)
    return cg.text.value(f"shufflevector {a}, {b}, <{node.dtype.lanes} x i32> <{order}>")


@call_rule("get_active_lane_mask")
def emit_lane_mask(cg: Codegen, node: tir.Call) -> str:
    base, limit = node.args
    wide = base.dtype.with_lanes(node.dtype.lanes)
    # Without wrapping around: lane k counts where k < limit - base.
    kind = value_type(wide)
    lanes = ramp(cg, "0", tir.IntImm(base.dtype, 1), wide)
    sign = "s" if base.dtype.is_signed else "u"
    low, high = cg.expr(base), cg.expr(limit)
    scalar = value_type(base.dtype)
    some = cg.text.value(f"icmp {sign}lt {scalar} {low}, {high}")
    left = cg.text.value(f"select i1 {some}, {scalar} {cg.text.value(f'sub {scalar} {high}, {low}')}, {scalar} 0")
    return cg.text.value(f"icmp ult {kind} {lanes}, {splat(cg, left, wide)}")
