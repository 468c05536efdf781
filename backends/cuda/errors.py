"""Errors of the CUDA backend: unsupported programs, the compiler's."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.core import IRError


class NotSupportedByCuda(IRError, code="TS6501"):
    """The program has something that the CUDA backend has no text for: an operator of another device, memory of a scope
    that NVIDIA's GPUs do not have, a vector that has no scalar form lane by lane.
    """

    message = "the CUDA backend cannot compile {what}"


class NoNvrtc(ExecutionError, IRError, code="TS6502"):
    """Machine code of a module for CUDA is asked for, and NVIDIA's compiler NVRTC or its Python bindings are not
    installed. `get_source("cu")` needs neither.
    """

    message = "there is no NVRTC to compile CUDA with: {reason}"
    advice = "pip install 'tvmscript[cuda]'; get_source(\"cu\") shows the CUDA text without it"


class RefusedByNvrtc(ExecutionError, IRError, code="TS6503"):
    """NVRTC refuses the text of a program: an instruction that the architecture does not have, a function of
    `call_extern` that nobody defines, more shared memory than a block may have.
    """

    message = "NVRTC refuses the program for {arch}: {place}: {reason}"


class CannotDisassemble(ExecutionError, IRError, code="TS6506"):
    """`get_source("sass")` is asked for, and the disassembler nvdisasm is not installed."""

    message = "there is no disassembler: {reason}"
    advice = "pip install nvidia-cuda-nvdisasm (or CUDA's toolkit), which has nvdisasm"


class NoFittingImage(ExecutionError, IRError, code="TS6509"):
    """A function of a library that `export_library` wrote is called on a device that it has no machine code for, and no
    PTX that the driver could compile.
    """

    message = "the library has no machine code for {arch}, only for {images}"
    advice = (
        'export_library(file, archs=["sm_80", "sm_90a", "compute_80"]) writes several; compute_80 is for later ones'
    )
