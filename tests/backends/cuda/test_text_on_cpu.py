"""What the CUDA text of kernels computes: it runs on threads of the CPU, and the interpreter says the values."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import KERNELS
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS
from tests.ir.schedule.default.gpu.test_tensor_cores import CASES
from tests.tvmscript.kernels.test_attention import reference
from tvmscript.backends import interp
from tvmscript.backends.cuda import binary
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.cuda import on_cpu
from tvmscript.fuzz.cuda.fake_driver import DeviceArray, FakeDriver
from tvmscript.ir.transform.pipeline import is_kernel
from tvmscript.kernels.attention import attention

pytestmark = pytest.mark.skipif(on_cpu.COMPILER is None, reason="there is no C++ compiler")
#: kernels whose instructions or dtypes the headers of on_cpu do not have; a device has two integers of 4 bits in a byte
_ABSENT = ("float8", "bfloat16", "wmma", "mma ", "ldmatrix", "threads", "nibbles")
ALL = {
    name: text
    for name, text in (KERNELS | {name: text for name, (_, text) in PROGRAMS.items()} | CASES).items()
    if not any(word in name for word in _ABSENT)
}
# two tiles a side, of 16
_FEWER_TILES = {
    "256": "32",
    '(16, thread="blockIdx': '(2, thread="blockIdx',
    "k_outer in range(16)": "k_outer in range(2)",
}
for many, few in _FEWER_TILES.items():
    ALL["tiled"] = ALL["tiled"].replace(many, few)
# four rows
ALL["row_sum"] = ALL["row_sum"].replace("64", "4")
#: kernels of every run
SHORT = {"merged", "batches and an epilogue"}


def run_on_cpu(
    func: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, arrays: list[Any], arch: str = "sm_90a"
) -> None:
    """Build a function for CUDA, and call it on a device that is the CPU."""
    monkeypatch.setattr(binary.Binary, "cubin", lambda self, arch: b"")
    module: Any = tvmscript.build(func, target=f"cuda -arch={arch}")
    fake = FakeDriver(on_cpu.runner(on_cpu.compile_kernels([module.kernel_source], folder)))
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
    module.entry_func(*[DeviceArray(array) if isinstance(array, np.ndarray) else array for array in arrays])
    assert fake.launched


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in ALL])
def test_values(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    func: Any = tvmscript.from_source(ALL[name])
    expected, actual = (
        [argument.value for argument in random_inputs(func, dims={"n": 37, "m": 40, "k": 50})] for _ in range(2)
    )
    # kernels need the barriers that lowering for a device adds
    lowered = tvmscript.lower(func, "cuda -arch=sm_90a") if name in KERNELS else tvmscript.lower(func)
    (entry,) = [var.name_hint for var, each in lowered.items() if not is_kernel(each)]
    interp.build(lowered)[entry](*expected)
    # default schedules take wgmma on sm_90a, which on_cpu does not have
    run_on_cpu(func, tmp_path, monkeypatch, actual, "sm_90a" if name in KERNELS else "sm_80")
    for one, other in zip(actual, expected, strict=True):
        if isinstance(one, np.ndarray):
            tolerance = 3e-2 if one.dtype == np.float16 else 1e-4
            np.testing.assert_allclose(one.astype("float64"), other.astype("float64"), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("causal", [pytest.param(False, marks=pytest.mark.long), True])
def test_attention(causal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, 130, 2, 64)).astype("float16") for _ in range(3))
    out = np.full_like(q, np.nan)
    run_on_cpu(attention(1, 130, 130, 2, 64, causal=causal), tmp_path, monkeypatch, [q, k, v, out])
    np.testing.assert_allclose(out, reference(q, k, v, causal=causal), atol=2e-3)


def test_integers_of_4_bits_share_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = np.arange(64) % 16 - 8, np.arange(64) * 7 % 16
    # arguments have a byte an element: 32 of them are in use
    packed = [np.resize(values[0::2] & 15 | (values[1::2] & 15) << 4, 64).astype("uint8") for values in (a, b)]
    out = np.full(64, 0xFF, "uint8")
    arguments = [packed[0].view("int8"), packed[1], out.view("int8")]
    run_on_cpu(tvmscript.from_source(KERNELS["nibbles"]), tmp_path, monkeypatch, arguments)
    sums = np.stack([out[:32] & 15, out[:32] >> 4], axis=1).ravel()
    np.testing.assert_array_equal(sums, np.where(np.arange(64) < 32, a + b, a + a * a[::-1]) & 15)


#: what a CUDA text once computed wrongly, or did not have
MENDED = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64,), "float32"), N: T.Buffer((64,), "int4"), B: T.Buffer((64,), "float32"),
             C: T.Buffer((64,), "int32")):
        for i in T.thread_binding(8, thread="threadIdx.x"):
            x = T.float32()
            B[i * 4:i * 4 + 4] = T.Let(T.Broadcast(x, 4) * A[i * 4:i * 4 + 4], where={x: A[i + 8] + T.float32(1)})
            B[32 + i] = T.Shuffle([A[0:4], A[4:8]], [5]) + T.Shuffle([A[i], A[i + 1]], [1])
            C[i] = T.popcount(N[i]) * 16 + T.clz(N[i])
"""


def test_bindings_in_vectors_lanes_of_vectors_and_bits_of_nibbles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.arange(64, dtype="float32")
    nibbles = np.resize(np.array([0x10, 0x42, 0xF8, 0x97], "uint8"), 64).view("int8")
    b, c = np.zeros(64, "float32"), np.zeros(64, "int32")
    run_on_cpu(tvmscript.from_source(MENDED), tmp_path, monkeypatch, [values, nibbles, b, c], "sm_80")
    np.testing.assert_array_equal(b[:32], (np.repeat(values[8:16], 4) + 1) * values[:32])
    np.testing.assert_array_equal(b[32:40], 5 + values[1:9])
    bits = [0x0, 0x1, 0x2, 0x4, 0x8, 0xF, 0x7, 0x9]
    np.testing.assert_array_equal(c[:8], [each.bit_count() * 16 + 4 - each.bit_length() for each in bits])


def test_numbers_that_float32_does_not_hold_round_once_to_bfloat16(tmp_path: Path) -> None:
    text = """
#include "tvmscript/bfloat16.cuh"
extern "C" __global__ void main_kernel(const double *x, const int64_t *n, bfloat16 *y) {
    y[threadIdx.x] = (bfloat16)x[threadIdx.x];
    y[threadIdx.x + 4] = (bfloat16)n[threadIdx.x];
}
"""
    library = ctypes.CDLL(str(on_cpu.compile_texts([text], tmp_path / "kernels.so")))
    # halfway between two numbers, and a little more or less: float32 has the middle alone
    x = np.array([1 + 2**-8 + 2**-40, -(1 + 2**-8 + 2**-40), 1 + 3 * 2**-8 - 2**-40, -1e-60])
    n = np.array([(257 << 32) + 1, -(257 << 32) - 1, (259 << 32) - 1, 257 << 32])
    y = np.zeros(8, "uint16")
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, n, y)]
    on_cpu.run_kernel(library, "main_kernel", [1, 1, 1], [4, 1, 1], 0, pointers)
    expected = [1 + 2**-7, -(1 + 2**-7), 1 + 2**-7, -0.0, 258 << 32, -(258 << 32), 258 << 32, 256 << 32]
    np.testing.assert_array_equal(y, (np.array(expected, "float32").view("uint32") >> 16).astype("uint16"))
