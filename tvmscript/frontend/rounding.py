"""Rounding in graphs: of halves to even numbers, and of 16-bit floats once."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.frontend.tensor_info import dtype_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def round_to_even(x: RelaxExpr) -> RelaxExpr:
    """Round halves to even numbers, where R.round moves them away from zero."""
    whole, half, two = R.round(x), R.const(0.5, dtype_of(x)), R.const(2, dtype_of(x))
    is_tie = R.equal(R.abs(R.subtract(whole, x)), half)
    return R.where(is_tie, R.multiply(R.round(R.multiply(x, half)), two), whole)


def is_narrow(x: RelaxExpr) -> bool:
    """Whether the elements of a tensor are floats of 16 bits."""
    return dtype_of(x) in ("float16", "bfloat16")


def round_once(function: Callable[[RelaxExpr], RelaxExpr], x: RelaxExpr) -> RelaxExpr:
    """Return a function of a tensor; that of 16-bit floats is computed in float32 and rounded once."""
    return R.astype(function(R.astype(x, "float32")), dtype_of(x)) if is_narrow(x) else function(x)
