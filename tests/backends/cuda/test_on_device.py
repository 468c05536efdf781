"""Kernels on a CUDA device against the interpreter: `pytest -m gpu`."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda import test_graphs as test_graphs_on_cpu
from tests.backends.cuda import test_models
from tests.backends.cuda.kernels import KERNELS, SYMBOLIC
from tests.ir.schedule.default.gpu import test_matmul_wgmma, test_parallel_loops
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS, TARGET
from tests.ir.schedule.default.gpu.test_tensor_cores import CASES, product
from tests.test_examples import load
from tests.tvmscript.kernels import test_paged_attention
from tests.tvmscript.kernels.test_attention import reference
from tests.tvmscript.kv_cache import test_cache
from tvmscript import relax, te, topi
from tvmscript.backends import interp
from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.errors import NoCudaDriver
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.kernels import paged_attention, paged_prefill
from tvmscript.kernels.attention import attention
from tvmscript.kernels.paged_prefill import query_tiles


def has_device() -> bool:
    """Whether there is a driver with a device."""
    try:
        cuda_driver.find_driver("tests")
    except NoCudaDriver:
        return False
    return True


pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not has_device(), reason="there is no CUDA device")]
ALL = KERNELS | {name: text for name, (_, text) in PROGRAMS.items()} | CASES | test_matmul_wgmma.CASES
#: dtype -> torch's name
NARROW_FLOATS = {"bfloat16": "bfloat16", "e4m3_float8": "float8_e4m3fn", "e5m2_float8": "float8_e5m2"}


def as_tensor(torch: Any, array: Any) -> Any:
    """Return an array as a tensor of torch; those of narrow floats are none of NumPy's."""
    if isinstance(array, np.ndarray):
        return torch.from_numpy(array)
    return torch.from_dlpack(array).view(getattr(torch, NARROW_FLOATS[str(array.dtype)]))


def is_hopper() -> bool:
    """Whether the device has the instructions of sm_90a."""
    return has_device() and cuda_driver.find_driver("tests").architecture() == "sm_90a"


@pytest.mark.parametrize("name", ALL)
def test_results_are_those_of_the_interpreter(name: str) -> None:
    compare(ALL[name], "cuda")


@pytest.mark.skipif(not is_hopper(), reason="the device is not one of sm_90a")
@pytest.mark.parametrize("name", test_matmul_wgmma.CASES)
def test_products_of_warp_groups(name: str) -> None:
    compare(test_matmul_wgmma.CASES[name], "cuda -arch=sm_90a")


@pytest.mark.skipif(not is_hopper(), reason="the device is not one of sm_90a")
@pytest.mark.parametrize("layout", ["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize("size", [(4096, 4096, 4096), (2048, 2048, 8192), (1000, 4088, 1096), (128 * 33, 4096, 520)])
def test_large_products_of_warp_groups(size: tuple[int, int, int], layout: str) -> None:
    """A group of threads copies, and blocks compute several tiles; two of them share copies of either operand."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    func: Any = tvmscript.from_source(product(*size, "float16", "float32", layout))
    rows, columns, terms = size
    a, b = (torch.randn(shape, dtype=torch.float16, device="cuda") for shape in ((rows, terms), (terms, columns)))
    c = torch.full((rows, columns), torch.nan, device="cuda")
    left, right = (each if kind == "n" else each.T.contiguous() for each, kind in zip((a, b), layout, strict=True))
    tvmscript.build(func, target="cuda -arch=sm_90a").entry_func(left, right, c)
    torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-1)


@pytest.mark.skipif(not is_hopper(), reason="the device is not one of sm_90a")
@pytest.mark.parametrize(("images", "size", "padding"), [(32, 56, 1), (8, 16, 0), (32, 14, 1), (4, 7, 1)])
def test_convolutions_of_warp_groups(images: int, size: int, padding: int) -> None:
    """Boxes of images are copied, with zeros beside them, and results stored."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    a, w = (torch.randn(shape, dtype=torch.float16, device="cuda")
            for shape in ((images, size, size, 256), (3, 3, 256, 256)))  # fmt: skip
    width = size + 2 * padding - 2
    c = torch.full((images, width, width, 256), torch.nan, dtype=torch.float16, device="cuda")
    func = test_matmul_wgmma.convolution(images, size, 256, padding)
    tvmscript.build(func, target="cuda -arch=sm_90a").entry_func(a, w, c)
    expected = torch.nn.functional.conv2d(a.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), padding=padding)
    torch.testing.assert_close(c, expected.permute(0, 2, 3, 1), rtol=1e-2, atol=2e-1)


@pytest.mark.parametrize("size", [(128, 128, 16384), (70, 200, 8192), (2304, 2304, 4096), (3070, 3072, 3072)])
def test_products_of_many_terms(size: tuple[int, int, int]) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    rows, columns, terms = size
    a, b = (torch.randn(shape, dtype=torch.float16, device="cuda") for shape in ((rows, terms), (columns, terms)))
    c = torch.full((rows, columns), torch.nan, device="cuda")
    func: Any = tvmscript.from_source(product(*size, "float16", "float32", "nt"))
    tvmscript.build(func, target="cuda").entry_func(a, b, c)
    torch.testing.assert_close(c, a.float() @ b.float().T, rtol=1e-3, atol=2e-1)


def test_a_recurrence() -> None:
    """An LSTM, whose gates are in PyTorch's order."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    layer = torch.nn.LSTM(48, 64, bias=False).cuda()
    x, wi, wh = (te.placeholder(shape, "float32") for shape in ((20, 16, 48), (256, 48), (256, 64)))
    hidden, cell = topi.nn.lstm(x, wi, wh)
    tensors = [x, wi, wh, hidden, cell]
    kernel = tvmscript.build(te.create_schedule([hidden.op, cell.op]), tensors, name="main", target="cuda")["main"]
    sequence = torch.randn(20, 16, 48, device="cuda")
    results = [torch.full((20, 16, 64), torch.nan, device="cuda") for _ in range(2)]
    kernel(sequence, layer.weight_ih_l0.detach(), layer.weight_hh_l0.detach(), *results)
    expected, _ = layer(sequence)
    torch.testing.assert_close(results[0], expected.detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("has_captures", [False, True])
def test_graphs(has_captures: bool) -> None:
    """The model of the page about IRModule, twice over the same weights, which torch sees too."""
    device = tvmscript.cuda(0)
    rng = np.random.default_rng(0)
    shapes = [(1, 784), (256, 784), (256,), (10, 256), (10,)]
    arrays = [rng.random(shape, dtype="float32") - np.float32(0.5) for shape in shapes]
    x, *params = [tvmscript.nd.array(array, device) for array in arrays]
    with tvmscript.transform.PassContext(config={"relax.backend.use_cuda_graph": has_captures}):
        module: Any = tvmscript.from_source(test_graphs_on_cpu.MODEL.format(inputs=784, hidden=256))
        executable = relax.build(module, "cuda", pipeline="default_build" if has_captures else "kernel_calls")
    vm = relax.VirtualMachine(executable, device)
    data, weight1, bias1, weight2, bias2 = arrays
    expected = np.maximum(data @ weight1.T + bias1, 0) @ weight2.T + bias2
    results: list[Any] = [vm["main"](x, *params) for _ in range(3)]
    for result in results:
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-4)
    torch: Any = pytest.importorskip("torch", reason="torch sees the memory of the result")
    np.testing.assert_array_equal(torch.from_dlpack(results[0]).cpu().numpy(), results[0].numpy())
    assert vm.time_evaluator("main", device)(x, *params).mean > 0


@pytest.mark.parametrize("name", test_models.MODELS)
def test_small_models(name: str) -> None:
    test_models.compare_with_interpreter(name)


def test_the_cache_of_keys_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    array = tvmscript.nd.array
    monkeypatch.setattr(tvmscript.nd, "array", lambda values: array(values, tvmscript.cuda(0)))
    for rope_mode, dtype in ((0, "float32"), (1, "float32"), (0, "float16")):
        test_cache.test_sequences(rope_mode, dtype)
    test_cache.test_sliding_windows(2)


def test_a_library_is_loaded_without_nvrtc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Machine code for this device, then PTX that the driver compiles for it."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    module = tvmscript.build(tvmscript.from_source(SYMBOLIC), target="cuda")
    for arch in (cuda_driver.find_driver("tests").architecture(), "compute_80"):
        module.export_library(str(tmp_path / arch), archs=[arch])
    monkeypatch.setattr(nvrtc, "compile_text", None)
    a, b = torch.randn(300, device="cuda"), torch.randn(300, dtype=torch.float16, device="cuda")
    for path in tmp_path.iterdir():
        c = torch.full((300,), torch.nan, device="cuda")
        loaded: Any = tvmscript.runtime.load_module(path)
        loaded["add"](a, b, c)
        torch.testing.assert_close(c, a.exp() + b.float().exp(), rtol=2e-3, atol=1e-3)


def test_the_stream_of_torch() -> None:
    """Work of torch and of kernels on one stream is in order; a launch is part of a capture of torch."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    kernel = tvmscript.build(tvmscript.from_source(SYMBOLIC), target="cuda")["add"]
    a, b = torch.zeros(1 << 20, device="cuda"), torch.zeros(1 << 20, dtype=torch.float16, device="cuda")
    c = torch.empty_like(a)
    kernel(a, b, c)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(10**8)
        a.fill_(1)
        kernel(a, b, c)
        total = c.sum()
    stream.synchronize()
    torch.testing.assert_close(total.cpu().double() / (1 << 20), torch.tensor(np.exp(1) + 1), rtol=2e-3, atol=0.0)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernel(a, b, c)
    a.zero_()
    graph.replay()
    torch.testing.assert_close(c, torch.full_like(c, 2.0), rtol=2e-3, atol=0.0)


@pytest.mark.skipif(not has_device() or not tvmscript.cuda(1).exist, reason="there is one CUDA device")
def test_two_devices() -> None:
    executable = relax.build(tvmscript.from_source(test_graphs_on_cpu.GRAPH), "cuda", pipeline=lambda mod: mod)
    x = np.arange(8, dtype="float32")
    for index in (1, 0):
        device = tvmscript.cuda(index)
        result, _ = relax.VirtualMachine(executable, device)["main"](tvmscript.nd.array(x, device))
        assert result.device == device
        np.testing.assert_array_equal(result.numpy(), (2 * x + np.arange(1, 9)) * 2)


#: a store far from memory: the context is lost, so that this runs in a process of its own
_FAILURE = """
import numpy as np, tvmscript
from tests.backends.cuda.kernels import SYMBOLIC
from tvmscript.backends.runtime.errors import CudaDriverError

text = SYMBOLIC.replace("C[vi]", 'C[T.int64(1099511627776) + T.cast(vi, "int64")]')
with tvmscript.transform.PassContext(config={"tir.enable_debug": True}):
    kernel = tvmscript.build(tvmscript.from_source(text), target="cuda", allow_out_of_bounds=True)["add"]
arrays = [tvmscript.nd.array(np.zeros(64, dtype), tvmscript.cuda(0)) for dtype in ("float32", "float16", "float32")]
try:
    kernel(*arrays)
except CudaDriverError as error:
    print(error)
"""


def test_a_kernel_that_fails() -> None:
    ran = subprocess.run([sys.executable, "-c", _FAILURE], capture_output=True, text=True, check=False)
    assert "the launch of add_kernel" in ran.stdout, ran.stderr
    assert "700" in ran.stdout


def compare(text: str, target: str) -> None:
    """Compare a kernel on the device with the interpreter."""
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    func: Any = tvmscript.from_source(text)
    given = [argument.value for argument in random_inputs(func, dims={"n": 37})]
    expected = [array.copy() if hasattr(array, "copy") else array for array in given]
    on_device = [as_tensor(torch, array).cuda() if hasattr(array, "dtype") else array for array in given]
    interp.build(tvmscript.lower(func, TARGET)).entry_func(*expected)
    tvmscript.build(func, target=target).entry_func(*on_device)
    torch.cuda.synchronize()
    for one, other in zip(on_device, expected, strict=True):
        if hasattr(one, "cpu"):
            torch.testing.assert_close(one.cpu().double(), as_tensor(torch, other).double(), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(
    ("queries", "keys", "size"), [(512, 512, 128), (200, 333, 64), (1000, 1500, 128), (700, 90, 64)]
)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    "arch",
    [
        "sm_80",
        pytest.param("sm_90a", marks=pytest.mark.skipif(not is_hopper(), reason="the device is not one of sm_90a")),
    ],
)
def test_attention(queries: int, keys: int, size: int, causal: bool, dtype: str, arch: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    rng = np.random.default_rng(0)
    kind = getattr(torch, dtype)
    q, k, v = (torch.from_numpy(rng.standard_normal((2, rows, 3, size))).to(kind) for rows in (queries, keys, keys))
    out = torch.full((2, queries, 3, size), torch.nan, dtype=kind, device="cuda")
    func = attention(2, queries, keys, 3, size, causal=causal, dtype=dtype, arch=arch)
    tvmscript.build(func, target=f"cuda -arch={arch}").entry_func(*[array.cuda() for array in (q, k, v)], out)
    expected = reference(*[array.double().numpy() for array in (q, k, v)], causal=causal)
    tolerance = 2e-3 if dtype == "float16" else 2e-2
    np.testing.assert_allclose(out.double().cpu().numpy(), expected, atol=tolerance)


@pytest.mark.skipif(not is_hopper(), reason="the device is not one of sm_90a")
@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_large_heads(causal: bool) -> None:
    test_attention(300, 500, 256, causal, "bfloat16", "sm_90a")


def test_attention_of_pages() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    heads = test_paged_attention.Heads(8, 2, 128, 16)
    given = test_paged_attention.paged([700, 0, 33], heads)
    out, parts = torch.full((3, 8, 128), torch.nan, dtype=torch.float16, device="cuda"), 4
    between = [torch.empty(3, 8, parts, size, device="cuda") for size in (128, 2)]
    kernel = tvmscript.build(paged_attention(*heads), target="cuda").entry_func
    kernel(*[torch.from_numpy(each).cuda() for each in given], *between, out, math.log2(math.e) / math.sqrt(128))
    np.testing.assert_allclose(out.cpu().numpy(), given.reference(), atol=2e-3)


def test_attention_of_prompts() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    heads = test_paged_attention.Heads(8, 2, 128, 16)
    given = test_paged_attention.paged([300, 70], heads, counts := [200, 70])
    out = torch.full(given.queries.shape, torch.nan, dtype=torch.float16, device="cuda")
    arrays = given.queries, given.keys, given.values, given.table, query_tiles(counts, [300, 70])
    kernel = tvmscript.build(paged_prefill(*heads), target="cuda").entry_func
    kernel(*[torch.from_numpy(each).cuda() for each in arrays], out, math.log2(math.e) / math.sqrt(128))
    np.testing.assert_allclose(out.cpu().numpy(), given.reference(), atol=2e-3)


@pytest.mark.parametrize("name", test_parallel_loops.OPERATORS)
def test_operators_of_loops(name: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    func = test_parallel_loops.OPERATORS[name]
    expected = test_parallel_loops.arguments(func)
    on_device = [torch.from_numpy(array.copy()).cuda() for array in expected]
    interp.build(func)["main"](*expected)
    tvmscript.build(func, target="cuda").entry_func(*on_device)
    for one, other in zip(on_device, expected, strict=True):
        np.testing.assert_array_equal(one.cpu().numpy(), other)


def test_hopper_matmul() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    if torch.cuda.get_device_capability() != (9, 0):
        pytest.skip("wgmma is an instruction of sm_90a")
    a, b = (torch.randn(rows, 1024, dtype=torch.float16, device="cuda") for rows in (1280, 768))
    c = torch.empty(1280, 768, dtype=torch.float16, device="cuda")
    kernel = load("hopper_matmul", "cuda").hopper_matmul(1280, 768, 1024)
    tvmscript.build(kernel, target="cuda").entry_func(a, b, c)
    torch.testing.assert_close(c.double(), a.double() @ b.double().T, rtol=1e-2, atol=1e-1)
