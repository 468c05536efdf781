"""Parse, optimize and link LLVM assembly in this process."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import tvm_ffi
from llvmlite.binding import ffi

from tvmscript.backends.llvm.calling_convention.argument_checks import SIGNATURES, runtime_module_text
from tvmscript.backends.llvm.errors import UnknownSymbol
from tvmscript.backends.llvm.openmp import SIGNATURES as OPENMP
from tvmscript.backends.llvm.owned_module import OwnedModule
from tvmscript.backends.llvm.target import Target, data_layout, initialize

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
    """An optimized LLVM module and, on this machine, its code in memory."""

    def __init__(self, text: str, target: Target) -> None:
        self.target = target
        self._owner = OwnedModule(text)
        self._machine = target.machine()
        module = self._owner.module
        module.triple = target.triple
        module.data_layout = data_layout(self._machine)
        optimize(module, self._machine, target.opt_level)

    def link(self) -> None:
        """Make code of it in this process. Raises `UnknownSymbol`."""
        _support()
        for function in self._owner.module.functions:
            name = function.name
            if function.is_declaration and not name.startswith("llvm.") and not is_known(name):
                raise UnknownSymbol(
                    name=name, hint="load its library first, with ctypes.CDLL(path, ctypes.RTLD_GLOBAL)"
                )
        self._owner.link(self._machine)

    def function(self, name: str) -> Any:
        """Return a function with tvm-ffi's calling convention, as a Python callable that keeps the code alive."""
        return tvm_ffi.Function.__from_extern_c__(self._owner.address(name), keep_alive_object=self)

    def assembly(self) -> str:
        """Return the optimized module as LLVM text."""
        return self._owner.assembly()

    def native(self) -> str:
        """Return the optimized module as the machine's assembly."""
        # a machine of its own: the engine owns the one that compiled the module
        return self._owner.native(self.target.machine())


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
RUNTIME_SYMBOLS = frozenset(_FFI) | frozenset(SIGNATURES) | frozenset(OPENMP) | {"memset", "memcpy", "memmove"}


def as_dtype(array: object, dtype: int) -> Any:
    """Return the memory of an array as a tensor of another dtype of the same size, a DLDataType in one word."""
    return _view()(tvm_ffi.from_dlpack(array), dtype)


@cache
def _view() -> Any:
    engine = _support()
    return tvm_ffi.Function.__from_extern_c__(engine.address("tvmscript_view"), keep_alive_object=engine)


#: Held while the runtime module is compiled: two of them would take each other's symbols.
_SUPPORT_LOCK = threading.RLock()


def _support() -> OwnedModule:
    """Return the runtime module, which the first call compiles."""
    with _SUPPORT_LOCK:
        return _compile_support()


@cache
def _compile_support() -> OwnedModule:
    """Compile the runtime module and register its and tvm-ffi's functions with LLVM."""
    initialize()
    library = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    for name in _FFI:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
    # Straight-line code over memory: optimizing it takes longer than it ever saves.
    machine = Target.parse(None, 0).machine()
    owner = OwnedModule(runtime_module_text())
    owner.module.data_layout = data_layout(machine)
    owner.link(machine)
    for name in SIGNATURES:
        llvm.add_symbol(name, owner.address(name))
    return owner
