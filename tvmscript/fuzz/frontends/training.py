"""Losses and steps of optimizers, with what NumPy computes by their formulas."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np

from tvmscript.frontend.training.loss import CrossEntropyLoss, L1Loss, MSELoss
from tvmscript.frontend.training.optimizer import SGD, Adam, MomentumSGD, Optimizer
from tvmscript.fuzz.frontends.pool import Array
from tvmscript.fuzz.frontends.running import compare, run
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.struct_info import TensorStructInfo

_REDUCTIONS: Final[Any] = {"mean": np.mean, "sum": np.sum, "none": np.asarray}


def _floats(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.asarray(rng.integers(-12, 13, shape) / 8, "float32")


def _info(array: Array) -> TensorStructInfo:
    return TensorStructInfo(array.shape, str(array.dtype))


def check_loss(rng: random.Random) -> None:
    """Compare a loss. Raises `LevelsDisagree`."""
    numbers = np.random.default_rng(rng.getrandbits(32))
    reduction: Any = rng.choice(list(_REDUCTIONS))
    rows, classes = rng.randint(1, 4), rng.randint(2, 4)
    x = _floats(numbers, (rows, classes))
    kind = rng.randrange(3)
    if kind < 2:
        y = _floats(numbers, x.shape)
        loss: Any = (L1Loss, MSELoss)[kind](reduction)
        arguments, values = [x, y], np.abs(x - y) if kind == 0 else (x - y) ** 2
        expected = _REDUCTIONS[reduction](values)
    else:
        ignored, targets = rng.choice((-100, 0)), numbers.integers(0, classes, rows).astype("int64")
        targets[0] = classes - 1  # of ignored targets alone there is no mean
        weights = _floats(numbers, (classes,)) ** 2 + np.float32(0.5)
        loss = CrossEntropyLoss(reduction, ignored)
        has_weights = rng.randrange(2) == 1
        arguments = [x, targets, *([weights] if has_weights else [])]
        shares = (weights if has_weights else np.ones(classes))[targets] * (targets != ignored)
        logits = x - x.max(1, keepdims=True)
        logits = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        values = -logits[np.arange(rows), targets] * shares
        expected = values.sum() / shares.sum() if reduction == "mean" else _REDUCTIONS[reduction](values)
    function = loss(*map(_info, arguments))
    name = function.attrs["global_symbol"]
    compare("a loss", run(IRModule({name: function}), arguments, name), [np.asarray(expected, "float32")])


def check_optimizer(rng: random.Random) -> None:
    """Compare a few steps of an optimizer. Raises `LevelsDisagree`."""
    numbers = np.random.default_rng(rng.getrandbits(32))
    rate, decay = rng.choice((0.1, 0.5)), rng.choice((0.0, 0.25))
    params = [_floats(numbers, shape) for shape in ((2, 3), (4,))[: rng.randint(1, 2)]]
    momentum, dampening, is_nesterov = rng.choice((0.5, 0.9)), rng.choice((0.0, 0.25)), rng.randrange(2) == 1
    betas, epsilon = rng.choice(((0.9, 0.999), (0.5, 0.75))), 1e-8
    kind = rng.randrange(3)
    optimizer: Optimizer = (
        SGD(rate, decay),
        MomentumSGD(rate, momentum, dampening, decay, is_nesterov),
        Adam(rate, betas, epsilon, decay),
    )[kind]
    optimizer.init([Var(f"p{place}", _info(each)) for place, each in enumerate(params)])
    module = IRModule({optimizer.name: optimizer.get_function()})
    states = [each.numpy() for each in optimizer.state]
    first, second = ([np.zeros_like(each) for each in params] for _ in range(2))
    expected = [each.copy() for each in params]
    for step in range(1, rng.randint(2, 3)):
        gradients = [_floats(numbers, each.shape) for each in params]
        results = run(module, [tuple(params), tuple(gradients), tuple(states)], optimizer.name)
        params, states = results[: len(params)], results[len(params) :]
        for place, gradient in enumerate(gradients):
            slope = gradient + decay * expected[place]
            if kind == 1:
                first[place] = momentum * first[place] + (1 - dampening) * slope
                slope = slope + momentum * first[place] if is_nesterov else first[place]
            elif kind == 2:
                first[place] = betas[0] * first[place] + (1 - betas[0]) * slope
                second[place] = betas[1] * second[place] + (1 - betas[1]) * slope**2
                means = first[place] / (1 - betas[0] ** step), second[place] / (1 - betas[1] ** step)
                slope = means[0] / (np.sqrt(means[1]) + epsilon)
            expected[place] = np.asarray(expected[place] - rate * slope, "float32")
        compare(optimizer.name, params, expected)
        compare("the number of steps", states[:1], [np.array(step, "int64")])


def check(rng: random.Random, steps: int) -> None:
    """Check a loss or an optimizer, whatever the number of steps is."""
    rng.choice((check_loss, check_optimizer))(rng)
