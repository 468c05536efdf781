"""Devices."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core import WrongType

#: Names of DLPack's device types.
DEVICE_TYPES: Final[dict[int, str]] = {
    1: "cpu",
    2: "cuda",
    3: "cuda_host",
    4: "opencl",
    7: "vulkan",
    8: "metal",
    10: "rocm",
}


#: what a device may tell of itself
_LIMITS: Final = frozenset(
    {
        "api_version",
        "compute_version",
        "device_name",
        "driver_version",
        "l2_cache_size_bytes",
        "max_clock_rate",
        "max_shared_memory_per_block",
        "max_thread_dimensions",
        "max_threads_per_block",
        "multi_processor_count",
        "texture_spatial_limit",
        "total_global_memory",
        "warp_size",
    }
)


@dataclass(frozen=True, repr=False)
class Device:
    """The device numbered `index` of a DLPack device type."""

    device_type: int
    index: int = 0

    # TVM's names of device types, and its tables of them
    kDLCPU: ClassVar[int] = 1
    kDLCUDA: ClassVar[int] = 2
    kDLCUDAHost: ClassVar[int] = 3
    kDLOpenCL: ClassVar[int] = 4
    kDLVulkan: ClassVar[int] = 7
    kDLMetal: ClassVar[int] = 8
    kDLROCM: ClassVar[int] = 10
    MASK2STR: ClassVar[dict[int, str]] = DEVICE_TYPES
    STR2MASK: ClassVar[dict[str, int]] = {}

    @property
    def type(self) -> str:
        """The name of the device type, such as cpu."""
        return DEVICE_TYPES.get(self.device_type, f"device type {self.device_type}")

    @property
    def device_id(self) -> int:
        """The number of the device, TVM's name of `index`."""
        return self.index

    @property
    def exist(self) -> bool:
        """Whether programs run on it here."""
        return self.device_type == 1

    def sync(self, stream: object = None) -> None:
        """Wait until the device is idle: a CPU always is."""

    def create_raw_stream(self) -> ctypes.c_void_p:
        """Return a stream of work for the device; that of a CPU is empty. Raises `Unsupported`."""
        if not self.exist:
            raise Unsupported(what="a stream", where=f"Device: nothing runs on {self} here")
        return ctypes.c_void_p()

    def set_raw_stream(self, stream: object) -> None:
        """Use a stream of `create_raw_stream`."""

    def free_raw_stream(self, stream: object) -> None:
        """Free a stream of `create_raw_stream`."""

    def __getattr__(self, name: str) -> None:
        """Limits of devices, which a CPU does not have, are None."""
        if name not in _LIMITS:
            raise AttributeError(f"'Device' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"{self.type}({self.index})"


def cpu(index: int = 0) -> Device:
    """Return a CPU device."""
    return Device(1, index)


def _constructor(device_type: int) -> Callable[[int], Device]:
    def of_index(index: int = 0) -> Device:
        return Device(device_type, index)

    of_index.__doc__ = f"Return a device of type {DEVICE_TYPES[device_type]}."
    return of_index


cuda, opencl, vulkan, metal, rocm = map(_constructor, (2, 4, 7, 8, 10))

#: other names of device types
_TYPE_NAMES: Final = {
    **{name: number for number, name in DEVICE_TYPES.items()},
    **dict.fromkeys(("llvm", "c", "interp", "stackvm", "cpu"), 1),
    **dict.fromkeys(("gpu", "nvptx"), 2),
    "cl": 4,
    "mtl": 8,
}


Device.STR2MASK.update(_TYPE_NAMES)

#: kinds of targets whose programs run here
_ENABLED: Final = frozenset({"c", "cpu", "interp", "llvm"})


def enabled(target: str) -> bool:
    """Return whether programs for a target are built and run here."""
    return target.split()[0] in _ENABLED


def device(dev_type: str | int, dev_id: int = 0) -> Device:
    """Return the device of a type's name, a target or a number. Raises `WrongType` for an unknown name."""
    if isinstance(dev_type, int):
        return Device(dev_type, dev_id)
    name = str(dev_type).split()[0]
    if name not in _TYPE_NAMES:
        raise WrongType(where="device", expected="the name of a device type", got=repr(dev_type))
    return Device(_TYPE_NAMES[name], dev_id)
