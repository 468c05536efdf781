"""The rules that a target has for intrinsics."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.transform.expressions.lower_intrin.rules_cpu_cuda import CUDA, DEFAULT, LLVM, Rule, Rules
from tvmscript.ir.transform.expressions.lower_intrin.rules_gpu import HEXAGON, METAL, NVPTX, OPENCL, ROCM, WEBGPU

#: kind of target -> its own rules, which come before those that every target has
_OF_TARGETS: Final[dict[str, Rules]] = {
    "cuda": CUDA,
    "hexagon": HEXAGON,
    "llvm": LLVM,
    "metal": METAL,
    "nvptx": NVPTX,
    "opencl": OPENCL,
    "rocm": ROCM,
    "webgpu": WEBGPU,
}

#: targets that compute a * b + c in one operation
FUSES: Final = frozenset(kind for kind, rules in _OF_TARGETS.items() if "tir.fma" in rules)


def rules_for(kind: str) -> Rules:
    """The rules of a kind of target."""
    own = _OF_TARGETS.get(kind, {})
    return {op: _both(own.get(op), DEFAULT.get(op)) for op in {**DEFAULT, **own}}


def _both(own: Rule | None, default: Rule | None) -> Rule:
    """The target's own rule, and where it makes nothing of a call, that of every target."""
    if own is None or default is None:
        return own or default or _leave
    first, second = own, default

    def rule(call: Call) -> Expr | None:
        made = first(call)
        return second(call) if made is None else made

    return rule


def _leave(call: Call) -> Expr | None:
    return None
