"""Intrinsics that Metal, OpenCL, ROCm, WebGPU and Hexagon compute from other functions: tables of operator -> rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.arith.fold import make, round_to_dtype
from tvmscript.ir.core import FLOAT32, INT32, Op
from tvmscript.ir.tir import GE, LT, Add, Call, Cast, Div, Expr, IntImm, Max, Min, Mul, Select, Sub, const
from tvmscript.ir.transform.expressions.lower_intrin.rules_cpu_cuda import (
    Rule,
    Rules,
    named,
    number,
    operation,
    tan,
    tanh,
)

# -- erf where there is none

#: Coefficients of a rational approximation in x * x, accurate to float32, highest power first; erf is 1 beyond 4.
_ABOVE: Final = (
    -2.72614225801306e-10,
    2.77068142495902e-08,
    -2.10102402082508e-06,
    -5.69250639462346e-05,
    -7.34990630326855e-04,
    -2.95459980854025e-03,
    -1.60960333262415e-02,
)
_BELOW: Final = (
    -1.45660718464996e-05,
    -2.13374055278905e-04,
    -1.68282697438203e-03,
    -7.37332916720468e-03,
    -1.42647390514189e-02,
)


def _erf(call: Call) -> Expr | None:
    x = call.args[0]
    if x.dtype.element == "float16":
        # float16 cannot represent the coefficients (TVM rounds them)
        wide = FLOAT32.with_lanes(x.dtype.lanes)
        return Cast(x.dtype, Call(wide, call.op, (Cast(wide, x),)))
    if x.dtype.element is not FLOAT32:
        return None
    x = Max(Min(x, number(4.0, x)), number(-4.0, x))
    square = Mul(x, x)
    return Div(Mul(x, _polynomial(square, _ABOVE)), _polynomial(square, _BELOW))


def _polynomial(x: Expr, factors: tuple[float, ...]) -> Expr:
    first, *others = [const(round_to_dtype(factor, FLOAT32) or 0.0, x.dtype) for factor in factors]
    result: Expr = first
    for factor in others:
        result = Add(Mul(x, result), factor)
    return result


# -- exchange between threads of a warp


def _metal_operator(name: str) -> Rule:
    """Return a rule that calls a Metal intrinsic with the value and the lane."""

    def rule(call: Call) -> Expr:
        return Call(call.dtype, Op.get(f"tir.metal.{name}"), call.args[1:3])

    return rule


def _sub_group_shuffle(call: Call) -> Expr | None:
    """Call Intel's shuffle, which supports whole warps only."""
    _, value, lane, width, warp_size = call.args
    is_whole = isinstance(width, IntImm) and isinstance(warp_size, IntImm) and width.value == warp_size.value
    if not is_whole:
        return None
    return named("call_pure_extern", call.dtype, "intel_sub_group_shuffle", (value, lane))


def _amd(name: str, *args: Expr) -> Expr:
    return named("call_pure_extern", INT32, f"llvm.amdgcn.{name}", args)


def _int(value: int) -> Expr:
    return IntImm(INT32, value)


def _lane_id() -> Expr:
    """Return the lane of this thread in its warp."""
    return _amd("mbcnt.hi", _int(-1), _amd("mbcnt.lo", _int(-1), _int(0)))


def _group_base(width: Expr) -> Expr:
    """Return the first lane of the group of `width` threads."""
    inverse = Call(INT32, Op.get("tir.bitwise_not"), (make(Sub, width, _int(1)),))
    return operation("bitwise_and", _lane_id(), inverse)


def _permute_rule(thread: Callable[[Expr, Expr], Expr]) -> Rule:
    """Return a rule that reads a 32-bit register of the lane that `thread(lane, width)` computes."""

    def rule(call: Call) -> Expr | None:
        _, value, lane, width, _ = call.args
        if value.dtype.bits != 32 or value.dtype.lanes != 1:
            return None
        whole = value if value.dtype is INT32 else Call(INT32, Op.get("tir.reinterpret"), (value,))
        place = operation("shift_left", thread(lane, width), _int(2))
        result = _amd("ds.bpermute", place, whole)
        return result if value.dtype is INT32 else Call(value.dtype, Op.get("tir.reinterpret"), (result,))

    return rule


def _lane_in_group(lane: Expr, width: Expr) -> Expr:
    return make(Add, lane, _group_base(width))


def _lane_before(count: Expr, width: Expr) -> Expr:
    """Return the lane `count` before this one, or this lane if it is outside of the group."""
    place = make(Sub, _lane_id(), count)
    return Select(LT(place, _group_base(width)), _lane_id(), place)


def _lane_after(count: Expr, width: Expr) -> Expr:
    """Return the lane `count` after this one, or this lane if it is outside of the group."""
    within = operation("bitwise_and", _lane_id(), make(Sub, width, _int(1)))
    return Select(GE(make(Add, within, count), width), _lane_id(), make(Add, _lane_id(), count))


def _no_mask(call: Call) -> Expr:
    return IntImm(call.dtype, 0)


# -- the tables

METAL: Final[Rules] = {
    "tir.erf": _erf,
    "tir.tanh": tanh,
    "tir.tvm_warp_shuffle": _metal_operator("simd_shuffle"),
    "tir.tvm_warp_shuffle_down": _metal_operator("simd_shuffle_down"),
    "tir.tvm_warp_shuffle_up": _metal_operator("simd_shuffle_up"),
}

OPENCL: Final[Rules] = {"tir.tvm_warp_shuffle": _sub_group_shuffle}

WEBGPU: Final[Rules] = {"tir.erf": _erf, "tir.tanh": tanh}

ROCM: Final[Rules] = {
    "tir.erf": _erf,
    "tir.tanh": tanh,
    "tir.tvm_warp_activemask": _no_mask,
    "tir.tvm_warp_shuffle": _permute_rule(_lane_in_group),
    "tir.tvm_warp_shuffle_down": _permute_rule(_lane_after),
    "tir.tvm_warp_shuffle_up": _permute_rule(_lane_before),
}

HEXAGON: Final[Rules] = {"tir.tan": tan, "tir.tanh": tanh}
