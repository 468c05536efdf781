"""LegalizeOps: the texts of TVM for every operator, the values of NumPy, and what users change."""

from __future__ import annotations

import json
import random
import textwrap
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.op import calls, layers, library
from tests.ir.relax.transform.graph_values import results
from tvmscript.fuzz.relax.operator_laws import made
from tvmscript.ir.core.errors import DTypeMismatch, TVMScriptError, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax import expr
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.testing.operator_calls import operator_call

LEGALIZED = sorted(
    name.removeprefix("relax.")
    for name, op in Op.registry.items()
    if isinstance(op, Operator) and (op.legalize or op.expand)
)


def _module(call: expr.Call) -> IRModule:
    """A function that returns the call; its parameters are the variables of the call and the sizes beside them."""
    names = iter("xyzuvwabcdef")
    params: list[expr.Var] = []

    def param(value: Any) -> Any:
        if isinstance(value, expr.Tuple):
            return expr.Tuple(tuple(param(field) for field in value.fields))
        if not isinstance(value, expr.Var):
            return value
        params.append(expr.Var(next(names), value.struct_info))
        return params[-1]

    call = call.replace(args=tuple(param(arg) for arg in call.args))
    infos = [param.struct_info for param in params if param.struct_info is not None]
    defined = {size for info in infos for size in definable_tir_vars_in_struct_info(info)}
    beside = [
        size
        for arg in call.args
        if arg.struct_info is not None
        for size in tir_vars_in_struct_info(arg.struct_info)
        if size not in defined
    ]
    if beside:
        params.append(expr.Var("sizes", ShapeStructInfo(tuple(dict.fromkeys(beside)))))
    bb = BlockBuilder()
    with bb.function("main", params):
        with bb.dataflow():
            value = bb.emit_output(call)
        bb.emit_func_output(value)
    return bb.get()


# The texts of TVM


def _cases() -> Iterator[tuple[str, IRModule]]:
    """The calls that struct info is compared for; arguments with functions are left out."""
    for case in [*calls.SEEDS, *calls.SPECIAL, *layers.SEEDS]:
        text = json.dumps(case)
        if case[0] in LEGALIZED and '"@' not in text and "!" not in text:
            try:
                yield text, _module(library.call(case))
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

#: operators whose result no reference tells; that of batch_norm is inference, as 0.27 has it, the kernel trains
UNTOLD = {
    "image.grid_sample", "image.resize3d", "vision.all_class_non_max_suppression", "vision.non_max_suppression",
    "vision.roi_align", "vision.roi_pool",  # test_legalize_vision
    "ccl.allgather", "ccl.allreduce", "ccl.broadcast_from_worker0", "ccl.scatter_from_worker0",
    "dist.redistribute_replica_to_shard", "image.resize2d",
    "collapse_sum_like", "nn.batch_norm", "grad.nll_loss_backward", "grad.max_pool2d_backward",
    "grad.avg_pool2d_backward", "layout_transform",
}  # fmt: skip
#: least value of a float argument, where 0 is none
LEAST = {"acosh": 1.0}


def _array(info: TensorStructInfo, rng: np.random.Generator, least: float, is_index: bool) -> Any:
    shape, dtype = [extent.value for extent in info.extents or ()], str(info.dtype)  # type: ignore[attr-defined]
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if "float" in dtype:
        return rng.uniform(least + 0.1, least + 0.9, shape).astype(dtype)
    return np.zeros(shape, dtype) if is_index else rng.integers(1, 5, shape).astype(dtype)


@pytest.mark.parametrize("name", [name for name in LEGALIZED if name not in UNTOLD])
def test_values_of_numpy(name: str) -> None:
    """Kernels on small arrays, by the interpreter, beside the reference of the operator."""
    compared = 0
    for seed in range(400):
        call = made(operator_call(name, random.Random(seed)))
        mod = _module(call)
        try:
            legalized = LegalizeOps()(mod)
        except (WrongType, DTypeMismatch):
            continue  # the inventory has the operator for other dtypes
        params: Any = mod["main"]
        infos = [param.struct_info for param in params.params]
        if legalized is mod or not all(isinstance(info, TensorStructInfo) for info in infos):
            continue
        rng = np.random.default_rng(seed)
        arrays = [
            _array(info, rng, LEAST.get(name, 0.0), at > 0 and (infos[0].dtype is not info.dtype or "gather" in name))
            for at, info in enumerate(infos)
        ]
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            expected = results(mod, arrays)
        actual = results(legalized, arrays)
        _compare(actual, expected)
        compared += 1
        if compared == 2:
            return
    assert compared, f"no call of {name} was compared"


def _compare(actual: Any, expected: Any) -> None:
    if isinstance(expected, (list, tuple)):
        for left, right in zip(actual, expected, strict=True):
            _compare(left, right)
        return
    expected = np.asarray(expected)
    tolerance = {2: 5e-2, 4: 1e-5, 8: 1e-6}.get(expected.dtype.itemsize, 0.0) if expected.dtype.kind == "f" else 0.0
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


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
    _compare(results(mod, [np.array(2.0), scores, targets, weights]), expected)


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
