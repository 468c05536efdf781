"""ConvertLayout: each operator with a layout rule computes the same values over permuted tensors."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import run
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.op.layout_rules import LAYOUT_RULES
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.transform.operators.convert_layout import ConvertLayout

#: calls on a convolution `lv` of (2, 8, 6, 6); whether the tensors of the call stay permuted
CALLS = {
    "R.sum(lv)": True,
    "R.sum(lv, axis=[-1, 1])": True,
    "R.max(lv, axis=[1], keepdims=True)": True,
    "R.variance(lv, axis=[0, 2])": True,
    "R.nn.softmax(lv, axis=-3)": True,
    "R.nn.batch_norm(lv, g, g, g, g, axis=1)": True,
    "R.nn.layer_norm(lv, h, h, axes=[1, 2])": True,
    "R.nn.group_norm(lv, g, g, num_groups=2, channel_axis=1, axes=[-2, -1])": True,
    "R.nn.rms_norm(lv, g, axes=[1])": True,
    "R.concat((lv, y), axis=-3)": True,
    "R.split(lv, [2, 5], axis=1)": True,
    "R.expand_dims(lv, axis=[1, -1])": True,
    "R.squeeze(R.sum(lv, axis=[1], keepdims=True), axis=[1])": True,
    "R.permute_dims(lv, [-1, 0, 1, 2])": False,
    "R.nn.max_pool2d(lv, pool_size=2)": True,
    "R.nn.adaptive_avg_pool2d(lv, (2, 3))": True,
    "R.add(lv, y)": True,
    "R.add(R.const([[[[2.0]]]], 'float32'), lv)": False,
    "R.subtract(b, lv)": False,
    "R.ewise_fma(y, lv, lv)": True,
    "R.strided_slice(lv, axes=[1, 2], begin=[1, 0], end=[7, 5], strides=[2, 1])": True,
    "R.nn.relu(lv)": True,
    "R.cumsum(lv, axis=1)": False,
    "R.nn.conv2d(lv, v)": True,
}


def _program(call: str) -> tvm.IRModule:
    program: tvm.IRModule = tvm.from_source(f"""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 8, 8), "float32"), w: R.Tensor((8, 3, 3, 3), "float32"),
             y: R.Tensor((2, 8, 6, 6), "float32"), b: R.Tensor((8, 1, 6), "float32"), g: R.Tensor((8,), "float32"),
             h: R.Tensor((8, 6), "float32"), v: R.Tensor((8, 8, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w)
            gv = {call}
            R.output(gv)
        return gv
""")
    return program


@pytest.mark.parametrize("call", CALLS)
def test_values(call: str) -> None:
    rng = np.random.default_rng(2)
    shapes = ((2, 3, 8, 8), (8, 3, 3, 3), (2, 8, 6, 6), (8, 1, 6), (8,), (8, 6), (8, 8, 3, 3))
    args = [rng.random(shape, "float32") for shape in shapes]
    before = _program(call)
    after = ConvertLayout({"relax.nn.conv2d": ["NHWC", "HWIO"]})(before)
    text = after.script()
    assert 'data_layout="NHWC"' in text
    if CALLS[call]:
        assert "R.permute_dims(lv_1" not in text, "the convolution is permuted back"
    expected, values = run(before, *args), run(after, *args)
    if not isinstance(expected, list):
        expected, values = [expected], [values]
    for value, wanted in zip(values, expected, strict=True):
        np.testing.assert_allclose(np.asarray(value), np.asarray(wanted), rtol=1e-4, atol=1e-5)


def test_every_rule_is_an_operators() -> None:
    operators = [op for op in Op.registry.values() if isinstance(op, Operator)]
    assert {op.layout for op in operators if op.layout is not None} == set(LAYOUT_RULES)


@pytest.mark.parametrize(
    "info", ["R.Object", 'R.Tensor("float32")', 'R.Tensor("float32", ndim=4)', 'R.Tensor((1, n, 2, 2), "float32")']
)
@pytest.mark.parametrize("whole", ["{}", "R.Tuple({}, R.Object)"])
def test_values_of_casts(info: str, whole: str) -> None:
    """What is cast to struct info without a rank cannot be permuted back."""
    value, result = ("(lv, x)", "lv2[0]") if "Tuple" in whole else ("lv", "lv2")
    program = tvm.from_source(f"""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 4, 4), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
        n = T.int64()
        with R.dataflow():
            lv = R.nn.conv2d(x, w)
            lv1 = {value}
            lv2 = R.match_cast(lv1, {whole.format(info)})
            gv = {result}
            R.output(gv)
        return gv
""")
    assert isinstance(program, tvm.IRModule)
    after = ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})(program)
    generator = np.random.default_rng(0)
    arrays = [generator.random(shape, "float32") for shape in ((1, 3, 4, 4), (4, 3, 3, 3))]
    np.testing.assert_allclose(run(after, *arrays).numpy(), run(program, *arrays).numpy(), rtol=1e-5)
