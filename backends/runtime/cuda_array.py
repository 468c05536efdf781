"""Arrays in the memory of a CUDA device."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.array import Capsule, NDArray, Storage, storage_dtype
from tvmscript.backends.runtime.cuda_driver import Driver
from tvmscript.backends.runtime.device import Device, current_stream
from tvmscript.backends.runtime.errors import WrongValues
from tvmscript.backends.runtime.ffi import core
from tvmscript.backends.runtime.small_floats import decode
from tvmscript.ir.core import DType, WrongType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.transform.calling_convention.runtime_fields import ffi_type_of


class DeviceMemory:
    """Bytes on a CUDA device, which go back to its pool with their owner, behind the work on their stream."""

    def __init__(self, size: int, device: Device) -> None:
        """Raises `NoCudaDriver`, `CudaDriverError`."""
        driver = driver_of(device)
        self.size = size
        self.device = device
        #: what comes later on this stream may use the memory again
        self.stream = current_stream(device)
        self.address = 0
        if size:
            self.address = driver.allocate(size, self.stream)
            weakref.finalize(self, driver.free, self.address, self.stream).atexit = False

    def write(self, values: Storage) -> None:
        """Copy a compact array to the memory."""
        if values.nbytes:
            driver_of(self.device).copy(self.address, values.ctypes.data, values.nbytes, current_stream(self.device))


class CudaArray(NDArray):
    """An array on a CUDA device: a tensor of tvm-ffi, which owns its memory. It has no `storage` of the CPU."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any, dtype: DType) -> None:
        self.tensor = tensor
        self.dtype = dtype
        self.device = Device(Device.kDLCUDA, tensor.device.index)

    @classmethod
    def allocate(cls, shape: Sequence[int], dtype: DType, device: Device) -> CudaArray:
        """Return an array whose elements are not set. Raises `NoCudaDriver`, `CudaDriverError`."""
        memory = DeviceMemory(math.prod(shape) * storage_dtype(dtype).itemsize, device)
        return cls(tensor_over(memory, memory.address, shape, dtype, device), dtype)

    @classmethod
    def upload(cls, values: Storage, dtype: DType, device: Device) -> CudaArray:
        """Return an array with the elements of one on the CPU. Raises `NoCudaDriver`, `CudaDriverError`."""
        array = cls.allocate(values.shape, dtype, device)
        array.set_elements(NDArray(values, dtype))
        return array

    def __getattr__(self, name: str) -> Any:
        """Raise `WrongType` for the storage, which code for the CPU asks for."""
        if name == "storage":
            raise WrongType(where="an array", expected="one on the CPU", got=f"one on {self.device}")
        raise AttributeError(f"'CudaArray' object has no attribute {name!r}")

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape)

    @property
    def ndim(self) -> int:
        return len(self.tensor.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(self.tensor.strides)

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * storage_dtype(self.dtype).itemsize

    @property
    def address(self) -> int:
        address: int = self.tensor.data_ptr()
        return address

    def on_host(self) -> Storage:
        values = np.empty(self.shape, storage_dtype(self.dtype))
        self._copy(values.ctypes.data, self._address("numpy"))
        return values

    def set_elements(self, source: NDArray) -> None:
        if isinstance(source, CudaArray):
            if source.device != self.device:  # streams of two devices do not wait for each other
                source.device.sync()
            self._copy(self._address("copyto"), source._address("copyto"))
        else:
            values = np.ascontiguousarray(source.storage)
            self._copy(self._address("copyto"), values.ctypes.data)

    def _copy(self, target: int, source: int) -> None:
        """Copy as many bytes as the array has."""
        if self.nbytes:
            driver_of(self.device).copy(target, source, self.nbytes, current_stream(self.device))

    def _address(self, where: str) -> int:
        """Return where the elements are. Raises `WrongValues` for elements with gaps."""
        if not self.tensor.is_contiguous():
            raise WrongValues(where=where, expected="a compact array", got=f"one with strides {self.strides}")
        return self.address

    def numpy(self) -> Storage:
        values = self.on_host()
        return decode(values, self.dtype) if self.dtype in FORMATS else values

    asnumpy = numpy

    def view(self, shape: Sequence[int], dtype: DType | str | None = None, relative_byte_offset: int = 0) -> CudaArray:
        kind = self.dtype if dtype is None else DType(dtype)
        size = math.prod(shape) * storage_dtype(kind).itemsize
        if not 0 <= relative_byte_offset <= self.nbytes - size:
            expected = f"{size} bytes from byte {relative_byte_offset} on"
            raise WrongValues(where="a view", expected=expected, got=self.nbytes)
        address = self._address("a view") + relative_byte_offset
        return CudaArray(tensor_over(self.tensor, address, shape, kind, self.device), kind)

    _create_view = view

    def __dlpack__(self, **options: Any) -> Any:
        return self.tensor.__dlpack__(**options)

    def __tvm_ffi_object__(self) -> Any:
        """Return what tvm-ffi passes to native functions."""
        return self.tensor

    def __len__(self) -> int:
        return self.shape[0]


def driver_of(device: Device) -> Driver:
    """Return the driver of a device. Raises `NoCudaDriver`."""
    return cuda_driver.find_driver(f"memory of {device}", device.index)


# ---- tensors over memory, by DLPack


class _ManagedTensor(ctypes.Structure):
    """DLManagedTensor: a DLTensor, what its owner knows it by, and what a consumer calls at the end."""

    _fields_: ClassVar[Any] = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


#: address of a tensor -> what lives as long as it does
_shared: Final[dict[int, tuple[object, ...]]] = {}


def _forget(address: int) -> None:
    _shared.pop(address, None)


_deleter: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_forget)
# tensors may outlive the module at the end of the process
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_deleter))
_new_capsule: Final[Callable[..., object]] = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))


def tensor_over(owner: object, address: int, shape: Sequence[int], dtype: DType, device: Device) -> Any:
    """Return a tensor of tvm-ffi over compact memory, which keeps the owner of the memory."""
    extents = (ctypes.c_int64 * len(shape))(*shape)
    code, bits, lanes = ffi_type_of(dtype)
    tensor = _ManagedTensor(
        address,
        device.device_type,
        device.index,
        len(shape),
        code,
        bits,
        lanes,
        ctypes.addressof(extents),
        None,
        0,
        None,
        ctypes.cast(_deleter, ctypes.c_void_p),
    )
    place = ctypes.addressof(tensor)
    _shared[place] = (tensor, extents, owner)
    capsule = _new_capsule(place, b"dltensor", None)
    return core.from_dlpack(Capsule(capsule, (device.device_type, device.index)))
