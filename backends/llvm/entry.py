"""Build a lowered module: LLVM assembly, machine code, native functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NoReturn

from tvmscript.backends.llvm.assembly import quoted
from tvmscript.backends.llvm.calling_convention import packed_builtins, packed_calls
from tvmscript.backends.llvm.calling_convention.abi import CUDA
from tvmscript.backends.llvm.calling_convention.kernel_function import Kernel
from tvmscript.backends.llvm.calling_convention.packed_calls import CHECKED_SIGNATURE
from tvmscript.backends.llvm.calling_convention.packed_function import PackedFunction
from tvmscript.backends.llvm.calling_convention.public_wrapper import Wrapper
from tvmscript.backends.llvm.calling_convention.signature import is_on_cuda, is_packed
from tvmscript.backends.llvm.codegen import (
    allocation,
    arithmetic,
    bits,
    comparisons,
    expressions,
    intrinsics,
    math_calls,
    memory,
    square_transposes,
    statements,
    vectors,
)
from tvmscript.backends.llvm.codegen.loop_optimization import optimize_loops
from tvmscript.backends.llvm.context import Callee, Program
from tvmscript.backends.llvm.errors import NoNativeCode, NotSupportedByLLVM
from tvmscript.backends.llvm.library import SOURCES, callables, link
from tvmscript.backends.llvm.linked_code import FFI_FUNCTIONS
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.optimized_module import OptimizedModule
from tvmscript.backends.llvm.runtime_module import SIGNATURES
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.function import DISPLAY_NAME

#: Importing these modules registers their rules.
RULE_MODULES = (
    allocation,
    arithmetic,
    comparisons,
    bits,
    expressions,
    intrinsics,
    math_calls,
    memory,
    packed_builtins,
    packed_calls,
    square_transposes,
    statements,
    vectors,
)

#: Functions that compiled code calls by itself.
_RUNTIME_SYMBOLS: Final = {*FFI_FUNCTIONS, *SIGNATURES, "memset", "memcpy", "memmove"}


def build(mod: IRModule, *, target: str | None = None, opt_level: int = 3, has_debug_info: bool = False) -> Module:
    """Compile a lowered module for this machine, or for the one that the target string names.

    Functions with a `global_symbol` become callable under it, packed functions (`tir.MakePackedAPI`) without the
    `__tvm_ffi_` that it begins with. `get_source("ll")` is the optimized LLVM text, "asm" the machine's assembly,
    "input" the LLVM text before optimization. With debug info all of them tell the lines of the script (`!dbg`,
    `.loc`).
    Raises `NotSupportedByLLVM`, `InvalidTarget`, `UnknownSymbol`.
    """
    machine = Target.parse(target, opt_level)
    program = CompiledProgram(mod, machine, has_debug_info=has_debug_info)
    functions: Mapping[str, Callable[..., Any]] = {name: partial(_refuse, machine.triple) for name in program.public}
    if machine.is_host:
        library, lowered = program.library(), program.public.__getitem__
        functions = callables(library, link(library, machine), lowered, lowered)
    sources = {kind: partial(program.source, kind) for kind in SOURCES}
    return Module(functions, sources, target=target or "llvm")


class CompiledProgram:
    """A lowered module as LLVM code; `public` are its functions by name."""

    def __init__(self, mod: IRModule, target: Target, *, has_debug_info: bool = False) -> None:
        self._target = target
        program, self.public = deep_recursion(generate)(mod, target, has_debug_info=has_debug_info)
        self._text, self._has_vector_loops_only = str(program.text), not program.has_scalar_loops

    def _optimized(self) -> OptimizedModule:
        """Return a module of its own: LLVM changes what it makes machine code of."""
        return OptimizedModule(self._text, self._target, has_vector_loops_only=self._has_vector_loops_only)

    def source(self, kind: str) -> str:
        """Return the optimized LLVM text ("ll"), the assembly ("asm") or the text before optimization ("input")."""
        if kind == "input":
            return self._text
        return self._optimized().assembly() if kind == "ll" else self._optimized().native()

    def library(self) -> Library:
        """Return the machine code with the symbols of its public functions."""
        symbols = {name: str(func.attrs["global_symbol"]) for name, func in self.public.items()}
        optimized = self._optimized()
        return Library(optimized.object_code(), symbols, tuple(optimized.externals))


def generate(mod: IRModule, target: Target, *, has_debug_info: bool = False) -> tuple[Program, dict[str, PrimFunc]]:
    """Return the module as an LLVM module in text, and its public functions by name."""
    writer = ModuleWriter(Program(target, has_debug_info=has_debug_info))
    writer.add(mod)
    return writer.program, writer.public


class ModuleWriter:
    """An LLVM module that is written from lowered modules, one after the other.

    `public` are the functions of the program that are called from outside, by name; those of this module are added.
    """

    def __init__(self, program: Program, public: dict[str, PrimFunc] | None = None) -> None:
        self.program = program
        self.public = {} if public is None else public
        self.kernels: dict[str, Kernel] = {}
        #: kernels without a wrapper
        self._unwrapped: dict[str, Kernel] = {}

    def import_kernels(self, part: ModuleWriter) -> None:
        """Declare the kernels of another LLVM module of the program, which functions of this one may call."""
        program = self.program
        for name, kernel in part.kernels.items():
            symbol = kernel.func.attrs.get("global_symbol")
            program.functions[name] = Callee(kernel.func, kernel.symbol, kernel.params, is_compiled=True)
            program.text.declare_hidden(kernel.symbol, kernel.signature)
            if symbol is None:
                program.checked[name] = program.text.fresh(f"{name}.checked")
                self._unwrapped[name] = kernel
            else:
                program.symbols.add(symbol)
                program.checked[name] = program.text.declare(symbol, CHECKED_SIGNATURE)

    def add(self, mod: IRModule) -> None:
        """Write the functions of a module. Raises `NotSupportedByLLVM`."""
        program = self.program
        kernels: dict[str, Kernel] = {}
        packed: list[PackedFunction] = []
        for var, func in mod.items():
            if not isinstance(func, PrimFunc):
                continue
            if is_on_cuda(func):
                program.device_type = CUDA
            name = func.attrs.get("global_symbol")
            if name is not None:
                _check_symbol(name, func)
                program.symbols.add(name)
            if is_packed(func):
                function = PackedFunction(program, var.name_hint, func)
                packed.append(function)
                _publish(function.name, func, self.public)
                continue
            display_name = str(func.attrs.get(DISPLAY_NAME, name or var.name_hint))
            is_optimized = program.target.opt_level > 1
            optimized = optimize_loops(func, func.buffer_map.values(), program.target) if is_optimized else func
            kernels[var.name_hint] = kernel = Kernel(program, display_name, optimized)
            program.functions[var.name_hint] = Callee(func, kernel.symbol, kernel.params)
            program.arrays.update(func.buffer_map)
            checked = f"@{quoted(name)}" if name else program.text.fresh(f"{var.name_hint}.checked")
            program.checked[var.name_hint] = checked
            if name is not None:
                _publish(name, func, self.public)
        program.waiting.update((var_name, kernel.compile) for var_name, kernel in kernels.items())
        for var_name in kernels:
            program.compile(var_name)
        for function in packed:
            function.compile()
        self.kernels |= kernels
        self._unwrapped |= kernels
        for var_name, kernel in [*self._unwrapped.items()]:
            linkage = "" if kernel.func.attrs.get("global_symbol") is not None else "internal "
            if not linkage or var_name in program.called:
                Wrapper(program, kernel.name, kernel, f"{linkage}i32 {program.checked[var_name]}").compile()
                del self._unwrapped[var_name]


def _check_symbol(name: str, func: PrimFunc) -> None:
    """Raise `NotSupportedByLLVM` for a symbol that LLVM or the runtime has a meaning for."""
    if not name or "\0" in name or name.startswith(("llvm.", "tvmscript.")) or name in _RUNTIME_SYMBOLS:
        raise NotSupportedByLLVM(what=f"a function with the symbol {name!r}", span=func.span)


def _publish(name: str, func: PrimFunc, public: dict[str, PrimFunc]) -> None:
    if name in public:
        raise NotSupportedByLLVM(what=f"two functions that are called {name}", span=func.span)
    public[name] = func


def _refuse(triple: str, *args: object) -> NoReturn:
    raise NoNativeCode(triple=triple)
