"""Ownership of LLVM's objects: one compilation's context, module and engine, freed in the order that LLVM needs.

llvmlite frees an object when Python drops its wrapper. In a cycle of garbage, such as a traceback that refers to the
frames of a build, the collector drops wrappers in any order, and a module whose context is gone crashes the process.
Here wrappers free nothing. One finalizer of the owner does, engine before context; at exit nothing is freed.
"""

from __future__ import annotations

import ctypes
import platform
import weakref
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi

from tvmscript.backends.llvm.errors import InvalidLLVM
from tvmscript.backends.llvm.output_text import OutputText, assembly_of, text_of

#: Whether engines allocate as llvmlite does it, which 64-bit ARM needs.
_HAS_OWN_MEMORY_MANAGER = platform.machine().lower() in ("arm64", "aarch64")


def _unowned(kind: Any, *args: object) -> Any:
    """Return a wrapper of llvmlite that frees nothing."""
    wrapper = kind.__new__(kind)
    wrapper._owned = True  # before an exception can leave a wrapper that has its pointer
    wrapper.__init__(*args)
    return wrapper


class _Handles:
    """LLVM objects that the finalizer frees. It holds no reference to the owner."""

    def __init__(self) -> None:
        self.context: Any = None
        self.module: Any = None
        self.engine: Any = None
        #: whether the module may belong to an engine that is not known yet
        self.is_handing_over = False

    def free(self) -> None:
        """Free the engine, which owns the module once there is one, then the context with what it still has.

        What an interrupt left between two owners is leaked.
        """
        context, module, engine = self.context, self.module, self.engine
        self.context = self.module = self.engine = None
        if module is not None:
            module.detach()
        if engine is not None:
            ffi.lib.LLVMPY_DisposeExecutionEngine(engine)
            engine.detach()
        if context is not None:
            if not self.is_handing_over:
                ffi.lib.LLVMPY_ContextDispose(context)
            context.detach()


class OwnedModule:
    """A module in a context of its own, and the engine that has its code in memory.

    Modules of their own contexts can be compiled in several threads, and go away entirely.
    """

    def __init__(self, text: str) -> None:
        """Parse and verify LLVM assembly. Raises `InvalidLLVM`."""
        self._handles = handles = _Handles()
        weakref.finalize(self, handles.free).atexit = False
        handles.context = _unowned(llvm.ContextRef, ffi.lib.LLVMPY_ContextCreate())
        with OutputText() as problem:
            pointer = ffi.lib.LLVMPY_ParseAssembly(handles.context, ctypes.c_char_p(text.encode()), problem)
            if not pointer or problem.text:
                raise InvalidLLVM(reason=problem.text.strip())
        handles.module = _unowned(llvm.ModuleRef, pointer, handles.context)
        self.verify()

    @property
    def module(self) -> llvm.ModuleRef:
        """The module, to be used while its owner lives.

        Raises `ReferenceError` in a finalizer of the same garbage, which runs after that of the owner.
        """
        if self._handles.module is None:
            raise ReferenceError("the LLVM module is freed")
        return self._handles.module

    def verify(self) -> None:
        """Raise `InvalidLLVM` for a module that LLVM would end the process on."""
        with OutputText() as problem:
            if ffi.lib.LLVMPY_VerifyModule(self.module, problem):
                raise InvalidLLVM(reason=problem.text.strip())

    def link(self, machine: Any, object_code: bytes = b"") -> None:
        """Make code of the module in this process, and load an object file into it.

        The engine owns the machine from here on.
        """
        handles = self._handles
        machine._owned = True
        with OutputText() as problem:
            handles.is_handing_over = True
            pointer = ffi.lib.LLVMPY_CreateMCJITCompiler(handles.module, machine, _HAS_OWN_MEMORY_MANAGER, problem)
            if not pointer:
                handles.is_handing_over = False
                raise InvalidLLVM(reason=problem.text.strip())
        handles.engine = _unowned(llvm.ExecutionEngine, pointer, handles.module)
        handles.is_handing_over = False
        if object_code:
            handles.engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
        handles.engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function that is linked."""
        address: int = ffi.lib.LLVMPY_GetFunctionAddress(self._handles.engine, name.encode())
        return address

    def assembly(self) -> str:
        """Return the module as LLVM text."""
        return text_of(ffi.lib.LLVMPY_PrintModuleToString, self.module)

    def native(self, machine: llvm.TargetMachine) -> str:
        """Return the module as the machine's assembly."""
        return assembly_of(machine, self.module)
