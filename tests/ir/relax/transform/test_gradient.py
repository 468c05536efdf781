"""Gradients of kernels that functions of tensors define, and gradients of other results than the first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.ir.relax.transform.graph_values import results
from tvmscript import relax, te, topi
from tvmscript.ir.core.errors import DuplicateName, UnknownName
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.op.call_tir import TE_GRADIENTS
from tvmscript.relax.training.utils import register_te_gradient


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Empty the registry of gradients."""
    known = dict(TE_GRADIENTS)
    TE_GRADIENTS.clear()
    yield
    TE_GRADIENTS.clear()
    TE_GRADIENTS.update(known)


def _module(name: str) -> IRModule:
    info = relax.TensorStructInfo((2, 3), "float64")
    x, y = relax.Var("x", info), relax.Var("y", info)
    bb = relax.BlockBuilder()

    def scaled_product(a: Any, b: Any) -> Any:
        return topi.multiply(topi.multiply(a, b), 2.0)

    with bb.function("main", [x, y]):
        with bb.dataflow():
            call = bb.call_te_with_grad(scaled_product, x, y, te_grad_name=name, te_grad_kwargs={"scale": 2})
            product = bb.emit(relax.op.sin(bb.emit(call)))
            total = bb.emit_output(relax.op.sum(product))
        bb.emit_func_output(total)
    return bb.get()


def _check(mod: IRModule) -> None:
    after = relax.transform.Gradient("main")(mod)
    x, y = np.random.default_rng(0).uniform(0.1, 1, (2, 2, 3))
    value, (of_x, of_y) = results(after, [x, y], "main_adjoint")
    np.testing.assert_allclose(value, np.sin(2 * x * y).sum())
    np.testing.assert_allclose(of_x, np.cos(2 * x * y) * 2 * y)
    np.testing.assert_allclose(of_y, np.cos(2 * x * y) * 2 * x)


def test_registered_gradient() -> None:
    @register_te_gradient("product_grad")
    def product_grad(head: Any, a: Any, b: Any, scale: Any) -> list[Any]:
        return [
            te.compute(a.shape, lambda *i: head(*i) * b(*i) * scale, name="of_a"),
            te.compute(a.shape, lambda *i: head(*i) * a(*i) * scale, name="of_b"),
        ]

    mod = _module("product_grad")
    _check(mod)
    text = relax.transform.Gradient("main")(mod).script()
    adjoint = text[text.index("def main_adjoint") : text.index("def main(")]
    assert "call_tir_with_grad" not in adjoint
    assert "R.call_tir(cls.product_grad, (lv_adjoint, x, y)" in adjoint
    with pytest.raises(DuplicateName, match="product_grad"):
        register_te_gradient("product_grad", product_grad)


def test_gradient_by_te() -> None:
    """`te.gradient` differentiates the kernel."""

    def differentiate(head: Any, a: Any, b: Any, scale: Any) -> list[Any]:
        return te.gradient(topi.multiply(topi.multiply(a, b), 2.0), [a, b], head)

    register_te_gradient("by_te", differentiate)
    _check(_module("by_te"))


def test_unknown_gradient() -> None:
    with pytest.raises(NotDifferentiable, match="there is no te gradient missing"):
        relax.transform.Gradient("main")(_module("missing"))


def test_variables_by_name_and_object() -> None:
    mod: IRModule = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float64"), y: R.Tensor((3,), "float64")):
        with R.dataflow():
            lv = R.multiply(x, y)
            gv = R.sum(lv)
            R.output(gv)
        return (x, gv)
""")
    func: Any = mod["main"]
    inner = func.body.blocks[0].bindings[0].var
    after = relax.transform.Gradient("main", require_grads=[inner, "y"], target_index=1)(mod)
    x, y = np.arange(3.0), np.arange(3.0) + 1
    _, (of_inner, of_y) = results(after, [x, y], "main_adjoint")
    np.testing.assert_array_equal(of_inner, np.ones(3))
    np.testing.assert_array_equal(of_y, x)
    with pytest.raises(UnknownName, match="z"):
        relax.transform.Gradient("main", require_grads="z")(mod)


def test_normalization_of_a_batch() -> None:
    """Batch normalization in training, by NumPy."""
    mod: IRModule = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 3), "float64"), gamma: R.Tensor((3,), "float64"), beta: R.Tensor((3,), "float64"),
             mean: R.Tensor((3,), "float64"), var: R.Tensor((3,), "float64")):
        with R.dataflow():
            lv = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1, momentum=0.25)
            lv1 = lv[0]
            lv2 = R.sum(lv1)
            gv = (lv2, lv)
            R.output(gv)
        return gv
""")
    decomposed = relax.transform.DecomposeOpsForTraining()(mod)
    rng = np.random.default_rng(0)
    x, (gamma, beta, mean, var) = rng.uniform(size=(4, 3)), rng.uniform(size=(4, 3))
    _, (result, new_mean, new_var) = results(decomposed, [x, gamma, beta, mean, var])
    np.testing.assert_allclose(result, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * gamma + beta)
    np.testing.assert_allclose(new_mean, 0.75 * mean + 0.25 * x.mean(0))
    np.testing.assert_allclose(new_var, 0.75 * var + 0.25 * x.var(0))


#: what cannot be differentiated -> bindings, outputs of their block, the result
NOT_DIFFERENTIABLE = {
    "the function: its results are no tuple literal": ("t = (s, s)", "t", "t"),
    "result 0: it is no tensor but": ("q = R.shape([2])", "q, s", "(q, s)"),
    "R.nn.conv2d: its layouts are not NCHW, OIHW and NCHW": (
        'c = R.sum(R.nn.conv2d(i, w, data_layout="NHWC", kernel_layout="OHWI"))', "c", "c",
    ),
    "R.nn.conv2d: its sizes are not constant": ("c = R.sum(R.nn.conv2d(u, w))", "c", "c"),
    "the variable k: it has no zero": ("k = (x, r)\n            c = R.sum(k[0])", "c", "c"),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_DIFFERENTIABLE)
def test_what_has_no_gradient(what: str) -> None:
    bindings, outputs, result = NOT_DIFFERENTIABLE[what]
    mod = tvm.from_source(f"""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), i: R.Tensor((1, 2, 4, 4), "float32"),
             w: R.Tensor((2, 2, 3, 4), "float32"), u: R.Tensor(("n", 2, 4, 4), "float32"),
             r: R.Tensor(ndim=2, dtype="float32")):
        with R.dataflow():
            s = R.sum(x)
            {bindings}
            R.output({outputs})
        return {result}
""")
    with pytest.raises(NotDifferentiable, match=what):
        relax.transform.Gradient("main")(mod)
