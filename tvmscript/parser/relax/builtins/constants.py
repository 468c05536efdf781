"""`R.const`: constant data of numbers, lists and arrays."""

from __future__ import annotations

from typing import Any, Final

from tvmscript.ir.core import DType, Span
from tvmscript.ir.core.values.constant_data import Data, pack
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir.operators import const as tir_const
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.tir.constant_data import constant_array

#: default dtype of NumPy arrays -> dtype of the constant
_NARROWED: Final = {"int64": "int32", "float64": "float32"}


def const(value: Any, dtype: object = None, span: Span | None = None) -> Constant:
    """Return a constant: a number, (nested) lists of numbers, or an array.

    The default dtype of numbers, and of NumPy arrays of int64 and float64, is int32 or float32.
    """
    if isinstance(value, Constant):
        return value
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        if dtype is None and not isinstance(value, Data):
            dtype = _NARROWED.get(str(value.dtype))
        return _array(value, None if dtype is None else as_dtype(dtype), span)
    extents = _extents(value)
    kind = as_dtype(dtype) if dtype is not None else _usual(value)
    sizes = tuple([tir_const(extent, "int64") for extent in extents])
    if kind.is_floating and kind not in FORMATS:
        value = _floats(value)
    return Constant(constant_array(value, kind, sizes, span), kind, span=span)


def _array(value: Any, dtype: DType | None, span: Span | None) -> Constant:
    """Return the constant of an array, converted to `dtype` if that is another one."""
    own = DType(str(value.dtype))
    if dtype is None or dtype is own or dtype in FORMATS:
        return Constant(_view(value), own if dtype is None else dtype, span=span)
    items = value.reshape(-1).tolist() if hasattr(value, "reshape") else value.tolist()
    items = [float(item) if dtype.is_floating else int(item) for item in items]
    return Constant(pack(items, dtype, tuple(value.shape)), dtype, span=span)


def _view(value: Any) -> Any:
    """Return a NumPy array with the names of TVM's arrays, other data as it is."""
    if isinstance(value, Data):
        return value
    # NumPy is needed for arrays alone
    from tvmscript.ir.core.values.array_data import view_array

    return view_array(value)


def _extents(value: object) -> tuple[int, ...]:
    """Return the extents of nested lists."""
    extents: list[int] = []
    while isinstance(value, (tuple, list)):
        extents.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(extents)


def _leaves(value: object) -> list[object]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _usual(value: object) -> DType:
    """Return the default dtype of numbers."""
    leaves = [leaf.value if isinstance(leaf, IntImm) else leaf for leaf in _leaves(value)]
    if all(isinstance(leaf, bool) for leaf in leaves) and leaves:
        return DType("bool")
    return DType("int32" if leaves and all(isinstance(leaf, int) for leaf in leaves) else "float32")


def _floats(value: object) -> object:
    if isinstance(value, (tuple, list)):
        return [_floats(item) for item in value]
    return float(value) if isinstance(value, int) else value
