"""Kernels of examples/cuda: values against NumPy, no races and conflicts of banks, registers on each architecture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tests.test_examples import load
from tvmscript.backends.interp.sanitizer import SanitizerReport, run_sanitized
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import Call, PrimFunc

HOPPER = load("hopper_matmul", "cuda")


def run(func: PrimFunc, *arrays: Any) -> SanitizerReport:
    """Run the lowered kernel; loads of matrices have no conflicts."""
    module = tvmscript.lower(IRModule({"main": func.with_attr("global_symbol", "main")}), "cuda -arch=sm_90a")
    report = run_sanitized(module, "main", arrays)
    assert report.errors == ()
    matrices = [sums for site, sums in report.traffic.items() if isinstance(site, Call)]
    assert matrices
    assert all(sums.cost == sums.ideal for sums in matrices)
    return report


@pytest.mark.parametrize(("m", "n", "k"), [(128, 32, 320), (256, 64, 64)], ids=["many steps", "four blocks"])
def test_hopper_matmul(m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, (rows, k)).astype("float16") for rows in (m, n))
    c = np.zeros((m, n), "float16")
    run(HOPPER.hopper_matmul(m, n, k, columns=32), a, b, c)
    np.testing.assert_array_equal(c, a.astype("float32") @ b.T.astype("float32"))


@needs_nvrtc
def test_hopper_matmul_compiles_without_spills() -> None:
    module: Any = tvmscript.build(HOPPER.hopper_matmul(4096, 4096, 4096), target="cuda -arch=sm_90a")
    (report,) = module.report()
    assert not report.spills
    assert report.dynamic_shared_bytes == 192 * 1024
    assert report.registers <= 255
