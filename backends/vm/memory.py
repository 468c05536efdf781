"""The memory of graph functions for the CPU: their arrays, and blocks of aligned memory that native code works in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.device import cpu
from tvmscript.ir.core import DType
from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT

#: shape, dtype of storage and dtype of a tensor
TensorSpec = tuple[tuple[int, ...], np.dtype[Any], DType]


class MemoryBlock:
    """Bytes that native code works in; `pointer` is their address as an argument of native functions.

    Work on `stream` may still use them; there is none on the CPU.
    """

    def __init__(self, size: int, address: int, owner: object, stream: int = 0) -> None:
        self.size = size
        self.pointer = ctypes.c_void_p(address)
        self.stream = stream
        self._owner = owner


class HostMemory:
    """The memory of graph functions for the CPU. Blocks of temporary storage are used again by later calls."""

    def __init__(self) -> None:
        self.device = cpu()
        self._free: list[MemoryBlock] = []

    def native_arguments(self, args: Sequence[Any]) -> list[Any]:
        """Return arguments as native functions take them fastest."""
        return [arg.storage if isinstance(arg, NDArray) else arg for arg in args]

    def new_tensors(self, specs: Sequence[TensorSpec]) -> tuple[list[NDArray], list[Any]]:
        """Return tensors whose elements are not set, and as native functions take them fastest."""
        arrays = [NDArray(np.empty(shape, stored), dtype) for shape, stored, dtype in specs]
        return arrays, [array.storage for array in arrays]

    def take_block(self, size: int) -> MemoryBlock:
        """Return a free block of at least this size; a smaller one is dropped."""
        try:
            block = self._free.pop()
        except IndexError:
            return _host_block(size)
        return block if block.size >= size else _host_block(size)

    def give_back(self, block: MemoryBlock) -> None:
        """Keep a block for later calls."""
        self._free.append(block)

    def constants(self, values: npt.NDArray[np.uint8]) -> MemoryBlock:
        """Return the memory of constants, which exists."""
        return MemoryBlock(values.size, values.ctypes.data, values)


def _host_block(size: int) -> MemoryBlock:
    """Return a new block at an aligned address."""
    memory = np.empty(size + ALIGNMENT, np.uint8)
    return MemoryBlock(size, memory.ctypes.data + -memory.ctypes.data % ALIGNMENT, memory)
