"""Passes over weights: values before and after, in the virtual machine."""

from __future__ import annotations

from typing import Any

import numpy as np

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import run
from tests.ir.transform.casefile import GRAPH_CASES, load
from tvmscript import relax
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.expr import PrimValue
from tvmscript.ir.relax.transform.operators.split_layout_rewrite_preproc import SplitLayoutRewritePreproc
from tvmscript.ir.relax.transform.parameters.bundle_model_params import BundleModelParams
from tvmscript.ir.relax.transform.parameters.lazy_get_input import LazyGetInput
from tvmscript.ir.relax.transform.parameters.lazy_set_output import LazySetOutput
from tvmscript.ir.relax.transform.parameters.lazy_transform_params import LazyTransformParams
from tvmscript.ir.relax.transform.parameters.lift_transform_params import LiftTransformParams

PROGRAM = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, "n"), "float32"), w: R.Tensor(("n", "m"), "float32"), v: R.Tensor(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv = R.exp(w)
            lv1 = R.add(lv, v)
            y = R.matmul(x, lv1)
            z = R.subtract(y, R.const(1, "float32"))
            gv = R.concat((z, R.zeros(R.shape([4, m]), "float32")), axis=1)
            R.output(lv1, gv)
        return (gv, lv1)
""")

_RNG = np.random.default_rng(3)
X = _RNG.random((4, 8), "float32")
W, V = _RNG.random((8, 6), "float32"), _RNG.random((8, 6), "float32")


def _expected() -> list[Any]:
    weight = np.exp(W) + V
    product = X @ weight - 1
    return [np.concatenate([product, np.zeros_like(product)], 1), weight]


def _check(values: Any) -> None:
    for value, expected in zip(values, _expected(), strict=True):
        np.testing.assert_allclose(np.asarray(value), expected, rtol=1e-5)


def test_split_layout_changes_are_lifted() -> None:
    """The kernels of one case: `x @ w + b`, twice."""
    before = load(GRAPH_CASES / "split_layout_rewrite_preproc" / "two_weights.py").program()
    main = before["main"]
    mod = before.clone()
    mod.update_func(mod.get_global_var("main"), main.with_attr("num_input", 1))
    mod = LiftTransformParams()(SplitLayoutRewritePreproc()(mod))
    x, w, b = _RNG.random((4, 8), "float32"), _RNG.random((8, 8), "float32"), _RNG.random(8, "float32")
    assert "call_tir(cls.dense_weight_prepack" not in mod["main"].script()
    weights = run(mod, (w, b), name="main_transform_params")
    np.testing.assert_allclose(np.asarray(run(mod, x, *weights)), (x @ w + b) @ w + b, rtol=1e-5)


def test_lifted_and_bundled() -> None:
    mod = LiftTransformParams()(PROGRAM)
    weights = run(mod, (W, V), name="main_transform_params")
    _check(run(mod, X, *weights))
    _check(run(BundleModelParams()(mod), X, tuple(weights)))


def test_shared_by_two_functions() -> None:
    (main,) = PROGRAM.functions.values()
    mod = IRModule({"one": main.with_attr("global_symbol", "one"), "two": main.with_attr("global_symbol", "two")})
    mod = LiftTransformParams(shared_transform=["two", "one"])(mod)
    weights = run(mod, (W, V), name="transform_params")
    _check(run(mod, X, *weights, name="one"))
    _check(run(mod, X, *weights, name="two"))


def test_lazy_input_and_output() -> None:
    outputs: dict[int, Any] = {}
    fetched: list[str] = []

    def get_param(index: int, name: str) -> Any:
        fetched.append(name)
        return (W, V)[index]

    def set_output(index: int, value: Any) -> None:
        outputs[int(index)] = value.numpy()

    _check(run(LazyGetInput()(PROGRAM), X, get_param))
    assert fetched == ["w", "v"]
    assert run(LazySetOutput()(PROGRAM), X, set_output, W, V) == []
    _check([outputs[0], outputs[1]])


def test_lazy_transform() -> None:
    items: dict[int, Any] = {}
    order: list[str] = []

    def get_item(store: int, index: int) -> Any:
        order.append(f"get {store} {index}")
        return tvm.nd.array((W, V)[index])

    def set_item(index: int, value: Any) -> None:
        order.append(f"set {index}")
        items[index] = np.from_dlpack(value).copy()

    tvm.register_func("test.get_item", get_item, override=True)
    tvm.register_func("test.set_item", set_item, override=True)
    lifted = LiftTransformParams()(PROGRAM)
    mod = LazyTransformParams("test.get_item", "test.set_item", [PrimValue(7)])(lifted)
    assert run(mod, name="main_transform_params") == []
    assert order == ["get 7 0", "get 7 1", "set 0"]
    _check(run(lifted, X, items[0]))


def test_built_with_weights() -> None:
    executable = relax.build(PROGRAM, params={"w": W, "v": V})
    _check(relax.VirtualMachine(executable, tvm.cpu())["main"](X))
    assert "exp" not in executable.as_text()
