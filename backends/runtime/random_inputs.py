"""Random arguments for a function from its signature, the same for every backend and for the oracle.

Drawn from `numpy.random.default_rng(seed)`, parameter by parameter in order: floats uniform in [-1, 1), signed integers
in [-8, 8), unsigned in [0, 16), bool 0 or 1; scalars one draw (integers in [0, 8)) unless `dims` gives them. Symbolic
extents are taken from `dims` by name, 16 otherwise, and draw nothing. Every buffer is filled, outputs too. Arrays have
the strides of the signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import NDArray, storage_dtype
from tvmscript.backends.runtime.errors import UndecidedShape, UnsupportedDType
from tvmscript.backends.runtime.small_floats import encode
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import DType, nodes
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Var

#: Extent of a symbolic dimension that nothing is said about.
DEFAULT_EXTENT = 16


@dataclass(frozen=True)
class Input:
    """An argument: `value` is a NumPy array (an NDArray for dtypes that NumPy does not have) or a Python number."""

    name: str
    value: Any


def random_inputs(func: PrimFunc, seed: int = 0, dims: Mapping[str, int] | None = None) -> list[Input]:
    """One argument for each parameter. Raises `UndecidedShape`, `UnsupportedDType`."""
    rng = np.random.default_rng(seed)
    extents = dims or {}
    in_shapes = {extent for buffer in func.buffer_map.values() for extent in buffer.shape if isinstance(extent, Var)}
    inputs: list[Input] = []
    for param in func.params:
        buffer = func.buffer_map.get(param)
        if buffer is not None:
            values = _fill(rng, _shape(func, buffer, extents), buffer.dtype)
            inputs.append(Input(buffer.name, _strided(buffer, extents, values) if buffer.strides else values))
        elif param in in_shapes or param.name in extents:
            inputs.append(Input(param.name, extents.get(param.name, DEFAULT_EXTENT)))
        else:
            inputs.append(Input(param.name, _scalar(rng, param)))
    return inputs


def _shape(func: PrimFunc, buffer: Buffer, dims: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(_extent(func, extent, dims) for extent in buffer.shape)


def _strided(buffer: Buffer, dims: Mapping[str, int], values: object) -> Any:
    """Return the values with the strides of a buffer, if it has any; gaps are 0."""
    sizes = {var: dims.get(var.name, DEFAULT_EXTENT) for var in buffer.shape if isinstance(var, Var)}
    strides = [evaluate_size(stride, sizes) for stride in buffer.strides]
    if not isinstance(values, np.ndarray) or values.ndim != len(strides) or any(stride is None for stride in strides):
        return values
    steps = [stride or 0 for stride in strides]
    reach = sum(stride * max(extent - 1, 0) for stride, extent in zip(steps, values.shape, strict=True)) + 1
    memory = np.zeros(reach, values.dtype)
    view = np.lib.stride_tricks.as_strided(memory, values.shape, [stride * values.itemsize for stride in steps])
    view[...] = values
    return view


def _extent(func: PrimFunc, extent: Expr, dims: Mapping[str, int]) -> int:
    sizes = {var: dims.get(var.name, DEFAULT_EXTENT) for var in nodes(extent) if isinstance(var, Var)}
    size = evaluate_size(extent, sizes)
    if size is None:
        name = func.attrs.get("global_symbol", "the function")
        raise UndecidedShape(function=name, name=f"an extent that is a {type(extent).__name__}", span=extent.span)
    return size


def _fill(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> Any:
    if dtype.lanes != 1:
        shape = (*shape, dtype.lanes)
    dtype = dtype.element
    if dtype in FORMATS:
        return NDArray(encode(rng.uniform(-1.0, 1.0, shape), dtype), dtype)
    stored = storage_dtype(dtype)
    if dtype.is_floating:
        return rng.uniform(-1.0, 1.0, shape).astype(stored)
    if dtype.is_bool:
        return rng.integers(0, 2, shape).astype(stored)
    low, high = (-8, 8) if dtype.is_signed else (0, 16)
    return rng.integers(max(low, dtype.min_value), min(high, dtype.max_value + 1), shape).astype(stored)


def _scalar(rng: np.random.Generator, param: Var) -> Any:
    if param.dtype.is_floating:
        return float(rng.uniform(-1.0, 1.0))
    if param.dtype.is_bool:
        return bool(rng.integers(0, 2))
    if param.dtype.is_integer:
        return int(rng.integers(0, 8))
    raise UnsupportedDType(where=f"the parameter {param.name}", dtype=param.dtype)
