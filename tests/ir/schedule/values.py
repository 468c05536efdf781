"""What a primitive must not change: the values that a program computes."""

from __future__ import annotations

import numpy as np

from tests.ir.transform.running import results
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc


def same_values(before: IRModule | PrimFunc, after: IRModule | PrimFunc, tolerance: float = 0.0) -> None:
    """Assert that every kernel computes the same from the same arguments, for two draws of them.

    Sums in another order are compared with a tolerance. The kernels of the first program are those that are run.
    """
    for name, old in kernels(before).items():
        new = kernels(after)[name]
        if new is old:
            continue
        for seed in (0, 1):
            for left, right in zip(results(old, seed=seed), results(new, old, seed), strict=True):
                if tolerance and left.dtype.kind == "f":
                    np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance)
                else:
                    np.testing.assert_array_equal(left, right)


def kernels(program: IRModule | PrimFunc) -> dict[str, PrimFunc]:
    """The kernels of a program by name; a function alone is `main`."""
    if isinstance(program, PrimFunc):
        return {"main": program}
    return {var.name_hint: func for var, func in program.items() if isinstance(func, PrimFunc)}
