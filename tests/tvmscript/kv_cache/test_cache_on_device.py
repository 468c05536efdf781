"""The KV cache on a CUDA device: a fake one whose kernels run on threads of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.backends.cuda import driver_on_cpu
from tests.tvmscript.kv_cache import test_cache
from tvmscript import relax
from tvmscript.backends.runtime.array import array as as_ndarray
from tvmscript.backends.runtime.errors import WrongDevice
from tvmscript.fuzz.cuda import on_cpu
from tvmscript.fuzz.cuda.fake_driver import FakeDriver
from tvmscript.kv_cache import device_kernels
from tvmscript.kv_cache.cache import CacheLimits, PagedKVCache, Rotation
from tvmscript.kv_cache.kernels import HeadShape

pytestmark = pytest.mark.skipif(on_cpu.COMPILER is None, reason="there is no C++ compiler")


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeDriver]:
    """Install a driver, whose arrays are those of the functions of the cache. Kernels are of this driver alone."""
    kernels = device_kernels.append_kernel, device_kernels.decode_kernel, device_kernels.prefill_kernel
    for kernel in kernels:
        kernel.cache_clear()
    yield driver_on_cpu.install(monkeypatch, tmp_path)
    for kernel in kernels:
        kernel.cache_clear()


def on_device(values: Any) -> Any:
    return tvm.nd.array(values, tvm.cuda(0))


@pytest.mark.long
def test_sequences(driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of two sequences is copied on writing; keys are rotated, first or where windows slide."""
    array, rng = tvm.nd.array, np.random.default_rng(0)
    monkeypatch.setattr(tvm.nd, "array", lambda values: array(values, tvm.cuda(0)))
    for rope_mode in (1, 2):
        cache, dense = test_cache.create_cache(rope_mode, slides=rope_mode == 2), test_cache.Dense(rotates=True)
        test_cache.find_builtin("kv_state_add_sequence")(cache, 0)
        dense.add(0)
        if rope_mode == 2:
            test_cache.find_builtin("attention_kv_cache_enable_sliding_window_for_seq")(cache, 0, 2, 1)
        test_cache.run_forward(cache, dense, {0: 3}, rng)
        if rope_mode == 2:
            dense.slide(0, 2, 1)
            test_cache.run_forward(cache, dense, {0: 1}, rng)
            continue
        test_cache.find_builtin("kv_state_fork_sequence")(cache, 0, 1, 2)
        dense.fork(0, 1, 2)
        test_cache.run_forward(cache, dense, {1: 1, 0: 1}, rng)
        keys, values = (tvm.nd.array(np.zeros((test_cache.LAYERS, 2, 2, 8), "float32")) for _ in range(2))
        test_cache.find_builtin("attention_kv_cache_debug_get_kv")(cache, 1, 1, 3, keys, values)
        np.testing.assert_array_equal(values.numpy()[0], dense.values[1][0][1:3])

    check_graphs(array)


def check_graphs(host_array: Any) -> None:
    """Call the cache from a graph, with kernels that were used before, and with arrays of the host."""
    vm = relax.VirtualMachine(relax.build(tvm.from_source(test_cache.STEP), target="cuda"), tvm.cuda(0))
    cache, dense = vm["create"](tvm.nd.array(np.zeros(1, "float32"))), test_cache.Dense()
    test_cache.find_builtin("kv_state_add_sequence")(cache, 5)
    dense.add(5)
    x = np.random.default_rng(0).uniform(-1, 1, (2, 8, 8)).astype("float32")
    test_cache.find_builtin("kv_state_begin_forward")(cache, (5,), (2,))
    positions = test_cache.find_builtin("attention_kv_cache_get_query_positions")(cache)
    assert positions.device == tvm.cuda(0)
    np.testing.assert_array_equal(positions.numpy(), [0, 1])
    result = vm["step"](cache, tvm.nd.array(x))
    np.testing.assert_allclose(result.numpy(), 2 * dense.attend(5, 1, 2 * x), rtol=1e-4, atol=1e-5)
    test_cache.find_builtin("kv_state_begin_forward")(cache, (5,), (2,))
    qkv, result = (host_array(np.zeros((2, heads, 8), "float32")) for heads in (8, 4))
    with pytest.raises(WrongDevice, match="append: the array X is on a device of DLPack type 1, not on a CUDA device"):
        test_cache.find_builtin("attention_kv_cache_attention_with_fused_qkv")(cache, 0, 1.0, qkv, result)


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["float16", pytest.param("bfloat16", marks=pytest.mark.fuzz)])
def test_tiles_of_queries(driver: FakeDriver, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens of several sequences by tensor cores, then one of each; a long sequence has parts."""
    monkeypatch.setattr(device_kernels, "LEAST_KEYS", 16)
    shape, rng = HeadShape(2, 1, 64, 4, dtype), np.random.default_rng(0)
    limits = CacheLimits(max_sequences=2, max_tokens=1200, prefill_chunk_size=600, page_size=4)
    caches = [PagedKVCache(limits, 1, shape, Rotation(True, 1.0, 1e4), device) for device in (tvm.cpu(), tvm.cuda(0))]
    for cache in caches:
        cache.add_sequence(3)
        cache.add_sequence(4)
    for counts in ([70, 3], [1, 1]):
        qkv = as_ndarray(rng.standard_normal((sum(counts), 4, 64)), dtype)
        results = []
        for cache in caches:
            cache.begin_forward([3, 4], counts)
            result = tvm.nd.empty((sum(counts), 2, 64), dtype, cache.device)
            cache.attention(0, 1.0, qkv.copyto(cache.device), result)
            cache.end_forward()
            results.append(result.numpy().astype("float32"))
        expected, actual = results
        np.testing.assert_allclose(actual, expected, atol=2e-3 if dtype == "float16" else 2e-2)


def test_rows(driver: FakeDriver) -> None:
    """The cache of `nn.KVCache`: rows stay on the device when it grows."""
    create, append, view = (
        test_cache.find_builtin(f"attention_kv_cache_{name}") for name in ("create", "append", "view")
    )
    rows = np.arange(20, dtype="float32").reshape(10, 2)
    cache = create(on_device(rows[:2]), (4, 2), 2)
    for begin, end in ((2, 3), (3, 9), (9, 10)):
        cache = append(cache, on_device(rows[begin:end]))
    result = view(cache, (10, 2))
    assert result.device == tvm.cuda(0)
    np.testing.assert_array_equal(result.numpy(), rows)
