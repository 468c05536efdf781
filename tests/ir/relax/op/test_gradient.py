"""The gradient of every operator that has one, beside central differences of NumPy's references in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import results
from tvmscript.ir.core import nodes
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.transform.operators.gradient.gradient import Gradient
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps

_PAIRS = ("x: 3 3, y: 3 3", "x: 3 1 4, y: 2 1")
#: parameters and the call, by lines; a parameter is its shape, and its dtype unless that is float64
CASES = {
    **{
        f"{name}(x, y) of {params}": (params, f"R.{name}(x, y)")
        for name in ("add", "subtract", "multiply", "divide", "power", "maximum", "minimum")
        for params in _PAIRS
    },
    **{
        call: (params, f"R.{call}")
        for params, calls in {
            "x: 3 3": """
                add(x, x)
                multiply(R.const(2.0, "float64"), x)
                divide(x, R.prim_value(T.float64(2)))
                power(x, R.const(3.0, "float64"))
                maximum(x, R.const(0.5, "float64"))
                abs(x)
                cos(x)
                exp(x)
                log(x)
                negative(x)
                sigmoid(x)
                sin(x)
                sqrt(x)
                tanh(x)
                nn.relu(x)
                nn.silu(x)
                nn.softmax(x)
                nn.log_softmax(x)
                triu(x, 1)
                tril(x)
                zeros_like(x)
                ones_like(x)
                add(x, R.ones((3, 3), "float64"))
                add(x, R.zeros((3, 3), "float64"))
                astype(R.astype(x, "float32"), "float64")
                grad.no_grad(x)
            """,
            "x: 2 3 4": """
                nn.softmax(x, axis=1)
                nn.log_softmax(x, axis=-2)
                permute_dims(x)
                permute_dims(x, axes=[1, 2, 0])
                permute_dims(x, axes=[-1, 0, 1])
                sum(x)
                sum(x, axis=[1])
                sum(x, axis=[-1, 0], keepdims=True)
                mean(x)
                mean(x, axis=[1])
                mean(x, axis=[-1, 0], keepdims=True)
                variance(x)
                variance(x, axis=[1])
                variance(x, axis=[-1, 0], keepdims=True)
                expand_dims(x, axis=[0, 2])
                reshape(x, (4, 6))
                split(x, 2, axis=2)[1]
                split(x, [1, 2], axis=1)[1]
                cumsum(x)
                cumsum(x, axis=1)
                cumsum(x, axis=-2, exclusive=True)
                broadcast_to(x, (3, 2, 3, 4))
            """,
            "x: 2 3, y: 2 4": """
                concat((x, y), axis=1)
                concat((y, x, y), axis=-1)
            """,
            "k: 3 1 bool, x: 3 3, y: 2 1 3": "where(k, x, y)",
            "x: 3 4, i: 2 int64": """
                take(x, i, axis=1)
                take(x, i, axis=0)
            """,
            "x: 4, i: 2 2 int64": "take(x, i)",
            "x:": "full((2, 3), x)",
            "y: 2 3, x:": "full_like(y, x)",
            "x: 2 3, y: 3 4": "matmul(x, y)",
            "x: 3, y: 3 4": "matmul(x, y) # row",
            "x: 2 3, y: 3": "matmul(x, y) # column",
            "x: 3, y: 3": "matmul(x, y) # dot",
            "x: 2 1 2 3, y: 2 3 2": "matmul(x, y) # batch",
            "x: 3, y: 2 3 2": "matmul(x, y) # row and batch",
            "x: 2 2 3, y: 3": "matmul(x, y) # batch and column",
            "x: 1 2 5 5, y: 2 2 3 3": """
                nn.conv2d(x, y)
                nn.conv2d(x, y, strides=[2, 1], padding=[1, 0, 2, 1])
            """,
            "x: 1 4 5 5, y: 2 2 2 2": "nn.conv2d(x, y, groups=2)",
            "x: 1 1 7 6, y: 2 1 2 2": "nn.conv2d(x, y, strides=[2, 3], padding=[1, 2, 0, 1], dilation=[1, 2])",
            "x: 1 1 6 6": """
                nn.max_pool2d(x, (3, 3))
                nn.max_pool2d(x, (2, 3), strides=(2, 2), padding=(1, 1), ceil_mode=True)
                nn.avg_pool2d(x, (3, 3))
                nn.avg_pool2d(x, (2, 3), strides=(2, 2), padding=(1, 1), count_include_pad=True)
            """,
            "x: 3 5, y: 3 5": "nn.cross_entropy_with_logits(x, y)",
            "x: 5, y: 5": "nn.cross_entropy_with_logits(x, y) # one sample",
            "x: 3 5, i: 3 int64": """
                nn.nll_loss(x, i)
                nn.nll_loss(x, i, reduction="none", ignore_index=1)
            """,
        }.items()
        for call in map(str.strip, calls.strip().splitlines())
    },
    **{
        f"{name}(x, y)": ("x: 3 3, y: 3 3", f"R.{name}(x, y)")
        for name in ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")
    },
}


def _program(params: str, call: str) -> IRModule:
    """Return the function sum(sin(call)): its gradient differs from element to element."""
    declared = []
    for param in params.split(","):
        name, _, words = param.partition(":")
        *shape, dtype = words.split() if words.strip()[-1:].isalpha() or "int" in words else [*words.split(), "float64"]
        declared.append(f'{name}: R.Tensor([{", ".join(shape)}], "{dtype}")')
    program: IRModule = tvm.from_source(f"""
@I.ir_module
class Module:
    @R.function
    def main({", ".join(declared)}):
        with R.dataflow():
            lv = {call}
            lv1 = R.astype(lv, "float64")
            lv2 = R.sin(lv1)
            gv = R.sum(lv2)
            R.output(gv)
        return gv
""")
    return program


def _arrays(mod: IRModule) -> list[Any]:
    rng = np.random.default_rng(0)
    arrays = []
    for param in mod["main"].params:
        info = param.struct_info
        shape = [extent.value for extent in info.extents]
        if info.dtype == "bool":
            arrays.append(rng.integers(0, 2, shape).astype(bool))
        elif info.dtype.is_integer:
            arrays.append(rng.integers(0, 3, shape))
        else:
            arrays.append(np.asarray(rng.uniform(0.2, 1.4, shape)))
    return arrays


def _differences(mod: IRModule, arrays: list[Any], which: int, step: float = 1e-6) -> Any:
    """Return the gradient with respect to an argument by central differences."""
    gradient = np.zeros_like(arrays[which])
    for place in np.ndindex(gradient.shape):
        values = []
        for sign in (1, -1):
            moved = [array.copy() for array in arrays]
            moved[which][place] += sign * step
            values.append(results(mod, moved))
        gradient[place] = (values[0] - values[1]) / (2 * step)
    return gradient


@pytest.mark.parametrize("name", CASES)
def test_central_differences(name: str) -> None:
    params, call = CASES[name]
    mod = _program(params, call)
    arrays = _arrays(mod)
    after = Gradient("main")(mod)
    if any(isinstance(part, Call) and part.op.reference is None for part in nodes(after["main_adjoint"])):
        after = LegalizeOps()(after)
    value, gradients = results(after, arrays, "main_adjoint")
    np.testing.assert_allclose(value, results(mod, arrays))
    for at, (array, gradient) in enumerate(zip(arrays, gradients, strict=True)):
        assert gradient.shape == array.shape
        assert gradient.dtype == array.dtype
        if array.dtype.kind == "f" and "no_grad" not in call and "float32" not in call:
            np.testing.assert_allclose(gradient, _differences(mod, arrays, at), rtol=1e-5, atol=1e-7)


def test_precision_of_casts() -> None:
    """A gradient through float32 has the precision of float32."""
    mod = _program(*CASES['astype(R.astype(x, "float32"), "float64")'])
    arrays = _arrays(mod)
    _, (gradient,) = results(Gradient("main")(mod), arrays, "main_adjoint")
    np.testing.assert_allclose(gradient, np.cos(arrays[0]), rtol=1e-6)


def test_every_operator_has_a_case() -> None:
    calls = " ".join(call for _, call in CASES.values())
    differentiable = {
        name.removeprefix("relax.") for name, op in Op.registry.items() if isinstance(op, Operator) and op.gradient
    }
    assert len(differentiable) >= 54
    # a kernel has the gradient that its call names: tests/ir/relax/transform/test_gradient.py
    assert {name for name in differentiable if f"R.{name}(" not in calls} == {"call_tir_with_grad"}
