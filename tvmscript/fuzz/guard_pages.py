"""NumPy arrays next to inaccessible pages: an access out of bounds ends the process."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any, Final

import numpy as np

#: the alignment that kernels may assume
_ALIGNMENT: Final = 64
_NO_ACCESS: Final = 0


def guarded(values: Any, *, is_behind: bool) -> Any:
    """Copy an array next to an inaccessible page in front of it, or behind it after up to 63 bytes of padding.

    Arrays that are empty or not contiguous are returned as they are, and all of them on Windows.
    """
    if not isinstance(values, np.ndarray) or not values.flags.c_contiguous or not values.nbytes:
        return values
    if sys.platform == "win32":
        return values
    page = mmap.PAGESIZE
    inside = -(-values.nbytes // page) * page
    memory = mmap.mmap(-1, inside + page)
    forbidden = inside if is_behind else 0
    start = inside - -(-values.nbytes // _ALIGNMENT) * _ALIGNMENT if is_behind else page
    array = np.frombuffer(memory, values.dtype, values.size, start).reshape(values.shape)
    array[...] = values
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + forbidden), ctypes.c_size_t(page), _NO_ACCESS):
        return values
    return array
