"""LegalizeOps: the texts of TVM for every operator, the values of NumPy, and what users change."""

from __future__ import annotations

import json
import textwrap
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.op import calls, layers, library
from tests.ir.relax.transform.graph_values import results
from tvmscript import relax
from tvmscript.fuzz.graphs.operator_values import LEGALIZED, TOLD, OperatorValues, check_values, module_of
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax import expr
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps

# The texts of TVM


def _cases() -> Iterator[tuple[str, IRModule]]:
    """The calls that struct info is compared for; arguments with functions are left out."""
    for case in [*calls.SEEDS, *calls.SPECIAL, *layers.SEEDS]:
        text = json.dumps(case)
        if case[0] in LEGALIZED and '"@' not in text and "!" not in text:
            try:
                yield text, module_of(library.call(case))
            except TVMScriptError:
                continue


#: operators that TVM 0.17 leaves in graphs, and this package legalizes
BEYOND = {
    "isfinite", "isinf", "isnan", "cumsum", "cumprod", "ewise_fma", "wrap_param", "sort", "argsort", "topk",
}  # fmt: skip
#: operators with calls whose text differs: one by one, what TVM has there
DIFFERENT = {
    "arange": "sizes beside tensors in the order of a hash table",
    "concat": "concatenation of all flat tensors is refused",
    "split": "indices that are not sorted are refused",
    "argmax": "a tensor of rank 0 is refused",
    "einsum": "unequal symbolic sizes; letters that the result repeats",
    "collapse_sum_like": "a tensor of fewer dimensions is refused",
    "nn.conv1d_transpose": "takes the layout OIW for IOW",
    "nn.avg_pool1d": "other bounds of windows",
    "nn.avg_pool2d": "other bounds of windows",
    "nn.adaptive_avg_pool3d": "a loop whose extent uses an undefined variable",
    "nn.batch_norm": "the axis -1 is refused",
    "nn.attention": "attention with a bias is not in its R",
    "nn.layer_norm": "weights of axes in descending order are read as if they were in ascending order",
    "image.resize2d": "out_dtype is ignored",
    "grad.max_pool2d_backward": "windows that the gradient does not have",
    "grad.avg_pool2d_backward": "other bounds of windows",
    "logical_and": "floats are refused",
    "logical_not": "floats are refused",
    "logical_or": "floats are refused",
    "logical_xor": "floats are refused",
    "nn.pad": "the value is an attribute of its build",
    "strided_slice": "axes and bounds are attributes of its build",
    "quantize": "scales of rank 0 are refused",
    "dynamic_strided_slice": "bounds from the end are out of range",
}


@pytest.mark.oracle
def test_texts_of_tvm(oracle: Any) -> None:
    differences: dict[str, list[str]] = {}
    equal = 0
    for text, mod in _cases():
        name = json.loads(text)[0]
        try:
            theirs = oracle.legalize(mod.script(show_meta=True))
        except Exception as error:  # noqa: BLE001  # the oracle's module is not known here
            theirs = str(error)
        try:
            ours = LegalizeOps()(mod).script(show_meta=False)
        except TVMScriptError as error:
            ours = str(error)
        if ours.strip() == theirs.strip() or ("cls." not in ours and "cls." not in theirs):
            equal += 1
        else:
            differences.setdefault(name, []).append(text)
    unexpected = {name: texts for name, texts in differences.items() if name not in BEYOND and name not in DIFFERENT}
    assert unexpected == {}
    assert set(DIFFERENT) <= set(differences)
    assert equal > 340


# The values of NumPy


@pytest.mark.parametrize("name", TOLD)
def test_values_of_numpy(name: str) -> None:
    """Kernels on small arrays, by the interpreter, beside the reference of the operator."""
    compared = (check_values(OperatorValues(name, seed), results) for seed in range(400))
    assert sum(islice(filter(None, compared), 2)), f"no call of {name} was compared"


def test_adaptive_pooling_of_transposed_images() -> None:
    """Sizes are those of D, H and W in this order, wherever the layout has these axes."""
    images = np.arange(7 * 4 * 2 * 4, dtype="float32").reshape(7, 4, 2, 4)
    for size in ("None", "(2, 3)"):
        text = f"""
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((7, 4, 2, 4), "float32")):
                return R.nn.adaptive_avg_pool2d(x, {size}, "WHCN")
        """
        mod = tvm.from_source(textwrap.dedent(text))
        np.testing.assert_allclose(results(LegalizeOps()(mod), [images]), results(mod, [images]), rtol=1e-6)


def test_gradient_of_losses() -> None:
    """The gradient of nll_loss beside differences of its reference."""
    text = """
    @R.function
    def main(g: R.Tensor((), "float64"), x: R.Tensor((3, 4), "float64"), t: R.Tensor((3,), "int64"),
             w: R.Tensor((4,), "float64")) -> R.Tensor((3, 4), "float64"):
        gv = R.grad.nll_loss_backward(g, x, t, w, reduction="mean", ignore_index=1)
        return gv
    """
    rng = np.random.default_rng(0)
    scores, weights = rng.uniform(size=(3, 4)), rng.uniform(1, 2, 4)
    targets = np.array([3, 1, 0])
    loss = library.operator("nn.nll_loss").reference
    assert loss is not None
    expected = np.zeros((3, 4))
    for place in np.ndindex(3, 4):
        step = np.zeros((3, 4))
        step[place] = 1e-6
        up, down = (
            loss(np, scores + sign * step, targets, weights, reduction="mean", ignore_index=1) for sign in (1, -1)
        )
        expected[place] = 2 * (up - down) / 2e-6
    mod = LegalizeOps()(IRModule.from_expr(tvm.from_source(textwrap.dedent(text))))
    np.testing.assert_allclose(results(mod, [np.array(2.0), scores, targets, weights]), expected, 1e-6, 1e-6)


def test_values_at_indices_from_the_end() -> None:
    """Repeated and negative indices that are broadcast; steps between the elements of a slice."""
    text = """
    @R.function
    def main(x: R.Tensor((4, 6), "float32"), i: R.Tensor((3, 1), "int64"), j: R.Tensor((2,), "int64")):
        lv = R.index_put(x, (i, j), R.const([1.0, 2.0], "float32"), accumulate=True)
        lv1 = R.slice_scatter(x, R.zeros((4, 2), "float32"), 1, -1, 2, axis=1)
        return (lv, lv1, R.index_tensor(x, (i,)))
    """
    mod = IRModule.from_expr(tvm.from_source(textwrap.dedent(text)))
    arrays = [np.arange(24, dtype="float32").reshape(4, 6), np.array([[-1], [0], [-1]]), np.array([5, -2])]
    legalized = LegalizeOps()(mod)
    assert "R.index_" not in legalized.script()
    for actual, expected in zip(results(legalized, arrays), results(mod, arrays), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-6)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_updates_smaller_than_data(axis: int) -> None:
    """Updates are a box at the front of the data, moved along the axis; TVM takes the rows of both for equally long."""
    text = f"""
    @R.function
    def main(x: R.Tensor((4, 5, 4), "int32"), y: R.Tensor((2, 3, 3), "int64"), z: R.Tensor((2, 3, 3), "int32")):
        return R.scatter_elements(x, y, z, axis={axis})
    """
    data, updates = np.zeros((4, 5, 4), "int32"), np.arange(1, 19, dtype="int32").reshape(2, 3, 3)
    expected = data.copy()
    expected[tuple(slice(n == axis, (n == axis) + size) for n, size in enumerate(updates.shape))] = updates
    mod = LegalizeOps()(IRModule.from_expr(tvm.from_source(textwrap.dedent(text))))
    np.testing.assert_array_equal(results(mod, [data, np.indices(updates.shape)[axis] + 1, updates]), expected)


def test_slices_with_bounds_in_tensors() -> None:
    """A kernel computes the extents of the slice, a cast names them, another kernel copies."""
    text = """
    @R.function
    def main(x: R.Tensor((4, "n"), "float32"), begin: R.Tensor((2,), "int64"), end: R.Tensor((2,), "int64"),
             strides: R.Tensor((2,), "int64")):
        return R.dynamic_strided_slice(x, begin, end, strides)
    """
    legalized = LegalizeOps()(IRModule.from_expr(tvm.from_source(textwrap.dedent(text))))
    assert "R.dynamic_strided_slice" not in legalized.script()
    main = relax.VirtualMachine(relax.build(legalized, "llvm"), tvm.cpu())["main"]
    x, rng = np.arange(20, dtype="float32").reshape(4, 5), np.random.default_rng(0)
    for _ in range(100):
        begin, end = rng.integers(-7, 8, (2, 2))
        strides = rng.choice([-3, -2, -1, 1, 2], 2)
        bounds = zip(begin, end, strides, x.shape, strict=True)
        # an end below -extent is before the first element, as in ONNX
        slices = [slice(a, None if step < 0 and b < -size else b, step) for a, b, step, size in bounds]
        np.testing.assert_array_equal(main(x, begin, end, strides).numpy(), x[tuple(slices)])


# What users change

TEXT = """
@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    y = R.exp(x)
    z = R.nn.dropout(y)
    return z[0]
"""


def test_custom_maps() -> None:
    """A function of the builder and the call replaces the entry, and what it returns is legalized too."""

    def as_square(builder: BlockBuilder, call: expr.Call) -> RelaxExpr:
        (arg,) = call.args
        square: RelaxExpr = tvm.relax.op.multiply(arg, arg)
        return square

    after = LegalizeOps({"relax.exp": as_square})(IRModule.from_expr(tvm.from_source(TEXT)))
    assert "R.call_tir(cls.multiply, (x, x)" in after.script()


def test_warnings() -> None:
    mod = IRModule.from_expr(tvm.from_source(TEXT))
    with pytest.warns(UserWarning, match=r"relax\.nn\.dropout has no legalization"):
        LegalizeOps(enable_warning=True)(mod)
    with warnings.catch_warnings(action="error"):
        LegalizeOps()(mod)
