"""Vectors whose length is known when the program runs: `T.vscale() * 4` lanes, dtype `float32xvscalex4`.

Such a number of lanes is kept as a negative one: -4 is 4 times vscale.
"""

from __future__ import annotations

from tvmscript.ir.core import INT32, DType, Op
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call, IntImm, Mul

_VSCALE = "tir.vscale"


def scalable_lanes(count: Expr) -> int | None:
    """The lanes of `T.vscale() * 4`, `4 * T.vscale()`, `T.vscale() * 2 * 2`: -4. None for anything else."""
    if not isinstance(count, Mul):
        return None
    a, b = count.a, count.b
    if isinstance(a, IntImm):
        a, b = b, a
    if isinstance(a, Mul) and isinstance(b, IntImm) and b.value > 0:
        lanes = scalable_lanes(a)
        return None if lanes is None else lanes * b.value
    if isinstance(a, Call) and isinstance(b, IntImm) and b.value > 1 and getattr(a.op, "name", "") == _VSCALE:
        return -b.value
    return None


def lanes_value(lanes: int, dtype: DType = INT32) -> Expr:
    """A number of lanes as an expression: 4, or `T.vscale() * 4` for -4."""
    if lanes > 0:
        return IntImm(dtype, lanes)
    return Mul(Call(dtype, Op.get(_VSCALE), ()), IntImm(dtype, -lanes))
