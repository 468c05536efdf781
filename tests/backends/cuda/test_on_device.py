"""Kernels on a CUDA device against the interpreter: `pytest -m gpu`."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.backends.cuda.kernels import KERNELS
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS, TARGET
from tvmscript.backends import interp
from tvmscript.backends.cuda import driver
from tvmscript.backends.cuda.errors import NoCudaDriver
from tvmscript.backends.runtime.random_inputs import random_inputs


def has_device() -> bool:
    """Whether there is a driver with a device."""
    try:
        driver.find_driver("tests")
    except NoCudaDriver:
        return False
    return True


pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not has_device(), reason="there is no CUDA device")]
ALL = KERNELS | {name: text for name, (_, text) in PROGRAMS.items()}


@pytest.mark.parametrize("name", ALL)
def test_results_are_those_of_the_interpreter(name: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    func: Any = tvmscript.from_source(ALL[name])
    given = [argument.value for argument in random_inputs(func, dims={"n": 37})]
    expected = [array.copy() if hasattr(array, "copy") else array for array in given]
    on_device = [torch.from_numpy(array).cuda() if hasattr(array, "dtype") else array for array in given]
    interp.build(tvmscript.lower(func, TARGET)).entry_func(*expected)
    tvmscript.build(func, target="cuda").entry_func(*on_device)
    torch.cuda.synchronize()
    for one, other in zip(on_device, expected, strict=True):
        if hasattr(one, "cpu"):
            torch.testing.assert_close(one.cpu().double(), torch.from_numpy(other).double(), rtol=5e-3, atol=1e-3)
