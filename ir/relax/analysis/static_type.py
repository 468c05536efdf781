"""Static types of Relax values: struct info without sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core import FLOAT32, DType
from tvmscript.ir.core.node import Building, node
from tvmscript.ir.core.types import FuncType, PrimType, TupleType, Type
from tvmscript.ir.relax.base import StructInfo, static_type
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)


@node
class ObjectType(Type):
    """Any value."""


@node
class ShapeType(Type):
    """A shape with `ndim` extents, -1 where that is unknown."""

    ndim: int = UNKNOWN_NDIM


@node
class DynTensorType(Type):
    """A tensor of unknown extents."""

    ndim: int = UNKNOWN_NDIM
    dtype: DType = FLOAT32

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)


@node
class PackedFuncType(Type):
    """An external function."""


def get_static_type(sinfo: StructInfo) -> Type:
    """Return the static type of struct info. Raises `KeyError` for struct info without one."""
    return _TYPES[type(sinfo)](sinfo)


def _static_type_of_function(info: FuncStructInfo) -> Type:
    if info.params is None:
        return PackedFuncType()
    return FuncType(tuple(map(get_static_type, info.params)), get_static_type(info.ret))


_TYPES: dict[type, Callable[[Any], Type]] = {
    ObjectStructInfo: lambda info: ObjectType(),
    PrimStructInfo: lambda info: PrimType(info.dtype),
    ShapeStructInfo: lambda info: ShapeType(info.ndim),
    TensorStructInfo: lambda info: DynTensorType(info.ndim, info.dtype),
    TupleStructInfo: lambda info: TupleType(tuple(map(get_static_type, info.fields))),
    FuncStructInfo: _static_type_of_function,
}


static_type.fill(get_static_type)
