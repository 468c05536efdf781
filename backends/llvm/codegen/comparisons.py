"""Comparisons; masks of the first lanes of a vector are bits of an integer where registers hold masks.

LLVM computes a comparison again wherever its result is used, also in a loop whose iterations have the same mask. Bits
are computed once, and stay in a mask register.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.codegen.arithmetic import call_overloaded, compare, emit_index
from tvmscript.backends.llvm.codegen.codegen import Codegen, rule
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import INT64
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir

#: comparison -> predicate for floats, signed and unsigned integers. Only NE holds for nan.
_PREDICATES: dict[type[Expr], tuple[str, str, str]] = {
    tir.EQ: ("oeq", "eq", "eq"),
    tir.NE: ("une", "ne", "ne"),
    tir.LT: ("olt", "slt", "ult"),
    tir.LE: ("ole", "sle", "ule"),
    tir.GT: ("ogt", "sgt", "ugt"),
    tir.GE: ("oge", "sge", "uge"),
}
#: lanes of masks that registers have
_LANES: Final = (8, 16, 32, 64)


@rule(*_PREDICATES)
def emit_comparison(cg: Codegen, node: tir.CompareOp) -> str:
    dtype = node.a.dtype
    floats, signed, unsigned = _PREDICATES[type(node)]
    if dtype.is_signed and dtype.lanes == 1 and cg.ranges.is_exact(node.a) and cg.ranges.is_exact(node.b):
        # in the width that loops count in
        return cg.text.value(f"icmp {signed} i64 {emit_index(cg, node.a)}, {emit_index(cg, node.b)}")
    first_lanes = emit_first_lanes(cg, node)
    if first_lanes is not None:
        return first_lanes
    a, b = cg.expr(node.a), cg.expr(node.b)
    if dtype.is_floating:
        return compare(cg, f"fcmp {floats}", a, b, dtype)
    return compare(cg, f"icmp {signed if dtype.is_signed else unsigned}", a, b, dtype)


def emit_first_lanes(cg: Codegen, condition: Expr) -> str | None:
    """Write a comparison of consecutive numbers with an end, perhaps under a condition of all lanes.

    None for others, and without mask registers.
    """
    count = condition.dtype.lanes
    if isinstance(condition, tir.And):
        a, b = condition.a, condition.b
        whole, lanes = (a, b) if isinstance(a, tir.Broadcast) else (b, a)
        bits = _emit_bits(cg, lanes) if isinstance(whole, tir.Broadcast) else None
        if bits is not None and isinstance(whole, tir.Broadcast):
            bits = cg.text.value(f"select i1 {cg.expr(whole.value)}, i{count} {bits}, i{count} 0")
    else:
        bits = _emit_bits(cg, condition)
    if bits is None:
        return None
    return cg.text.value(f"bitcast i{count} {bits} to <{count} x i1>")


def _emit_bits(cg: Codegen, condition: Expr) -> str | None:
    """Write a comparison of consecutive numbers with an end as the bits of an integer."""
    target = cg.program.target
    if not isinstance(condition, tir.LT) or not target.is_x86 or not target.model.has_mask_registers:
        return None
    numbers, limit = condition.a, condition.b
    if not isinstance(numbers, tir.Ramp) or not isinstance(limit, tir.Broadcast) or not is_const(numbers.stride, 1):
        return None
    first, end, count = numbers.base, limit.value, numbers.dtype.lanes
    is_constant = isinstance(first, tir.IntImm) and isinstance(end, tir.IntImm)
    if count not in _LANES or not first.dtype.is_signed or is_constant:
        return None
    last = tir.Add(first, tir.IntImm(first.dtype, count - 1))
    if not all(map(cg.ranges.is_exact, (last, end))):
        return None
    cg.accesses.note_mask(condition)
    number = cg.text.value(f"sub nsw i64 {emit_index(cg, end)}, {emit_index(cg, first)}")
    least, greatest = cg.ranges.range_of(tir.Sub(end, first))
    if greatest >= INT64.bits:
        number = call_overloaded(cg, "llvm.smin", INT64, [number, str(count)])
    if least < 0:
        number = call_overloaded(cg, "llvm.smax", INT64, [number, "0"])
    others = cg.text.value(f"shl nsw i64 -1, {number}")
    if count == INT64.bits and greatest >= count:  # a shift by as many bits has no value
        is_whole = cg.text.value(f"icmp eq i64 {number}, {count}")
        others = cg.text.value(f"select i1 {is_whole}, i64 0, i64 {others}")
    bits = cg.text.value(f"xor i64 {others}, -1")
    return bits if count == INT64.bits else cg.text.value(f"trunc i64 {bits} to i{count}")
