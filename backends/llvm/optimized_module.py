"""Parse and optimize LLVM assembly."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi

from tvmscript.backends.llvm.codegen.loop_accesses import NOT_OPTIMIZED, SHORT_PIPELINE
from tvmscript.backends.llvm.owned_module import OwnedModule
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.llvm.target_machine import data_layout, shared_machine

#: level 1 leaves addresses that cost up to 30 % of the speed of products of a few rows, level 2 2 % of ResNet-18's
_SIMPLIFY_LEVEL = 3
_SHORT, _NOT_OPTIMIZED = SHORT_PIPELINE.encode(), NOT_OPTIMIZED.encode()


class OptimizedModule:
    """An optimized LLVM module."""

    def __init__(self, text: str, target: Target, *, has_vector_loops_only: bool = False) -> None:
        self.target = target
        self._owner = OwnedModule(text)
        self._machine = shared_machine(target)
        module = self._owner.module
        module.triple = target.triple
        module.data_layout = data_layout(self._machine)
        if has_vector_loops_only and target.opt_level > 1:
            simplify(module, self._machine, has_routines=" alwaysinline " in text)
        else:
            optimize(module, self._machine, target.opt_level)

    @property
    def externals(self) -> list[str]:
        """The names of the C functions that the module calls, and of public functions in other parts of the program."""
        functions = [function.name for function in self._owner.module.functions if function.is_declaration]
        return [name for name in functions if not name.startswith(("llvm.", "tvmscript."))]

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


def simplify(module: llvm.ModuleRef, machine: llvm.TargetMachine, *, has_routines: bool) -> None:
    """Run the part of LLVM's pipeline that simplifies functions, for code whose loops are vectorized already.

    It takes two thirds of the time of the whole one, which makes the same loops of such code. Functions with the
    attribute `SHORT_PIPELINE` get few passes, in a quarter of its time. Routines are inlined where they are called.
    """
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=_SIMPLIFY_LEVEL))
    if has_routines:
        inliner = ffi.lib.LLVMPY_CreateNewModulePassManager()
        try:
            ffi.lib.LLVMPY_module_AddAlwaysInlinerPass(inliner)
            ffi.lib.LLVMPY_RunNewModulePassManager(inliner, module, builder)
        finally:
            ffi.lib.LLVMPY_DisposeNewModulePassManger(inliner)
    few = _few_passes()
    whole = ffi.lib.LLVMPY_buildFunctionSimplificationPipeline(builder, _SIMPLIFY_LEVEL)
    try:
        for function in module.functions:
            if function.is_declaration:
                continue
            attributes: list[bytes] = list(function.attributes)
            if _NOT_OPTIMIZED not in attributes:
                is_short = any(_SHORT in attribute for attribute in attributes)
                ffi.lib.LLVMPY_RunNewFunctionPassManager(few if is_short else whole, function, builder)
    finally:
        few.close()
        ffi.lib.LLVMPY_DisposeNewFunctionPassManger(whole)


def _few_passes() -> Any:
    """Return passes that put memory into registers, unroll short loops and combine instructions, to be freed.

    In the text that is generated, dead stores are removed, and sums of addresses have their constants last.
    """
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_loop_unroll_pass()
    passes.add_sroa_pass()
    passes.add_aggressive_dce_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    return passes


def machine_code(text: str, target: Target) -> bytes:
    """Return the machine code of LLVM assembly, which is not optimized, as an object file."""
    owner, machine = OwnedModule(text), shared_machine(target)
    owner.module.data_layout = data_layout(machine)
    code: bytes = machine.emit_object(owner.module)
    return code
