"""Devices."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeGuard

from tvmscript.backends.runtime.errors import NoCudaDriver, Unsupported
from tvmscript.ir.core import WrongType

if TYPE_CHECKING:
    from tvmscript.backends.runtime.cuda_driver import Driver

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


#: what a device may tell of itself -> the number of the attribute in cuda.h, where it is one
_LIMITS: Final[dict[str, int | None]] = {
    "api_version": None,
    "compute_version": None,
    "device_name": None,
    "driver_version": None,
    "l2_cache_size_bytes": 38,
    "max_clock_rate": 13,
    "max_shared_memory_per_block": 8,
    "max_thread_dimensions": None,
    "max_threads_per_block": 1,
    "multi_processor_count": 16,
    "texture_spatial_limit": None,
    "total_global_memory": None,
    "warp_size": 10,
}


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
        if self.device_type != self.kDLCUDA:
            return self.device_type == self.kDLCPU
        try:
            self._driver("exist")
        except NoCudaDriver:
            return False
        return True

    def _driver(self, use: str) -> Driver:
        """Return the driver of the device. Raises `NoCudaDriver`, and `Unsupported` for devices without one."""
        if self.device_type != self.kDLCUDA:
            raise Unsupported(what=use, where=f"Device: nothing runs on {self} here")
        from tvmscript.backends.runtime import cuda_driver  # programs for the CPU need none

        return cuda_driver.find_driver(f"{use} of {self}", self.index)

    def sync(self, stream: ctypes.c_void_p | None = None) -> None:
        """Wait for the work on a stream, or for all work of the device; a CPU is always idle."""
        if self.device_type == self.kDLCUDA:
            self._driver("sync").synchronize(None if stream is None else stream.value or 0)

    def create_raw_stream(self) -> ctypes.c_void_p:
        """Return a stream of work for the device; that of a CPU is empty. Raises `Unsupported`, `NoCudaDriver`."""
        if self.device_type == self.kDLCPU:
            return ctypes.c_void_p()
        return ctypes.c_void_p(self._driver("a stream").create_stream())

    def set_raw_stream(self, stream: ctypes.c_void_p) -> None:
        """Use a stream of `create_raw_stream` for kernels and arrays, of this thread, from now on."""
        if self.device_type == self.kDLCUDA:
            import tvm_ffi  # it takes a while to import

            tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", self.index), stream.value or 0).__enter__()

    def free_raw_stream(self, stream: ctypes.c_void_p) -> None:
        """Free a stream of `create_raw_stream`, after the arrays that were allocated while it was used."""
        if self.device_type == self.kDLCUDA:
            self._driver("a stream").destroy_stream(stream.value or 0)

    def __getattr__(self, name: str) -> int | str | None:
        """Limits of devices: None on a CPU and without a driver, and where the driver is not asked."""
        if name not in _LIMITS:
            raise AttributeError(f"'Device' object has no attribute {name!r}")
        if self.device_type != self.kDLCUDA or not self.exist:
            return None
        if name == "compute_version":
            return ".".join(map(str, self._driver(name).capability()))
        number = _LIMITS[name]
        return None if number is None else self._driver(name).attribute(number)

    def __repr__(self) -> str:
        return f"{self.type}({self.index})"


def is_cuda(device: object) -> TypeGuard[Device]:
    """Return whether this is a CUDA device, whose memory programs for the CPU do not reach."""
    return isinstance(device, Device) and device.device_type == Device.kDLCUDA


def current_stream(device: Device) -> int:
    """Return the stream of a CUDA device that the caller uses: tvm-ffi's, which torch's may be."""
    import tvm_ffi  # it takes a while to import

    stream: int = tvm_ffi.get_raw_stream(tvm_ffi.device("cuda", device.index))
    return stream


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

#: kinds of targets whose programs run everywhere
_ENABLED: Final = frozenset({"c", "cpu", "interp", "llvm"})


def enabled(target: str) -> bool:
    """Return whether programs for a target are built and run here."""
    kind = target.split()[0]
    return kind in _ENABLED or (kind in ("cuda", "nvptx") and cuda(0).exist)


def device(dev_type: str | int, dev_id: int = 0) -> Device:
    """Return the device of a type's name, a target or a number. Raises `WrongType` for an unknown name."""
    if isinstance(dev_type, int):
        return Device(dev_type, dev_id)
    name = str(dev_type).split()[0]
    if name not in _TYPE_NAMES:
        raise WrongType(where="device", expected="the name of a device type", got=repr(dev_type))
    return Device(_TYPE_NAMES[name], dev_id)
