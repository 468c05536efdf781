"""Run imported modules, and compare their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tvmscript import graph_build
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.frontends.pool import Array
from tvmscript.fuzz.observing import observe
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.verify import verify

#: dtype -> how far results may be apart, by the largest of them
_TOLERANCES: Final = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-4}


def run(module: IRModule, arguments: Sequence[Any], name: str = "main") -> list[Array]:
    """Run a function of a well-formed module: operators by their NumPy references, kernels by the interpreter."""
    observe("imported", module.script, show_meta=True)
    verify(module)
    executable = graph_build.build(module, "interp", pipeline=lambda mod: mod, exec_mode="bytecode")
    with np.errstate(all="ignore"):
        return flat(executable.functions[name](*map(_argument, arguments)))


def _argument(value: Any) -> Any:
    """Return an argument as a graph takes it: complex numbers have an axis for both parts."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(_argument, value))
    return _parts(value.copy()) if isinstance(value, np.ndarray) else value


def _parts(array: Array) -> Array:
    return np.stack([np.real(array), np.imag(array)], -1) if array.dtype.kind == "c" else array


def flat(value: Any) -> list[Array]:
    """Return the arrays in nested tuples."""
    if isinstance(value, (tuple, list)):
        return [array for item in value for array in flat(item)]
    return [value.numpy().copy()]


def compare(name: str, actual: Sequence[Array], expected: Sequence[Array]) -> None:
    """Raises `LevelsDisagree` where shapes, dtypes or elements differ."""
    if len(actual) != len(expected):
        raise LevelsDisagree(
            name=name, other="NumPy", buffer="results", index="", before=len(expected), after=len(actual)
        )
    for place, (after, value) in enumerate(zip(actual, expected, strict=True)):
        before = _parts(value)
        kinds = [f"{each.dtype}{list(each.shape)}" for each in (before, after)]
        if kinds[0] != kinds[1]:
            raise LevelsDisagree(
                name=name,
                other="NumPy",
                buffer=f"the type of result {place}",
                index="",
                before=kinds[0],
                after=kinds[1],
            )
        if before.dtype.kind == "f":
            finite = np.abs(before[np.isfinite(before)]).max(initial=1)
            is_same = np.isclose(after, before, 0, _TOLERANCES[str(before.dtype)] * finite, equal_nan=True)
        else:
            is_same = np.asarray(after == before)
        for index in np.argwhere(~is_same)[:1]:
            at = tuple(index)
            raise LevelsDisagree(
                name=name, other="NumPy", buffer=f"result {place}", index=[*map(int, at)], before=before[at],
                after=after[at],
            )  # fmt: skip
