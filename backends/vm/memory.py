"""The memory of graph functions: their arrays, and blocks of aligned memory that native code works in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import NDArray, empty
from tvmscript.backends.runtime.device import Device, cpu, current_stream
from tvmscript.ir.core import DType
from tvmscript.ir.relax.lowering.memory_plan import ALIGNMENT

if TYPE_CHECKING:
    from tvmscript.backends.runtime.cuda_array import DeviceMemory


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

    def new_tensor(self, shape: tuple[int, ...], stored: np.dtype[Any], dtype: DType) -> NDArray:
        """Return a tensor whose elements are not set."""
        return NDArray(np.empty(shape, stored), dtype)

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


class CudaMemory:
    """The memory of graph functions for a CUDA device.

    Kernels of a call may still run when it returns, so a block of temporary storage is used again on its stream alone.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        #: stream -> free block
        self._free: dict[int, MemoryBlock] = {}

    def native_arguments(self, args: Sequence[Any]) -> list[Any]:
        """Return arguments as native functions take them fastest."""
        return [getattr(arg, "tensor", arg) for arg in args]

    def new_tensor(self, shape: tuple[int, ...], stored: np.dtype[Any], dtype: DType) -> NDArray:
        """Return a tensor whose elements are not set. Raises `NoCudaDriver`, `CudaDriverError`."""
        return empty(shape, dtype, self.device)

    def take_block(self, size: int) -> MemoryBlock:
        """Return a free block of the current stream of at least this size; a smaller one is dropped."""
        block = self._free.pop(current_stream(self.device), None)
        return block if block is not None and block.size >= size else self._block(self._allocate(size))

    def give_back(self, block: MemoryBlock) -> None:
        """Keep a block for later calls."""
        self._free[block.stream] = block

    def constants(self, values: npt.NDArray[np.uint8]) -> MemoryBlock:
        """Return memory on the device with the constants."""
        memory = self._allocate(values.size)
        memory.write(values)
        return self._block(memory)

    def _allocate(self, size: int) -> DeviceMemory:
        from tvmscript.backends.runtime.cuda_array import DeviceMemory  # programs for the CPU need no driver

        return DeviceMemory(size, self.device)

    def _block(self, memory: DeviceMemory) -> MemoryBlock:
        return MemoryBlock(memory.size, memory.address, memory, memory.stream)
