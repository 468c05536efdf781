"""Blocks of aligned memory that native code works in."""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT


class MemoryBlock:
    """Bytes at an aligned address; `pointer` is their address as an argument of native functions.

    `aligned` are bytes that exist.
    """

    def __init__(self, size: int, aligned: npt.NDArray[np.uint8] | None = None) -> None:
        self.size = size
        if aligned is None:
            memory = np.empty(size + ALIGNMENT, np.uint8)
            start = -memory.ctypes.data % ALIGNMENT
            aligned = memory[start : start + size]
        self.bytes = aligned
        self.pointer = ctypes.c_void_p(self.bytes.ctypes.data)
