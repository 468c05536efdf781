"""The kinds of struct info. Extents are TIR expressions (`ir.tir`) of dtype int64."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from tvmscript.ir.core import FLOAT32, INT64, DType, Span
from tvmscript.ir.core.errors import WrongRank, WrongType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.node import Building, filled, matches, node
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.tir import Expr, IntImm, as_expr

#: unknown number of dimensions
UNKNOWN_NDIM = -1


def as_sizes(values: Iterable[object], span: Span | None = None) -> tuple[Expr, ...]:
    """Convert sizes to int64 expressions. Raises `WrongType` for other dtypes."""
    values = tuple(values)
    for value in values:
        if isinstance(value, float):
            raise WrongType(where="R.shape", expected="sizes of int64", got=value, span=span)
    sizes = tuple([as_expr(value, INT64) for value in values])
    for size in sizes:
        if size.dtype is not INT64:
            got = f"{size} of {size.dtype}"
            raise WrongType(where="R.shape", expected="sizes of int64", got=got, span=size.span or span)
    return sizes


@node
class ObjectStructInfo(StructInfo):
    """Any value."""


@node
class PrimStructInfo(StructInfo):
    """A TIR scalar; `value` is None where it is unknown."""

    dtype: DType
    value: Expr | None = None

    def __init__(
        self: Building, dtype: DType | str | None = None, value: Expr | None = None, span: Span | None = None
    ) -> None:
        if isinstance(dtype, Expr):
            dtype, value = dtype.dtype, dtype
        if dtype is None:
            if not isinstance(value, Expr):
                raise WrongType(where="R.Prim", expected="a dtype or a value of the tensor level", got=value, span=span)
            dtype = value.dtype
        self.dtype = DType(dtype)
        self.value = value if value is None else as_expr(value, self.dtype)
        self.span = span
        if self.value is not None and self.value.dtype is not self.dtype:
            raise WrongType(where="R.Prim", expected=f"a value of {self.dtype}", got=self.value.dtype, span=span)


@node
class ShapeStructInfo(StructInfo):
    """A shape: its extents, or only their number (-1 where that is unknown too)."""

    values: tuple[Expr, ...] | None = None
    ndim: int = UNKNOWN_NDIM

    def __post_init__(self: Building) -> None:
        if self.values is not None:
            self.values = as_sizes(self.values, self.span)
            if self.ndim not in (UNKNOWN_NDIM, len(self.values)):
                raise WrongRank(buffer="R.Shape", rank=len(self.values), count=self.ndim, span=self.span)
            self.ndim = len(self.values)


@node
class ShapeExpr(RelaxExpr):
    """A shape literal."""

    values: tuple[Expr, ...]

    defines_inside: ClassVar[bool] = True

    if TYPE_CHECKING:  # accepts Python integers

        def __init__(
            self, values: Iterable[object], *, struct_info: StructInfo | None = None, span: Span | None = None
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        self.values = as_sizes(self.values, self.span)
        self.struct_info = ShapeStructInfo(self.values)

    def __getitem__(self, index: int) -> Expr:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.values)


@node
class TensorStructInfo(StructInfo):
    """A tensor. `shape` is a ShapeExpr, a variable that holds a shape, or None. The dtype `void` is unknown."""

    shape: RelaxExpr | None = None
    dtype: DType = FLOAT32
    vdevice: VDevice | None = None
    ndim: int = UNKNOWN_NDIM

    if TYPE_CHECKING:  # accepts a sequence of sizes as the shape

        def __init__(
            self,
            shape: RelaxExpr | Iterable[object] | None = None,
            dtype: DType | str = FLOAT32,
            vdevice: VDevice | int | None = None,
            ndim: int | VDevice | None = UNKNOWN_NDIM,
            *,
            span: Span | None = None,
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)
        if isinstance(self.vdevice, int):  # the rank stands third as well
            self.ndim, self.vdevice = self.vdevice, self.ndim if isinstance(self.ndim, VDevice) else None
        if self.shape is None:
            return
        if isinstance(self.shape, (tuple, list)):
            self.shape = ShapeExpr(self.shape, span=self.span)
        shape_info = self.shape.struct_info
        if not isinstance(shape_info, ShapeStructInfo):
            raise WrongType(where="R.Tensor", expected="a shape", got=shape_info, span=self.span)
        if self.ndim not in (UNKNOWN_NDIM, shape_info.ndim):
            raise WrongRank(buffer="R.Tensor", rank=shape_info.ndim, count=self.ndim, span=self.span)
        self.ndim = shape_info.ndim

    @property
    def extents(self) -> tuple[Expr, ...] | None:
        """The extents of the shape, None where they are unknown."""
        shape_info = self.shape.struct_info if self.shape is not None else None
        return shape_info.values if isinstance(shape_info, ShapeStructInfo) else None


def extents_of(value: RelaxExpr) -> tuple[Expr, ...]:
    """Return the shape of a tensor, nothing where it is not known."""
    info = value.struct_info
    return (info.extents or ()) if isinstance(info, TensorStructInfo) else ()


def are_alike_tensors(left: StructInfo | None, right: StructInfo | None) -> bool:
    """Return whether two struct infos are certainly equal: tensors of one dtype and one constant shape."""
    if type(left) is not TensorStructInfo or type(right) is not TensorStructInfo:
        return False
    sizes, others = left.extents, right.extents
    if sizes is None or others is None or len(sizes) != len(others):
        return False
    return (
        left.dtype is right.dtype
        and left.vdevice is right.vdevice
        and all(
            isinstance(size, IntImm) and isinstance(other, IntImm) and size.value == other.value
            for size, other in zip(sizes, others, strict=True)
        )
    )


@node
class TupleStructInfo(StructInfo):
    """A tuple."""

    fields: tuple[StructInfo, ...] = ()

    def __post_init__(self: Building) -> None:
        self.fields = tuple(self.fields)


def map_fields(info: StructInfo, convert: Callable[[StructInfo], StructInfo]) -> StructInfo:
    """Return struct info with every field of tuples converted, those of nested ones too; `info` where none changes."""
    if not isinstance(info, TupleStructInfo):
        return convert(info)
    fields = tuple([map_fields(field, convert) for field in info.fields])
    is_same = all(new is old for new, old in zip(fields, info.fields, strict=True))
    return info if is_same else TupleStructInfo(fields)


@node
class FuncStructInfo(StructInfo):
    """A function. Size variables that its parameters define are bound by it.

    `params` is None for an opaque function; `derive_func` then names the external function that infers the struct info
    of a call.
    """

    params: tuple[StructInfo, ...] | None = matches(default=None)
    ret: StructInfo = filled(default=None)
    purity: bool = True
    derive_func: str | None = None

    def __post_init__(self: Building) -> None:
        if self.params is not None:
            self.params = tuple(self.params)
        if self.ret is None:
            self.ret = ObjectStructInfo()

    @staticmethod
    def opaque_func(
        *, ret: StructInfo | None = None, derive_func: str | None = None, purity: bool = False
    ) -> FuncStructInfo:
        """Return the struct info of a function with unknown parameters."""
        return FuncStructInfo(None, ret or ObjectStructInfo(), purity, derive_func)
