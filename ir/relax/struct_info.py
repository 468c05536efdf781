"""The kinds of struct info. Sizes are expressions of the tensor level (`ir.tir`), int64 as a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from tvmscript.ir.core.dtype import INT64, VOID, DType
from tvmscript.ir.core.errors import WrongRank, WrongType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.node import Building, matches, node
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.operators import as_expr

#: The number of dimensions is not known.
UNKNOWN_NDIM = -1


def as_sizes(values: Iterable[Any], span: Span | None = None) -> tuple[Expr, ...]:
    """Sizes as expressions; Python integers are int64. Raises `WrongType` for what is no int64."""
    given = tuple(values)
    for value in given:
        if isinstance(value, float):
            raise WrongType(where="R.shape", expected="sizes of int64", got=value, span=span)
    made = tuple([as_expr(value, INT64) for value in given])
    for value in made:
        if value.dtype is not INT64:
            got = f"{value} of {value.dtype}"
            raise WrongType(where="R.shape", expected="sizes of int64", got=got, span=value.span or span)
    return made


@node
class ObjectStructInfo(StructInfo):
    """Anything."""


@node
class PrimStructInfo(StructInfo):
    """A scalar of the tensor level; `value` where it is known."""

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
    """A shape: its extents, or their number alone (-1 where that is not known either)."""

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
    """A shape, written down."""

    values: tuple[Expr, ...]

    defines_inside: ClassVar[bool] = True

    if TYPE_CHECKING:  # Python integers are sizes too

        def __init__(
            self, values: Iterable[Any], *, struct_info: StructInfo | None = None, span: Span | None = None
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
    """A tensor. `shape` is a ShapeExpr, a variable that is a shape, or None; dtype `void` is not known."""

    shape: RelaxExpr | None = None
    dtype: DType = VOID
    ndim: int = UNKNOWN_NDIM
    vdevice: VDevice | None = None

    if TYPE_CHECKING:  # sizes are a shape too

        def __init__(
            self,
            shape: RelaxExpr | Iterable[Any] | None = None,
            dtype: DType | str = VOID,
            ndim: int | VDevice = UNKNOWN_NDIM,
            vdevice: VDevice | int | None = None,
            *,
            span: Span | None = None,
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        self.dtype = DType(self.dtype)
        if isinstance(self.ndim, VDevice):  # TVM's order
            self.ndim, self.vdevice = UNKNOWN_NDIM if self.vdevice is None else self.vdevice, self.ndim
        if self.shape is None:
            return
        if isinstance(self.shape, tuple | list):
            self.shape = ShapeExpr(self.shape, span=self.span)
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

    def __post_init__(self: Building) -> None:
        self.fields = tuple(self.fields)


@node
class FuncStructInfo(StructInfo):
    """A function; variables in the sizes of its parameters are its own.

    Without `params` nothing is known of them (an opaque function); `derive_func` names the external function that tells
    what a call gives.
    """

    params: tuple[StructInfo, ...] | None = matches(default=None)
    ret: StructInfo = None  # type: ignore[assignment]  # replaced below
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
        """A function of whose parameters nothing is known."""
        return FuncStructInfo(None, ret or ObjectStructInfo(), purity, derive_func)
