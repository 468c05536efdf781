"""What of struct info is known without any value: TVM's types of the graph level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core.dtype import VOID, DType
from tvmscript.ir.core.node import node
from tvmscript.ir.core.types import PrimType, TupleType, Type
from tvmscript.ir.relax.base import StructInfo
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
    """Anything."""


@node
class ShapeType(Type):
    """A shape of so many dimensions, -1 where that is not known."""

    ndim: int = UNKNOWN_NDIM


@node
class DynTensorType(Type):
    """A tensor whose extents are not known."""

    ndim: int = UNKNOWN_NDIM
    dtype: DType = VOID


@node
class PackedFuncType(Type):
    """A function outside of the program."""


@node
class FuncType(Type):
    """A function of values."""

    arg_types: tuple[Type, ...]
    ret_type: Type


def get_static_type(sinfo: StructInfo) -> Type:
    """The type of the values that the struct info describes. Raises `KeyError` for struct info that has none."""
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
