"""CUDA's driver: loads machine code, holds memory, streams, events, graphs. It is touched at the first use."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, Protocol

from tvmscript.backends.runtime.errors import CudaDriverError, NoCudaDriver
from tvmscript.ir.core.targets.cuda import device_arch

_LIBRARIES: Final = ("libcuda.so.1", "libcuda.so", "nvcuda.dll")
#: attributes of devices and functions
_MAJOR, _MINOR = 75, 76
_DYNAMIC_SHARED_BYTES: Final = 8
#: what a block may use without asking
_SHARED_BYTES: Final = 48 * 1024
#: the attribute of a pool of memory: bytes that it keeps when the device is idle
_RELEASE_THRESHOLD: Final = 4
_NON_BLOCKING: Final = 1
#: calls of other threads are no part of a capture
_THREAD_LOCAL: Final = 1


#: statuses of kernels that fail, which later calls return: memory, time, assertions, instructions, addresses
_FAILED: Final = frozenset({214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719})
#: names of kernels by their numbers
_KERNELS: Final[list[str]] = []


def number_of(kernel: str) -> int:
    """Return a new number for a kernel, by which errors of the driver name it."""
    _KERNELS.append(kernel)
    return len(_KERNELS) - 1


class Driver(Protocol):
    """What launches and arrays of one device need. Pointers, streams, events and graphs are numbers; stream 0 is the
    default one.
    """

    #: address of `cuLaunchKernelEx`
    launch: int
    #: addresses of `cuCtxGetCurrent`, `cuCtxPushCurrent`, `cuCtxPopCurrent`, and the context that launches need
    get_context: int
    push_context: int
    pop_context: int
    context: int
    #: addresses of `cuStreamIsCapturing`, `cuStreamSynchronize`, `cuGetErrorString`
    is_capturing: int
    synchronize_stream: int
    error_string: int
    #: address of the number of the kernel that was launched last
    last_kernel: int
    #: address of `cuTensorMapEncodeTiled`, 0 where the driver has none
    encode: int

    def architecture(self) -> str:
        """Return the architecture of the device, such as sm_90a."""
        ...

    def capability(self) -> tuple[int, int]:
        """Return the compute capability of the device, such as (9, 0)."""
        ...

    def attribute(self, number: int) -> int:
        """Return an attribute of the device, by its number in cuda.h."""
        ...

    def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        """Load machine code and return the handles of its kernels; the numbers are bytes of dynamic shared memory."""
        ...

    def allocate(self, size: int, stream: int) -> int:
        """Return memory of the pool of the device, for work on a stream."""
        ...

    def free(self, pointer: int, stream: int) -> None:
        """Return memory to the pool behind the work on a stream."""
        ...

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        """Copy bytes from the host or a device to either, behind the work on a stream, and wait for it."""
        ...

    def synchronize(self, stream: int | None) -> None:
        """Wait for the work on a stream; None: for all work of the device."""
        ...

    def create_stream(self) -> int:
        """Return a stream that does not wait for the default one."""
        ...

    def destroy_stream(self, stream: int) -> None:
        """Free a stream once its work is done."""
        ...

    def record_event(self, stream: int) -> int:
        """Return an event behind the work on a stream."""
        ...

    def elapsed(self, begin: int, end: int) -> float:
        """Return the seconds between two events, which are freed."""
        ...

    def begin_capture(self, stream: int) -> None:
        """Record the work on a stream from now on, instead of doing it."""
        ...

    def end_capture(self, stream: int) -> int:
        """Return what was recorded as a graph that can be launched."""
        ...

    def launch_graph(self, graph: int, stream: int) -> None:
        """Do the work of a graph on a stream."""
        ...

    def destroy_graph(self, graph: int) -> None:
        """Free a graph."""
        ...


class CudaDriver:
    """The driver of this machine, with the primary context of one of its devices."""

    def __init__(self, library: ctypes.CDLL, function: str, index: int = 0) -> None:
        self._library = library
        self._last_kernel = ctypes.c_int64(-1)
        self._device = ctypes.c_int()
        if library.cuInit(0) != 0 or library.cuDeviceGet(ctypes.byref(self._device), index) != 0:
            raise NoCudaDriver(function=function, reason="the driver finds no device" + (f" {index}" if index else ""))
        self._context = ctypes.c_void_p()
        self._check("the context", library.cuDevicePrimaryCtxRetain(ctypes.byref(self._context), self._device))
        if index == 0:  # most kernels are launched there
            self._check("the context", library.cuCtxSetCurrent(self._context))
        self.context: int = self._context.value or 0
        self.launch = self._address("cuLaunchKernelEx")
        self.get_context = self._address("cuCtxGetCurrent")
        self.push_context = self._address("cuCtxPushCurrent_v2")
        self.pop_context = self._address("cuCtxPopCurrent_v2")
        self.is_capturing = self._address("cuStreamIsCapturing")
        self.synchronize_stream = self._address("cuStreamSynchronize")
        self.error_string = self._address("cuGetErrorString")
        self.last_kernel = ctypes.addressof(self._last_kernel)
        self.encode = self._address("cuTensorMapEncodeTiled")
        if not self.launch:
            raise NoCudaDriver(function=function, reason="the driver is older than CUDA 11.8")
        self._has_pool = False

    def _address(self, name: str) -> int:
        """Return the address of a function of the driver, 0 where it is too old for it."""
        function = getattr(self._library, name, None)
        return 0 if function is None else ctypes.cast(function, ctypes.c_void_p).value or 0

    def _check(self, what: str, status: int) -> None:
        """Raise `CudaDriverError` for a status that is not 0."""
        if status != 0:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(status, ctypes.byref(text))
            words = f" ({text.value.decode()})" if text.value else ""
            raise CudaDriverError(what=what, reason=f"error {status}{words}{self._last(status)}")

    def _last(self, status: int) -> str:
        """Return which kernel may have failed, for a status that an earlier launch causes."""
        number = self._last_kernel.value
        return f"; the last kernel launched there is {_KERNELS[number]}" if status in _FAILED and number >= 0 else ""

    def _call(self, name: str, *args: Any) -> None:
        """Call a function of the driver. Raises `CudaDriverError`, which names the function."""
        self._check(name, getattr(self._library, name)(*args))

    def _handle(self, name: str, *args: Any) -> int:
        """Call a function that returns a pointer by its first parameter."""
        handle = ctypes.c_void_p()
        self._call(name, ctypes.byref(handle), *args)
        return handle.value or 0

    @contextmanager
    def _current(self) -> Generator[None]:
        """Make the context of the device that of the thread."""
        self._call("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self._library.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))

    # ---- the device and its kernels

    def architecture(self) -> str:
        return _architecture_of(*self.capability())

    def capability(self) -> tuple[int, int]:
        return self.attribute(_MAJOR), self.attribute(_MINOR)

    def attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), number, self._device)
        return value.value

    def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        module = ctypes.c_void_p()
        with self._current():
            self._check("the machine code", self._library.cuModuleLoadData(ctypes.byref(module), cubin))
            return {name: self._function(module, name, shared) for name, shared in kernels.items()}

    def _function(self, module: ctypes.c_void_p, name: str, shared: int) -> int:
        handle = ctypes.c_void_p()
        self._check(name, self._library.cuModuleGetFunction(ctypes.byref(handle), module, name.encode()))
        if shared > _SHARED_BYTES:
            status = self._library.cuFuncSetAttribute(handle, _DYNAMIC_SHARED_BYTES, shared)
            self._check(f"{shared} bytes of shared memory for {name}", status)
        return handle.value or 0

    # ---- memory

    def allocate(self, size: int, stream: int) -> int:
        if not self._has_pool:
            pool = ctypes.c_void_p(self._handle("cuDeviceGetDefaultMemPool", self._device))
            kept = ctypes.c_uint64(-1)  # all that was freed, for the next allocations
            self._call("cuMemPoolSetAttribute", pool, _RELEASE_THRESHOLD, ctypes.byref(kept))
            self._has_pool = True
        with self._current():
            return self._handle("cuMemAllocAsync", ctypes.c_size_t(size), ctypes.c_void_p(stream))

    def free(self, pointer: int, stream: int) -> None:
        with self._current():  # a device that failed frees nothing
            self._library.cuMemFreeAsync(ctypes.c_uint64(pointer), ctypes.c_void_p(stream))

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        addresses = ctypes.c_uint64(target), ctypes.c_uint64(source)
        with self._current():
            self._call("cuMemcpyAsync", *addresses, ctypes.c_size_t(size), ctypes.c_void_p(stream))
            self._call("cuStreamSynchronize", ctypes.c_void_p(stream))

    # ---- streams and events

    def synchronize(self, stream: int | None) -> None:
        with self._current():
            if stream is None:
                self._call("cuCtxSynchronize")
            else:
                self._call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def create_stream(self) -> int:
        with self._current():
            return self._handle("cuStreamCreate", _NON_BLOCKING)

    def destroy_stream(self, stream: int) -> None:
        self._call("cuStreamDestroy_v2", ctypes.c_void_p(stream))

    def record_event(self, stream: int) -> int:
        with self._current():
            event = self._handle("cuEventCreate", 0)
            self._call("cuEventRecord", ctypes.c_void_p(event), ctypes.c_void_p(stream))
        return event

    def elapsed(self, begin: int, end: int) -> float:
        first, last = ctypes.c_void_p(begin), ctypes.c_void_p(end)
        milliseconds = ctypes.c_float()
        self._call("cuEventSynchronize", last)
        self._call("cuEventElapsedTime", ctypes.byref(milliseconds), first, last)
        self._call("cuEventDestroy_v2", first)
        self._call("cuEventDestroy_v2", last)
        return milliseconds.value / 1e3

    # ---- graphs

    def begin_capture(self, stream: int) -> None:
        self._call("cuStreamBeginCapture_v2", ctypes.c_void_p(stream), _THREAD_LOCAL)

    def end_capture(self, stream: int) -> int:
        recorded = ctypes.c_void_p()
        self._call("cuStreamEndCapture", ctypes.c_void_p(stream), ctypes.byref(recorded))
        with self._current():
            graph = self._handle("cuGraphInstantiateWithFlags", recorded, ctypes.c_uint64(0))
        self._call("cuGraphDestroy", recorded)
        return graph

    def launch_graph(self, graph: int, stream: int) -> None:
        with self._current():
            self._call("cuGraphLaunch", ctypes.c_void_p(graph), ctypes.c_void_p(stream))

    def destroy_graph(self, graph: int) -> None:
        self._library.cuGraphExecDestroy(ctypes.c_void_p(graph))


@cache
def find_library() -> Any:
    """Return the driver's library, None where there is none."""
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _architecture_of(major: int, minor: int) -> str:
    """Return the architecture of a compute capability, from 9.0 on with the instructions that no later one has."""
    return f"sm_{major}{minor}" + ("a" if major >= 9 else "")


@cache
def _first_architecture(library: ctypes.CDLL) -> str | None:
    """Return the architecture of the first device, which needs no context; None where the driver finds no device."""
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    statuses = (
        library.cuInit(0),
        library.cuDeviceGet(ctypes.byref(device), 0),
        library.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, device),
        library.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, device),
    )
    return None if any(statuses) else _architecture_of(major.value, minor.value)


@device_arch.fill
def _arch_of_machine() -> str | None:
    """Return the architecture of the first device of this machine, None without a driver or a device."""
    library = find_library()
    return None if library is None else _first_architecture(library)


@cache
def _driver(index: int) -> CudaDriver:
    return CudaDriver(find_library(), "a kernel", index)


def find_driver(function: str, index: int = 0) -> Driver:
    """Return the driver of a device of this machine. Raises `NoCudaDriver`."""
    if find_library() is None:
        raise NoCudaDriver(function=function, reason="there is no driver on this machine (libcuda.so.1)")
    return _driver(index)
