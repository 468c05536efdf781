"""Constants and converters of StableHLO programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

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


#: longest axis whose places are computed when the program is imported
LONGEST_AXIS: Final = 1 << 24


def places_along(*sizes: int) -> npt.NDArray[np.int64]:
    """Return the places of the first axis. Raises `ValueError` if it, or another axis, is too long to compute with."""
    if max(sizes) > LONGEST_AXIS:
        raise ValueError(f"the places of axes of more than {LONGEST_AXIS:,} elements are not computed")
    return np.arange(sizes[0])
