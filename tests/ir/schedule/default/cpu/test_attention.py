"""Default schedules of two products with rows between them: attention, and what is not of this form."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.cpu.programs import check
from tvmscript import te, topi
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.tir import ForKind, PrimFunc

#: heads that make the scores of 64 queries and 64 keys larger than the second cache
HEADS = machine_model("llvm").l2_bytes // (64 * 64 * 4) + 1
MARK = "rows through"


def attention(
    queries: int, keys: int, heads: int, size: int, *, mask: str | None = None, dtype: str = "float32"
) -> PrimFunc:
    query, key, value = (
        te.placeholder((1, length, heads, size), dtype, name=name)
        for name, length in zip("QKV", (queries, keys, keys), strict=True)
    )
    result = topi.graph.attention(query, key, value, None, None, mask, None)
    func = te.create_prim_func([query, key, value, result])
    assert isinstance(func, PrimFunc)
    return func


@pytest.mark.parametrize(("queries", "keys", "size"), [(64, 65, 8), (66, 64, 16), (72, 100, 9)])
def test_rows_stay_in_cache(queries: int, keys: int, size: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    schedule = check(attention(queries, keys, HEADS, size))
    assert MARK in caplog.text
    roots = {schedule.get(schedule.get_loops(stage)[0]) for stage in ("T_softmax_exp", "T_batch_matmul_NN_update")}
    assert [root.kind for root in roots] == [ForKind.PARALLEL]  # one loop around all stages


@pytest.mark.parametrize("mask", ["TopLeft", "BottomRight"])
def test_causal_masks(mask: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    check(attention(64, 72, HEADS, 8, mask=mask))


@pytest.mark.parametrize(("queries", "keys", "heads"), [(64, 64, 2), (67, 64, HEADS), (1, 4096, HEADS)])
def test_other_products_are_scheduled_one_by_one(
    queries: int, keys: int, heads: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    func = attention(queries, keys, heads, 8)
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, length, heads, 8)).astype("float32") for length in (queries, keys, keys))
    scores = np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(8)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    result = np.zeros_like(q)
    tvmscript.build(func)["main"](q, k, v, result)
    np.testing.assert_allclose(result, np.einsum("bhij,bjhd->bihd", weights, v), rtol=1e-4, atol=1e-5)
    assert MARK not in caplog.text


#: heads that make the scores of 64 queries and 64 keys in bfloat16 larger than the second cache
MANY_HEADS = 2 * HEADS
TILE_REGISTERS = "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids"


@pytest.mark.parametrize(
    "sizes", [(64, 64, MANY_HEADS, 32), (32, 160, MANY_HEADS, 64), (65, 64, 3, 32), (64, 70, 2, 16)]
)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_values_of_16_bits(sizes: tuple[int, int, int, int], dtype: str) -> None:
    """In tile registers where this machine has them and sizes fill them, and one product after the other."""
    queries, keys, heads, size = sizes
    rng = np.random.default_rng(0)
    stored = getattr(ml_dtypes, dtype, dtype)
    q, k, v = (rng.standard_normal((1, length, heads, size)).astype(stored) for length in (queries, keys, keys))
    wide_q, wide_k, wide_v = (each.astype("float64") for each in (q, k, v))
    scores = np.einsum("bihd,bjhd->bhij", wide_q, wide_k) / np.sqrt(size)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    result = np.zeros_like(q)
    tvmscript.build(attention(queries, keys, heads, size, dtype=dtype))["main"](q, k, v, result)
    # scores up to 5 and weights are rounded
    unit = 2.0 ** (-8 if dtype == "bfloat16" else -11)
    np.testing.assert_allclose(
        result.astype("float64"), np.einsum("bhij,bjhd->bihd", weights, wide_v), rtol=4 * unit, atol=8 * unit
    )


@pytest.mark.parametrize(
    ("sizes", "is_fused"),
    [((64, 64, 520, 32), True), ((64, 65, 520, 32), False), ((48, 64, 700, 32), False), ((64, 64, 12, 32), False)],
)
def test_tile_registers(sizes: tuple[int, int, int, int], is_fused: bool, caplog: pytest.LogCaptureFixture) -> None:
    """Both products use them, also where dimensions of heads are between rows and terms."""
    caplog.set_level("DEBUG", "tvmscript.default_schedule")
    module = tvmscript.IRModule({"main": attention(*sizes, dtype="bfloat16")})
    with tvmscript.target.Target(TILE_REGISTERS):
        scheduled = tvmscript.dlight.ApplyDefaultSchedule(tvmscript.dlight.cpu.Default())(module)
    assert ("tiles of 32 rows through 4 stages" in caplog.text) is is_fused
    text = scheduled.script()
    assert text.count("llvm.x86.tdpbf16ps") == 8
    assert "T_softmax_norm_global" not in text or not is_fused
