"""Blocks of aligned memory that native code works in."""

from __future__ import annotations

import ctypes

import numpy as np

from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT


class MemoryBlock:
    """Bytes at an aligned address; `pointer` is their address as an argument of native functions."""

    def __init__(self, size: int, data: bytes = b"") -> None:
        self.size = size
        memory = np.empty(size + ALIGNMENT, np.uint8)
        start = -memory.ctypes.data % ALIGNMENT
        self.bytes = memory[start : start + size]
        if data:
            self.bytes[...] = np.frombuffer(data, np.uint8)
        self.pointer = ctypes.c_void_p(self.bytes.ctypes.data)
