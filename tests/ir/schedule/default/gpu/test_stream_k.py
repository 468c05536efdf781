"""Stream-K: what blocks add beside NumPy, faults of scheduled kernels, registers of compiled ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import needs_nvrtc
from tests.ir.schedule.default.gpu.test_matmul_wgmma import check
from tests.ir.schedule.default.gpu.test_rules import program
from tests.ir.schedule.default.gpu.test_tensor_cores import product
from tvmscript.backends.cuda import nvrtc
from tvmscript.ir.schedule.default.gpu import matmul_wgmma, tile_model
from tvmscript.ir.schedule.default.gpu.stream_k import share_steps
from tvmscript.ir.schedule.default.gpu.tile_model import Shares, WarpTiling

#: columns of the result come first, rows of the left operand last, and a vector is added
TRANSPOSED = """
@T.prim_func
def main(A: T.Buffer(({terms}, {rows}), "int32"), B: T.Buffer(({columns}, {terms}), "int32"),
         R: T.Buffer(({columns},), "int32"), D: T.Buffer(({columns}, {rows}), "int32")):
    C = T.alloc_buffer(({columns}, {rows}), "int32")
    for i, j, k in T.grid({rows}, {columns}, {terms}):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vj, vi] = 0
            C[vj, vi] = C[vj, vi] + A[vk, vi] * B[vj, vk]
    for j, i in T.grid({columns}, {rows}):
        with T.block("D"):
            vj, vi = T.axis.remap("SS", [j, i])
            D[vj, vi] = C[vj, vi] + R[vj]
"""


def shares_of(blocks: int, rows: int, columns: int, terms: int) -> Shares:
    """Return shares of tiles of 2 x 3, in steps of 2 terms."""
    return Shares(blocks, (2, 3, 2), columns // 3, terms // 2, rows // 2 * (columns // 3))


@pytest.mark.parametrize(
    ("blocks", "rows", "columns", "terms"),
    [(4, 6, 3, 10), (7, 4, 9, 10), (5, 4, 6, 10), (9, 2, 3, 14), (6, 4, 6, 12), (8, 2, 15, 16), (5, 4, 6, 8)],
    ids=["4 of 3 tiles", "7 of 6", "5 of 4", "9 of one", "6 of 4, whole tiles", "8 of 5", "one without a step"],
)
def test_sums_of_shares(blocks: int, rows: int, columns: int, terms: int) -> None:
    """Each step is added once, wherever shares end."""
    func = program(TRANSPOSED.format(rows=rows, columns=columns, terms=terms))
    shared = share_steps(func, lambda *_: shares_of(blocks, rows, columns, terms))
    assert "C_parts" in shared.script()
    rng = np.random.default_rng(0)
    a, b, r = (rng.integers(-9, 9, shape, "int32") for shape in ((terms, rows), (columns, terms), (columns,)))
    result = np.full((columns, rows), 77, "int32")
    tvmscript.build(shared, target="interp")["main"](a, b, r, result)
    np.testing.assert_array_equal(result, (a.T @ b.T).T + r[:, None])


@pytest.mark.parametrize(
    "change",
    [
        ("C[vj, vi] = 0", "C[vj, vi] = 5"),
        ("C[vj, vi] + A[vk, vi] * B[vj, vk]", "T.max(C[vj, vi], A[vk, vi] * B[vj, vk])"),
    ],
    ids=["from another value", "no sum"],
)
def test_others_stay_whole(change: tuple[str, str]) -> None:
    text = TRANSPOSED.format(rows=4, columns=6, terms=8)
    assert change[0] in text
    func = program(text.replace(*change))
    assert share_steps(func, lambda *_: shares_of(5, 4, 6, 8)) is func


def share_of_three_blocks(monkeypatch: pytest.MonkeyPatch, tiling: WarpTiling) -> None:
    """Let a device compute three tiles at once, and launches cost nothing."""
    monkeypatch.setattr(matmul_wgmma, "_TILINGS", (tiling,))
    for module in (matmul_wgmma, tile_model):
        monkeypatch.setattr(module, "multiprocessors", lambda target: 3)
    monkeypatch.setattr(tile_model, "LAUNCH", 0)
    monkeypatch.setattr(tile_model, "_PRODUCTS_PER_PARTIAL_SUM", 0)
    monkeypatch.setattr(tile_model, "_LEAST_TERMS", 64)


@pytest.mark.long
@pytest.mark.parametrize(
    ("tiling", "text"),
    [
        (WarpTiling(64, 64, 1, 1), product(128, 64, 320, "float16", "float32", "nt")),
        pytest.param(
            WarpTiling(128, 64, 2, 1),
            product(256, 64, 448, "bfloat16", "float32", "nn"),
            marks=pytest.mark.fuzz,
        ),
    ],
    ids=["all threads copy", "a group copies"],
)
def test_values_and_faults(tiling: WarpTiling, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three blocks share the steps of two tiles, another launch adds their sums."""
    share_of_three_blocks(monkeypatch, tiling)
    source = tvmscript.build(program(text), target="cuda -arch=sm_90a").get_source()
    assert source.count("__global__") == 2
    assert "C_parts" in source
    assert ("setmaxnreg" in source) is (tiling.row_warps > 1)
    check(text)


@needs_nvrtc
def test_shares_of_a_device_compile_without_spills() -> None:
    """132 blocks share the steps of 70 tiles."""
    module: Any = tvmscript.build(
        program(product(1280, 1792, 4096, "float16", "float32", "nt")), target="cuda -arch=sm_90a"
    )
    shares, sums = module.report()
    assert not any(report.spills or report.stack_bytes for report in (shares, sums))
    assert shares.threads == 384
    assert shares.registers <= 65536 // 384
    assert "serialized" not in nvrtc.compile_text(module.get_source(), "sm_90a", "--ptxas-options=-v").log
