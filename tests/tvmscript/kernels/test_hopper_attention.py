"""Attention by warp groups: values against NumPy, no faults, machine code without spills and serialized products."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tests.tvmscript.kernels.test_attention import reference
from tvmscript.backends import interp
from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.cuda.module import CudaModule
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import Call
from tvmscript.kernels.hopper_attention import ARCH, Heads, choose_tile, hopper_attention

#: dtype -> NumPy's, and the tolerance of results
DTYPES = {"float16": (np.dtype("float16"), 2e-3), "bfloat16": (np.dtype(ml_dtypes.bfloat16), 2e-2)}


def lowered(heads: Heads, tile: int | None) -> IRModule:
    func = hopper_attention(heads, tile).with_attr("global_symbol", "main")
    module = tvmscript.lower(IRModule({"main": func}), f"cuda -arch={ARCH}")
    assert isinstance(module, IRModule)
    return module


def heads_of(
    batch: int, queries: int, keys: int, heads: int, size: int, *, causal: bool, dtype: str = "float16"
) -> Heads:
    return Heads(batch, queries, keys, heads, size, dtype, causal, math.log2(math.e) * size**-0.5)


def check(heads: Heads, tile: int | None, *, is_sanitized: bool = True) -> None:
    dtype, tolerance = DTYPES[heads.dtype]
    rng = np.random.default_rng(0)
    lengths = (heads.queries, heads.keys, heads.keys)
    q, k, v = (rng.standard_normal((heads.batch, rows, heads.heads, heads.size)).astype(dtype) for rows in lengths)
    out = np.full_like(q, np.nan)
    module = lowered(heads, tile)
    if is_sanitized:
        report = run_sanitized(module, "main", (q, k, v, out))
        assert report.errors == ()
        reads = [sums for site, sums in report.traffic.items() if isinstance(site, Call)]
        assert reads
        assert all(sums.cost == sums.ideal for sums in reads)
    else:
        interp.build(module)["main"](q, k, v, out)
    expected = reference(*(array.astype("float64") for array in (q, k, v)), causal=heads.is_causal)
    np.testing.assert_allclose(out.astype("float64"), expected, atol=tolerance)


def test_values() -> None:
    """A tile has keys after the last one, and keys that some queries do not see."""
    check(heads_of(1, 60, 50, 1, 64, causal=True), 64, is_sanitized=False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("heads", "tile"),
    [
        pytest.param(heads_of(1, 70, 70, 1, 64, causal=True), 64, marks=pytest.mark.fuzz),
        (heads_of(1, 10, 140, 1, 64, causal=False), 64),
        pytest.param(heads_of(1, 150, 100, 1, 64, causal=True), 128, marks=pytest.mark.fuzz),
        pytest.param(heads_of(1, 64, 250, 1, 128, causal=False), None, marks=pytest.mark.fuzz),
        pytest.param(heads_of(1, 64, 100, 1, 256, causal=True), None, marks=pytest.mark.fuzz),
        pytest.param(heads_of(2, 20, 70, 1, 64, causal=False, dtype="bfloat16"), 64, marks=pytest.mark.fuzz),
    ],
    ids=["two tiles, causal", "three tiles", "more queries than keys", "heads of 128", "heads of 256", "bfloat16"],
)
def test_values_and_faults(heads: Heads, tile: int | None) -> None:
    check(heads, tile)


def test_tiles_fit() -> None:
    """Causal tiles divide the rows of a block; short sequences have short tiles."""
    assert [choose_tile(heads_of(4, 4096, 4096, 32, size, causal=False)) for size in (64, 128, 256)] == [192, 176, 80]
    assert [choose_tile(heads_of(4, 4096, 4096, 32, size, causal=True)) for size in (64, 128, 256)] == [128, 128, 64]
    assert choose_tile(heads_of(1, 64, 70, 1, 128, causal=False)) == 80


@needs_nvrtc
@pytest.mark.parametrize(
    ("size", "dtype", "causal"),
    [
        (128, "float16", True),
        *(
            pytest.param(size, dtype, causal, marks=pytest.mark.long)
            for size in (64, 128, 256)
            for dtype in ("float16", "bfloat16")
            for causal in (False, True)
            if (size, dtype, causal) != (128, "float16", True)
        ),
    ],
)
def test_it_compiles_without_spills(size: int, dtype: str, causal: bool) -> None:
    func = hopper_attention(heads_of(4, 4000, 4096, 32, size, causal=causal, dtype=dtype))
    module = tvmscript.build(func, target=f"cuda -arch={ARCH}")
    assert isinstance(module, CudaModule)
    log = nvrtc.compile_text(module.get_source("cu"), ARCH, "--ptxas-options=-v").log
    assert "0 bytes spill stores, 0 bytes spill loads" in log
    assert "serialized" not in log
