"""Random arguments for a graph function from the struct info of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from tvmscript.backends.runtime.array import array
from tvmscript.backends.runtime.errors import UndecidedShape
from tvmscript.backends.runtime.random_inputs import DEFAULT_EXTENT
from tvmscript.backends.vm.values import Value
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import PrimStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import size_vars
from tvmscript.ir.tir import Expr

#: integers are drawn from 0 to this, which is left out: they may be places in axes
_INTEGERS: Final = 8


def random_argument(
    name: str,
    info: StructInfo | None,
    rng: np.random.Generator,
    sizes: Mapping[str, int] | None = None,
    integers: int = _INTEGERS,
) -> Value:
    """Return a random value: floats in [-1, 1), integers in [0, `integers`).

    `sizes` are those of size variables by name, 16 by default. Raises `UndecidedShape` for what has no known shape.
    """
    size_of = sizes or {}

    def size(extent: Expr) -> int:
        value = evaluate_size(extent, {var: size_of.get(var.name, DEFAULT_EXTENT) for var in size_vars(extent)})
        if value is None:
            raise UndecidedShape(function=name, name=str(extent), span=extent.span)
        return value

    if isinstance(info, TupleStructInfo):
        return [random_argument(name, field, rng, sizes, integers) for field in info.fields]
    if isinstance(info, ShapeStructInfo) and info.values is not None:
        return tuple([size(extent) for extent in info.values])
    if isinstance(info, PrimStructInfo):
        return size(info.value) if info.value is not None else int(rng.integers(0, integers))
    if not isinstance(info, TensorStructInfo) or info.extents is None:
        raise UndecidedShape(function=name, name=f"of a value of {info}")
    shape = [size(extent) for extent in info.extents]
    values = rng.uniform(-1, 1, shape) if info.dtype.is_floating else rng.integers(0, integers, shape)
    return array(values % 2 == 1 if info.dtype.is_bool else values, dtype=str(info.dtype))


def random_arguments(
    func: Function, seed: int = 0, sizes: Mapping[str, int] | None = None, integers: int = _INTEGERS
) -> list[Value]:
    """Return one random argument for each parameter. Raises `UndecidedShape`."""
    rng = np.random.default_rng(seed)
    return [random_argument(param.name_hint, param.struct_info, rng, sizes, integers) for param in func.params]
