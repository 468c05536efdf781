"""Arrays on a CUDA device, whose memory a driver without a device takes from the CPU."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tvmscript.backends.cuda import binary
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.array import NDArray, array, asarray, empty, zeros
from tvmscript.backends.runtime.cuda_array import CudaArray
from tvmscript.backends.runtime.device import cpu, cuda, enabled
from tvmscript.backends.runtime.errors import CudaDriverError, NoCudaDriver, WrongValues
from tvmscript.fuzz.cuda.fake_driver import FakeDriver
from tvmscript.ir.core.errors import WrongType

ADD_ONE = """
@T.prim_func
def grow(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.thread_binding(8, "threadIdx.x"):
        B[i] = A[i] + T.float32(1)
"""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    fake = FakeDriver()
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
    return fake


def test_an_array_is_a_copy_on_the_device(driver: FakeDriver) -> None:
    values = np.arange(6, dtype="float32").reshape(2, 3)
    on_device = array(values, cuda(0))
    values[:] = 0
    assert isinstance(on_device, CudaArray)
    assert (on_device.shape, on_device.ndim, on_device.strides, len(on_device)) == ((2, 3), 2, (3, 1), 2)
    assert (str(on_device.device), on_device.dtype, on_device.nbytes) == ("cuda(0)", "float32", 24)
    assert on_device.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert [memory.nbytes for memory, _ in driver.allocated.values()] == [24]
    assert "float32 on cuda(0)" in repr(on_device)


def test_memory_goes_back_with_its_last_owner(driver: FakeDriver) -> None:
    on_device = zeros((4,), "int32", cuda(0))
    (address,) = driver.allocated
    part = on_device.view((2,), "int32", 8)
    tensor = tvm_ffi.from_dlpack(part)
    assert (tensor.data_ptr(), str(tensor.device)) == (address + 8, "cuda:0")
    del on_device, part
    gc.collect()
    assert address in driver.allocated
    del tensor
    gc.collect()
    assert driver.allocated == {}
    assert driver.freed == [(address, 0)]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "bfloat16", "e4m3_float8", "float64"])
def test_dtypes(driver: FakeDriver, dtype: str) -> None:
    on_device = array([1, 0, 1], dtype, cuda(0))
    assert on_device.numpy().tolist() == [1, 0, 1]
    again = asarray(tvm_ffi.from_dlpack(on_device))
    assert isinstance(again, CudaArray)
    assert (again.dtype, again.numpy().tolist()) == (dtype, [1, 0, 1])


def test_copies_between_devices(driver: FakeDriver) -> None:
    on_cpu = array(np.arange(4.0))
    there = on_cpu.copyto(cuda(0))
    back = there.copyto(cpu(0))
    assert (type(back), back.storage.tolist()) == (NDArray, [0, 1, 2, 3])
    other = empty((4,), "float64", cuda(0))
    assert there.copyto(other) is other
    other[:] = other.numpy() + 1
    there.copyfrom([3.0, 2.0, 1.0, 0.0])
    assert array(other).numpy().tolist() == [1, 2, 3, 4]
    assert other.copyto(on_cpu).numpy().tolist() == [1, 2, 3, 4]
    assert there.numpy().tolist() == [3, 2, 1, 0]
    assert array(there, "int32", cuda(0)).numpy().tolist() == [3, 2, 1, 0]
    assert driver.calls.count(("synchronize", None)) == 0
    assert str(there.copyto(cuda(1)).device) == "cuda(1)"
    assert driver.calls[-2] == ("synchronize", None)
    with pytest.raises(WrongType, match="copyto"):
        there.copyto(empty((3,), "float64"))


def test_an_array_without_elements_has_no_memory(driver: FakeDriver) -> None:
    assert zeros((0, 3), "float32", cuda(0)).numpy().shape == (0, 3)
    assert driver.allocated == {}


def test_programs_for_the_cpu_do_not_reach_the_memory(driver: FakeDriver) -> None:
    on_device = zeros((2,), "float32", cuda(0))
    with pytest.raises(WrongType, match=r"one on cuda\(0\)"):
        on_device.copyto(cpu(0)).storage[...] = on_device.storage
    assert not hasattr(on_device, "absent")
    with pytest.raises(WrongValues, match="16 bytes from byte 0 on"):
        on_device.view((4,))


def test_memory_is_for_the_stream_of_the_caller(driver: FakeDriver) -> None:
    device = cuda(0)
    stream = device.create_raw_stream()
    device.set_raw_stream(stream)
    try:
        on_device = zeros((2,), "float32", device)
    finally:
        device.set_raw_stream(type(stream)())
    device.sync(stream)
    device.sync()
    (address,) = driver.allocated
    del on_device
    gc.collect()
    device.free_raw_stream(stream)
    assert driver.freed == [(address, stream.value)]
    assert driver.calls == [
        ("copy", 8, stream.value), ("synchronize", stream.value), ("synchronize", None),
        ("destroy_stream", stream.value),
    ]  # fmt: skip


def test_a_kernel_takes_them(driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary.Binary, "cubin", lambda self, arch: b"")
    driver.run = lambda launched: np.add(launched.array(0, (8,), "float32"), 1, out=launched.array(1, (8,), "float32"))
    module: Any = tvmscript.build(tvmscript.from_source(ADD_ONE), target="cuda")
    a, b = array(np.arange(8, dtype="float32"), cuda(0)), empty((8,), "float32", cuda(0))
    module["grow"](a, b)
    assert b.numpy().tolist() == [*range(1, 9)]
    # a launch takes a millisecond of the driver's clock
    times = module.time_evaluator("grow", cuda(0), number=3, repeat=2)(a, b)
    assert times.results == (1e-3, 1e-3)
    assert len(driver.launched) == 1 + 1 + 6


def test_limits(driver: FakeDriver) -> None:
    assert cuda(0).exist
    assert (enabled("cuda"), cuda(0).warp_size, cuda(0).compute_version) == (True, 110, "9.0")
    assert cuda(0).total_global_memory is None


def test_without_a_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_driver, "find_library", lambda: None)
    assert not cuda(0).exist
    assert (enabled("cuda"), cuda(0).warp_size) == (False, None)
    with pytest.raises(NoCudaDriver, match=r"memory of cuda\(0\) needs a GPU, and there is no driver.*libcuda"):
        empty((2,), "float32", cuda(0))


class Library:
    """A driver's library that records its calls."""

    def __init__(self, **statuses: int) -> None:
        self.statuses = statuses
        self.calls: list[tuple[Any, ...]] = []
        # native code takes the addresses of these
        for name in (
            "cuCtxGetCurrent",
            "cuCtxPushCurrent_v2",
            "cuCtxPopCurrent_v2",
            "cuStreamIsCapturing",
            "cuStreamSynchronize",
        ):
            setattr(self, name, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self.__getattr__(name)))
        self.cuGetErrorString = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(lambda status, place: 1)
        self.cuLaunchKernelEx = self.cuTensorMapEncodeTiled = ctypes.c_void_p(1)

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any) -> int:
            self.calls.append((name, *[getattr(arg, "value", arg) for arg in args]))
            return self.statuses.get(name, 0)

        return call


def test_calls_of_the_driver() -> None:
    """The context of the device is that of the thread meanwhile."""
    library: Any = Library()
    device = cuda_driver.CudaDriver(library, "main", 1)
    assert (library.calls[1][0], library.calls[1][2]) == ("cuDeviceGet", 1)
    device.allocate(24, 7)
    library.calls.clear()
    device.allocate(2**40, 7)
    device.copy(2**47, 2**46, 2**40, 7)
    device.free(2**47, 7)
    device.elapsed(1, 2)
    device.end_capture(7)
    names = [call[0] for call in library.calls if not call[0].startswith("cuCtx")]
    assert names == [
        "cuMemAllocAsync", "cuMemcpyAsync", "cuStreamSynchronize", "cuMemFreeAsync", "cuEventSynchronize",
        "cuEventElapsedTime", "cuEventDestroy_v2", "cuEventDestroy_v2", "cuStreamEndCapture",
        "cuGraphInstantiateWithFlags", "cuGraphDestroy",
    ]  # fmt: skip
    by_name = {call[0]: call[1:] for call in library.calls}
    assert by_name["cuMemAllocAsync"][1:] == (2**40, 7)
    assert by_name["cuMemcpyAsync"] == (2**47, 2**46, 2**40, 7)
    assert by_name["cuMemFreeAsync"] == (2**47, 7)
    names = [call[0] for call in library.calls]
    assert names.count("cuCtxPushCurrent_v2") == names.count("cuCtxPopCurrent_v2") == 4


def test_an_error_names_the_call() -> None:
    library: Any = Library(cuMemAllocAsync=2)
    device = cuda_driver.CudaDriver(library, "main")
    with pytest.raises(CudaDriverError, match="refuses cuMemAllocAsync: error 2"):
        device.allocate(24, 0)
    assert library.calls[-1][0] == "cuCtxPopCurrent_v2"
