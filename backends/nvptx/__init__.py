"""The NVPTX backend: PTX of kernels by LLVM, in a few milliseconds and without NVRTC.

    codegen.py                        state and tables of rules, over those of the LLVM backend
    statements.py  threads.py         launches and memory; barriers, shuffles, votes
    inline_assembly.py  instructions.py               instructions of PTX: copies, matrices, all others by their forms
    machine.py  module.py             LLVM's machine and the assembler of reports; the built module

Kernels are those that the CUDA backend gets, but for `LEFT_OUT`: mathematical functions are LLVM code of our own
(backends/llvm/math), with the accuracy that they have on a CPU, and remainders are LLVM's. Host functions and launches
are those of the CUDA backend; the driver assembles PTX at the first launch. Pointers are generic, and LLVM finds their
address spaces. What this backend has no code for, `target="cuda"` has.
"""

from __future__ import annotations

from tvmscript.backends.nvptx.machine import Machine as Machine
from tvmscript.backends.nvptx.module import LEFT_OUT as LEFT_OUT
from tvmscript.backends.nvptx.module import build as build
