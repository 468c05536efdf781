"""Errors of the NVPTX backend."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.core import IRError


class NotSupportedByNvptx(IRError, code="TS6510"):
    """The program has something that LLVM's code for NVIDIA's GPUs is not written for: wmma, TMA, warp groups, an
    instruction or a memory of another device. The CUDA backend has more of them.
    """

    message = "the NVPTX backend cannot compile {what}"
    advice = 'target="cuda" compiles kernels with NVRTC, and has all instructions of PTX'


class NoAssembler(ExecutionError, IRError, code="TS6511"):
    """A report of a module for NVPTX is asked for, and NVIDIA's assembler ptxas, which counts registers, is not
    installed or refuses the code. Building and launching need none: the driver assembles PTX.
    """

    message = "there is no report of {arch}: {reason}"
    advice = "pip install nvidia-cuda-nvcc (or CUDA's toolkit), which has ptxas"
