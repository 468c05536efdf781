# Written by `python -m tools.reference`; edit tools/reference/ instead.

import builtins
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, ParamSpec, TypeAlias, TypeVar

import tvmscript.ir.tir.base as _base
import tvmscript.ir.tir.buffer as _buffer
import tvmscript.ir.tir.function as _function
from tvmscript.ir.core.module import IRModule

"""What values in a kernel are for a type checker: for annotations of helpers, below `if TYPE_CHECKING:`."""

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M")

#: Any expression of a program.
PrimExpr: TypeAlias = _base.Expr
#: An operand: an expression or a number.
Value: TypeAlias = _base.Expr | int | float
#: An argument of an intrinsic or a call out of the program.
Argument: TypeAlias = _base.Expr | _buffer.Buffer | int | float | str
#: A dtype: "float32" or T.float32.
DTypeLike: TypeAlias = str | type[_base.Expr]
#: Extents: several, or one.
Shape: TypeAlias = Sequence[Value] | Value
#: An index of a buffer: a value or a slice.
Index: TypeAlias = Value | slice
#: A region or an element of a buffer, or several.
Region: TypeAlias = Any

class Operators(_base.Expr):
    """A value of a program. Operators on it make expressions; `and`, `or`, `if` mean what they mean in the kernel."""

    def __add__(self, other: Value) -> Expr: ...
    def __radd__(self, other: Value) -> Expr: ...
    def __sub__(self, other: Value) -> Expr: ...
    def __rsub__(self, other: Value) -> Expr: ...
    def __mul__(self, other: Value) -> Expr: ...
    def __rmul__(self, other: Value) -> Expr: ...
    def __truediv__(self, other: Value) -> Expr: ...
    def __rtruediv__(self, other: Value) -> Expr: ...
    def __floordiv__(self, other: Value) -> Expr: ...
    def __rfloordiv__(self, other: Value) -> Expr: ...
    def __mod__(self, other: Value) -> Expr: ...
    def __rmod__(self, other: Value) -> Expr: ...
    def __lshift__(self, other: Value) -> Expr: ...
    def __rlshift__(self, other: Value) -> Expr: ...
    def __rshift__(self, other: Value) -> Expr: ...
    def __rrshift__(self, other: Value) -> Expr: ...
    def __and__(self, other: Value) -> Expr: ...
    def __rand__(self, other: Value) -> Expr: ...
    def __or__(self, other: Value) -> Expr: ...
    def __ror__(self, other: Value) -> Expr: ...
    def __xor__(self, other: Value) -> Expr: ...
    def __rxor__(self, other: Value) -> Expr: ...
    def __lt__(self, other: Value) -> Expr: ...
    def __le__(self, other: Value) -> Expr: ...
    def __gt__(self, other: Value) -> Expr: ...
    def __ge__(self, other: Value) -> Expr: ...
    def __eq__(self, other: object) -> Expr: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Expr: ...  # type: ignore[override]
    def __neg__(self) -> Expr: ...
    def __invert__(self) -> Expr: ...
    def __index__(self) -> int:
        """Sizes stand in `range(n)`."""
    def equal(self, other: Any) -> Expr:
        """The comparison `self == other`."""
    def astype(self, dtype: DTypeLike) -> Expr:
        """The value converted to another dtype."""

class Scope:
    """What `with` opens; as a statement alone it holds for the rest of the body."""

    def __enter__(self) -> None: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

class Loops:
    """What `for` runs over: one variable for each extent."""

    def __iter__(self) -> Iterator[Any]: ...

class BufferScope(str):
    """The storage scope of a buffer."""

    def __call__(self) -> str: ...

class Buffer(_buffer.Buffer):
    """A buffer: a parameter in `A: Annotated[T.Buffer, (16, 16), "float32"]`, in a body a view of memory."""

    def __init__(
        self,
        shape: Shape,
        dtype: DTypeLike = "float32",
        data: PrimExpr | None = None,
        strides: Sequence[Value | str] | None = None,
        elem_offset: Value | None = None,
        scope: str = "global",
        align: int = 0,
        offset_factor: int = 0,
        buffer_type: str = "",
        axis_separators: Sequence[int] | None = None,
    ) -> None: ...
    def __getitem__(self, indices: Index | tuple[Index, ...]) -> Expr:
        """`A[i, j]` is an element, `A[0:4, j]` a region."""
    def __setitem__(self, indices: Index | tuple[Index, ...], value: Value) -> None:
        """`A[i, j] = value` stores."""
    elem_offset: Expr
    shape: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    def scope(self) -> BufferScope:
        """The storage scope, such as "shared"."""

class Function(_function.PrimFunc):
    """A function of the script, which others of its module call."""

    def __call__(self, *args: Argument) -> Expr: ...

class Module(IRModule):
    """A module of the script; its functions are `Module.name` inside of it."""

    def __getattr__(self, name: str) -> Any: ...

class bfloat16(Operators):
    """A constant of bfloat16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bfloat16x16(Operators):
    """A constant of bfloat16x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bfloat16x32(Operators):
    """A constant of bfloat16x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bfloat16x4(Operators):
    """A constant of bfloat16x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bfloat16x64(Operators):
    """A constant of bfloat16x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bfloat16x8(Operators):
    """A constant of bfloat16x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class bool(Operators):
    """A constant of bool, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8(Operators):
    """A constant of e4m3_float8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8x16(Operators):
    """A constant of e4m3_float8x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8x32(Operators):
    """A constant of e4m3_float8x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8x4(Operators):
    """A constant of e4m3_float8x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8x64(Operators):
    """A constant of e4m3_float8x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e4m3_float8x8(Operators):
    """A constant of e4m3_float8x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8(Operators):
    """A constant of e5m2_float8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8x16(Operators):
    """A constant of e5m2_float8x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8x32(Operators):
    """A constant of e5m2_float8x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8x4(Operators):
    """A constant of e5m2_float8x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8x64(Operators):
    """A constant of e5m2_float8x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class e5m2_float8x8(Operators):
    """A constant of e5m2_float8x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16(Operators):
    """A constant of float16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16x16(Operators):
    """A constant of float16x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16x32(Operators):
    """A constant of float16x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16x4(Operators):
    """A constant of float16x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16x64(Operators):
    """A constant of float16x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float16x8(Operators):
    """A constant of float16x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32(Operators):
    """A constant of float32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32x16(Operators):
    """A constant of float32x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32x32(Operators):
    """A constant of float32x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32x4(Operators):
    """A constant of float32x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32x64(Operators):
    """A constant of float32x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float32x8(Operators):
    """A constant of float32x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64(Operators):
    """A constant of float64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64x16(Operators):
    """A constant of float64x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64x32(Operators):
    """A constant of float64x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64x4(Operators):
    """A constant of float64x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64x64(Operators):
    """A constant of float64x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class float64x8(Operators):
    """A constant of float64x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16(Operators):
    """A constant of int16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16x16(Operators):
    """A constant of int16x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16x32(Operators):
    """A constant of int16x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16x4(Operators):
    """A constant of int16x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16x64(Operators):
    """A constant of int16x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int16x8(Operators):
    """A constant of int16x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32(Operators):
    """A constant of int32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32x16(Operators):
    """A constant of int32x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32x32(Operators):
    """A constant of int32x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32x4(Operators):
    """A constant of int32x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32x64(Operators):
    """A constant of int32x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int32x8(Operators):
    """A constant of int32x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64(Operators):
    """A constant of int64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64x16(Operators):
    """A constant of int64x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64x32(Operators):
    """A constant of int64x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64x4(Operators):
    """A constant of int64x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64x64(Operators):
    """A constant of int64x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int64x8(Operators):
    """A constant of int64x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8(Operators):
    """A constant of int8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8x16(Operators):
    """A constant of int8x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8x32(Operators):
    """A constant of int8x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8x4(Operators):
    """A constant of int8x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8x64(Operators):
    """A constant of int8x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class int8x8(Operators):
    """A constant of int8x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16(Operators):
    """A constant of uint16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16x16(Operators):
    """A constant of uint16x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16x32(Operators):
    """A constant of uint16x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16x4(Operators):
    """A constant of uint16x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16x64(Operators):
    """A constant of uint16x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint16x8(Operators):
    """A constant of uint16x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32(Operators):
    """A constant of uint32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32x16(Operators):
    """A constant of uint32x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32x32(Operators):
    """A constant of uint32x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32x4(Operators):
    """A constant of uint32x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32x64(Operators):
    """A constant of uint32x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint32x8(Operators):
    """A constant of uint32x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64(Operators):
    """A constant of uint64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64x16(Operators):
    """A constant of uint64x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64x32(Operators):
    """A constant of uint64x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64x4(Operators):
    """A constant of uint64x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64x64(Operators):
    """A constant of uint64x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint64x8(Operators):
    """A constant of uint64x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8(Operators):
    """A constant of uint8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8x16(Operators):
    """A constant of uint8x16, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8x32(Operators):
    """A constant of uint8x32, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8x4(Operators):
    """A constant of uint8x4, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8x64(Operators):
    """A constant of uint8x64, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class uint8x8(Operators):
    """A constant of uint8x8, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class void(Operators):
    """A constant of void, a cast to it, or, without argument, a new variable."""

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...

class handle(Operators):
    """A new pointer variable, to elements of `dtype` if given."""

    def __init__(
        self, dtype: DTypeLike | None = None, storage_scope: str = "global", *, is_size_var: builtins.bool = False
    ) -> None: ...

class Ptr(Operators):
    """A new variable that points to elements of `dtype`."""

    def __init__(
        self, dtype: DTypeLike | None = None, storage_scope: str = "global", *, is_size_var: builtins.bool = False
    ) -> None: ...

class Expr(
    bfloat16,
    bfloat16x16,
    bfloat16x32,
    bfloat16x4,
    bfloat16x64,
    bfloat16x8,
    bool,
    e4m3_float8,
    e4m3_float8x16,
    e4m3_float8x32,
    e4m3_float8x4,
    e4m3_float8x64,
    e4m3_float8x8,
    e5m2_float8,
    e5m2_float8x16,
    e5m2_float8x32,
    e5m2_float8x4,
    e5m2_float8x64,
    e5m2_float8x8,
    float16,
    float16x16,
    float16x32,
    float16x4,
    float16x64,
    float16x8,
    float32,
    float32x16,
    float32x32,
    float32x4,
    float32x64,
    float32x8,
    float64,
    float64x16,
    float64x32,
    float64x4,
    float64x64,
    float64x8,
    int16,
    int16x16,
    int16x32,
    int16x4,
    int16x64,
    int16x8,
    int32,
    int32x16,
    int32x32,
    int32x4,
    int32x64,
    int32x8,
    int64,
    int64x16,
    int64x32,
    int64x4,
    int64x64,
    int64x8,
    int8,
    int8x16,
    int8x32,
    int8x4,
    int8x64,
    int8x8,
    uint16,
    uint16x16,
    uint16x32,
    uint16x4,
    uint16x64,
    uint16x8,
    uint32,
    uint32x16,
    uint32x32,
    uint32x4,
    uint32x64,
    uint32x8,
    uint64,
    uint64x16,
    uint64x32,
    uint64x4,
    uint64x64,
    uint64x8,
    uint8,
    uint8x16,
    uint8x32,
    uint8x4,
    uint8x64,
    uint8x8,
    void,
    handle,
    Ptr,
):
    """An expression; its dtype is known when the program is read, so that it fits wherever a dtype is wanted."""

class ScopedExpr(Expr):
    """A variable for the body of `with`, or for the rest of the body."""

    def __enter__(self) -> Expr: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

class ScopedPointer(ScopedExpr):
    """The pointer to memory for the body of `with`, or for the rest of the body."""

class ScopedBuffer(Buffer):
    """A buffer for the body of `with`, or for the rest of the body."""

    def __enter__(self) -> Buffer: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
