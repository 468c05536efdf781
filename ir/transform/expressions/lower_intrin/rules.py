"""Rules of a target for intrinsics: functions that it has by name, then expressions of other functions."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import CallEffect, Op
from tvmscript.ir.tir import Call, Expr
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.ir.tir.intrin.intrinsic import Names
from tvmscript.ir.transform.expressions.lower_intrin.rules_cpu_cuda import (
    CUDA,
    DEFAULT,
    LLVM,
    Rule,
    Rules,
    llvm_call,
    named,
)
from tvmscript.ir.transform.expressions.lower_intrin.rules_gpu import HEXAGON, METAL, OPENCL, ROCM, WEBGPU

#: kind of target -> rules for what it computes from other functions
_COMPUTED: Final[dict[str, Rules]] = {
    "cuda": CUDA,
    "hexagon": HEXAGON,
    "llvm": LLVM,
    "metal": METAL,
    "opencl": OPENCL,
    "rocm": ROCM,
    "webgpu": WEBGPU,
}
#: kind in `Intrinsic.functions` that stands for all targets
_EVERY_TARGET: Final = "c"


def fuses(kind: str) -> bool:
    """Return whether this kind of target computes a * b + c in one operation."""
    return "tir.fma" in _functions_of(kind)


def rules_for(kind: str) -> Rules:
    """Return the rules of a kind of target: its own, and behind them those of all targets."""
    own = _functions_of(kind)
    if kind == "nvptx":  # for dtypes that CUDA's library does not have, as LLVM
        fallback = _functions_of("llvm") | LLVM
        own = {op: _first_of(rule, fallback.get(op)) for op, rule in own.items()}
    own |= _COMPUTED.get(kind, {})
    default = _functions_of(_EVERY_TARGET) | DEFAULT
    return {op: _first_of(own.get(op), default.get(op)) for op in {**default, **own}}


def _functions_of(kind: str) -> Rules:
    """Return rules for the functions that a kind of target has by name."""
    return {
        op.name: _call_by_name(kind, op, op.functions[kind])
        for op in Op.registry.values()
        if isinstance(op, Intrinsic) and kind in op.functions
    }


def _call_by_name(kind: str, op: Intrinsic, names: Names) -> Rule:
    """Return the rule that calls the function of the call's dtype; None for other dtypes."""
    pure = op.effect <= CallEffect.PURE

    def rule(call: Call) -> Expr | None:
        # C has no vectors
        name = names.get(call.dtype if kind == _EVERY_TARGET else call.dtype.element, names.get(""))
        if name is None:
            return None
        if name.startswith("llvm."):
            return llvm_call("call_llvm_pure_intrin" if pure else "call_llvm_intrin", call.dtype, name, *call.args)
        return named("call_pure_extern", call.dtype, name, call.args)

    return rule


def _first_of(own: Rule | None, default: Rule | None) -> Rule:
    """Return a rule that tries `own`, then `default`."""
    if own is None or default is None:
        return own or default or _leave
    first, second = own, default

    def rule(call: Call) -> Expr | None:
        lowered = first(call)
        return second(call) if lowered is None else lowered

    return rule


def _leave(call: Call) -> Expr | None:
    return None
