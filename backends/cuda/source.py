"""The CUDA text of the kernels of a lowered module."""

from __future__ import annotations

from typing import NamedTuple

from tvmscript.backends.cuda import expressions, intrinsics, statements, tensor_cores, vectors, wmma
from tvmscript.backends.cuda.kernel import KernelText
from tvmscript.backends.cuda.program import CudaProgram
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import PrimFunc, Var
from tvmscript.ir.transform.pipeline import is_kernel

#: Importing these modules registers their rules.
RULE_MODULES = (expressions, intrinsics, statements, tensor_cores, vectors, wmma)


class Source(NamedTuple):
    """A CUDA text."""

    text: str
    #: symbol -> kernel
    kernels: dict[str, PrimFunc]
    #: name of a kernel in the module -> symbol
    symbols: dict[str, str]
    #: symbol -> parameters whose memory is accessed by vectors
    aligned: dict[str, frozenset[Var]]


@deep_recursion
def write_source(mod: IRModule, *, has_lines: bool = False) -> Source:
    """Write the kernels of a module; `has_lines`: with the lines of the script. Raises `NotSupportedByCuda`."""
    program = CudaProgram()
    kernels = {
        str(func.attrs.get("global_symbol") or var.name_hint): func
        for var, func in mod.items()
        if isinstance(func, PrimFunc) and is_kernel(func)
    }
    texts = {name: KernelText(program, name, func, has_lines=has_lines) for name, func in kernels.items()}
    text = program.text([kernel.text for kernel in texts.values()], [])
    symbols = {name: kernel.symbol for name, kernel in texts.items()}
    aligned = {kernel.symbol: kernel.aligned for kernel in texts.values()}
    return Source(text, {symbols[name]: func for name, func in kernels.items()}, symbols, aligned)
