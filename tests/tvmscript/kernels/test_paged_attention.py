"""Attention of one query with keys in pages: values against NumPy, faults and conflicts, registers of the kernels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import ARCHITECTURES, needs_nvrtc
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule
from tvmscript.kernels import NoSuchKernel, paged_attention
from tvmscript.kernels.attention import attention


def paged(lengths: list[int], heads: int, kv_heads: int, size: int, page: int) -> tuple[Any, ...]:
    """Return queries, keys and values in pages in random order, the table, and lengths."""
    rng = np.random.default_rng(0)
    most = -(-max(*lengths, 1) // page)
    pages = len(lengths) * most + 1
    table = rng.permutation(pages)[: len(lengths) * most].reshape(len(lengths), most).astype("int32")
    q = rng.standard_normal((len(lengths), heads, size)).astype("float16")
    k, v = (rng.standard_normal((pages, page, kv_heads, size)).astype("float16") for _ in range(2))
    return q, k, v, table, np.array(lengths, "int32")


def reference(q: Any, k: Any, v: Any, table: Any, lengths: Any) -> Any:
    """Attention in double precision; 0 for a sequence without keys."""
    out = np.zeros(q.shape)
    for number, length in enumerate(lengths):
        keys, values = (
            array[table[number]].reshape(-1, *array.shape[2:])[:length].astype("float64") for array in (k, v)
        )
        for head in range(q.shape[1] if length else 0):
            shared = head * k.shape[2] // q.shape[1]
            scores = keys[:, shared] @ q[number, head].astype("float64") / math.sqrt(q.shape[2])
            weights = np.exp(scores - scores.max())
            out[number, head] = weights / weights.sum() @ values[:, shared]
    return out


@pytest.mark.parametrize(
    ("lengths", "heads", "kv_heads", "size", "parts"),
    [
        ([19], 2, 1, 64, 2),
        pytest.param([21, 0, 6], 4, 2, 64, 3, marks=pytest.mark.long),
        pytest.param([13], 2, 2, 128, 1, marks=pytest.mark.long),
    ],
    ids=["shared keys", "several lengths", "one part"],
)
def test_values_and_faults(lengths: list[int], heads: int, kv_heads: int, size: int, parts: int) -> None:
    given = paged(lengths, heads, kv_heads, size, page=4)
    q, k, _, table, _ = given
    shape = len(lengths), heads, parts
    out = np.full_like(q, np.nan)
    func = paged_attention(len(lengths), heads, kv_heads, size, len(k), 4, table.shape[1], parts=parts)
    module = tvmscript.lower(IRModule({"main": func.with_attr("global_symbol", "main")}), "cuda -arch=sm_90a")
    between = np.full((*shape, size), np.nan, "float32"), np.full((*shape, 2), np.nan, "float32")
    report = run_sanitized(module, "main", (*given, *between, out))
    assert report.errors == ()
    assert report.notes == ()
    np.testing.assert_allclose(out, reference(*given), atol=2e-3)


@needs_nvrtc
@pytest.mark.parametrize(
    "arch", [pytest.param(arch, marks=() if arch == "sm_90a" else pytest.mark.long) for arch in ARCHITECTURES]
)
def test_it_compiles_without_spills(arch: str) -> None:
    func = paged_attention(64, 32, 4, 128, 4096, 16, 256)
    module: Any = tvmscript.build(func, target=f"cuda -arch={arch}")
    assert not any(report.spills or report.stack_bytes for report in module.report())


def test_sizes_without_a_kernel() -> None:
    with pytest.raises(NoSuchKernel, match="heads have 64, 128, 256 elements, and up to 8 share a key"):
        paged_attention(1, 6, 4, 64, 8, 4, 2)
    with pytest.raises(NoSuchKernel, match="paged_attention has no kernel for 18 heads of 64, 2 of keys"):
        paged_attention(1, 18, 2, 64, 8, 4, 2)
    with pytest.raises(NoSuchKernel, match="at least 1"):
        paged_attention(1, 8, 0, 64, 8, 4, 2)
    with pytest.raises(NoSuchKernel, match="at least 1"):
        paged_attention(1, 8, 2, 64, 8, 4, 2, parts=0)
    with pytest.raises(NoSuchKernel, match="no kernel for heads of 80 of float16: heads have 64 or 128 elements"):
        attention(1, 64, 64, 1, 80)
