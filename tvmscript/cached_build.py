"""Build programs for LLVM through the cache of machine code: a hit needs neither lowering nor LLVM's optimizer."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from tvmscript.backends.llvm import object_cache
from tvmscript.backends.llvm.library import SOURCES, callables, link
from tvmscript.backends.llvm.linked_code import LinkedCode
from tvmscript.backends.llvm.object_cache import Key, Library
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.errors import NoLibrary
from tvmscript.backends.runtime.module import Module, write_library
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.core.equality.hashing import fingerprint
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.context import GLOBAL_INSTRUMENTS, PassContext

if TYPE_CHECKING:
    from tvmscript.backends.cuda.device_library import DeviceLibrary
    from tvmscript.backends.llvm.entry import CompiledProgram


class Request:
    """A program to compile, in the pass context of its build."""

    def __init__(self, program: IRModule, machine: Target, lower: Callable[[IRModule], IRModule]) -> None:
        self.program, self.machine = program, machine
        self._lower, self._context = lower, PassContext.current()
        #: the public functions of a program that is compiled in parts, lowered
        self._public: Mapping[str, PrimFunc] | None = None

    def library(self) -> Library:
        """Compile the program, in parts where it has several."""
        from tvmscript.backends.llvm.parts import compile_in_parts

        try:
            with self._context:
                parts = compile_in_parts(self.program, self.machine, self._lower)
        except TVMScriptError:  # compiled as a whole, the program raises its first error
            parts = None
        if parts is None:
            return self.compiled.library()
        self._public = parts.public
        return parts.library

    @cached_property
    def compiled(self) -> CompiledProgram:
        """The lowered program, with its LLVM code."""
        from tvmscript.backends.llvm.entry import CompiledProgram

        with self._context:
            return CompiledProgram(self._lower(self.program), self.machine)

    def source(self, kind: str) -> str:
        """Return the text that the functions were made of."""
        return self.compiled.source(kind)

    def lowered(self, name: str) -> PrimFunc:
        """Return what a function is compiled from."""
        return (self.compiled.public if self._public is None else self._public)[name]

    def written(self, name: str) -> PrimFunc:
        """Return a function as the program has it, or the lowered one where it has none of this name."""
        functions = (func for func in self.program.values() if isinstance(func, PrimFunc))
        return next((func for func in functions if func.attrs.get("global_symbol") == name), None) or self.lowered(name)


def cache_key(program: IRModule, machine: Target, options: str) -> Key | None:
    """Return the key of a program in the cache, None where instruments look at the passes of this build."""
    context = PassContext.current()
    if context.instruments or GLOBAL_INSTRUMENTS or object_cache.folder() is None:
        return None
    text = fingerprint(program) or program.script(show_meta=True)
    passes = [context.opt_level, sorted(context.required_pass), sorted(context.disabled_pass)]
    config = sorted((name, str(value)) for name, value in context.config.items())
    return Key.of(text, machine, options=options, passes=f"{passes} {config}")


class LinkedPrograms:
    """Code in this process by key, of the programs that were used last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._codes: OrderedDict[Key, tuple[Library, LinkedCode]] = OrderedDict()

    def get(self, key: Key) -> tuple[Library, LinkedCode] | None:
        with self._lock:
            code = self._codes.get(key)
            if code is not None:
                self._codes.move_to_end(key)
            return code

    def put(self, key: Key, library: Library, code: LinkedCode) -> None:
        with self._lock:
            self._codes[key] = library, code
            while len(self._codes) > self._most:
                self._codes.popitem(last=False)


_LINKED: Final = LinkedPrograms(64)


class LinkedModule(Module):
    """Functions of machine code in this process."""

    is_dso_exportable = True

    def __init__(self, library: Library, program: IRModule, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.library, self.program = library, program

    @staticmethod
    def load(library: Library, program: IRModule, target: str) -> LinkedModule:
        """Load a library whose functions a program has."""
        by_symbol = {str(func.attrs["global_symbol"]): func for func in _kernels(program)}
        functions = callables(
            library, link(library, Target.parse(target)), by_symbol.__getitem__, by_symbol.__getitem__
        )
        return LinkedModule(library, program, functions, target=target)


def _kernels(program: IRModule) -> list[PrimFunc]:
    return [func for func in program.values() if isinstance(func, PrimFunc) and "global_symbol" in func.attrs]


def library_of(module: Module, archs: Sequence[str] = ()) -> Library | DeviceLibrary:
    """Return the machine code of a module, that of kernels for architectures. Raises `NoLibrary`, `NoNvrtc`."""
    if isinstance(module, LinkedModule):
        return module.library
    from tvmscript.backends.cuda.device_library import KernelModule  # programs for the CPU need none of it

    if not isinstance(module, KernelModule):
        raise NoLibrary(method="export_library")
    return module.device_library(archs)


def load_library(library: Library | DeviceLibrary, program: IRModule, target: str) -> Module:
    """Return the functions of machine code, which a program has."""
    if isinstance(library, Library):
        return LinkedModule.load(library, program, target)
    from tvmscript.backends.cuda.device_library import LoadedKernels  # programs for the CPU need none of it

    return LoadedKernels(library, target)


@write_library.fill
def export(module: Module, file_name: str, archs: Sequence[str]) -> None:
    """Write the functions of a module to a file that `runtime.load_module` reads. Raises `NoLibrary`."""
    from tvmscript.package import Package  # programs that are not exported need no archives

    library = library_of(module, archs)
    program = module.program if isinstance(module, LinkedModule) else IRModule({})
    Package("kernels", program, module.target, {"kernels": library}, {}).write(file_name)


def build_cached(program: IRModule, target: str, options: str, lower: Callable[[IRModule], IRModule]) -> Module:
    """Compile a module for this machine, or take its machine code from the cache.

    `options` are those of `build`; `lower` checks and lowers the module.
    """
    request = Request(program, Target.parse(target), lower)
    key = cache_key(program, request.machine, options)
    linked = _LINKED.get(key) if key is not None else None
    if linked is None:
        library = object_cache.find(key) if key is not None else None
        if library is None:
            start = time.perf_counter()
            library = request.library()
            if key is not None:
                object_cache.store(key, library, time.perf_counter() - start)
        linked = library, link(library, request.machine)
        if key is not None:
            _LINKED.put(key, *linked)
    functions = callables(*linked, request.written, request.lowered)
    sources = {kind: partial(request.source, kind) for kind in SOURCES}
    return LinkedModule(linked[0], program, functions, sources, target=target)
