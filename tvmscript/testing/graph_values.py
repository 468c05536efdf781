"""What graph functions compute: operators by their NumPy references, kernels by the interpreter.

Packed functions are not called: they are code outside of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.array import NDArray, Storage
from tvmscript.backends.vm.interpreter import Interpreter
from tvmscript.backends.vm.random_inputs import random_arguments
from tvmscript.backends.vm.values import Value
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import GlobalVar, IRModule, structural_equal
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.variables import defined_symbolic_vars
from tvmscript.ir.tir import PrimFunc
from tvmscript.testing.schedule_values import TOLERANCES, differing_index

#: the size of what a signature leaves open: kernels are interpreted
_SIZE: Final = 3


def public_graphs(mod: IRModule) -> Mapping[str, Function]:
    """Return the public graph functions of a module by name, all where none is public."""
    graphs = {var.name_hint: func for var, func in mod.items() if isinstance(func, Function)}
    public = {name: func for name, func in graphs.items() if "global_symbol" in func.attrs}
    return public or graphs


def as_public_kernels(mod: IRModule) -> dict[GlobalVar, PrimFunc]:
    """Return the kernels of a module as public functions, which can be called by name."""
    return {
        var: func.with_attr("global_symbol", var.name_hint) for var, func in mod.items() if isinstance(func, PrimFunc)
    }


def have_same_signature(old: Function, new: Function) -> bool:
    """Return whether the same arguments fit both functions, and results are of the same kind."""
    infos = [(a.struct_info, b.struct_info) for a, b in zip(old.params, new.params, strict=False)]
    return len(old.params) == len(new.params) and all(structural_equal(a, b, map_free_vars=True) for a, b in infos)


def iterations_of_kernels(mod: IRModule) -> int:
    """Return the iterations of all kernels of a module."""
    return sum(iterations_of(func) for func in mod.values() if isinstance(func, PrimFunc))


def graph_results(mod: IRModule, name: str, like: Function, seed: int, dims: Mapping[str, int] | None) -> list[Storage]:
    """Return the tensors among the results of a function, for arguments drawn for the signature of `like`."""
    kernels = as_public_kernels(mod)
    functions = interp.build(IRModule(kernels), calls_registered=False).functions if kernels else {}
    interpreter = Interpreter(mod, functions, lambda name: None)
    sizes = {var.name: _SIZE for var in defined_symbolic_vars(like)}
    arguments = random_arguments(like, seed, {**sizes, **(dims or {})}, integers=2)
    with np.errstate(all="ignore"):
        return _tensors(interpreter.function(name)(*arguments))


def _tensors(value: Value) -> list[Storage]:
    if isinstance(value, list):
        return [tensor for part in value for tensor in _tensors(part)]
    return [value.numpy().copy()] if isinstance(value, NDArray) else []


def graph_difference(before: list[Storage], after: list[Storage], *, is_exact: bool) -> dict[str, Any] | None:
    """Return the first element of the results that differs, as `schedule_values.difference` does.

    Floats may differ by rounding, by that of float16 where a pass is not exact.
    """
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.shape != new.shape or old.dtype != new.dtype:
            shapes = [f"{array.dtype}{list(array.shape)}" for array in (old, new)]
            return {"buffer": f"result {place}", "index": "", "before": shapes[0], "after": shapes[1]}
        is_float = old.dtype.kind == "f"
        tolerance = TOLERANCES.get(str(old.dtype) if is_exact else "float16", 0.0) if is_float else 0.0
        index = differing_index(old, new, tolerance)
        if index is not None:
            return {"buffer": f"result {place} ", "index": list(index), "before": old[index], "after": new[index]}
    return None
