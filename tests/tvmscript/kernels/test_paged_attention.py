"""Attention with keys in pages: values against NumPy, faults and conflicts, registers of the kernels."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import ARCHITECTURES, needs_nvrtc
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc
from tvmscript.kernels import NoSuchKernel, paged_attention, paged_prefill
from tvmscript.kernels.attention import attention
from tvmscript.kernels.paged_prefill import query_tiles


class Heads(NamedTuple):
    """What kernels are compiled for."""

    heads: int
    kv_heads: int
    size: int
    page: int = 4
    dtype: str = "float16"


class Paged(NamedTuple):
    """Queries of sequences, keys and values in pages in random order, the table of pages, rows in it and lengths."""

    queries: Any
    keys: Any
    values: Any
    table: Any
    rows: Any
    lengths: Any

    def reference(self) -> Any:
        """Attention in double precision; 0 for a query without keys."""
        out = np.zeros(self.queries.shape)
        for number, (row, length) in enumerate(zip(self.rows, self.lengths, strict=True)):
            keys, values = (
                array[self.table[row]].reshape(-1, *array.shape[2:])[:length].astype("float64")
                for array in (self.keys, self.values)
            )
            for head in range(self.queries.shape[1] if length else 0):
                shared = head * self.keys.shape[2] // self.queries.shape[1]
                scores = keys[:, shared] @ self.queries[number, head].astype("float64")
                weights = np.exp((scores - scores.max()) / math.sqrt(self.queries.shape[2]))
                out[number, head] = weights / weights.sum() @ values[:, shared]
        return out


def paged(lengths: list[int], heads: Heads, counts: list[int] | None = None) -> Paged:
    """Draw `counts` queries at the end of sequences of `lengths`, one each where none are given."""
    rng = np.random.default_rng(0)
    most = -(-max(*lengths, 1) // heads.page)
    pages = len(lengths) * most + 1
    table = rng.permutation(pages)[: len(lengths) * most].reshape(len(lengths), most).astype("int32")
    counts = counts or [1] * len(lengths)
    rows = np.repeat(np.arange(len(lengths), dtype="int32"), counts)
    ends = [range(length - count + 1, length + 1) for length, count in zip(lengths, counts, strict=True)]
    q = rng.standard_normal((len(rows), heads.heads, heads.size)).astype(heads.dtype)
    k, v = (rng.standard_normal((pages, heads.page, heads.kv_heads, heads.size)).astype(heads.dtype) for _ in range(2))
    return Paged(q, k, v, table, rows, np.concatenate(ends).astype("int32"))


def run(func: PrimFunc, heads: Heads, *given: Any) -> None:
    """Run a kernel without faults and conflicts of banks, and where rows are whole sectors without waste of traffic."""
    module = tvmscript.lower(IRModule({"main": func.with_attr("global_symbol", "main")}), "cuda -arch=sm_90a")
    report = run_sanitized(module, "main", (*given, math.log2(math.e) / math.sqrt(heads.size)))
    assert report.errors == ()
    # the rows of a result are short beside those of the keys
    notes = [str(note) for note in report.notes if "access to O" not in str(note)]
    assert notes == [] or heads.size * given[0].itemsize % 32


@pytest.mark.parametrize(
    ("lengths", "heads", "parts"),
    [
        ([19], Heads(2, 1, 64), 2),
        ([3, 5], Heads(3, 1, 6, 3, "float32"), 2),
        pytest.param([11, 0, 6], Heads(4, 2, 64), 2, marks=pytest.mark.long),
        pytest.param([13], Heads(2, 2, 128), 1, marks=pytest.mark.long),
        pytest.param([3], Heads(10, 1, 80), 1, marks=pytest.mark.long),
        pytest.param([9], Heads(1, 1, 256, 4, "float32"), 1, marks=pytest.mark.long),
    ],
    ids=["shared keys", "odd sizes", "several lengths", "one part", "many heads", "two loads a lane"],
)
def test_values_and_faults(lengths: list[int], heads: Heads, parts: int) -> None:
    given = paged(lengths, heads)
    shape = len(lengths), heads.heads, parts
    out = np.full_like(given.queries, np.nan)
    between = np.full((*shape, heads.size), np.nan, "float32"), np.full((*shape, 2), np.nan, "float32")
    run(paged_attention(*heads), heads, *given, *between, out)
    np.testing.assert_allclose(out, given.reference(), atol=2e-3)


@pytest.mark.parametrize(
    ("lengths", "counts", "heads"),
    [
        ([6], [3], Heads(2, 1, 64)),
        pytest.param([70], [5], Heads(1, 1, 64, 16), marks=pytest.mark.long),
        pytest.param([66, 9], [66, 2], Heads(1, 1, 64), marks=pytest.mark.fuzz),
        pytest.param([6], [6], Heads(1, 1, 128, 16), marks=pytest.mark.fuzz),
    ],
    ids=["shared keys", "tiles of keys", "tiles of queries", "large heads"],
)
def test_tiles_of_queries(lengths: list[int], counts: list[int], heads: Heads) -> None:
    given = paged(lengths, heads, counts)
    out = np.full_like(given.queries, np.nan)
    tiles = query_tiles(counts, lengths)
    run(paged_prefill(*heads), heads, given.queries, given.keys, given.values, given.table, tiles, out)
    np.testing.assert_allclose(out, given.reference(), atol=2e-3)


@needs_nvrtc
@pytest.mark.parametrize(
    "arch", [pytest.param(arch, marks=() if arch == "sm_90a" else pytest.mark.long) for arch in ARCHITECTURES]
)
@pytest.mark.parametrize("kernel", [paged_attention, paged_prefill])
def test_they_compile_without_spills(kernel: Any, arch: str) -> None:
    module: Any = tvmscript.build(kernel(32, 4, 128, 16), target=f"cuda -arch={arch}")
    assert not any(report.spills or report.stack_bytes for report in module.report())


@pytest.mark.parametrize("heads", [(6, 4, 64, 4), (8, 0, 64, 4), (8, 2, 64, 0), (2, 2, 520, 4), (2, 2, 64, 4, "int8")])
def test_sizes_without_a_kernel(heads: tuple[Any, ...]) -> None:
    with pytest.raises(NoSuchKernel, match=r"paged_attention has no kernel for . heads of .*: heads have up to 512"):
        paged_attention(*heads)
    with pytest.raises(NoSuchKernel, match=r"paged_prefill has no kernel for . heads of .*: heads have 64 or 128"):
        paged_prefill(*heads)


def test_attention_without_a_kernel() -> None:
    with pytest.raises(NoSuchKernel, match="no kernel for heads of 80 of float16: heads have 64 or 128 elements"):
        attention(1, 64, 64, 1, 80)
