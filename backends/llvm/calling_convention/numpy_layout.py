"""Where NumPy's arrays and dtypes, and functions of tvm-ffi, keep what native code reads of them.

The places are those of NumPy 1 and 2 on CPython (ndarraytypes.h), which are compared with objects before they are used.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

import numpy as np

from tvmscript.backends.runtime.ffi import core

#: symbols of the type of arrays, and of a table from the number of a dtype to its DLDataType in one word, 0 if none
ARRAY_TYPE, DTYPES = "tvmscript_numpy_array", "tvmscript_numpy_dtypes"
#: byte offsets in an object, an array and a dtype
TYPE: Final = 8
DATA, RANK, SHAPE, STRIDES, DTYPE, FLAGS = 16, 24, 32, 40, 56, 64
BYTE_ORDER, NUMBER = 26, 28
#: byte offset of the handle in an object of tvm-ffi
HANDLE: Final = 16
#: flags of compact rows, of aligned memory that may be written
COMPACT, WRITABLE = 0x1, 0x500
#: numbers of dtypes in the table; NumPy counts those of other packages from 256
NUMBERS: Final = 320
_KINDS: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
_table = (ctypes.c_int32 * NUMBERS)()


def symbols() -> dict[str, int]:
    """Return the addresses of the symbols; where the layout is another one, no object has that type."""
    table = ctypes.addressof(_table)
    for code in "?bBhHiIlLqQefd":
        dtype = np.dtype(code)
        _table[dtype.num] = _KINDS[dtype.kind] | dtype.itemsize * 8 << 8 | 1 << 16
    return {ARRAY_TYPE: id(np.ndarray) if _is_as_expected() else table, DTYPES: table}


def describe_dtype(dtype: np.dtype[Any], word: int) -> None:
    """Have native code take arrays of a dtype of another package, as the DLDataType that the word holds."""
    if dtype.num < NUMBERS:
        _table[dtype.num] = word


def _is_as_expected() -> bool:
    if sys.implementation.name != "cpython":
        return False
    array = np.empty((2, 3), "float32")
    frozen = np.empty((3, 2), ">i8").T
    frozen.flags.writeable = False
    function = core.Function.__from_extern_c__(ctypes.addressof(_table))
    return (
        all(_fields_of(each) == _known_fields(each) for each in (array, frozen))
        and ctypes.c_void_p.from_address(id(function) + HANDLE).value == function.__chandle__()
    )


def _fields_of(array: Any) -> tuple[Any, ...]:
    """Return what is read of an array."""

    def read(kind: Any, place: int) -> Any:
        return kind.from_address(place).value

    base, dtype = id(array), read(ctypes.c_void_p, id(array) + DTYPE)
    lists = [read(ctypes.c_void_p, base + place) for place in (SHAPE, STRIDES)]
    if dtype != id(array.dtype) or None in lists:
        return ()
    flags = read(ctypes.c_int, base + FLAGS)
    return (
        read(ctypes.c_void_p, base + TYPE),
        read(ctypes.c_void_p, base + DATA),
        read(ctypes.c_int, base + RANK),
        [tuple([read(ctypes.c_int64, each + 8 * axis) for axis in range(array.ndim)]) for each in lists],
        (flags & COMPACT != 0, flags & WRITABLE == WRITABLE),
        read(ctypes.c_char, dtype + BYTE_ORDER),
        read(ctypes.c_int, dtype + NUMBER),
    )


def _known_fields(array: Any) -> tuple[Any, ...]:
    """Return the same as NumPy tells it."""
    flags, dtype = array.flags, array.dtype
    return (
        id(type(array)),
        array.ctypes.data,
        array.ndim,
        [array.shape, array.strides],
        (flags.c_contiguous, flags.aligned and flags.writeable),
        dtype.byteorder.encode(),
        dtype.num,
    )
