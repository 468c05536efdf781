"""Kernels of the NVPTX backend on a CUDA device against the interpreter: `pytest -m gpu`."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tests.backends.cuda.test_on_device import as_tensor, has_device
from tests.backends.nvptx.test_kernels import ZOO
from tests.ir.schedule.default.gpu.test_rules import TARGET
from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not has_device(), reason="there is no CUDA device")]


@pytest.mark.parametrize("name", ZOO)
def test_results_are_those_of_the_interpreter(name: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch holds the arrays of the device")
    text, arch = ZOO[name]
    func: Any = tvmscript.from_source(text)
    given = [argument.value for argument in random_inputs(func, dims={"n": 37, "m": 40, "k": 50})]
    expected = [array.copy() if hasattr(array, "copy") else array for array in given]
    on_device = [as_tensor(torch, array).cuda() if hasattr(array, "dtype") else array for array in given]
    interp.build(tvmscript.lower(func, TARGET)).entry_func(*expected)
    tvmscript.build(func, target=f"nvptx -mcpu={arch}").entry_func(*on_device)
    torch.cuda.synchronize()
    for one, other in zip(on_device, expected, strict=True):
        if hasattr(one, "cpu"):
            torch.testing.assert_close(one.cpu().double(), as_tensor(torch, other).double(), rtol=2e-2, atol=2e-2)
