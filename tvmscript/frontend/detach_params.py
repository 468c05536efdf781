"""`relax.frontend.detach_params`: take the weights out of an imported module."""

from __future__ import annotations

from tvmscript.backends.runtime.array import NDArray, asarray
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo


def detach_params(mod: IRModule) -> tuple[IRModule, dict[str, list[NDArray]]]:
    """Return the module without its attributes `params`, and their arrays by the name of the function."""
    functions = dict(mod.functions)
    params: dict[str, list[NDArray]] = {}
    for var, func in functions.items():
        if isinstance(func, Function) and "params" in func.attrs:
            functions[var] = func.without_attr("params")
            params[var.name_hint] = _arrays(func)
    return (mod.replace(functions=functions) if params else mod), params


def _arrays(func: Function) -> list[NDArray]:
    """Return the weights, which are the last parameters of the function, with the dtypes that it says."""
    weights = func.attrs["params"]
    arrays: list[NDArray] = []
    for param, weight in zip(func.params[len(func.params) - len(weights) :], weights, strict=True):
        array, info = asarray(weight), param.struct_info
        # weights of narrow floats are kept as their bit patterns
        arrays.append(NDArray(array.storage, info.dtype) if isinstance(info, TensorStructInfo) else array)
    return arrays
