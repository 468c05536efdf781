"""C's math.h for `T.call_extern`: the function of Python that computes each function of floats.

A name is that of the function of doubles, or with an `f` behind it that of floats. Functions that are operators of the
language are computed by these; the table has the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from tvmscript.ir.core import FLOAT32, FLOAT64, Op
from tvmscript.ir.tir import Call, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, Reference


class Function(NamedTuple):
    """A function of math.h: the number of its arguments, all of them floats, and its reference."""

    num_inputs: int
    reference: Reference


def _of_doubles(function: Callable[..., float]) -> Reference:
    """Return a function of `math` with the results of C where Python raises an exception: nan, and infinity."""

    def compute(*args: float) -> float:
        try:
            return function(*args)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return compute


def _tgamma(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else math.gamma(x)


def _lgamma(x: float) -> float:
    return math.inf if x <= 0 and x == math.floor(x) else math.lgamma(x)


def _fmax(x: float, y: float) -> float:
    return y if math.isnan(x) or y > x else x


def _fmin(x: float, y: float) -> float:
    return y if math.isnan(x) or y < x else x


def _fdim(x: float, y: float) -> float:
    return x - y if math.isnan(x) or math.isnan(y) or x > y else 0.0


_UNARY: Final[dict[str, Callable[[float], float]]] = {
    "cbrt": math.cbrt,
    "erfc": math.erfc,
    "expm1": math.expm1,
    "lgamma": _lgamma,
    "rint": lambda x: float(round(x)) if math.isfinite(x) else x,
    "tgamma": _tgamma,
}
_BINARY: Final[dict[str, Callable[[float, float], float]]] = {
    "fdim": _fdim,
    "fmax": _fmax,
    "fmin": _fmin,
    "remainder": math.remainder,
}


@cache
def functions() -> dict[str, Function]:
    """Return the functions of doubles by name."""
    table = {name: Function(1, _of_doubles(function)) for name, function in _UNARY.items()}
    table |= {name: Function(2, _of_doubles(function)) for name, function in _BINARY.items()}
    for op in Op.registry.values():
        # the second argument of ldexp is an integer
        if isinstance(op, Intrinsic) and op.c_name not in (None, "ldexp") and op.reference is not None:
            table[str(op.c_name)] = Function(op.num_inputs, op.reference)
    return table


def reference_of_extern(node: Call) -> Reference | None:
    """Return what computes a call of a C function by name, None unless it is one of math.h, called with its dtypes."""
    name, *args = node.args
    if not isinstance(name, StringImm):
        return None
    dtype, function = FLOAT64, functions().get(name.value)
    if function is None and name.value.endswith("f"):
        dtype, function = FLOAT32, functions().get(name.value.removesuffix("f"))
    if function is None or len(args) != function.num_inputs or any(part.dtype is not dtype for part in (node, *args)):
        return None
    return function.reference
