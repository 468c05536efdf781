"""DispatchSortScan: kernels compute what NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.operators.dispatch_sort_scan import DispatchSortScan
from tvmscript.ir.relax.verify import verify

DATA = np.random.default_rng(0).permutation(24).reshape(4, 6).astype("float32")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("R.sort(x, axis=0)", [np.sort(DATA, axis=0)]),
        ("R.sort(x, axis=1, descending=True)", [-np.sort(-DATA, axis=1)]),
        ('R.argsort(x, axis=1, descending=True, dtype="int64")', [np.argsort(-DATA, axis=1)]),
        ("R.topk(x, k=2, axis=1)", [-np.sort(-DATA, axis=1)[:, :2], np.argsort(-DATA, axis=1)[:, :2]]),
        ('R.topk(x, k=3, axis=0, ret_type="values", largest=False)', [np.sort(DATA, axis=0)[:3]]),
        ("R.cumsum(x, axis=1)", [np.cumsum(DATA, axis=1)]),
        ("R.cumsum(x, axis=0, exclusive=True)", [np.cumsum(DATA, axis=0) - DATA]),
        ('R.cumprod(x, dtype="float64")', [np.cumprod(DATA.astype("float64"))]),
    ],
)
def test_values(call: str, expected: list[Any]) -> None:
    text = f'@R.function\ndef main(x: R.Tensor((4, 6), "float32")):\n    y = {call}\n    return y\n'
    mod = DispatchSortScan()(IRModule.from_expr(tvmscript.from_source(text)))
    verify(mod)
    assert "R.call_tir" in mod.script()
    executable = relax.build(mod)
    assert executable.stats().startswith("main: native")
    result: Any = relax.VirtualMachine(executable, tvmscript.cpu())["main"](DATA)
    for got, want in zip(result if isinstance(result, (list, tuple)) else [result], expected, strict=True):
        np.testing.assert_allclose(got.numpy(), want)


def test_unknown_shapes_stay() -> None:
    text = '@R.function\ndef main(x: R.Tensor("float32", ndim=2)):\n    return R.sort(x)\n'
    mod = IRModule.from_expr(tvmscript.from_source(text))
    assert "R.sort" in DispatchSortScan()(mod).script()
