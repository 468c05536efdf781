"""CUDA's driver: loads machine code, and gives the addresses that launchers call. It is touched at the first launch."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final, Protocol

from tvmscript.backends.cuda.errors import NoCudaDriver
from tvmscript.backends.runtime.errors import CudaDriverError

_LIBRARIES: Final = ("libcuda.so.1", "libcuda.so", "nvcuda.dll")
#: attributes of devices and functions
_MAJOR, _MINOR = 75, 76
_DYNAMIC_SHARED_BYTES: Final = 8
#: what a block may use without asking
_SHARED_BYTES: Final = 48 * 1024


class Driver(Protocol):
    """What launches need."""

    #: address of `cuLaunchKernelEx`
    launch: int
    #: address of `cuTensorMapEncodeTiled`, 0 where the driver has none
    encode: int

    def architecture(self) -> str:
        """Return the architecture of the device, such as sm_90a."""
        ...

    def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        """Load machine code and return the handles of its kernels; the numbers are bytes of dynamic shared memory."""
        ...


class CudaDriver:
    """The driver of this machine, with the primary context of its first device."""

    def __init__(self, library: ctypes.CDLL, function: str) -> None:
        self._library = library
        self._device = ctypes.c_int()
        if library.cuInit(0) != 0 or library.cuDeviceGet(ctypes.byref(self._device), 0) != 0:
            raise NoCudaDriver(function=function, reason="the driver finds no device")
        context = ctypes.c_void_p()
        self._check("the context", library.cuDevicePrimaryCtxRetain(ctypes.byref(context), self._device))
        self._check("the context", library.cuCtxSetCurrent(context))
        self.launch: int = ctypes.cast(library.cuLaunchKernelEx, ctypes.c_void_p).value or 0
        encode = getattr(library, "cuTensorMapEncodeTiled", None)
        self.encode: int = ctypes.cast(encode, ctypes.c_void_p).value or 0 if encode is not None else 0

    def _check(self, what: str, status: int) -> None:
        """Raise `CudaDriverError` for a status that is not 0."""
        if status != 0:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(status, ctypes.byref(text))
            reason = text.value.decode() if text.value else f"error {status}"
            raise CudaDriverError(what=what, reason=reason)

    def architecture(self) -> str:
        numbers = [ctypes.c_int(), ctypes.c_int()]
        for number, attribute in zip(numbers, (_MAJOR, _MINOR), strict=True):
            status = self._library.cuDeviceGetAttribute(ctypes.byref(number), attribute, self._device)
            self._check("the architecture", status)
        name = f"sm_{numbers[0].value}{numbers[1].value}"
        return f"{name}a" if numbers[0].value >= 9 else name

    def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        module = ctypes.c_void_p()
        self._check("the machine code", self._library.cuModuleLoadData(ctypes.byref(module), cubin))
        return {name: self._function(module, name, shared) for name, shared in kernels.items()}

    def _function(self, module: ctypes.c_void_p, name: str, shared: int) -> int:
        handle = ctypes.c_void_p()
        self._check(name, self._library.cuModuleGetFunction(ctypes.byref(handle), module, name.encode()))
        if shared > _SHARED_BYTES:
            status = self._library.cuFuncSetAttribute(handle, _DYNAMIC_SHARED_BYTES, shared)
            self._check(f"{shared} bytes of shared memory for {name}", status)
        return handle.value or 0


@cache
def find_library() -> Any:
    """Return the driver's library, None where there is none."""
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


@cache
def _driver(function: str) -> CudaDriver:
    return CudaDriver(find_library(), function)


def find_driver(function: str) -> Driver:
    """Return the driver of this machine. Raises `NoCudaDriver`."""
    if find_library() is None:
        raise NoCudaDriver(function=function, reason="there is no driver on this machine (libcuda.so.1)")
    return _driver("a kernel")
