"""Rounding of halves to even numbers, in graphs."""

from __future__ import annotations

from tvmscript.frontend.tensor_info import dtype_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


def round_to_even(x: RelaxExpr) -> RelaxExpr:
    """Round halves to even numbers, where R.round moves them away from zero."""
    whole, half, two = R.round(x), R.const(0.5, dtype_of(x)), R.const(2, dtype_of(x))
    is_tie = R.equal(R.abs(R.subtract(whole, x)), half)
    return R.where(is_tie, R.multiply(R.round(R.multiply(x, half)), two), whole)
