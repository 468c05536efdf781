"""Parse, optimize and link LLVM assembly in this process."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import tvm_ffi
from llvmlite.binding import ffi

from tvmscript.backends.llvm.calling_convention.argument_checks import SIGNATURES, runtime_module_text
from tvmscript.backends.llvm.errors import UnknownSymbol
from tvmscript.backends.llvm.openmp import SIGNATURES as OPENMP
from tvmscript.backends.llvm.target import Target, initialize

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
        self.machine = target.machine()
        # a context of its own: modules can be compiled in several threads, and go away entirely
        self.module = llvm.parse_assembly(text, llvm.create_context())
        self.module.triple = target.triple
        self.module.data_layout = str(self.machine.target_data)
        optimize(self.module, self.machine, target.opt_level)
        self._engine: Any = None

    def link(self) -> None:
        """Make code of it in this process. Raises `UnknownSymbol`."""
        _support()
        for function in self.module.functions:
            name = function.name
            if function.is_declaration and not name.startswith("llvm.") and not is_known(name):
                raise UnknownSymbol(
                    name=name, hint="load its library first, with ctypes.CDLL(path, ctypes.RTLD_GLOBAL)"
                )
        # The engine takes the machine over: what get_source makes later needs one of its own.
        self._engine = llvm.create_mcjit_compiler(self.module, self.machine)
        self._engine.finalize_object()
        self.machine = None

    def address(self, name: str) -> int:
        """Return the address of a function."""
        address: int = self._engine.get_function_address(name)
        return address

    def function(self, name: str) -> Any:
        """Return a function with tvm-ffi's calling convention, as a Python callable that keeps the code alive."""
        return tvm_ffi.Function.__from_extern_c__(self.address(name), keep_alive_object=self)

    def assembly(self) -> str:
        """Return the optimized module as LLVM text."""
        return str(self.module)

    def native(self) -> str:
        """Return the optimized module as the machine's assembly."""
        return str(self.target.machine().emit_assembly(self.module))


def optimize(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    """LLVM's own pipeline for this level, with loop and SLP vectorization."""
    if level == 0:
        level = 1  # math functions must be inlined
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = level > 1
    options.loop_interleaving = options.loop_unrolling = level > 1
    builder = llvm.create_pass_builder(machine, options)
    manager = builder.getModulePassManager()
    try:
        manager.run(module, builder)
    finally:
        # llvmlite (0.50) does not: 50 KB would stay with every module
        ffi.lib.LLVMPY_DisposeNewModulePassManger(manager)


@cache
def is_known(name: str) -> bool:
    """Return whether code that calls a C function of this name can be linked."""
    if name in _KNOWN or llvm.address_of_symbol(name):
        return True
    try:
        address = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
    except AttributeError:
        return False
    return bool(address)


_KNOWN = frozenset(_FFI) | frozenset(SIGNATURES) | frozenset(OPENMP) | {"memset", "memcpy", "memmove"}


def as_dtype(array: object, dtype: int) -> Any:
    """Return the memory of an array as a tensor of another dtype of the same size, a DLDataType in one word."""
    return _view()(tvm_ffi.from_dlpack(array), dtype)


@cache
def _view() -> Any:
    engine = _support()
    return tvm_ffi.Function.__from_extern_c__(engine.get_function_address("tvmscript_view"), keep_alive_object=engine)


@cache
def _support() -> Any:
    """Compile the runtime module and register its and tvm-ffi's functions with LLVM."""
    initialize()
    library = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    for name in _FFI:
        llvm.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
    # Straight-line code over memory: optimizing it takes longer than it ever saves.
    machine = Target.parse(None, 0).machine()
    module = llvm.parse_assembly(runtime_module_text(), llvm.create_context())
    module.data_layout = str(machine.target_data)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    for name in SIGNATURES:
        llvm.add_symbol(name, engine.get_function_address(name))
    return engine
