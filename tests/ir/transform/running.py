"""Running a program in the reference interpreter: what a pass must not change."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.tir.function import PrimFunc


def results(func: PrimFunc, like: PrimFunc | None = None, seed: int = 0) -> list[Any]:
    """The arguments after a call of the function, drawn from the signature of `like`."""
    values = [given.value for given in random_inputs(like or func, seed)]
    interp.build(func.with_attr("global_symbol", "main"))["main"](*values)
    return [np.array(value) for value in values]


def assert_same_values(before: PrimFunc, after: PrimFunc) -> None:
    """Both functions compute the same from the same arguments, for two draws of them."""
    for seed in (0, 1):
        for left, right in zip(results(before, seed=seed), results(after, before, seed), strict=True):
            np.testing.assert_array_equal(left, right)
