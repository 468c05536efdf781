"""Launches through a driver that is not there: arguments, extents, memory, streams, errors."""

from __future__ import annotations

import ctypes
import gc
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import SYMBOLIC, TILED, VECTOR
from tests.ir.schedule.default.gpu.test_tensor_cores import product
from tvmscript.backends import interp
from tvmscript.backends.cuda import binary
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.cuda_array import CudaArray
from tvmscript.backends.runtime.errors import (
    CudaDriverError,
    MisalignedArray,
    NoCudaDriver,
    WrongArrayShape,
    WrongDevice,
    WrongNumberOfArguments,
)
from tvmscript.fuzz.cuda.fake_driver import DeviceArray, FakeDriver, Launched

SCALARS = """
@T.prim_func
def scale(a: T.handle, factor: T.float32, shift: T.int64, limit: T.int8):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    bx = T.launch_thread("blockIdx.x", n)
    tx = T.launch_thread("threadIdx.x", 4)
    A[bx, tx] = A[bx, tx] * factor + T.cast(shift + T.cast(limit, "int64"), "float32")
"""
DYNAMIC = """
@T.prim_func
def reverse(A: T.Buffer((64,), "float32")):
    S = T.alloc_buffer((64,), "float32", scope="shared.dyn")
    for tx in T.thread_binding(64, thread="threadIdx.x"):
        with T.block("S"):
            v = T.axis.spatial(64, tx)
            S[v] = A[v]
        with T.block("A"):
            v = T.axis.spatial(64, tx)
            T.reads(S[0:64])
            T.writes(A[v])
            A[v] = S[63 - v]
"""


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeDriver]:
    """Install a driver that runs a function at each launch; machine code is not made."""

    def install_driver(run: Callable[[Launched], None] = lambda launched: None, **facts: Any) -> FakeDriver:
        fake = FakeDriver(run, **facts)
        monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
        monkeypatch.setattr(binary.Binary, "cubin", lambda self, arch: arch.encode())
        return fake

    return install_driver


def build(text: str, target: str = "cuda") -> Any:
    return tvmscript.build(tvmscript.from_source(text), target=target)


def on_device(*arrays: Any) -> list[DeviceArray]:
    return [DeviceArray(array) for array in arrays]


def test_without_a_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_driver, "find_library", lambda: None)
    with pytest.raises(NoCudaDriver, match="add needs a GPU, and there is no driver on this machine"):
        build(SYMBOLIC)["add"](*on_device(*(np.zeros(4, dtype) for dtype in ("float32", "float16", "float32"))))


def test_a_launch_has_the_sizes_and_the_memory_of_the_arguments(install: Callable[..., FakeDriver]) -> None:
    """The kernel is run by the interpreter, on the memory that the launch names."""
    reference = interp.build(tvmscript.lower(tvmscript.from_source(SYMBOLIC)))["main"]

    def run(launched: Launched) -> None:
        n = launched.int32(3)
        reference(
            launched.array(0, (n,), "float32"), launched.array(1, (n,), "float16"), launched.array(2, (n,), "float32")
        )

    fake = install(run)
    random = np.random.default_rng(0)
    a, b = random.uniform(-1, 1, 300).astype("float32"), random.uniform(-1, 1, 300).astype("float16")
    c = np.zeros(300, "float32")
    module = build(SYMBOLIC)
    module["add"](*on_device(a, b, c))
    np.testing.assert_allclose(c, np.exp(a) + np.exp(b.astype("float32")), rtol=2e-3)
    (launched,) = fake.launched
    assert (launched.kernel, launched.grid, launched.block, launched.shared) == (
        "add_kernel",
        (3, 1, 1),
        (128, 1, 1),
        0,
    )
    assert fake.loaded == [{"add_kernel": 0}]
    module["add"](*on_device(a, b, c))
    assert (len(fake.loaded), len(fake.launched)) == (1, 2)


def test_numbers(install: Callable[..., FakeDriver]) -> None:
    seen: list[tuple[Any, ...]] = []
    install(lambda launched: seen.append((launched.float32(1), (launched.int32(2), launched.int32(4)), launched.grid)))
    build(SCALARS)["scale"](DeviceArray(np.zeros((5, 4), "float32")), 0.1, -7, 3)
    assert seen == [(np.float32(0.1), (3, -7), (5, 1, 1))]


CALLS = """@I.ir_module
class Module:
    @T.prim_func
    def grow(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in T.thread_binding(8, "threadIdx.x"):
            B[i] = A[i] + T.float32(1)

    @T.prim_func
    def main(a: T.handle, b: T.handle):
        B = T.match_buffer(b, (8,), "float32")
        Module.grow(a, B.data)
"""


def test_memory_that_a_function_passes_on(install: Callable[..., FakeDriver]) -> None:
    """Arrays that host code makes of memory are on the device."""
    seen: list[Any] = []
    install(lambda launched: seen.extend(launched.array(place, (8,), "float32").tolist() for place in range(2)))
    build(CALLS)["main"](*on_device(np.arange(8, dtype="float32"), np.arange(8, 16, dtype="float32")))
    assert seen == [[*range(8)], [*range(8, 16)]]


def test_no_blocks_are_no_launch(install: Callable[..., FakeDriver]) -> None:
    fake = install()
    build(SCALARS)["scale"](DeviceArray(np.zeros((0, 4), "float32")), 1.0, 0, 0)
    assert fake.launched == []


def test_dynamic_shared_memory(install: Callable[..., FakeDriver]) -> None:
    fake = install()
    build(DYNAMIC)["reverse"](DeviceArray(np.zeros(64, "float32")))
    assert fake.launched[0].shared == 256
    assert fake.loaded == [{"reverse_kernel": 256}]


MEETING = """# from tvm.script import tirx as T
@T.prim_func
def main(A: T.Buffer((256,), "float32")):
    bx = T.launch_thread("blockIdx.x", 8)
{cluster}
    tx = T.launch_thread("threadIdx.x", 32)
    A[bx * 32 + tx] = T.float32(1)
{wait}
"""
COOPERATIVE, CLUSTER = {2: (1, 0, 0)}, {4: (1, 4, 1)}


@pytest.mark.parametrize(
    ("cluster", "wait", "attributes"),
    [
        ("", "", {}),
        ("", "    T.cuda.grid_sync()", COOPERATIVE),
        ('    cy = T.launch_thread("clusterCtaIdx.y", 4)', "    T.cuda.cluster_sync()", CLUSTER),
        ('    cy = T.launch_thread("clusterCtaIdx.y", 4)', "    T.cuda.grid_sync()", COOPERATIVE | CLUSTER),
    ],
    ids=["alone", "grid", "clusters", "both"],
)
def test_blocks_that_wait_for_others_run_at_once(
    install: Callable[..., FakeDriver], cluster: str, wait: str, attributes: dict[int, tuple[int, ...]]
) -> None:
    fake = install()
    build(MEETING.format(cluster=cluster, wait=wait))["main"](*on_device(np.zeros(256, "float32")))
    (launched,) = fake.launched
    assert launched.attributes == attributes
    assert launched.grid == (8, 4 if cluster else 1, 1)


def test_the_host_makes_tensor_maps(install: Callable[..., FakeDriver]) -> None:
    """Rows of 12 elements of a tile are beside the arrays."""
    starts: list[int] = []

    def run(launched: Launched) -> None:
        starts.extend(ctypes.c_uint64.from_address(launched.cells[place]).value for place in range(2))
        assert [ctypes.c_uint8.from_address(launched.cells[place] + 127).value for place in range(2)] == [1, 2]

    fake = install(run)
    a, b, c = (
        np.zeros(shape, dtype) for shape, dtype in (((70, 72), "float16"), ((66, 72), "float16"), ((70, 66), "float32"))
    )
    module = build(product(70, 66, 72, "float16", "float32", "nt"), "cuda -arch=sm_90a")
    module["main"](*on_device(a, b, c))
    # float16, no interleaving, permutation of 128 bytes, promotion to 128 bytes, zeros
    codes = [6, 0, 3, 2, 0]
    assert fake.encoded == [(codes, [72, 70], [144], [64, 64], [1, 1]), (codes, [72, 66], [144], [64, 64], [1, 1])]
    assert starts == [a.ctypes.data, b.ctypes.data]


def test_tensor_maps_that_a_driver_does_not_make(install: Callable[..., FakeDriver]) -> None:
    text = product(64, 64, 64, "float16", "float32", "nt")
    arrays = [np.zeros((64, 64), dtype) for dtype in ("float16", "float16", "float32")]
    install(status=1)
    with pytest.raises(CudaDriverError, match=r"a tensor map; its array begins at a multiple of 16 bytes.*: error 1"):
        build(text, "cuda -arch=sm_90a")["main"](*on_device(*arrays))
    install(has_tensor_maps=False)
    with pytest.raises(NoCudaDriver, match="the driver is too old for tensor maps"):
        build(text, "cuda -arch=sm_90a")["main"](*on_device(*arrays))


class Library:
    """A driver's library whose functions return a status; the others succeed."""

    def __init__(self, **statuses: int) -> None:
        self.statuses = statuses

    def __getattr__(self, name: str) -> Callable[..., int]:
        return lambda *args: self.statuses.get(name, 0)


class AddressedLibrary(Library):
    """A library whose functions native code can have the addresses of."""

    def __init__(self, **statuses: int) -> None:
        super().__init__(**statuses)
        names = ("LaunchKernelEx", "CtxGetCurrent", "CtxPushCurrent_v2", "CtxPopCurrent_v2", "StreamIsCapturing")
        for name in (*[f"cu{each}" for each in names], "cuStreamSynchronize", "cuTensorMapEncodeTiled"):
            status = self.statuses.get(name, 0)
            setattr(self, name, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda place, status=status: status))
        self.cuGetErrorString = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(lambda status, place: 1)


@pytest.mark.parametrize(
    ("library", "error", "reason"),
    [
        (Library(cuInit=100), NoCudaDriver, "the driver finds no device"),
        (Library(cuDeviceGet=101), NoCudaDriver, "the driver finds no device"),
        (Library(cuDevicePrimaryCtxRetain=2), CudaDriverError, "refuses the context: error 2"),
        (Library(cuCtxSetCurrent=3), CudaDriverError, "refuses the context: error 3"),
    ],
)
def test_a_driver_that_fails(library: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        cuda_driver.CudaDriver(library, "main")


def test_the_stream_of_the_caller(install: Callable[..., FakeDriver]) -> None:
    import tvm_ffi

    fake = install()
    module, array = build(DYNAMIC), DeviceArray(np.zeros(64, "float32"))
    with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", 0), 0x1234):
        module["reverse"](array)
    module["reverse"](array)
    assert [launched.stream for launched in fake.launched] == [0x1234, None]


@pytest.mark.parametrize(("target", "arch"), [("cuda", b"sm_100a"), ("cuda -arch=sm_89", b"sm_89")])
def test_machine_code_is_for_the_device_unless_the_target_says(
    install: Callable[..., FakeDriver], monkeypatch: pytest.MonkeyPatch, target: str, arch: bytes
) -> None:
    fake = install(arch="sm_100a")
    loaded: list[bytes] = []

    def load(cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        loaded.append(cubin)
        return load_kernels(cubin, kernels)

    load_kernels = fake.load
    monkeypatch.setattr(fake, "load", load)
    build(DYNAMIC, target)["reverse"](DeviceArray(np.zeros(64, "float32")))
    assert loaded == [arch]


def test_arguments_are_checked_before_a_launch(install: Callable[..., FakeDriver]) -> None:
    fake = install()
    kernel = build(VECTOR)["vector"]
    a, b, c = np.zeros(1024, "float16"), np.zeros(1024, "float32"), np.zeros(1024, "float16")
    with pytest.raises(WrongDevice, match="the array A is on a device of DLPack type 1, not on a CUDA device"):
        kernel(a, b, c)
    with pytest.raises(WrongNumberOfArguments):
        kernel(*on_device(a, b))
    with pytest.raises(WrongArrayShape):
        kernel(*on_device(a[:512], b, c))
    with pytest.raises(MisalignedArray, match="the memory of A must begin at a multiple of 16 bytes"):
        kernel(DeviceArray(np.zeros(1040, "float16")[:1024], offset=2), *on_device(b, c))
    assert fake.launched == []


#: a status of a launch -> the words for it
REFUSALS = {
    1: "invalid argument",
    2: "out of memory",
    209: "no kernel image is available for execution on the device",
    701: "too many resources requested for launch",
    999: "unknown",
}


@pytest.mark.parametrize("status", REFUSALS)
def test_a_launch_that_the_driver_refuses(install: Callable[..., FakeDriver], status: int) -> None:
    install(status=status)
    words = f"refuses the launch of reverse_kernel: error {status} ({REFUSALS[status]})"
    with pytest.raises(CudaDriverError, match=re.escape(words)) as raised:
        build(DYNAMIC)["reverse"](DeviceArray(np.zeros(64, "float32")))
    assert (raised.value.code, str(raised.value.span)) == ("TS6505", "<text>:3:1")


@pytest.mark.parametrize("status", [700, 716])
def test_a_kernel_that_fails_is_named_with_its_line(
    install: Callable[..., FakeDriver], tmp_path: Path, status: int
) -> None:
    """With debugging on a launch waits for its kernel; a capture has nothing to wait for."""
    fake = install()
    script = tmp_path / "a%s.py"
    script.write_text(f"from tvmscript import T\n{DYNAMIC}")
    with tvmscript.transform.PassContext(config={"tir.enable_debug": True}):
        kernel: Any = tvmscript.build(runpy.run_path(str(script))["reverse"], target="cuda")["reverse"]
    array = DeviceArray(np.zeros(64, "float32"))
    kernel(array)
    fake.failure = status
    with pytest.raises(CudaDriverError, match=rf"the launch of reverse_kernel \(.*a%s.py:\d+:\d+\): error {status}"):
        kernel(array)
    assert fake.calls == [("wait", None)] * 2
    fake.num_parameters = {"reverse_kernel": 1}
    fake.begin_capture(0x1001)
    import tvm_ffi

    with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", 0), 0x1001):
        kernel(array)
    assert fake.calls[2:] == [("begin_capture", 0x1001)]


def test_a_kernel_that_fails_later_is_named(install: Callable[..., FakeDriver]) -> None:
    """The call that finds it says which kernel was launched last."""
    device = cuda_driver.CudaDriver(cast(Any, AddressedLibrary(cuCtxSynchronize=700, cuMemAllocAsync=2)), "main")
    with pytest.raises(CudaDriverError, match=r"refuses cuCtxSynchronize: error 700$"):
        device.synchronize(None)
    fake = install()
    fake.last_kernel = device.last_kernel
    build(DYNAMIC)["reverse"](DeviceArray(np.zeros(64, "float32")))
    with pytest.raises(CudaDriverError, match="error 700; the last kernel launched there is reverse_kernel"):
        device.synchronize(None)
    with pytest.raises(CudaDriverError, match=r"refuses cuMemAllocAsync: error 2$"):
        device.allocate(24, 0)


@pytest.mark.parametrize(
    ("library", "message"),
    [
        ({"cuModuleLoadData": 209}, "refuses the machine code: error 209"),
        ({"cuModuleLoadData": 222}, "refuses the machine code: error 222"),
        ({"cuFuncSetAttribute": 1}, "refuses 100000 bytes of shared memory for reverse_kernel: error 1"),
        ({"cuModuleGetFunction": 500}, "refuses reverse_kernel: error 500"),
    ],
    ids=["no image for the device", "PTX of a later toolkit", "too much shared memory", "no such kernel"],
)
def test_machine_code_that_the_driver_refuses(library: dict[str, int], message: str) -> None:
    device = cuda_driver.CudaDriver(cast(Any, AddressedLibrary(**library)), "main")
    with pytest.raises(CudaDriverError, match=message):
        device.load(b"", {"reverse_kernel": 100000})


def test_a_driver_that_is_too_old() -> None:
    library: Any = AddressedLibrary()
    library.cuLaunchKernelEx = None
    with pytest.raises(NoCudaDriver, match=r"main needs a GPU, and the driver is older than CUDA 11\.8"):
        cuda_driver.CudaDriver(library, "main")


def test_a_thread_that_has_used_no_device_has_the_context_for_the_launch(install: Callable[..., FakeDriver]) -> None:
    fake = install(contexts=[])
    kernel = build(DYNAMIC)["reverse"]
    for _ in range(2):
        kernel(DeviceArray(np.zeros(64, "float32")))
    assert (fake.contexts, len(fake.launched)) == ([], 2)
    fake.status = 700
    with pytest.raises(CudaDriverError, match=r"the launch of reverse_kernel: error 700 \(an illegal memory access"):
        kernel(DeviceArray(np.zeros(64, "float32")))
    assert fake.contexts == []


@pytest.fixture
def drivers(install: Callable[..., FakeDriver], monkeypatch: pytest.MonkeyPatch) -> list[FakeDriver]:
    """Install drivers of two devices of different architectures."""
    first = install()
    second = FakeDriver(arch="sm_89", contexts=first.contexts, context=0x78)

    def find(function: str, index: int = 0) -> FakeDriver:
        if index > 1:
            raise NoCudaDriver(function=function, reason=f"the driver finds no device {index}")
        return (first, second)[index]

    monkeypatch.setattr(cuda_driver, "find_driver", find)
    return [first, second]


def test_the_device_of_the_arguments_decides(drivers: list[FakeDriver], monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code is loaded at the first launch on each device; the context of the thread stays."""
    import tvm_ffi

    made: list[str] = []

    def compile_for(self: binary.Binary, arch: str) -> bytes:
        made.append(arch)
        return b""

    monkeypatch.setattr(binary.Binary, "cubin", compile_for)
    kernel = build(DYNAMIC)["reverse"]
    for index in (1, 0, 1):
        with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", index), 0x1234 + index):
            kernel(DeviceArray(np.zeros(64, "float32"), device=(2, index)))
    assert made == ["sm_89", "sm_90a"]
    assert [[launched.stream for launched in driver.launched] for driver in drivers] == [[0x1234], [0x1235, 0x1235]]
    assert drivers[0].contexts == [0x77]
    with pytest.raises(NoCudaDriver, match="reverse needs a GPU, and the driver finds no device 2"):
        kernel(DeviceArray(np.zeros(64, "float32"), device=(2, 2)))
    with pytest.raises(NoCudaDriver, match="kernels run on devices 0 to 15, not on 77"):
        kernel(DeviceArray(np.zeros(64, "float32"), device=(2, 77)))


def test_results_are_allocated_beside_the_arguments(drivers: list[FakeDriver]) -> None:
    drivers[1].run = lambda launched: launched.array(2, (1024,), "float16").fill(7)
    a, b = (DeviceArray(np.zeros(1024, dtype), device=(2, 1)) for dtype in ("float16", "float32"))
    result = build(VECTOR)["vector"](a, b, ...)
    assert result.device == tvmscript.cuda(1)
    np.testing.assert_array_equal(result.numpy(), np.full(1024, 7, "float16"))


@pytest.mark.parametrize("places", [((2, 0), (2, 1), (2, 0)), ((3, 0), (2, 0), (2, 1)), ((13, 1), (2, 0), (2, 1))])
def test_arrays_on_two_devices(drivers: list[FakeDriver], places: Any) -> None:
    """Memory of the host, pinned or managed, is on no device."""
    kernel = build(VECTOR)["vector"]
    arrays = [np.zeros(1024, dtype) for dtype in ("float16", "float32", "float16")]
    given = [DeviceArray(array, device=place) for array, place in zip(arrays, places, strict=True)]
    with pytest.raises(WrongDevice, match=r"on cuda\(1\), not on cuda\(0\) as the arrays before it"):
        kernel(*given)
    kernel(*[DeviceArray(array, device=place) for array, place in zip(arrays, ((3, 0), (13, 0), (2, 1)), strict=True)])
    assert [len(driver.launched) for driver in drivers] == [0, 1]


def test_a_function_passes_its_device_on(drivers: list[FakeDriver]) -> None:
    arrays = [DeviceArray(np.arange(8, dtype="float32"), device=(2, 1)) for _ in range(2)]
    build(CALLS)["main"](*arrays)
    assert [len(driver.launched) for driver in drivers] == [0, 1]


def test_a_launch_has_no_step_in_python(install: Callable[..., FakeDriver]) -> None:
    """Neither in a function that was taken from the module before the first launch; arrays of ours are tensors."""
    install()
    kernel = build(DYNAMIC)["reverse"]
    array = tvmscript.nd.array(np.zeros(64, "float32"), tvmscript.cuda(0))
    assert isinstance(array, CudaArray)
    kernel(array)
    steps: list[str] = []

    def note(frame: Any, event: str, arg: object) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("tvmscript.") and name != FakeDriver.__module__:
            steps.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        kernel(array.tensor)
        kernel(array)
    finally:
        sys.setprofile(None)
    assert steps == ["__tvm_ffi_object__"]


def test_a_function_keeps_its_module(install: Callable[..., FakeDriver]) -> None:
    """Launchers are looked up at the first call, when nobody else may have the module."""
    fake = install()
    kernel = build(DYNAMIC)["reverse"]
    gc.collect()
    kernel(DeviceArray(np.zeros(64, "float32")))
    assert len(fake.launched) == 1


def test_arrays_of_a_cpu_function_are_those_of_the_cpu() -> None:
    module = tvmscript.build(
        tvmscript.from_source("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = A[1]")
    )
    with pytest.raises(WrongDevice, match="not on the CPU"):
        module["f"](DeviceArray(np.zeros(4, "float32")))


def test_narrow_numbers_have_no_launch() -> None:
    text = SCALARS.replace("factor: T.float32", "factor: T.float16").replace("* factor", '* T.cast(factor, "float32")')
    with pytest.raises(NotSupportedByCuda, match="scale_kernel, which has a number of a narrow float"):
        build(text)


def test_a_module_has_several_functions(install: Callable[..., FakeDriver]) -> None:
    fake = install()
    both = "@I.ir_module\nclass Module:\n" + "".join(
        "    " + line + "\n" for text in (DYNAMIC, TILED) for line in text.strip().splitlines()
    )
    module = build(both)
    assert set(module.functions) == {"reverse", "matmul"}
    module["matmul"](*on_device(*(np.zeros((256, 256), "float32") for _ in range(3))))
    assert fake.launched[0].grid == (16, 16, 1)
    assert fake.launched[0].block == (16, 16, 1)


def test_launchers_are_forgotten_with_their_module() -> None:
    import tvm_ffi

    def names() -> set[str]:
        return {name for name in tvm_ffi.registry.list_global_func_names() if name.startswith("tvmscript.cuda.")}

    gc.collect()
    before = names()
    module = build(DYNAMIC)
    assert len(names() - before) == 1
    del module
    gc.collect()
    assert names() == before
