"""Exported models compute what NumPy computes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tvmscript.relax.frontend import nn

Array = Any
RNG = np.random.default_rng(7)


def floats(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype("float32")


def run(module: Any, *inputs: Array) -> Any:
    """The result of `forward`, with random weights that the module keeps."""
    for param in module.parameters():
        param.data = floats(*param.shape).astype(param.dtype)
    names = list(inspect.signature(module.forward).parameters)
    spec = {name: nn.spec.Tensor(x.shape, str(x.dtype)) for name, x in zip(names, inputs, strict=False)}
    return module.jit({"forward": spec}, out_format="numpy")["forward"](*inputs)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def normalized(x: Array, axes: Any, eps: float = 1e-5) -> Array:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def weights(module: Any) -> dict[str, Array]:
    return {name: param.data.numpy() for name, param in module.named_parameters()}


def convolved(x: Array, w: Array, b: Array, stride: int, padding: int) -> Array:
    """A convolution over any number of dimensions, window by window."""
    rank = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0)] + [(padding, padding)] * rank)
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], tuple(range(2, x.ndim)))
    windows = windows[(slice(None), slice(None), *[slice(None, None, stride)] * rank)]
    letters = "hwd"[:rank], "ijk"[:rank]
    product = np.einsum(f"nc{letters[0]}{letters[1]},oc{letters[1]}->no{letters[0]}", windows, w)
    return product + b.reshape(-1, *[1] * rank)


X = floats(2, 16)
LAYERS: dict[str, tuple[Any, Array, Callable[[dict[str, Array], Array], Array]]] = {
    "Linear": (nn.Linear(16, 8), X, lambda w, x: x @ w["weight"].T + w["bias"]),
    "ReLU": (nn.ReLU(), X, lambda _, x: np.maximum(x, 0)),
    "SiLU": (nn.SiLU(), X, lambda _, x: x * sigmoid(x)),
    "Identity": (nn.Identity(), X, lambda _, x: x),
    "Conv1D": (
        nn.Conv1D(4, 8, 3, 2, 1), floats(1, 4, 16), lambda w, x: convolved(x, w["weight"], w["bias"], 2, 1)
    ),
    "Conv2D": (
        nn.Conv2D(4, 6, 3, 1, 1), floats(1, 4, 9, 9), lambda w, x: convolved(x, w["weight"], w["bias"], 1, 1)
    ),
    "Conv3D": (nn.Conv3D(2, 4, 3), floats(1, 2, 5, 6, 7), lambda w, x: convolved(x, w["weight"], w["bias"], 1, 0)),
    "LayerNorm": (nn.LayerNorm(16), X, lambda w, x: normalized(x, -1) * w["weight"] + w["bias"]),
    "LayerNorm plain": (nn.LayerNorm(16, 1e-3, False), X, lambda _, x: normalized(x, -1, 1e-3)),
    "RMSNorm": (
        nn.RMSNorm(16, -1), X,
        lambda w, x: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w["weight"] + w["bias"],
    ),
    "GroupNorm": (
        nn.GroupNorm(2, 6), floats(3, 6, 5),
        lambda w, x: normalized(x.reshape(3, 2, 15), -1).reshape(3, 6, 5) * w["weight"][:, None] + w["bias"][:, None],
    ),
    "GroupNorm plain": (
        nn.GroupNorm(2, 6, affine=False), floats(3, 6, 5),
        lambda _, x: normalized(x.reshape(3, 2, 15), -1).reshape(3, 6, 5),
    ),
    "Embedding": (
        nn.Embedding(9, 4), np.array([[1, 8], [0, 3]], "int32"), lambda w, x: w["weight"][x]
    ),
    "MultiLinear": (
        nn.MultiLinear(16, [3, 5]), X,
        lambda w, x: tuple(np.split(x @ w["linear.weight"].T + w["linear.bias"], [3], -1)),
    ),
    "TimestepEmbedding": (
        nn.TimestepEmbedding(16, 8), X,
        lambda w, x: (lambda h: (h * sigmoid(h)) @ w["linear_2.weight"].T + w["linear_2.bias"])(
            x @ w["linear_1.weight"].T + w["linear_1.bias"]
        ),
    ),
    "Timesteps": (
        nn.Timesteps(8), floats(3) * 10,
        lambda _, x: (lambda a: np.concatenate([np.sin(a), np.cos(a)], -1))(
            x[:, None] * np.exp(-np.log(10000) * np.arange(4) / 3)
        ),
    ),
    "Timesteps of an odd size": (
        nn.Timesteps(5), floats(3) * 10,
        lambda _, x: (lambda a: np.concatenate([np.sin(a), np.cos(a), 0 * a[:, :1]], -1))(
            x[:, None] * np.exp(-np.log(10000) * np.arange(2))
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    module, x, reference = LAYERS[name]
    result, expected = run(module, x), reference(weights(module), x)
    for part, value in zip(result, expected, strict=True) if isinstance(expected, tuple) else [(result, expected)]:
        np.testing.assert_allclose(part.numpy(), value, rtol=2e-4, atol=2e-5)


def test_transposed_convolution() -> None:
    module, x = nn.ConvTranspose1D(2, 3, 3, 2), floats(1, 2, 4)
    result = run(module, x).numpy()
    held, expected = weights(module), np.zeros((1, 3, 9), "float32")
    for place in range(4):
        expected[:, :, 2 * place : 2 * place + 3] += np.einsum("nc,cok->nok", x[:, :, place], held["weight"])
    np.testing.assert_allclose(result, expected + held["bias"][:, None], rtol=1e-5, atol=1e-5)


def test_attention() -> None:
    module, states, encoded = nn.Attention(12, 10, 2, 4), floats(1, 5, 12), floats(1, 3, 10)
    result = run(module, states, encoded).numpy()
    held = weights(module)
    query = (states @ held["to_q.weight"].T).reshape(5, 2, 4)
    key, value = ((encoded @ held[f"to_{name}.weight"].T).reshape(3, 2, 4) for name in "kv")
    scores = np.exp(np.einsum("qhd,khd->hqk", query, key) / 2)
    mixed = np.einsum("hqk,khd->qhd", scores / scores.sum(-1, keepdims=True), value).reshape(5, 8)
    expected = mixed @ held["to_out.0.weight"].T + held["to_out.0.bias"]
    # sums cancel: an element near 0 has the rounding of the largest terms
    np.testing.assert_allclose(result[0], expected, rtol=0, atol=1e-5 * np.abs(expected).max())


class Sampler(nn.Module):
    def multinomial(self, prob: Any, uniform: Any, rows: Any) -> Any:
        return nn.multinomial_from_uniform(prob, uniform, rows)

    def row_by_row(self, prob: Any, uniform: Any) -> Any:
        return nn.multinomial_from_uniform(prob, uniform)

    def top(self, prob: Any, index: Any, p: Any, k: Any, uniform: Any) -> Any:
        return nn.sample_top_p_top_k_from_sorted_prob(prob, index, p, k, uniform, None)

    def renormalize(self, prob: Any, in_order: Any, p: Any, k: Any) -> Any:
        return nn.renormalize_top_p_top_k_prob(prob, in_order, p, k)


def test_sampling() -> None:
    prob = np.array([[0.2, 0.4, 0.3, 0.1], [0.3, 0.6, 0.05, 0.05]], "float32")
    order = np.argsort(-prob, 1)
    in_order = np.take_along_axis(prob, order, 1)
    p, k = np.array([[0.65], [0.5]], "float32"), np.array([[3], [3]], "int64")
    module = Sampler()
    like = {"float32": "float32", "int64": "int64"}

    def tensor(value: Array) -> Any:
        return nn.spec.Tensor(value.shape, like[str(value.dtype)])

    uniform, rows = np.array([[0.1], [0.7], [0.99]], "float32"), np.array([[0], [1], [0]], "int64")
    two = np.array([[0.9], [0.2]], "float32")
    compiled = module.jit(
        {
            "multinomial": {"prob": tensor(prob), "uniform": tensor(uniform), "rows": tensor(rows)},
            "row_by_row": {
                "prob": nn.spec.Tensor(["rows", 4], "float32"), "uniform": nn.spec.Tensor(["rows", 1], "float32"),
            },
            "top": {
                "prob": tensor(in_order), "index": tensor(order), "p": tensor(p), "k": tensor(k),
                "uniform": tensor(two),
            },
            "renormalize": {"prob": tensor(prob), "in_order": tensor(in_order), "p": tensor(p), "k": tensor(k)},
        },
        out_format="numpy",
    )  # fmt: skip
    drawn = compiled["multinomial"](prob, uniform, rows).numpy()
    expected = [
        np.searchsorted(prob[row].cumsum(), u, side="right") for row, u in zip(rows[:, 0], uniform[:, 0], strict=True)
    ]
    assert drawn[:, 0].tolist() == expected
    assert compiled["row_by_row"](prob, np.array([[0.95], [0.2]], "float32")).numpy().tolist() == [[3], [0]]
    # of row 0 the first two are kept, 0.4 and 0.3: 0.9 of their sum is in the second; of row 1 the first alone
    assert compiled["top"](in_order, order, p, k, two).numpy().tolist() == [[2], [1]]
    shares = compiled["renormalize"](prob, in_order, p, k).numpy()
    np.testing.assert_allclose(shares, [[0.0, 4 / 7, 3 / 7, 0.0], [0.0, 1.0, 0.0, 0.0]], rtol=1e-5)
