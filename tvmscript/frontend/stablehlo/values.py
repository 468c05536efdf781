"""Constants and converters of StableHLO programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.stablehlo.text import Operation
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@dataclass(frozen=True)
class Complex:
    """A tensor of complex numbers: their parts."""

    real: RelaxExpr
    imag: RelaxExpr


#: the result, or several
Results = RelaxExpr | list[RelaxExpr]
Converter = Callable[[Operation, Sequence[RelaxExpr]], Results]


def constant(value: npt.ArrayLike, dtype: str) -> RelaxExpr:
    """Return a constant tensor."""
    tensor: RelaxExpr = R.const(np.ascontiguousarray(np.asarray(value, dtype)).reshape(np.shape(value)), dtype)
    return tensor
