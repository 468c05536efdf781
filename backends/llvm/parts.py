"""Compile a program in parts: LLVM compiles one in a thread of its own while the next one is lowered and written.

Kernels that call no function of the program are parts, several where they are short; the other functions are the last
part. Which parts there are depends on the program alone, so that the same machine code comes out every time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, NamedTuple

from tvmscript.backends.llvm import elf_object
from tvmscript.backends.llvm.calling_convention.signature import is_packed
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.elf_merge import merge_objects
from tvmscript.backends.llvm.entry import ModuleWriter
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.optimized_module import OptimizedModule
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core import GlobalVar, IRModule, Op
from tvmscript.ir.core.python_settings import short_turns
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import Call, PrimFunc
from tvmscript.ir.transform.context import GLOBAL_INSTRUMENTS, PassContext

#: characters of LLVM assembly of a part, at least: LLVM takes 20 ms for so many, and 2 ms for a part without any
_LEAST_SIZE: Final = 32_000
#: in the names of operators that call functions by name
_BY_NAME: Final = re.compile("packed|extern")


class CompiledParts(NamedTuple):
    """Machine code of a program, and its public functions by name, lowered."""

    library: Library
    public: dict[str, PrimFunc]


class _Code(NamedTuple):
    """An object file, and the functions that it calls."""

    content: bytes
    externals: Sequence[str]


def compile_in_parts(mod: IRModule, target: Target, lower: Callable[[IRModule], IRModule]) -> CompiledParts | None:
    """Lower and compile a program in parts; return None for one that has to be compiled as a whole.

    Raises the errors of `lower` and of code generation, not always the first one of the program.
    """
    kernels = {var: func for var, func in mod.items() if isinstance(func, PrimFunc) and _calls_no_function(func)}
    if len(kernels) < 2 or not elf_object.IS_SUPPORTED or _are_passes_observed():
        return None
    return _compile_kernels_first(mod, kernels, target, lower)


@short_turns
def _compile_kernels_first(
    mod: IRModule, kernels: Mapping[GlobalVar, PrimFunc], target: Target, lower: Callable[[IRModule], IRModule]
) -> CompiledParts:
    """Compile parts of these kernels, then the other functions."""
    others = {var: func for var, func in mod.items() if var not in kernels}
    finished: list[ModuleWriter] = []
    writer = ModuleWriter(Program(target, part=0))
    compiler = _Compiler(target)
    try:
        for var, func in kernels.items():
            writer.add(lower(mod.replace(functions={var: func})))
            if writer.program.text.size >= _LEAST_SIZE:
                compiler.submit(writer.program)
                finished.append(writer)
                program = Program(target, part=len(finished), before=writer.program)
                writer = ModuleWriter(program, writer.public)
        for part in finished:
            writer.import_kernels(part)
        writer.add(lower(mod.replace(functions=others)))
        compiler.submit(writer.program)
        codes = compiler.codes()
    finally:
        compiler.close()
    symbols = {name: str(func.attrs["global_symbol"]) for name, func in writer.public.items()}
    externals = dict.fromkeys(name for code in codes for name in code.externals if name not in symbols.values())
    content = merge_objects([code.content for code in codes])
    return CompiledParts(Library(content, symbols, tuple(externals)), writer.public)


def _calls_no_function(func: PrimFunc) -> bool:
    """Return whether a function is a kernel that calls neither functions of the program nor others by name."""
    operators = (node.op for node in nodes(func.body) if isinstance(node, Call))
    return not is_packed(func) and all(isinstance(op, Op) and not _BY_NAME.search(op.name) for op in operators)


def _are_passes_observed() -> bool:
    """Return whether instruments look at the passes, or users add some: they see the whole program."""
    context = PassContext.current()
    return bool(GLOBAL_INSTRUMENTS or context.instruments or "tir.add_lower_pass" in context.config)


class _Compiler:
    """LLVM for parts of a program, in a thread of its own where there is a processor for it."""

    def __init__(self, target: Target) -> None:
        self._target = target
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._thread = ThreadPoolExecutor(1, "tvmscript-llvm") if processors > 1 else None
        self._codes: list[Future[_Code]] = []

    def submit(self, program: Program) -> None:
        """Compile an LLVM module, later where there is a thread for it."""
        text, has_vector_loops_only = str(program.text), not program.has_scalar_loops
        code: Future[_Code] | None = None
        try:
            if self._thread is not None:
                code = self._thread.submit(self._compile, text, has_vector_loops_only)
        except RuntimeError:  # no thread starts when Python ends, or where there are too many
            pass
        if code is None:
            code = Future[_Code]()
            code.set_result(self._compile(text, has_vector_loops_only))
        self._codes.append(code)

    def _compile(self, text: str, has_vector_loops_only: bool) -> _Code:
        module = OptimizedModule(text, self._target, has_vector_loops_only=has_vector_loops_only)
        return _Code(module.object_code(), module.externals)

    def codes(self) -> list[_Code]:
        """Return the machine code of all parts."""
        return [code.result() for code in self._codes]

    def close(self) -> None:
        """End the thread, after the part that it compiles."""
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)
