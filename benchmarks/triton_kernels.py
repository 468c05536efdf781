"""Kernels of Triton, the peers of products and of launches in `cuda_kernels.py`."""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

_NEIGHBOURS = 8


@triton.autotune(
    configs=[
        triton.Config({"ROWS": rows, "COLUMNS": columns, "TERMS": 64}, num_stages=stages, num_warps=warps)
        for rows, columns, stages, warps in ((128, 256, 3, 8), (128, 128, 4, 8), (128, 128, 3, 4), (64, 128, 4, 4))
    ],
    key=["n"],
)
@triton.jit
def _matmul(a, b, c, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr, TERMS: tl.constexpr, NEIGHBOURS: tl.constexpr):
    block = tl.program_id(0)
    height, width = tl.cdiv(n, ROWS), tl.cdiv(n, COLUMNS)
    group = block // (NEIGHBOURS * width)
    rows = min(height - group * NEIGHBOURS, NEIGHBOURS)
    row = group * NEIGHBOURS + block % (NEIGHBOURS * width) % rows
    column = block % (NEIGHBOURS * width) // rows
    i, j, k = row * ROWS + tl.arange(0, ROWS), column * COLUMNS + tl.arange(0, COLUMNS), tl.arange(0, TERMS)
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, n, TERMS):
        left = tl.load(a + i[:, None] * n + (first + k)[None, :])
        right = tl.load(b + (first + k)[:, None] * n + j[None, :])
        sums = tl.dot(left, right, sums)
    tl.store(c + i[:, None] * n + j[None, :], sums.to(c.dtype.element_ty))


def matmul(a: Any, b: Any, c: Any) -> None:
    """Multiply square matrices whose size is a multiple of all tiles."""
    n = a.shape[0]
    _matmul[lambda tile: (triton.cdiv(n, tile["ROWS"]) * triton.cdiv(n, tile["COLUMNS"]),)](
        a, b, c, n, NEIGHBOURS=_NEIGHBOURS
    )


@triton.jit
def _add(a, b, c, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    tl.store(c + place, tl.load(a + place) + tl.load(b + place))


def add(a: Any, b: Any, c: Any) -> None:
    """Add arrays of a few elements in one block."""
    _add[(1,)](a, b, c, SIZE=a.numel())
