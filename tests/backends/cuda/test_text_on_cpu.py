"""What the CUDA text of kernels computes: it runs on threads of the CPU, and the interpreter says the values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.fake_driver import DeviceArray, FakeDriver
from tests.backends.cuda.kernels import KERNELS
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS
from tests.ir.schedule.default.gpu.test_tensor_cores import CASES
from tests.tvmscript.kernels.test_attention import reference
from tvmscript.backends import interp
from tvmscript.backends.cuda import binary
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.cuda import on_cpu
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
    np.testing.assert_array_equal(sums, (a + b) & 15)
