"""Values of interpreted graph functions, and their checks against struct info.

Tensors are `NDArray`, shapes tuples of integers, tuples lists, functions callables; scalars, strings and dtypes are
those of Python and of `ir.core`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tvmscript.backends.runtime import errors
from tvmscript.backends.runtime.arguments import describe_value, is_array
from tvmscript.backends.runtime.array import NDArray, asarray
from tvmscript.backends.runtime.device import is_cuda
from tvmscript.ir.analysis.cost.evaluate_size import evaluate_size
from tvmscript.ir.core import VOID, DType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir import Expr, Var


class OpaqueValue:
    """Base of objects that only builtins look into, such as a KV cache."""


#: a function as a value: a graph function, a kernel, a packed function, a closure
FunctionValue = Callable[..., Any]
#: a value of a graph function
Value = NDArray | tuple[int, ...] | list["Value"] | int | float | str | DType | FunctionValue | OpaqueValue | None
#: values of size variables
Sizes = dict[Var, int]


def size_of(size: Expr, sizes: Mapping[Var, int], where: str) -> int:
    """Return the value of a size. Raises `UndecidedShape`."""
    value = evaluate_size(size, sizes)
    if value is None:
        raise errors.UndecidedShape(function=where, name=size)
    return value


def as_tensor(value: Value) -> NDArray:
    """Return a value that is a tensor. Raises `WrongScalar`."""
    if not isinstance(value, NDArray):
        raise _wrong("a tensor", value)
    return value


def as_shape(value: Value) -> tuple[int, ...]:
    """Return a value that is a shape. Raises `WrongScalar`."""
    if not isinstance(value, tuple):
        raise _wrong("a shape", value)
    return value


def as_items(value: Value) -> list[Value]:
    """Return the items of a value that is a tuple. Raises `WrongScalar`."""
    if not isinstance(value, list):
        raise _wrong("a tuple", value)
    return value


def as_function(value: Value) -> FunctionValue:
    """Return a value that is a function. Raises `WrongScalar`."""
    if not callable(value):
        raise _wrong("a function", value)
    return value


def bind_last(function: FunctionValue, captured: Sequence[Value]) -> FunctionValue:
    """Return the closure of a function: its last arguments are the captured values."""
    return lambda *args: function(*args, *captured)


def _wrong(expected: str, value: Value) -> errors.WrongScalar:
    return errors.WrongScalar(function="the graph", name="a value", expected=expected, got=describe_value(value))


def leaves(args: Iterable[Value]) -> list[Value]:
    """Return the arguments of a kernel: a shape is passed as its extents."""
    return [leaf for arg in args for leaf in (arg if isinstance(arg, tuple) else (arg,))]


def is_true(value: Value) -> bool:
    """Return a condition: a scalar, or a tensor of one element."""
    return bool(value.on_host().item()) if isinstance(value, NDArray) else bool(value)


def matched(where: str, name: str, value: Any, info: StructInfo | None, sizes: Sizes) -> Value:
    """Return a value that has the struct info, and bind its new size variables.

    Arrays become `NDArray`. Raises errors of arguments, which name the value.
    """
    if isinstance(info, TensorStructInfo):
        return _matched_tensor(where, name, value, info, sizes)
    if isinstance(info, ShapeStructInfo):
        if not isinstance(value, tuple) or info.ndim not in (UNKNOWN_NDIM, len(value)):
            expected = "a shape" if info.ndim == UNKNOWN_NDIM else f"a shape of {info.ndim} extents"
            raise errors.WrongScalar(function=where, name=name, expected=expected, got=describe_value(value))
        _match_extents(where, name, value, info.values, sizes)
    elif isinstance(info, PrimStructInfo):
        if not isinstance(value, (bool, int, float)):
            raise errors.WrongScalar(function=where, name=name, expected=info.dtype, got=describe_value(value))
        if info.value is not None and isinstance(value, int):
            _match_extents(where, name, (value,), (info.value,), sizes)
    elif isinstance(info, TupleStructInfo):
        if not isinstance(value, (list, tuple)) or len(value) != len(info.fields):
            expected = f"a tuple of {len(info.fields)} values"
            raise errors.WrongScalar(function=where, name=name, expected=expected, got=describe_value(value))
        parts = enumerate(zip(value, info.fields, strict=True))
        return [matched(where, f"{name}[{index}]", part, field, sizes) for index, (part, field) in parts]
    elif isinstance(info, FuncStructInfo) and not isinstance(value, Callable):  # type: ignore[arg-type]
        raise errors.WrongScalar(function=where, name=name, expected="a function", got=describe_value(value))
    argument: Value = writable(asarray(value)) if is_array(value) else value
    return argument


def _matched_tensor(where: str, name: str, value: Any, info: TensorStructInfo, sizes: Sizes) -> NDArray:
    if not is_array(value):
        raise errors.NotAnArray(function=where, name=name, got=describe_value(value))
    array = asarray(value)
    if info.dtype not in (VOID, array.dtype):
        raise errors.WrongArrayDType(function=where, name=name, expected=info.dtype, got=array.dtype)
    if info.ndim not in (UNKNOWN_NDIM, array.ndim):
        raise errors.WrongArrayRank(function=where, name=name, expected=info.ndim, got=array.ndim)
    _match_extents(where, name, array.shape, info.extents, sizes)
    return writable(array)


def writable(array: NDArray) -> NDArray:
    """Return an array; a copy of one that is read-only, which a kernel cannot take."""
    if is_cuda(array.device):
        return array
    is_writable = getattr(getattr(array.storage, "flags", None), "writeable", True)
    return array if is_writable else NDArray(array.storage.copy(), array.dtype)


def _match_extents(
    where: str, name: str, got: tuple[int, ...], expected: tuple[Expr, ...] | None, sizes: Sizes
) -> None:
    for axis, (extent, size) in enumerate(zip(got, expected or (), strict=False)):
        if isinstance(size, Var):
            sizes.setdefault(size, extent)
        value = evaluate_size(size, sizes)
        if value is not None and value != extent:
            raise errors.WrongArrayShape(function=where, name=name, expected=value, axis=axis, got=extent)
