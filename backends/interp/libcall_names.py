"""Functions of C, CUDA, LLVM and shading languages by name: which intrinsic each of them computes, lane by lane."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.expr import Call, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic

_FUNCTIONS: Final = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "copysign", "cos", "cosh", "erf", "exp",
    "exp10", "exp2", "fabs", "floor", "fma", "fmod", "hypot", "ldexp", "log", "log10", "log1p", "log2", "nearbyint",
    "nextafter", "pow", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip

#: names that are not made of the intrinsic's
_OTHER: Final = {
    "llvm.fmuladd": "fma",
    "llvm.ctpop": "popcount",
    "llvm.ctlz": "clz",
    "__popc": "popcount",
    "__popcll": "popcount",
    "__habs": "fabs",
    "abs": "fabs",
    "popcount": "popcount",
    "hrint": "nearbyint",
}


def _names(function: str) -> tuple[str, ...]:
    """In LLVM, in C for both widths, in CUDA for fast and half-precision floats, in CUDA's device library."""
    in_library = (f"__nv_{function}", f"__nv_{function}f")
    return (f"llvm.{function}", function, f"{function}f", f"__{function}f", f"h{function}", *in_library)


_MEANINGS: Final = {name: function for function in _FUNCTIONS for name in _names(function)} | _OTHER


def meant(node: Call) -> Call | None:
    """The call of an intrinsic that a call by name stands for; None where the name is not known here."""
    first, *args = node.args
    if not isinstance(first, StringImm) or first.value not in _MEANINGS:
        return None
    op = Op.get(f"tir.{_MEANINGS[first.value]}")
    assert isinstance(op, Intrinsic)
    if isinstance(node.op, Op) and "llvm" in node.op.name:
        args = args[1:]  # the first is their number
    return Call(node.dtype, op, tuple(args[: op.num_inputs]), node.span)
