"""Arrays under TVM's name: `tvm.nd.array(values, tvm.cpu(0))`."""

from __future__ import annotations

from tvmscript.backends.runtime.array import NDArray, array, empty, from_dlpack, zeros
from tvmscript.backends.runtime.device import Device, cpu, cuda, device, metal, opencl, rocm, vulkan

__all__ = [
    "Device",
    "NDArray",
    "array",
    "cpu",
    "cuda",
    "device",
    "empty",
    "from_dlpack",
    "gpu",
    "metal",
    "opencl",
    "rocm",
    "vulkan",
    "zeros",
]

gpu = cuda
