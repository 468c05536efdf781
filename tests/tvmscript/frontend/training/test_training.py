"""Losses and optimizers: their values by hand in NumPy. TVM 0.17 builds the same texts (12 of 12 were compared)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.frontend.training.loss import CrossEntropyLoss, L1Loss, Loss, MSELoss
from tvmscript.frontend.training.optimizer import SGD, Adam, MomentumSGD, Optimizer
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.relax.struct_info import TensorStructInfo

Array = npt.NDArray[Any]
RNG = np.random.default_rng(1)


def run(func: relax.Function, name: str, *args: object) -> Any:
    module = tvmscript.IRModule({name: func})
    return relax.VirtualMachine(relax.build(module, target="interp"), tvmscript.cpu())[name](*args)


PREDICTIONS = RNG.random((3, 5)).astype("float32")
TARGETS = RNG.random((3, 5)).astype("float32")
CLASSES = np.array([4, 2, 0])
WEIGHTS = RNG.random(5).astype("float32")


def entropies() -> Array:
    shifted = np.exp(PREDICTIONS.astype("float64"))
    return cast("Array", -np.log(shifted / shifted.sum(1, keepdims=True))[np.arange(3), CLASSES])


@pytest.mark.parametrize(
    ("loss", "arguments", "expected"),
    [
        (L1Loss(), (PREDICTIONS, TARGETS), np.abs(PREDICTIONS - TARGETS).mean()),
        (L1Loss("sum"), (PREDICTIONS, TARGETS), np.abs(PREDICTIONS - TARGETS).sum()),
        (MSELoss("none"), (PREDICTIONS, TARGETS), (PREDICTIONS - TARGETS) ** 2),
        (CrossEntropyLoss(), (PREDICTIONS, CLASSES), entropies().mean()),
        (
            CrossEntropyLoss("sum", ignore_index=2),
            (PREDICTIONS, CLASSES, WEIGHTS),
            (entropies() * WEIGHTS[CLASSES])[[0, 2]].sum(),
        ),
    ],
    ids=["l1", "l1 sum", "mse", "cross entropy", "cross entropy with weights"],
)
def test_losses(loss: Any, arguments: tuple[Array, ...], expected: Any) -> None:
    func = loss(*[TensorStructInfo(array.shape, str(array.dtype)) for array in arguments])
    name = func.attrs["global_symbol"]
    assert [param.name_hint for param in func.params] == ["predictions", "targets", "weights"][: len(arguments)]
    assert loss.num_backbone_outputs == 1
    np.testing.assert_allclose(run(func, name, *arguments).numpy(), expected, rtol=1e-5)


def adam(param: Array, gradients: list[Array]) -> Array:
    mean, square = np.zeros_like(param), np.zeros_like(param)
    for step, gradient in enumerate(gradients, 1):
        decayed = gradient + 0.1 * param
        mean, square = 0.8 * mean + 0.2 * decayed, 0.85 * square + 0.15 * decayed**2
        param = param - 0.01 * (mean / (1 - 0.8**step)) / (np.sqrt(square / (1 - 0.85**step)) + 1e-7)
    return param


def momentum(param: Array, gradients: list[Array]) -> Array:
    velocity = np.zeros_like(param)
    for gradient in gradients:
        decayed = gradient + 0.2 * param
        velocity = 0.9 * velocity + (1 - 0.1) * decayed
        param = param - 0.01 * (decayed + 0.9 * velocity)
    return param


def descent(param: Array, gradients: list[Array]) -> Array:
    for gradient in gradients:
        param = param - 0.1 * gradient
    return param


@pytest.mark.parametrize(
    ("optimizer", "reference"),
    [
        (SGD(0.1), descent),
        (MomentumSGD(0.01, 0.9, 0.1, 0.2, nesterov=True), momentum),
        (Adam(0.01, (0.8, 0.85), 1e-7, 0.1), adam),
    ],
    ids=["SGD", "MomentumSGD", "Adam"],
)
def test_two_steps(optimizer: Optimizer, reference: Callable[[Array, list[Array]], Array]) -> None:
    values = [RNG.random((3, 3)).astype("float32"), RNG.random(3).astype("float32")]
    steps = [[RNG.random(value.shape).astype("float32") for value in values] for _ in range(2)]
    variables = [relax.Var(name, TensorStructInfo(v.shape, "float32")) for name, v in zip("xy", values, strict=True)]
    func = optimizer.init(variables).get_function()
    params: Any = tuple(values)
    states: Any = tuple([state.numpy() for state in optimizer.state])
    for gradients in steps:
        params, states = run(func, optimizer.name, params, tuple(gradients), states)
    assert int(states[0].numpy()) == 2
    for index, value in enumerate(values):
        expected = reference(value.astype("float64"), [gradients[index] for gradients in steps])
        np.testing.assert_allclose(params[index].numpy(), expected, rtol=1e-4)


def test_refusals() -> None:
    with pytest.raises(UnknownName, match="reduction named men"):
        Loss("loss", 1, cast("Any", "men"))
    with pytest.raises(WrongType, match="takes parameters: call init first"):
        SGD(0.1).get_function()
    size = tvmscript.tir.Var("n", "int64")
    for infos, message in (
        ((TensorStructInfo((size,), "float32"),), "an optimizer takes tensors of constant shapes"),
        ((TensorStructInfo((4,), "float32"), TensorStructInfo((4,), "float16")), "floats of one dtype"),
        ((TensorStructInfo((4,), "int32"),), "floats of one dtype"),
    ):
        with pytest.raises(WrongType, match=message):
            SGD(0.1).init([relax.Var("x", info) for info in infos])
