"""Parallel loops: the body becomes a function of its own, which a team of OpenMP threads calls with parts of the range.

The entry point is `GOMP_parallel`, which GCC's, LLVM's and Intel's OpenMP runtimes all have. Iterations are dealt out
statically, in contiguous parts. An error in a thread stops its part; the first one is raised by the caller.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

import llvmlite.binding as llvm

#: File names of OpenMP runtimes, tried in this order.
_LIBRARIES = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so", "libomp.dylib", "libgomp.1.dylib")
#: What a parallel region needs of the runtime.
SYMBOLS = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")


@cache
def find_openmp() -> bool:
    """Make the OpenMP runtime known to LLVM: one that is loaded already, or the first that is found. False if none is."""
    for name in (None, *_LIBRARIES, "gomp", "omp", "iomp5"):
        path = ctypes.util.find_library(name) if name in ("gomp", "omp", "iomp5") else name
        if path is None and name is not None:
            continue
        try:
            library = ctypes.CDLL(path)
            addresses = [ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value for symbol in SYMBOLS]
        except (OSError, AttributeError):
            continue
        for symbol, address in zip(SYMBOLS, addresses, strict=True):
            llvm.add_symbol(symbol, address)
        return True
    return False
