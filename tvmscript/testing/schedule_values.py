"""Check that a schedule step preserves values: run changed functions before and after it, on the same arguments.

Results must be bitwise equal where the primitive is declared exact. Small programs run in the reference interpreter,
larger ones are compiled; both versions run in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import IRModule, TVMScriptError, nodes
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.tir import For, ForKind, PrimFunc
from tvmscript.ir.tir.verify import verify
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.ir.transform.registry import get_pass

#: More iterations than these are not interpreted.
_INTERPRETED = 1 << 17
#: Sums in another order differ by so much, relative to the largest number.
TOLERANCES = {
    "e4m3_float8": 0.2,
    "e5m2_float8": 0.4,
    "bfloat16": 3e-2,
    "float16": 2e-2,
    "float32": 1e-4,
    "float64": 1e-9,
}


class ValuesChanged(TVMScriptError, AssertionError, code="TS8010"):
    """A step of a schedule after which the program computes something else: the step or the package is wrong, or the
    program reads what it never wrote.
    """

    message = "after {primitive}, {function} computes other values: {buffer}{index} was {before} and is {after}"


class StepBreaksProgram(TVMScriptError, AssertionError, code="TS8011"):
    """A step of a schedule after which the program does not run: it is not well formed, or reads or writes outside of a
    buffer.
    """

    message = "after {primitive}, {function} does not run: {reason}"


class ValuesCheck:
    """Called after each step of a schedule. Results of the program before are kept from the step before.

    Arguments are drawn with `seed`; `dims` has sizes that the signature leaves open.
    """

    def __init__(self, seed: int = 0, dims: Mapping[str, int] | None = None) -> None:
        self.seed = seed
        self.dims = dims
        self._known: dict[PrimFunc, list[Any]] = {}

    def __call__(self, before: IRModule, schedule: Recorder) -> None:
        """Raise `ValuesChanged` where a kernel computes something else than before, `StepBreaksProgram` if it fails."""
        step, after = schedule.trace.insts[-1].kind, schedule.mod
        cached: dict[PrimFunc, list[Any]] = {}
        for var, old in before.items():
            new = after[var]
            if new is old or not isinstance(old, PrimFunc) or _takes_others(old, new):
                continue
            expected = self._known[old] if old in self._known else self.results(old, old)
            try:
                verify(new)
                cached[new] = self.results(new, old)
            except TVMScriptError as error:
                raise StepBreaksProgram(primitive=step.method, function=var.name_hint, reason=error.text) from error
            # compiled functions such as T.exp round in another way than interpreted ones
            is_exact = step.promises.is_exact and _is_interpreted(old) == _is_interpreted(new)
            self.compare(step.method, var.name_hint, old, expected, cached[new], is_exact=is_exact)
        self._known = cached

    def results(self, func: PrimFunc, like: PrimFunc) -> list[Any]:
        """The arguments after a call, drawn for the signature of `like`."""
        values = [argument.value for argument in random_inputs(like, self.seed, self.dims)]
        program = IRModule({"main": func.with_attr("global_symbol", "main")})
        if _is_interpreted(func):
            built = interp.build(program)
        else:  # accesses outside of memory are errors, as in the interpreter
            built = llvm.build(lower_for_llvm(get_pass("tir.AssertBounds")(program)), target=llvm.EXACT)
        built["main"](*values)
        return [np.array(value) for value in values]

    def compare(
        self,
        primitive: str,
        function: str,
        func: PrimFunc,
        before: list[Any],
        after: list[Any],
        *,
        is_exact: bool = False,
    ) -> None:
        """Raise `ValuesChanged` for the first element that differs."""
        mismatch = difference(func, before, after, is_exact=is_exact)
        if mismatch is not None:
            raise ValuesChanged(primitive=primitive, function=function, **mismatch)


def difference(func: PrimFunc, before: list[Any], after: list[Any], *, is_exact: bool = False) -> dict[str, Any] | None:
    """The first element of the arguments of a kernel that differs: its `buffer`, `index`, values `before` and `after`.

    Floats may differ by rounding, unless the comparison `is_exact`.
    """
    for param, old, new in zip(func.params, before, after, strict=True):
        buffer = func.buffer_map.get(param)
        dtype = param.dtype if buffer is None else buffer.dtype
        index = differing_index(old, new, 0.0 if is_exact else TOLERANCES.get(str(dtype), 0.0))
        if index is not None:
            name = buffer.name if buffer else param.name
            return {"buffer": name, "index": list(index), "before": old[index], "after": new[index]}
    return None


def _is_interpreted(func: PrimFunc) -> bool:
    return _has_threads(func) or iterations_of(func) <= _INTERPRETED


def _has_threads(func: PrimFunc) -> bool:
    """Whether a program has loops over threads, which a CPU has not."""
    return any(isinstance(node, For) and node.kind is ForKind.THREAD_BINDING for node in nodes(func.body))


def _takes_others(old: PrimFunc, new: Any) -> bool:
    """Whether a step gave a parameter another layout, so that the same arguments mean something else."""
    return any(new.buffer_map.get(param) is not buffer for param, buffer in old.buffer_map.items())


def differing_index(old: Any, new: Any, tolerance: float) -> tuple[int, ...] | None:
    """Return the index of the first element that differs; None where none does."""
    differs = _different(old, new, tolerance)
    if not differs.any():
        return None
    return tuple([int(axis) for axis in np.unravel_index(np.flatnonzero(differs)[0], differs.shape)])


def _different(old: Any, new: Any, tolerance: float) -> Any:
    """Return the mask of different elements: exact for integers, beyond the tolerance for floats; NaN equals NaN."""
    if old.dtype.kind != "f":
        return np.asarray(old != new)
    finite = np.abs(old[np.isfinite(old)])
    scale = max(float(finite.max()) if finite.size else 0.0, 1.0)
    with np.errstate(invalid="ignore"):
        same = (old == new) | (np.isnan(old) & np.isnan(new))
        return ~same & ~(np.abs(old.astype("float64") - new) <= tolerance * scale)
