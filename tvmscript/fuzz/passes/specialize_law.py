"""Functions whose sizes are given as numbers compute what they compute for these sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.tir import PrimFunc, Var
from tvmscript.testing.schedule_values import difference

#: iterations that are compared
_MOST: Final = 1 << 12


def check_specialized(func: PrimFunc, seed: int, sizes: Mapping[str, int]) -> None:
    """Compare a function with its form for some of the sizes, or all. Raises `LevelsDisagree`."""
    shapes = [extent for buffer in func.buffer_map.values() for extent in buffer.shape]
    names = sorted({extent.name for extent in shapes if isinstance(extent, Var)} & sizes.keys())
    if not names or iterations_of(func) > _MOST:
        return
    chosen = names if seed % 2 else names[:1]
    given = {param: each.value for param, each in zip(func.params, random_inputs(func, seed, sizes), strict=True)}
    expected = _run(func, given)
    specialized = func.specialize({name: sizes[name] for name in chosen})
    left = {var.name for param in specialized.params for var in _sizes_of(specialized, param)}
    if left & {*chosen}:
        raise LevelsDisagree(
            name="specialize", other="the sizes", buffer="a size", index="", before="a number", after=sorted(left)
        )
    if expected is None:
        return
    results = _run(specialized, given)
    if results is None:
        raise LevelsDisagree(
            name="specialize", other="the function", buffer="a call", index="", before="values", after="an error"
        )
    by_param = dict(zip(specialized.params, results, strict=True))
    after = [by_param.get(param, value) for param, value in zip(func.params, expected, strict=True)]
    mismatch = difference(func, expected, after)
    if mismatch is not None:
        raise LevelsDisagree(name="specialize", other="the function", **mismatch)


def _sizes_of(func: PrimFunc, param: Var) -> list[Var]:
    buffer = func.buffer_map.get(param)
    return [] if buffer is None else [extent for extent in buffer.shape if isinstance(extent, Var)]


def _run(func: PrimFunc, given: Mapping[Var, Any]) -> list[Any] | None:
    """Return the arguments after a call; None if it fails."""
    values = [
        np.copy(value) if isinstance(value, np.ndarray) else value for value in map(given.__getitem__, func.params)
    ]
    try:
        with np.errstate(all="ignore"):
            interp.build(IRModule({"main": func.with_attr("global_symbol", "main")}))["main"](*values)
    except (IRError, Unsupported, UnsupportedDType):
        return None
    return values
