"""Machine code in this process: libraries, the runtime module, and the C functions that they call."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol

from tvmscript.backends.llvm import elf_object, errors, object_cache
from tvmscript.backends.llvm.calling_convention import call_slot
from tvmscript.backends.llvm.elf_object import LoadedObject, UnsupportedObject
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime import ffi
from tvmscript.backends.runtime.errors import UnknownSymbol

#: Functions of tvm-ffi that compiled code calls.
FFI_FUNCTIONS: Final = (
    "TVMFFIErrorSetRaisedFromCStr",
    "TVMFFIErrorMoveFromRaised",
    "TVMFFIErrorSetRaised",
    "TVMFFIFunctionGetGlobal",
    "TVMFFIFunctionCall",
    "TVMFFIObjectDecRef",
    "TVMFFITensorCreateUnsafeView",
)
#: functions that compiled code calls by itself -> their addresses
SYMBOLS: dict[str, int] = {}


class Code(Protocol):
    """An object file that is loaded."""

    def address(self, name: str) -> int:
        """Return the address of a function."""
        ...


class LinkedCode:
    """The machine code of a program."""

    def __init__(self, code: bytes, externals: Sequence[str], target: Target) -> None:
        """Link an object file that calls these C functions. Raises `UnknownSymbol`."""
        for name in externals:
            if not is_known(name):
                hint = "load its library first, with ctypes.CDLL(path, ctypes.RTLD_GLOBAL)"
                raise UnknownSymbol(name=name, hint=hint)
        runtime_module()
        self._code = load(code, target)

    def function(self, name: str) -> Any:
        """Return a function with tvm-ffi's calling convention, as a Python callable that keeps the code alive."""
        return ffi.core.Function.__from_extern_c__(self._code.address(name), keep_alive_object=self)


def load(code: bytes, target: Target) -> Code:
    """Load an object file by our own loader, or by LLVM's where that does not know it."""
    if elf_object.IS_SUPPORTED:
        try:
            return LoadedObject(code, _address_of)
        except UnsupportedObject as reason:
            object_cache.log(__name__, f"LLVM loads an object file: {reason}")
    # code that comes from the cache does not need LLVM
    import llvmlite.binding as llvm

    from tvmscript.backends.llvm.owned_module import OwnedModule

    machine = target.machine()
    for name, address in SYMBOLS.items():
        llvm.add_symbol(name, address)
    owner = OwnedModule("")
    owner.link(machine, code)
    return owner


def _address_of(name: str) -> int | None:
    """Return the address of a C function, None where there is none."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    for library in (ctypes.CDLL(None), _compiler_support()):
        if library is not None and hasattr(library, name):
            return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    llvm: Any = sys.modules.get("llvmlite.binding")
    return llvm.address_of_symbol(name) if llvm is not None else None


@cache
def _compiler_support() -> ctypes.CDLL | None:
    """Return the library of what a processor has no instructions for: casts of float16, divisions of 128 bits."""
    try:
        return ctypes.CDLL("libgcc_s.so.1")
    except OSError:
        return None


def is_known(name: str) -> bool:
    """Return whether code that calls a C function of this name can be linked."""
    runtime_module()
    return bool(_address_of(name))


def as_dtype(array: object, dtype: int) -> Any:
    """Return the memory of an array as a tensor of another dtype of the same size, a DLDataType in one word."""
    return _view()(ffi.core.from_dlpack(array), dtype)


@cache
def _view() -> Any:
    module = runtime_module()
    return ffi.core.Function.__from_extern_c__(module.address("tvmscript_view"), keep_alive_object=module)


#: Held while the runtime module is compiled: two of them would take each other's symbols.
_RUNTIME_LOCK = threading.RLock()
#: how often a waiting thread of the pool looks before it sleeps, with a pause of 15 to 40 nanoseconds each time
_SPINS: Final = 8192


def runtime_module() -> Code:
    """Return the runtime module, which the first call compiles."""
    with _RUNTIME_LOCK:
        return _compile_runtime_module()


@cache
def _compile_runtime_module() -> Code:
    """Compile the runtime module; make its functions, and those of tvm-ffi, known to compiled code."""
    errors.register()
    library = ffi.library()
    for name in FFI_FUNCTIONS:
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        assert address is not None
        SYMBOLS[name] = address
    SYMBOLS.update(call_slot.symbols())
    # straight-line code over memory: optimizing it takes longer than it ever saves
    target = Target.parse(None, 0)
    code, functions = _runtime_library(target)
    module = load(code, target)
    SYMBOLS.update({name: module.address(name) for name in functions})
    _set_threads(module, thread_count())
    return module


def threads(count: int = 0) -> int:
    """Set the number of threads of parallel loops, unless it is 0; return the one before."""
    return _set_threads(runtime_module(), count)


def thread_count() -> int:
    """Return the number of threads at the start: that of OMP_NUM_THREADS, or of the processors of this process."""
    count = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if count.isdecimal() and int(count) > 0:
        return int(count)
    return _processors()


def _processors() -> int:
    """Return the number of processors of this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _set_threads(module: Code, count: int) -> int:
    """Set the number of threads unless it is 0; return the one before. Those that may share a processor never spin."""
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(module.address("tvmscript_threads"))
    before: int = function(count, _SPINS if count <= _processors() else 0)
    return before


def _runtime_library(target: Target) -> tuple[bytes, Sequence[str]]:
    """Return the machine code and the functions of the runtime module, which is cached as programs are."""
    key = object_cache.Key.of("runtime module", target)
    cached = object_cache.find(key)
    if cached is not None:
        return cached.code, cached.externals
    from tvmscript.backends.llvm.optimized_module import machine_code
    from tvmscript.backends.llvm.runtime_module import SIGNATURES, runtime_module_text

    start = time.perf_counter()
    library = object_cache.Library(machine_code(runtime_module_text(), target), {}, tuple(SIGNATURES))
    object_cache.store(key, library, time.perf_counter() - start)
    return library.code, library.externals
