"""Arrays with a dtype and a shape.

An `NDArray` is a NumPy array of *storage* with a `DType`. Where NumPy has the dtype the storage holds the values;
bfloat16 and narrower floats are stored as bit patterns (uint16, uint8), integers of other widths in the next wider
NumPy integer, at least one byte each.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tvmscript.backends.runtime.device import Device, cpu, is_cuda
from tvmscript.backends.runtime.errors import UnsupportedDType, WrongValues
from tvmscript.backends.runtime.ffi import core
from tvmscript.backends.runtime.small_floats import decode, encode, storage_of
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import InvalidDType, WrongType
from tvmscript.ir.core.values.float_formats import FORMATS

if TYPE_CHECKING:
    from tvmscript.backends.runtime.cuda_array import CudaArray

Storage = npt.NDArray[Any]


class NDArray:
    """An array, on the CPU unless it is a `CudaArray`. Made by `array`, `empty`, `zeros` and `asarray`."""

    __slots__ = ("_owner", "_tensor", "device", "dtype", "storage")

    def __init__(self, storage: Storage, dtype: DType, device: Device | None = None, owner: object = None) -> None:
        self.storage = storage
        self.dtype = dtype
        self.device = device or cpu()
        self._owner = owner
        #: the memory as native functions take it, since the first call
        self._tensor: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.storage.shape

    @property
    def ndim(self) -> int:
        return self.storage.ndim

    @property
    def strides(self) -> tuple[int, ...]:
        """Distances in elements."""
        return tuple(step // self.storage.itemsize for step in self.storage.strides)

    @property
    def nbytes(self) -> int:
        """The bytes of the elements."""
        return self.storage.nbytes

    @property
    def address(self) -> int:
        """Where the first element is."""
        return self.storage.ctypes.data

    def numpy(self) -> Storage:
        """Return a copy of the values; those of bfloat16 and narrower floats as float32, exactly."""
        return decode(self.storage, self.dtype) if self.dtype in FORMATS else self.storage.copy()

    asnumpy = numpy

    def on_host(self) -> Storage:
        """Return the elements as they are stored: the memory of an array on the CPU, else a copy."""
        return self.storage

    def set_elements(self, source: NDArray) -> None:
        """Copy the elements of an array of the same shape and dtype."""
        self.storage[...] = source.on_host()

    def same_as(self, other: object) -> bool:
        """Return whether both are one object."""
        return self is other

    def copyto(self, target: NDArray | Device) -> NDArray:
        """Copy the elements to an array of the same shape and dtype, or to a new one on a device."""
        if isinstance(target, Device):
            copied = empty(self.shape, self.dtype, target)
            copied.set_elements(self)
            return copied
        if target.dtype is not self.dtype or target.shape != self.shape:
            raise WrongType(
                where="copyto", expected=f"{self.dtype} of shape {self.shape}", got=f"{target.dtype} of {target.shape}"
            )
        target.set_elements(self)
        return target

    def copyfrom(self, values: object) -> NDArray:
        """Set the elements from anything that `array` takes."""
        given = array(values, self.dtype)
        if given.shape != self.shape:
            raise WrongValues(where="copyfrom", expected=f"the shape {self.shape}", got=given.shape)
        return given.copyto(self)

    def __setitem__(self, index: slice, values: object) -> None:
        """Set all elements: `array[:] = values`. Raises `WrongType` for a part of them."""
        if index != slice(None):
            raise WrongType(where="an assignment to an array", expected="all of it, array[:]", got=repr(index))
        self.copyfrom(np.broadcast_to(np.asarray(values), self.shape))

    def view(self, shape: Sequence[int], dtype: DType | str | None = None, relative_byte_offset: int = 0) -> NDArray:
        """Return the same memory, or a part of it, under another shape and dtype. Raises `WrongValues`."""
        kind = self.dtype if dtype is None else DType(dtype)
        stored = storage_dtype(kind)
        size, end = math.prod(shape) * stored.itemsize, self.storage.nbytes
        if not (0 <= relative_byte_offset <= end - size and self.storage.flags.c_contiguous):
            expected = f"{size} bytes of compact memory from byte {relative_byte_offset} on"
            raise WrongValues(where="a view", expected=expected, got=f"{end} with strides {self.strides}")
        memory = self.storage.reshape(-1).view(np.uint8)[relative_byte_offset : relative_byte_offset + size]
        return NDArray(memory.view(stored).reshape(tuple(shape)), kind, self.device, self)

    #: TVM's name of `view`
    _create_view = view

    @property
    def is_view(self) -> bool:
        """Whether the memory is borrowed for the time of a call: arrays keep the owner of theirs."""
        return False

    def to_dlpack(self) -> object:
        """Return a DLPack capsule of the memory, which one consumer may take."""
        return self.__dlpack__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Storage:
        values = self.numpy()
        return values if dtype is None else values.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self.storage.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device.device_type, self.device.index)

    def __tvm_ffi_object__(self) -> Any:
        """Return what tvm-ffi passes to native functions."""
        if self._tensor is None:
            self._tensor = core.from_dlpack(self)
        return self._tensor

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Return the slots of a copy, which has memory of its own."""
        state: Any = super().__getstate__()
        return None, {**state[1], "_tensor": None}

    def __len__(self) -> int:
        return len(self.storage)

    def __str__(self) -> str:
        return str(self.numpy())

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return np.array2string(self.numpy(), formatter={"all": lambda element: format(element, spec)})

    def __repr__(self) -> str:
        return f"{self.numpy()!r}\n{self.dtype} on {self.device}"


def storage_dtype(dtype: DType | str) -> np.dtype[Any]:
    """NumPy's dtype of one stored element. Raises `UnsupportedDType` for handle and void."""
    dtype = DType(dtype).element
    if dtype.is_bool:
        return np.dtype(np.bool_)
    if dtype in FORMATS:
        return np.dtype(storage_of(FORMATS[dtype]))
    if dtype.is_integer:
        width = next(width for width in (8, 16, 32, 64) if width >= dtype.bits)
        return np.dtype(f"{dtype.code}{width}")
    if dtype.is_floating:
        return np.dtype(str(dtype))
    raise UnsupportedDType(where="an array", dtype=dtype)


def dtype_of(values: Storage) -> DType:
    """Return the dtype of a NumPy array's elements, those of ml_dtypes included. Raises `UnsupportedDType`."""
    if not values.dtype.isnative:
        raise UnsupportedDType(where="an array", dtype=values.dtype, hint="its bytes are in the other order")
    try:
        return DType(values.dtype.name)
    except InvalidDType:
        raise UnsupportedDType(where="an array", dtype=values.dtype) from None


def empty(shape: int | tuple[int, ...], dtype: DType | str = "float32", device: Device | None = None) -> NDArray:
    """Return an array whose elements are not set. A vector dtype adds its lanes as a last dimension.

    Raises `NoCudaDriver` and `CudaDriverError` for a CUDA device.
    """
    kind = DType(dtype)
    dims = (shape,) if isinstance(shape, int) else tuple(shape)
    if kind.lanes != 1:
        dims = (*dims, kind.lanes)
    if is_cuda(device):
        return _cuda_arrays().allocate(dims, kind.element, device)
    return NDArray(np.empty(dims, storage_dtype(kind)), kind.element, device)


def zeros(shape: int | tuple[int, ...], dtype: DType | str = "float32", device: Device | None = None) -> NDArray:
    """Return an array of zeros (e8m0, which has no zero: of its smallest value)."""
    result = empty(shape, dtype)
    result.storage[...] = 0
    return _placed(result.storage, result.dtype, device)


def array(values: object, dtype: DType | str | Device | None = None, device: Device | None = None) -> NDArray:
    """Return an array with a copy of the values: a NumPy array, nested lists, numbers, or anything with DLPack.

    Without a dtype it is that of the values, as NumPy has it: float64 for Python floats, int64 for Python integers. The
    device may come second, as in TVM: `array(values, cpu(0))`.
    """
    if isinstance(dtype, Device):
        dtype, device = None, dtype
    if not isinstance(values, (NDArray, np.ndarray)) and not hasattr(values, "__dlpack__"):
        values = np.asarray(values)
    if isinstance(values, np.ndarray) and _is_packed(kind := dtype_of(values)):
        values = NDArray(values.astype(storage_dtype(kind)), kind)
    source = asarray(values)
    kind = source.dtype if dtype is None else DType(dtype)
    if kind is source.dtype:
        return source.copyto(device or cpu())
    plain = source.numpy()
    if kind in FORMATS:
        return _placed(encode(plain, kind), kind, device)
    return _placed(plain.astype(storage_dtype(kind)), kind, device)


def _placed(storage: Storage, dtype: DType, device: Device | None) -> NDArray:
    """Return an array over memory of the CPU, or a copy on a CUDA device."""
    return _cuda_arrays().upload(storage, dtype, device) if is_cuda(device) else NDArray(storage, dtype, device)


def _cuda_arrays() -> type[CudaArray]:
    from tvmscript.backends.runtime.cuda_array import CudaArray  # programs for the CPU need no driver

    return CudaArray


@dataclass(frozen=True)
class Capsule:
    """A DLPack capsule of memory, by default on the CPU, as an object that gives it."""

    capsule: Any
    device: tuple[int, int] = (1, 0)

    def __dlpack__(self, *, stream: None = None) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def from_dlpack(values: object) -> NDArray:
    """Return the memory of anything with DLPack, or of a capsule of the CPU, as an NDArray."""
    if type(values).__name__ == "PyCapsule":
        return asarray(np.from_dlpack(Capsule(values)))
    return asarray(values)


def asarray(values: object) -> NDArray:
    """Return the same memory as an NDArray: an NDArray, a NumPy array, or anything with DLPack on the CPU or on CUDA.

    Arrays of ml_dtypes are seen as their bit patterns. Raises `WrongType`, `UnsupportedDType`.
    """
    if isinstance(values, NDArray):
        return values
    if isinstance(values, np.ndarray):
        kind = dtype_of(values)
        if _is_packed(kind):
            raise UnsupportedDType(where="shared memory", dtype=kind, hint="runtime.array.array makes a copy")
        stored = storage_dtype(kind)
        plain = np.asarray(values)  # a subclass may index as it likes
        return NDArray(plain if plain.dtype == stored else plain.view(stored), kind)
    if hasattr(values, "__dlpack__") or isinstance(values, core.Tensor):
        return _from_tensor(values if isinstance(values, core.Tensor) else core.from_dlpack(values))
    raise WrongType(where="asarray", expected="an array", got=type(values).__name__)


def _is_packed(dtype: DType) -> bool:
    """Return whether ml_dtypes stores the dtype in another way than we do, as it does int4."""
    return dtype.is_signed and dtype.bits < 8


def _from_tensor(tensor: Any) -> NDArray:
    """Return the memory of a tvm-ffi tensor."""
    kind = DType(str(tensor.dtype))
    if tensor.device.type == "cuda":
        return _cuda_arrays()(tensor, kind)
    if tensor.device.type != "cpu":
        raise WrongType(where="asarray", expected="an array on the CPU or on CUDA", got=f"one on {tensor.device}")
    stored = storage_dtype(kind)
    shape = tuple(tensor.shape)
    if 0 in shape:
        return NDArray(np.empty(shape, stored), kind, owner=tensor)
    strides = tuple(step * stored.itemsize for step in tensor.strides)
    # strides of DLPack may be negative: the memory begins before the first element then
    before = sum((extent - 1) * step for extent, step in zip(shape, strides, strict=True) if step < 0)
    after = sum((extent - 1) * step for extent, step in zip(shape, strides, strict=True) if step > 0)
    size = after - before + stored.itemsize
    memory: Any = (ctypes.c_char * size).from_address(tensor.data_ptr() + before)
    return NDArray(np.ndarray(shape, stored, memory, -before, strides), kind, owner=tensor)
