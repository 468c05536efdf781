"""The memory of graph functions for a CUDA device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.cuda_array import CudaArray, DeviceMemory
from tvmscript.backends.runtime.device import Device, current_stream
from tvmscript.backends.vm.memory import MemoryBlock, TensorSpec


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
        return [arg.tensor if isinstance(arg, CudaArray) else arg for arg in args]

    def new_tensors(self, specs: Sequence[TensorSpec]) -> tuple[list[NDArray], list[Any]]:
        """Return tensors whose elements are not set, and as native functions take them fastest.

        Raises `NoCudaDriver`, `CudaDriverError`.
        """
        arrays = [CudaArray.allocate(shape, dtype, self.device) for shape, _, dtype in specs]
        return [*arrays], [array.tensor for array in arrays]

    def take_block(self, size: int) -> MemoryBlock:
        """Return a free block of the current stream of at least this size; a smaller one is dropped."""
        block = self._free.pop(current_stream(self.device), None)
        return block if block is not None and block.size >= size else _block(DeviceMemory(size, self.device))

    def give_back(self, block: MemoryBlock) -> None:
        """Keep a block for later calls."""
        self._free[block.stream] = block

    def constants(self, values: npt.NDArray[np.uint8]) -> MemoryBlock:
        """Return memory on the device with the constants."""
        memory = DeviceMemory(values.size, self.device)
        memory.write(values)
        return _block(memory)


def _block(memory: DeviceMemory) -> MemoryBlock:
    return MemoryBlock(memory.size, memory.address, memory, memory.stream)
