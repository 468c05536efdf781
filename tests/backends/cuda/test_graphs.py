"""Graph modules for CUDA: memory, constants, launches, captures, through a driver without a device."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import dlight as dl
from tvmscript import relax
from tvmscript.backends.cuda import binary
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.cuda_array import CudaArray
from tvmscript.backends.runtime.errors import NoCudaDriver, WrongArrayShape, WrongDevice
from tvmscript.backends.vm.errors import UnsupportedDevice
from tvmscript.fuzz.cuda import on_cpu
from tvmscript.fuzz.cuda.fake_driver import FakeDriver, Launched

#: two kernels around a constant
KERNELS = """
    @T.prim_func(private=True)
    def double(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in T.thread_binding(8, "threadIdx.x"):
            B[i] = A[i] * T.float32(2)

    @T.prim_func(private=True)
    def add(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "float32")):
        for i in T.thread_binding(8, "threadIdx.x"):
            C[i] = A[i] + B[i]
"""
GRAPH = f"""
@I.ir_module
class Module:
{KERNELS}
    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((2, 4), "float32")):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((8,), "float32"))
            z = R.call_tir(
                cls.add, (y, R.const([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "float32")),
                out_sinfo=R.Tensor((8,), "float32"),
            )
            w = R.call_tir(cls.double, (z,), out_sinfo=R.Tensor((8,), "float32"))
            v = R.reshape(x, R.shape([2, 4]))
            R.output(w, v)
        return (w, v)
"""
X = np.arange(8, dtype="float32")
EXPECTED = (2 * X + np.arange(1, 9)) * 2


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    """Install a driver that runs the kernels with NumPy."""

    def run(launched: Launched) -> None:
        arrays = [launched.array(place, (8,), "float32") for place in range(3 if "add" in launched.kernel else 2)]
        arrays[-1][:] = arrays[0] + arrays[1] if "add" in launched.kernel else 2 * arrays[0]

    fake = FakeDriver(run)
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
    monkeypatch.setattr(binary.Binary, "cubin", lambda self, arch: b"")
    return fake


def build(text: str, target: str = "cuda", **options: Any) -> Any:
    """Build a program whose operators stay."""
    return relax.build(tvm.from_source(text), target=target, pipeline=lambda mod: mod, **options)


@pytest.mark.parametrize("target", ["cuda", "nvptx"])
def test_memory_is_planned_on_the_device(driver: FakeDriver, target: str) -> None:
    """Each function has one block of temporary storage and one of constants, which later calls use again."""
    executable = build(GRAPH, target)
    assert executable.stats() == ("main: native, 3 calls, 2 temporary tensors (128 bytes), 64 bytes of constants")
    vm = relax.VirtualMachine(executable, tvm.cuda(0))
    assert driver.allocated == {}
    x = tvm.nd.array(X, tvm.cuda(0))
    result, same = vm["main"](x)
    assert isinstance(result, CudaArray)
    np.testing.assert_array_equal(result.numpy(), EXPECTED)
    np.testing.assert_array_equal(same.numpy(), X.reshape(2, 4))
    assert same.address == x.address
    assert sorted(memory.nbytes for memory, _ in driver.allocated.values()) == [32, 32, 64, 128]
    assert [launched.kernel for launched in driver.launched] == ["double_kernel", "add_kernel", "double_kernel"]
    before = set(driver.allocated)
    again, _ = vm["main"](x)
    assert set(driver.allocated) - before == {again.address}
    with pytest.raises(WrongDevice, match="x is on a device of DLPack type 1, not on a CUDA device"):
        vm["main"](X)
    with pytest.raises(WrongArrayShape):
        vm["main"](x.view((4,)))
    times = vm.time_evaluator("main", number=2)(x)
    assert times.results == (3e-3,)
    driver.calls.clear()
    rows = vm.profile("main", x).kernels.values()
    # each launch takes a millisecond; two events stand around each
    assert sorted((row.count, row.seconds) for row in rows) == [(1, 1e-3), (2, 2e-3)]
    assert (driver.calls.count(("record_event", 0)), driver.calls.count(("synchronize", None))) == (6, 0)


def test_temporary_storage_belongs_to_its_stream(driver: FakeDriver) -> None:
    """Kernels of one stream may still run when those of another one begin."""
    device, executable = tvm.cuda(0), build(GRAPH)
    x = tvm.nd.array(X, device)
    executable["main"](x)
    stream = device.create_raw_stream()
    device.set_raw_stream(stream)
    try:
        result, _ = executable["main"](x)
    finally:
        device.set_raw_stream(type(stream)())
    assert {launched.stream for launched in driver.launched[3:]} == {stream.value}
    del result
    gc.collect()
    blocks = [stream for memory, stream in driver.allocated.values() if memory.nbytes == 128]
    assert blocks == [0, stream.value]


@pytest.mark.parametrize("exec_mode", ["compiled", "bytecode"])
def test_branches_are_interpreted(driver: FakeDriver, exec_mode: Literal["compiled", "bytecode"]) -> None:
    text = f"""
@I.ir_module
class Module:
{KERNELS}
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Module
        if c:
            y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((8,), "float32"))
        else:
            y = R.multiply(x, R.const(3.0, "float32"))
        return y
"""
    vm = relax.VirtualMachine(build(text, exec_mode=exec_mode), [tvm.cuda(0), tvm.cpu()])
    x = tvm.nd.array(X, tvm.cuda(0))
    for condition, factor in ((True, 2), (False, 3)):
        result = vm["main"](tvm.nd.array(np.array(condition), tvm.cuda(0)), x)
        assert str(result.device) == "cuda(0)"
        np.testing.assert_array_equal(result.numpy(), factor * X)


SYMBOLIC = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        for i in T.thread_binding(n, "blockIdx.x"):
            B[i] = A[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        y = R.call_tir(Module.double, (x,), out_sinfo=R.Tensor((n,), "float32"))
        z = R.call_tir(Module.double, (y,), out_sinfo=R.Tensor((n,), "float32"))
        w = R.call_tir(Module.double, (z,), out_sinfo=R.Tensor((n,), "float32"))
        return w
"""


def double_rows(launched: Launched) -> None:
    """Run the kernel of `SYMBOLIC`."""
    size = launched.grid[0]
    np.multiply(launched.array(0, (size,), "float32"), 2, out=launched.array(1, (size,), "float32"))


def test_sizes_that_vary(driver: FakeDriver) -> None:
    """The host computes them, and plans the memory for each shape."""
    driver.run = double_rows
    main: Any = build(SYMBOLIC)["main"]
    for size in (5, 100):
        x = np.arange(size, dtype="float32")
        np.testing.assert_array_equal(main(tvm.nd.array(x, tvm.cuda(0))).numpy(), 8 * x)
    # two storages of 128 and of 512 bytes
    assert {256, 896} >= {memory.nbytes for memory, _ in driver.allocated.values()} - {20, 400}


CAPTURED = f"""
@I.ir_module
class Module:
{KERNELS}
    @R.function
    def main(x: R.Tensor((8,), "float32"), w: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        R.func_attr({{"relax.force_pure": 1, "num_input": 1}})
        cls = Module
        storage = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        a = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([8]), R.dtype("float32"))
        _ = cls.double(x, a)
        storage1 = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        b = R.memory.alloc_tensor(storage1, R.prim_value(0), R.shape([8]), R.dtype("float32"))
        _1 = cls.add(a, w, b)
        c = R.memory.alloc_tensor(storage, R.prim_value(0), R.shape([8]), R.dtype("float32"))
        _2 = cls.double(b, c)
        d = R.builtin.alloc_tensor(R.shape([8]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        _3 = cls.double(c, d)
        return d
"""


def test_launches_are_captured_once(driver: FakeDriver) -> None:
    driver.num_parameters = {"double_kernel": 2, "add_kernel": 3}
    mod = relax.transform.RewriteCUDAGraph(use_cuda_graph=True)(tvm.from_source(CAPTURED))
    main: Any = relax.build(mod, target="cuda", pipeline=lambda mod: mod)["main"]
    device = tvm.cuda(0)
    w = tvm.nd.array(X + 1, device)
    for factor in (1, 3, 5):
        result = main(tvm.nd.array(factor * X, device), w)
        np.testing.assert_array_equal(result.numpy(), (2 * factor * X + X + 1) * 4)
    stream = 0x1001
    assert driver.calls.count(("begin_capture", stream)) == 1
    assert driver.calls.count(("launch_graph", 1, 0)) == 2
    (graph,) = driver.graphs
    assert [launched.kernel for launched, _ in graph] == ["add_kernel", "double_kernel"]
    # launches over other weights are others
    other = tvm.nd.array(X + 2, device)
    np.testing.assert_array_equal(main(tvm.nd.array(X, device), other).numpy(), (3 * X + 2) * 4)
    np.testing.assert_array_equal(main(tvm.nd.array(2 * X, device), other).numpy(), (5 * X + 2) * 4)
    assert len(driver.graphs) == 2
    assert driver.calls[-3:].count(("launch_graph", 2, 0)) == 1
    assert ("destroy_graph", 1) in driver.calls


def test_devices_of_executables(driver: FakeDriver) -> None:
    executable = build(GRAPH)
    with pytest.raises(UnsupportedDevice, match=r"runs on cuda, not on cpu\(0\)"):
        relax.VirtualMachine(executable, tvm.cpu())
    with pytest.raises(UnsupportedDevice, match=r"runs on cuda\(0\), not on cuda\(1\)"):
        relax.VirtualMachine(executable, [tvm.cuda(0), tvm.cuda(1)])


def test_a_graph_on_two_devices(monkeypatch: pytest.MonkeyPatch, driver: FakeDriver) -> None:
    """One program has memory, constants and launches on each of them."""
    second = FakeDriver(driver.run, contexts=driver.contexts, context=0x78)
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: (driver, second)[index])
    executable = build(GRAPH)
    for index, own in enumerate((driver, second)):
        device = tvm.cuda(index)
        main = relax.VirtualMachine(executable, device)["main"]
        result, _ = main(tvm.nd.array(X, device))
        assert result.device == device
        np.testing.assert_array_equal(result.numpy(), EXPECTED)
        assert (len(own.loaded), len(own.launched)) == (1, 3)
        assert sorted(memory.nbytes for memory, _ in own.allocated.values()) == [32, 32, 64, 128]
    main = relax.VirtualMachine(executable, tvm.cuda(1))["main"]
    with pytest.raises(WrongDevice, match=r"output_0 is on cuda\(1\), not on cuda\(0\) as the arrays before it"):
        main(tvm.nd.array(X, tvm.cuda(0)))
    assert driver.contexts == [0x77]


def test_building_needs_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_driver, "find_library", lambda: None)
    with pytest.raises(NoCudaDriver, match=r"memory of cuda\(0\) needs a GPU, and there is no driver"):
        build(GRAPH)["main"](X)


#: the model of the page about IRModule, by its sizes
MODEL = """
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, {inputs}), dtype="float32"),
        fc1_weight: R.Tensor(({hidden}, {inputs}), dtype="float32"),
        fc1_bias: R.Tensor(({hidden},), dtype="float32"),
        fc2_weight: R.Tensor((10, {hidden}), dtype="float32"),
        fc2_bias: R.Tensor((10,), dtype="float32"),
    ) -> R.Tensor((1, 10), dtype="float32"):
        R.func_attr({{"num_input": 1}})
        with R.dataflow():
            permute_dims = R.permute_dims(fc1_weight, axes=None)
            matmul = R.matmul(x, permute_dims, out_dtype="void")
            add = R.add(matmul, fc1_bias)
            relu = R.nn.relu(add)
            permute_dims1 = R.permute_dims(fc2_weight, axes=None)
            matmul1 = R.matmul(relu, permute_dims1, out_dtype="void")
            add1 = R.add(matmul1, fc2_bias)
            gv = add1
            R.output(gv)
        return gv
"""


@pytest.mark.long
@pytest.mark.skipif(on_cpu.COMPILER is None, reason="there is no C++ compiler")
def test_the_page_about_irmodule(driver: FakeDriver, tmp_path: Path) -> None:
    """Its part for GPUs as it is written, in smaller sizes; kernels run on threads of the CPU."""
    sizes = {"inputs": 20, "hidden": 8}
    mod: Any = relax.get_pipeline("zero")(relax.transform.LegalizeOps()(tvm.from_source(MODEL.format(**sizes))))
    rng = np.random.default_rng(0)
    raw_data = rng.random((1, 20), dtype="float32")
    shapes = [(8, 20), (8,), (10, 8), (10,)]
    params = [rng.random(shape, dtype="float32") - np.float32(0.5) for shape in shapes]
    with tvm.target.Target("cuda"):
        gpu_mod = dl.ApplyDefaultSchedule(dl.gpu.Matmul(), dl.gpu.Fallback())(mod)
    exec: Any = relax.build(gpu_mod, target="cuda")
    driver.run = on_cpu.runner(on_cpu.compile_kernels([exec.native.kernel_source], tmp_path))
    dev = tvm.device("cuda", 0)
    vm = relax.VirtualMachine(exec, dev)
    data = tvm.nd.array(raw_data, dev)
    gpu_params = [tvm.nd.array(param, dev) for param in params]
    gpu_out = vm["main"](data, *gpu_params).numpy()
    weight1, bias1, weight2, bias2 = params
    expected = np.maximum(raw_data @ weight1.T + bias1, 0) @ weight2.T + bias2
    np.testing.assert_allclose(gpu_out, expected, atol=1e-5)


LONG_ROWS = """
@R.function
def main(x: R.Tensor((2, 70), "float32")) -> R.Tuple(R.Tensor((2, 5), "float32"), R.Tensor((2, 5), "int64")):
    with R.dataflow():
        y = R.topk(x, k=5, axis=-1, ret_type="both", largest=True, dtype="int64")
        R.output(y)
    return y
"""


@pytest.mark.skipif(on_cpu.COMPILER is None, reason="there is no C++ compiler")
def test_long_rows_are_sorted_by_a_kernel_a_step(driver: FakeDriver, tmp_path: Path) -> None:
    """The pipeline knows the target; kernels share memory of the device, and run on threads of the CPU."""
    exec: Any = relax.build(tvm.ir.IRModule.from_expr(tvm.from_source(LONG_ROWS)), target="cuda")
    driver.run = on_cpu.runner(on_cpu.compile_kernels([exec.native.kernel_source], tmp_path))
    x = np.random.default_rng(0).integers(0, 50, (2, 70)).astype("float32")
    values, places = relax.VirtualMachine(exec, tvm.cuda(0))["main"](tvm.nd.array(x, tvm.cuda(0)))
    expected = np.argsort(-x, kind="stable")[:, :5]
    np.testing.assert_array_equal(places.numpy(), expected)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, expected, 1))
    assert len(driver.launched) == 5
