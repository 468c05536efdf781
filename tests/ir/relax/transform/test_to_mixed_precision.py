"""ToMixedPrecision: values before and after agree within the precision of float16."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import run
from tvmscript.ir.relax.transform.operators.to_mixed_precision import ToMixedPrecision

PROGRAM = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32"), d: R.Tensor((8, 8), "float64")):
        n = T.int64()
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.concat((lv, x), axis=0)
            s = R.split(lv1, 2, axis=0)
            s0 = s[0]
            lv2 = R.add(s0, R.const(1e6, "float32"))
            lv3 = R.subtract(lv2, R.const(1e6, "float32"))
            lv4 = R.nn.softmax(R.matmul(lv3, w))
            lv5 = R.matmul(d, d)
            gv = (lv4, (lv5, s))
            R.output(gv)
        return gv
""")


def test_values() -> None:
    rng = np.random.default_rng(5)
    x, w = rng.random((3, 8), "float32"), rng.random((8, 8), "float32")
    d = rng.random((8, 8))
    for out_dtype in ("float32", "float16"):
        after = run(ToMixedPrecision(out_dtype)(PROGRAM), x, w, d)
        before = run(PROGRAM, x, w, d)
        pairs = zip([before[0], *before[1][1]], [after[0], *after[1][1]], strict=True)
        for expected, value in pairs:
            assert np.asarray(value).dtype == np.asarray(expected).dtype
            np.testing.assert_allclose(np.asarray(value), np.asarray(expected), rtol=0.02, atol=0.02)
        np.testing.assert_array_equal(np.asarray(after[1][0]), np.asarray(before[1][0]))
