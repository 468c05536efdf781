"""The kinds of struct info. Sizes are expressions of the tensor level (`ir.tir`), int64 as a rule."""

from __future__ import annotations

from tvmscript.ir.core.dtype import VOID, DType
from tvmscript.ir.core.errors import WrongRank, WrongType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.node import Building, node
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.tir.base import Expr

#: The number of dimensions is not known.
UNKNOWN_NDIM = -1


@node
class ObjectStructInfo(StructInfo):
    """Anything."""


@node
class PrimStructInfo(StructInfo):
    """A scalar of the tensor level; `value` where it is known."""

    dtype: DType
    value: Expr | None = None

    def __init__(self: Building, dtype: DType | str, value: Expr | None = None, span: Span | None = None) -> None:
        if isinstance(dtype, Expr):
            dtype, value = dtype.dtype, dtype
        self.dtype = DType(dtype)
        self.value = value
        self.span = span
        if self.value is not None and self.value.dtype is not self.dtype:
            raise WrongType(where="R.Prim", expected=f"a value of {self.dtype}", got=self.value.dtype, span=span)


@node
class ShapeStructInfo(StructInfo):
    """A shape: its extents, or their number alone (-1 where that is not known either)."""

    values: tuple[Expr, ...] | None = None
    ndim: int = UNKNOWN_NDIM

    def __post_init__(self: Building) -> None:
        if self.values is not None:
            self.ndim = len(self.values)


@node
class TensorStructInfo(StructInfo):
    """A tensor. `shape` is a ShapeExpr, a variable that is a shape, or None; dtype `void` is not known."""

    shape: RelaxExpr | None = None
    dtype: DType = VOID
    ndim: int = UNKNOWN_NDIM
    vdevice: VDevice | None = None

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)
        if self.shape is None:
            return
        known = self.shape.struct_info
        if not isinstance(known, ShapeStructInfo):
            raise WrongType(where="R.Tensor", expected="a shape", got=known, span=self.span)
        if self.ndim not in (UNKNOWN_NDIM, known.ndim):
            raise WrongRank(buffer="R.Tensor", rank=known.ndim, count=self.ndim, span=self.span)
        self.ndim = known.ndim

    @property
    def extents(self) -> tuple[Expr, ...] | None:
        """The extents of the shape, where they are known."""
        known = self.shape.struct_info if self.shape is not None else None
        return known.values if isinstance(known, ShapeStructInfo) else None


@node
class TupleStructInfo(StructInfo):
    """Several values."""

    fields: tuple[StructInfo, ...] = ()


@node
class FuncStructInfo(StructInfo):
    """A function. Without `params` nothing is known of them (an opaque function); `derive_func` names the external
    function that tells what a call gives."""

    params: tuple[StructInfo, ...] | None = None
    ret: StructInfo = None  # type: ignore[assignment]  # replaced below
    purity: bool = True
    derive_func: str | None = None

    def __post_init__(self: Building) -> None:
        if self.ret is None:
            self.ret = ObjectStructInfo()
