"""Lookup of an OpenMP runtime: one that is loaded already, or one that is installed."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

import llvmlite.binding as llvm

#: File names of OpenMP runtimes, tried in this order.
_LIBRARIES = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so", "libomp.dylib", "libgomp.1.dylib")
#: What a parallel region needs of the runtime.
SIGNATURES = {
    "GOMP_parallel": "void {}(ptr, ptr, i32, i32)",
    "omp_get_thread_num": "i32 {}()",
    "omp_get_num_threads": "i32 {}()",
}


@cache
def find_openmp() -> bool:
    """Make an OpenMP runtime known to LLVM: one that is loaded already, or the first that is found."""
    if any(_use(name) for name in (None, *_LIBRARIES)):
        return True
    paths = (ctypes.util.find_library(name) for name in ("gomp", "omp", "iomp5"))
    return any(_use(path) for path in paths if path is not None)


def _use(path: str | None) -> bool:
    try:
        library = ctypes.CDLL(path)
        addresses = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in SIGNATURES}
    except (OSError, AttributeError):
        return False
    for name, address in addresses.items():
        llvm.add_symbol(name, address)
    return True
