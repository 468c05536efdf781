"""The part of the stubs that no table knows: what values in a kernel are for a type checker.

Checkers do not follow dtypes: an expression (`Expr`) fits wherever one of a certain dtype is wanted, for the reader
of the program checks them. Loop variables are `Any`, since `range` gives `int` to a checker and T.grid an expression.
"""

from __future__ import annotations

NOTICE = "# Written by `python -m tools.reference`; edit tools/reference/ instead."

IMPORTS = """
import builtins
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, ParamSpec, TypeAlias, TypeVar

import tvmscript.ir.tir.base as _base
import tvmscript.ir.tir.buffer as _buffer
import tvmscript.ir.tir.function as _function
from tvmscript.ir.core.module import IRModule
"""

_OURS = "tvmscript.language.kernel_types"
#: word of a signature -> module that has it
WORDS: dict[str, str] = {
    **dict.fromkeys(("Callable", "Iterator", "Mapping", "Sequence"), "collections.abc"),
    **dict.fromkeys(("Any", "TypeAlias", "overload"), "typing"),
    **dict.fromkeys(("DummyGlobalInfo", "GlobalVar", "VDevice"), "tvmscript.ir.core.module"),
    "IndexMap": "tvmscript.ir.tir.index_map",
    "JitFunction": "tvmscript.language.tirx",
    "Range": "tvmscript.ir.tir.expr",
    "Stmt": "tvmscript.ir.tir.base",
    "Target": "tvmscript.ir.core.targets.target",
    **dict.fromkeys(
        ("Argument", "Buffer", "DTypeLike", "Expr", "Function", "Index", "Loops", "M", "Module", "P", "PrimExpr", "R",
         "Region", "Scope", "ScopedBuffer", "ScopedExpr", "ScopedPointer", "Shape", "Value"), _OURS),
}  # fmt: skip

TYPES = '''
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
'''

#: One dtype.
DTYPE = """
class {name}(Operators):
    {doc}

    def __init__(self, expr: Value | str | None = None, is_size_var: builtins.bool = False) -> None: ...
"""

#: One kind of pointer.
POINTER = """
class {name}(Operators):
    {doc}

    def __init__(
        self, dtype: DTypeLike | None = None, storage_scope: str = "global", *, is_size_var: builtins.bool = False
    ) -> None: ...
"""

VALUES = '''
class Expr(
    {bases},
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
'''

#: option of a decorator -> its parameter; others take anything
OPTIONS: dict[str, str] = {
    "private": "private: bool = False",
    "check_well_formed": "check_well_formed: bool = True",
    "s_tir": "s_tir: bool = True",
    "hygienic": "hygienic: bool = True",
    "source": "source: str | None = None",
    "name": "name: str | None = None",
}
#: decorator or its kind -> its stub
DECORATORS: dict[str, str] = {
    "prim_func": """
@overload
def {name}(func: Callable[..., Any], /, *, {options}) -> Function:
    {doc}
@overload
def {name}(*, {options}) -> Callable[[Callable[..., Any]], Function]:
    {doc}
""",
    "jit": """
@overload
def {name}(func: Callable[..., Any], /, *, {options}) -> JitFunction:
    {doc}
@overload
def {name}(*, {options}) -> Callable[[Callable[..., Any]], JitFunction]:
    {doc}
""",
    "macro": """
@overload
def {name}(func: Callable[P, R], /, *, {options}) -> Callable[P, R]:
    {doc}
@overload
def {name}(*, {options}) -> Callable[[Callable[P, R]], Callable[P, R]]:
    {doc}
""",
    "ir_module": """
@overload
def {name}(cls: type, /, *, {options}) -> Module:
    {doc}
@overload
def {name}(*, {options}) -> Callable[[type], Module]:
    {doc}
""",
}

MODULE_OF_I = '''
class _ClassOfModules(type):
    """mypy does not look at decorators of classes: for it, `Kernels["f"]` is a function of the module all the same."""

    def __getitem__(cls, name: Any) -> Any: ...

class Module(Any, metaclass=_ClassOfModules):  # type: ignore[misc]
    """The base of a module's class: `class Kernels(I.Module)`. Checkers then take its functions without `self`."""
'''
