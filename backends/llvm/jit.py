"""Parse, optimize and link LLVM assembly in this process."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import tvm_ffi
from llvmlite.binding import ffi

from tvmscript.backends.llvm import object_cache
from tvmscript.backends.llvm.calling_convention import call_slot
from tvmscript.backends.llvm.owned_module import OwnedModule
from tvmscript.backends.llvm.runtime_module import SIGNATURES, runtime_module_text
from tvmscript.backends.llvm.target import Target, data_layout, initialize
from tvmscript.backends.llvm.thread_pool import thread_count
from tvmscript.backends.runtime.errors import UnknownSymbol

#: Functions of tvm-ffi that compiled code calls.
_FFI = (
    "TVMFFIErrorSetRaisedFromCStr",
    "TVMFFIErrorMoveFromRaised",
    "TVMFFIErrorSetRaised",
    "TVMFFIFunctionGetGlobal",
    "TVMFFIFunctionCall",
    "TVMFFIObjectDecRef",
    "TVMFFITensorCreateUnsafeView",
)


class Compiled:
    """An optimized LLVM module."""

    def __init__(self, text: str, target: Target) -> None:
        self.target = target
        self._owner = OwnedModule(text)
        self._machine = target.machine()
        module = self._owner.module
        module.triple = target.triple
        module.data_layout = data_layout(self._machine)
        optimize(module, self._machine, target.opt_level)

    @property
    def externals(self) -> list[str]:
        """The names of the C functions that the module calls."""
        functions = [function.name for function in self._owner.module.functions if function.is_declaration]
        return [name for name in functions if not name.startswith("llvm.")]

    def object_code(self) -> bytes:
        """Return the machine code of the module as an object file."""
        code: bytes = self._machine.emit_object(self._owner.module)
        return code

    def assembly(self) -> str:
        """Return the optimized module as LLVM text."""
        return self._owner.assembly()

    def native(self) -> str:
        """Return the optimized module as the machine's assembly."""
        return self._owner.native(self._machine)


class LinkedCode:
    """Machine code in this process."""

    def __init__(self, code: bytes, externals: Sequence[str], target: Target) -> None:
        """Link an object file that calls these C functions. Raises `UnknownSymbol`."""
        runtime_module()
        for name in externals:
            if not is_known(name):
                hint = "load its library first, with ctypes.CDLL(path, ctypes.RTLD_GLOBAL)"
                raise UnknownSymbol(name=name, hint=hint)
        self._owner = OwnedModule("")
        self._owner.link(target.machine(), code)

    def function(self, name: str) -> Any:
        """Return a function with tvm-ffi's calling convention, as a Python callable that keeps the code alive."""
        return tvm_ffi.Function.__from_extern_c__(self._owner.address(name), keep_alive_object=self)


def optimize(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    """LLVM's own pipeline for this level, with loop and SLP vectorization."""
    if level == 0:
        level = 1  # math functions must be inlined
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = level > 1
    options.loop_interleaving = options.loop_unrolling = level > 1
    builder = llvm.create_pass_builder(machine, options)
    # not by llvmlite's wrapper, which does not free it: 50 KB would stay with every module
    passes = ffi.lib.LLVMPY_buildPerModuleDefaultPipeline(builder, level)
    try:
        ffi.lib.LLVMPY_RunNewModulePassManager(passes, module, builder)
    finally:
        ffi.lib.LLVMPY_DisposeNewModulePassManger(passes)


def is_known(name: str) -> bool:
    """Return whether code that calls a C function of this name can be linked."""
    if name in RUNTIME_SYMBOLS or llvm.address_of_symbol(name):
        return True
    try:
        address = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
    except AttributeError:
        return False
    return bool(address)


#: Functions that compiled code calls by itself.
RUNTIME_SYMBOLS = frozenset(_FFI) | frozenset(SIGNATURES) | {"memset", "memcpy", "memmove"}


def as_dtype(array: object, dtype: int) -> Any:
    """Return the memory of an array as a tensor of another dtype of the same size, a DLDataType in one word."""
    return _view()(tvm_ffi.from_dlpack(array), dtype)


@cache
def _view() -> Any:
    engine = runtime_module()
    return tvm_ffi.Function.__from_extern_c__(engine.address("tvmscript_view"), keep_alive_object=engine)


#: Held while the runtime module is compiled: two of them would take each other's symbols.
_RUNTIME_LOCK = threading.RLock()


def runtime_module() -> OwnedModule:
    """Return the runtime module, which the first call compiles."""
    with _RUNTIME_LOCK:
        return _compile_runtime_module()


@cache
def _compile_runtime_module() -> OwnedModule:
    """Compile the runtime module and register its and tvm-ffi's functions with LLVM."""
    initialize()
    library = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    for name in _FFI:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
    call_slot.add_symbols()
    # straight-line code over memory: optimizing it takes longer than it ever saves
    target = Target.parse(None, 0)
    owner = OwnedModule("")
    owner.link(target.machine(), _runtime_code(target))
    for name in SIGNATURES:
        llvm.add_symbol(name, owner.address(name))
    _thread_function(owner)(thread_count())
    return owner


def threads(count: int = 0) -> int:
    """Set the number of threads of parallel loops, unless it is 0; return the one before."""
    before: int = _thread_function(runtime_module())(count)
    return before


def _thread_function(module: OwnedModule) -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(module.address("tvmscript_threads"))


def _runtime_code(target: Target) -> bytes:
    """Return the machine code of the runtime module, which is cached as programs are."""
    key = object_cache.Key.of("runtime module", target)
    found = object_cache.find(key)
    if found is not None:
        return found.code
    start = time.perf_counter()
    machine, owner = target.machine(), OwnedModule(runtime_module_text())
    owner.module.data_layout = data_layout(machine)
    code: bytes = machine.emit_object(owner.module)
    object_cache.store(key, object_cache.Library(code, {}, ()), time.perf_counter() - start)
    return code
