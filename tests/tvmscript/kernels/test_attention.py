"""Attention on tensor cores: values against NumPy, no races and conflicts of banks, registers; what the rule takes."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import tvmscript
from tests.backends.cuda.kernels import ARCHITECTURES, needs_nvrtc
from tvmscript import te, topi
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.ir.core import IRModule, Op, Target, nodes
from tvmscript.ir.tir import Call, PrimFunc
from tvmscript.kernels import Attention
from tvmscript.kernels.attention import attention


def reference(q: Any, k: Any, v: Any, *, causal: bool) -> Any:
    """Attention of arrays (batch, length, heads, size), in double precision."""
    q, k, v = (array.astype("float64").transpose(0, 2, 1, 3) for array in (q, k, v))
    scores = q @ k.swapaxes(2, 3) / math.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(*scores.shape[2:]) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3)


@pytest.mark.parametrize(
    ("batch", "queries", "keys", "heads", "size", "causal"),
    [
        (1, 10, 64, 1, 64, True),
        pytest.param(1, 70, 70, 1, 64, True, marks=pytest.mark.long),
        pytest.param(2, 10, 70, 2, 64, False, marks=pytest.mark.fuzz),
        pytest.param(1, 64, 64, 1, 128, False, marks=pytest.mark.long),
    ],
)
def test_values_and_faults(batch: int, queries: int, keys: int, heads: int, size: int, causal: bool) -> None:
    check("float16", 2e-3, (batch, queries, keys, heads, size), causal=causal)


@pytest.mark.fuzz
def test_values_of_bfloat16() -> None:
    check(ml_dtypes.bfloat16, 2e-2, (1, 64, 70, 1, 64), causal=False)


def check(dtype: npt.DTypeLike, tolerance: float, shape: tuple[int, int, int, int, int], *, causal: bool) -> None:
    """Compare a kernel with NumPy; it has no faults and conflicts of banks."""
    batch, queries, keys, heads, size = shape
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((batch, rows, heads, size)).astype(dtype) for rows in (queries, keys, keys))
    out = np.full_like(q, np.nan)
    func = attention(*shape, causal=causal, dtype=q.dtype.name).with_attr("global_symbol", "main")
    module = tvmscript.lower(IRModule({"main": func}), "cuda -arch=sm_90a")
    report = run_sanitized(module, "main", (q, k, v, out))
    assert report.errors == ()
    np.testing.assert_allclose(out.astype("float64"), reference(q, k, v, causal=causal), atol=tolerance)
    loads = [sums for site, sums in report.traffic.items() if isinstance(site, Call)]
    assert loads
    assert all(sums.cost == sums.ideal for sums in loads)


@needs_nvrtc
@pytest.mark.parametrize(
    "arch", [pytest.param(arch, marks=() if arch == "sm_90a" else pytest.mark.long) for arch in ARCHITECTURES]
)
def test_it_compiles_without_spills(arch: str) -> None:
    for causal in (False, True):
        module: Any = tvmscript.build(attention(4, 4000, 4096, 32, 128, causal=causal), target=f"cuda -arch={arch}")
        assert not any(report.spills or report.stack_bytes for report in module.report())


def operator(
    shape: tuple[int, ...], keys: tuple[int, ...], mask: str | None = None, dtype: str = "float16", scale: Any = None
) -> PrimFunc:
    a, b, c = (te.placeholder(extents, dtype, name) for extents, name in ((shape, "A"), (keys, "B"), (keys, "C")))
    return te.create_prim_func([a, b, c, topi.graph.attention(a, b, c, None, scale, mask, None)])


SHAPE = (1, 40, 2, 64)


@pytest.mark.parametrize(
    ("arch", "size", "dtype", "mask", "has_groups"),
    [
        ("sm_80", 64, "float16", None, False),
        ("sm_90", 128, "bfloat16", "TopLeft", False),
        ("sm_90a", 64, "float16", None, True),
        ("sm_90a", 256, "bfloat16", "TopLeft", True),
    ],
)
def test_the_rule_takes_the_operator(arch: str, size: int, dtype: str, mask: str | None, has_groups: bool) -> None:
    shape = (1, 40, 2, size)
    sch = Attention().apply(operator(shape, shape, mask, dtype), Target.make(f"cuda -arch={arch}"), False)
    assert sch is not None
    operators = {node.op.name for node in nodes(sch.mod["main"]) if isinstance(node, Call) and isinstance(node.op, Op)}
    assert operators & {"tir.ptx.wgmma", "tir.ptx_mma"} == {"tir.ptx.wgmma" if has_groups else "tir.ptx_mma"}


def test_the_kernel_has_no_array_of_scores() -> None:
    built = tvmscript.build(operator(SHAPE, SHAPE), target="cuda -arch=sm_90a").get_source()
    assert built.count("__global__") == 1
    assert "wgmma.mma_async" in built


@pytest.mark.parametrize(
    ("func", "arch"),
    [
        (operator(SHAPE, SHAPE, dtype="float32"), "sm_90a"),
        (operator((1, 40, 2, 32), (1, 40, 2, 32)), "sm_90a"),
        (operator((1, 40, 2, 256), (1, 40, 2, 256)), "sm_80"),
        (operator(SHAPE, SHAPE, scale=0.5), "sm_90a"),
        (operator(SHAPE, SHAPE), "sm_75"),
    ],
    ids=["float32", "another size of heads", "heads of 256 without wgmma", "a scale of its own", "an older device"],
)
def test_the_rule_leaves_others(func: PrimFunc, arch: str) -> None:
    assert Attention().apply(func, Target.make(f"cuda -arch={arch}"), False) is None
