"""Variants of a call with less known arguments: symbolic shapes, unknown dtypes, devices."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core import VOID, Target
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import IntImm, substitute
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.operator_calls import Data, Sizes

#: argument -> its struct info
Known = Callable[[Data | Sizes], StructInfo]


def everything(given: Data | Sizes) -> StructInfo:
    """The complete struct info of an argument."""
    return _shape(given.extents) if isinstance(given, Sizes) else TensorStructInfo(given.shape, given.dtype)


def _shape(extents: Any) -> ShapeStructInfo:
    """A shape of constants and variables."""
    return ShapeStructInfo(extents)


class Less:
    """Drop facts of some arguments: dtype, shape, or rank."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        #: the dropped facts
        self.unknown: set[str] = set()

    def __call__(self, given: Data | Sizes) -> StructInfo:
        kind = self.r.choice(("", "dtype", "shape", "rank"))
        if not kind or (kind == "dtype" and isinstance(given, Sizes)):
            return everything(given)
        self.unknown.add(kind)
        if isinstance(given, Sizes):
            return ShapeStructInfo(ndim=len(given.extents) if kind == "shape" else UNKNOWN_NDIM)
        if kind == "dtype":
            return TensorStructInfo(given.shape, VOID)
        return TensorStructInfo(None, given.dtype, len(given.shape) if kind == "shape" else UNKNOWN_NDIM)


class Names:
    """Replace sizes by variables: one for all equal sizes (`are_shared`), or one per size."""

    def __init__(self, r: random.Random, *, are_shared: bool) -> None:
        self.r = r
        self.are_shared = are_shared
        self.shared: dict[int, SizeVar | int] = {}
        self.numbers: dict[Any, IntImm] = {}

    def name(self, extent: int) -> SizeVar | int:
        if self.r.random() < 0.5:
            return extent
        size = SizeVar(f"n{len(self.numbers)}", "int64")
        self.numbers[size] = IntImm("int64", extent)
        return size

    def size(self, extent: int) -> SizeVar | int:
        if not self.are_shared:
            return self.name(extent)
        if extent not in self.shared:
            self.shared[extent] = extent if extent < 2 else self.name(extent)
        return self.shared[extent]

    def __call__(self, given: Data | Sizes) -> StructInfo:
        if isinstance(given, Sizes):
            return _shape([self.size(extent) for extent in given.extents])
        return TensorStructInfo([self.size(extent) for extent in given.shape], given.dtype)

    def filled(self, info: Any) -> Any:
        """Substitute the sizes for their variables."""
        if isinstance(info, TupleStructInfo):
            return TupleStructInfo(tuple(self.filled(field) for field in info.fields))
        if isinstance(info, TensorStructInfo) and info.extents is not None:
            return TensorStructInfo([self._value(extent) for extent in info.extents], info.dtype, vdevice=info.vdevice)
        if isinstance(info, ShapeStructInfo) and info.values is not None:
            return _shape([self._value(extent) for extent in info.values])
        if isinstance(info, PrimStructInfo) and info.value is not None:
            return PrimStructInfo(info.dtype, self._value(info.value))
        return info

    def _value(self, size: Any) -> Any:
        return simplify_size(substitute(size, self.numbers))


DEVICE: Final = VDevice(Target("llvm"), 0, "global")


def on_device(given: Data | Sizes) -> StructInfo:
    info = everything(given)
    return info.replace(vdevice=DEVICE) if isinstance(info, TensorStructInfo) else info
