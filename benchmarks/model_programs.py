"""Models as functions of operators, which are the same for this package, for TVM and for torch.

`ops` has the operators under the names of `relax.op`; `w` maps names to weights. Weights and inputs are those of one
random generator, so results can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

#: hidden size, heads, sequence length, size of the inner layer
BERT = 768, 12, 128, 3072
#: hidden size, query heads, key heads, head dimension, size of the inner layer, tokens in the cache
LLAMA = 2048, 32, 4, 64, 5632, 512


@dataclass(frozen=True)
class Model:
    """A model: shapes of inputs and weights, and the function."""

    inputs: dict[str, tuple[int, ...]]
    weights: dict[str, tuple[int, ...]]
    function: Callable[[Any, Any, dict[str, Any]], Any]

    def arrays(self) -> tuple[list[np.ndarray[Any, Any]], dict[str, np.ndarray[Any, Any]]]:
        """The inputs, and the weights by name; variances are positive."""
        rng = np.random.default_rng(0)
        inputs = [rng.standard_normal(shape, dtype="float32") for shape in self.inputs.values()]
        weights = {
            name: rng.uniform(0.5, 1.5, shape).astype("float32")
            if len(shape) == 1
            else rng.standard_normal(shape, dtype="float32") / np.float32(math.sqrt(math.prod(shape[1:])))
            for name, shape in self.weights.items()
        }
        return inputs, weights


def mlp(ops: Any, x: Any, w: dict[str, Any]) -> Any:
    """Three layers, the first two with relu."""
    for name in ("0", "1"):
        x = ops.nn.relu(ops.add(ops.matmul(x, w[f"weight{name}"]), w[f"bias{name}"]))
    return ops.nn.softmax(ops.add(ops.matmul(x, w["weight2"]), w["bias2"]), axis=-1)


_MLP = (784, 512, 256, 10)


def _mlp_weights() -> dict[str, tuple[int, ...]]:
    weights: dict[str, tuple[int, ...]] = {}
    for number, pair in enumerate(pairwise(_MLP)):
        weights |= {f"weight{number}": pair, f"bias{number}": pair[1:]}
    return weights


#: channels and stride of each pair of blocks of ResNet-18
_STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))


def resnet18(ops: Any, x: Any, w: dict[str, Any]) -> Any:
    """ResNet-18 for 1000 classes (K. He et al., 2016), for inference."""

    def convolution(name: str, x: Any, stride: int, padding: int) -> Any:
        y = ops.nn.conv2d(x, w[f"{name}.weight"], strides=stride, padding=padding)
        statistics = [w[f"{name}.{part}"] for part in ("gamma", "beta", "mean", "var")]
        return ops.nn.batch_norm(y, *statistics, axis=1)[0]

    x = ops.nn.relu(convolution("stem", x, 2, 3))
    x = ops.nn.max_pool2d(x, pool_size=(3, 3), strides=(2, 2), padding=(1, 1))
    for stage, (_, stride) in enumerate(_STAGES):
        for block in range(2):
            name, step = f"{stage}.{block}", stride if block == 0 else 1
            y = ops.nn.relu(convolution(f"{name}.a", x, step, 1))
            y = convolution(f"{name}.b", y, 1, 1)
            shortcut = convolution(f"{name}.down", x, step, 0) if f"{name}.down.weight" in w else x
            x = ops.nn.relu(ops.add(y, shortcut))
    x = ops.mean(x, axis=[2, 3])
    return ops.add(ops.matmul(x, w["fc.weight"]), w["fc.bias"])


def _resnet18_weights() -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, int, int]] = {"stem": (64, 3, 7)}
    inner = 64
    for stage, (channels, _) in enumerate(_STAGES):
        for block in range(2):
            shapes[f"{stage}.{block}.a"] = channels, inner, 3
            shapes[f"{stage}.{block}.b"] = channels, channels, 3
            if inner != channels:
                shapes[f"{stage}.{block}.down"] = channels, inner, 1
            inner = channels
    weights: dict[str, tuple[int, ...]] = {}
    for name, (channels, inputs, size) in shapes.items():
        weights[f"{name}.weight"] = channels, inputs, size, size
        weights |= {f"{name}.{part}": (channels,) for part in ("gamma", "beta", "mean", "var")}
    return {**weights, "fc.weight": (512, 1000), "fc.bias": (1000,)}


def bert_layer(ops: Any, x: Any, w: dict[str, Any]) -> Any:
    """A layer of BERT-base (J. Devlin et al., 2019)."""
    hidden, heads, length, _ = BERT

    def linear(name: str, x: Any) -> Any:
        return ops.add(ops.matmul(x, w[f"{name}.weight"]), w[f"{name}.bias"])

    def split(x: Any) -> Any:
        return ops.permute_dims(ops.reshape(x, (1, length, heads, hidden // heads)), axes=[0, 2, 1, 3])

    def normalize(name: str, x: Any) -> Any:
        return ops.nn.layer_norm(x, w[f"{name}.gamma"], w[f"{name}.beta"], axes=[-1])

    queries, keys, values = (split(linear(name, x)) for name in ("q", "k", "v"))
    scores = ops.matmul(queries, ops.permute_dims(keys, axes=[0, 1, 3, 2]))
    weights = ops.nn.softmax(ops.multiply(scores, ops.constant((hidden // heads) ** -0.5)), axis=-1)
    merged = ops.reshape(ops.permute_dims(ops.matmul(weights, values), axes=[0, 2, 1, 3]), (1, length, hidden))
    x = normalize("attention", ops.add(x, linear("out", merged)))
    return normalize("output", ops.add(x, linear("down", ops.nn.gelu(linear("up", x)))))


def _bert_weights() -> dict[str, tuple[int, ...]]:
    hidden, _, _, inner = BERT
    linear = dict.fromkeys("qkv", (hidden, hidden)) | {"out": (hidden, hidden)}
    weights: dict[str, tuple[int, ...]] = {}
    for name, shape in {**linear, "up": (hidden, inner), "down": (inner, hidden)}.items():
        weights |= {f"{name}.weight": shape, f"{name}.bias": shape[1:]}
    for name in ("attention", "output"):
        weights |= {f"{name}.gamma": (hidden,), f"{name}.beta": (hidden,)}
    return weights


def llama_block(ops: Any, x: Any, w: dict[str, Any]) -> Any:
    """A block of Llama (H. Touvron et al., 2023) for one token; `ops.attention` keeps the keys and values."""
    hidden, heads, groups, width, _, _ = LLAMA
    y = ops.nn.rms_norm(x, w["attention.gamma"], axes=[-1], epsilon=1e-5)
    qkv = ops.reshape(ops.matmul(y, w["qkv.weight"]), (1, heads + 2 * groups, width))
    y = ops.reshape(ops.attention(qkv), (1, hidden))
    x = ops.add(x, ops.matmul(y, w["out.weight"]))
    y = ops.nn.rms_norm(x, w["mlp.gamma"], axes=[-1], epsilon=1e-5)
    y = ops.multiply(ops.nn.silu(ops.matmul(y, w["gate.weight"])), ops.matmul(y, w["up.weight"]))
    return ops.add(x, ops.matmul(y, w["down.weight"]))


def _llama_weights() -> dict[str, tuple[int, ...]]:
    hidden, heads, groups, width, inner, _ = LLAMA
    return {
        "attention.gamma": (hidden,),
        "qkv.weight": (hidden, (heads + 2 * groups) * width),
        "out.weight": (heads * width, hidden),
        "mlp.gamma": (hidden,),
        "gate.weight": (hidden, inner),
        "up.weight": (hidden, inner),
        "down.weight": (inner, hidden),
    }


MODELS = {
    "MLP": Model({"x": (64, _MLP[0])}, _mlp_weights(), mlp),
    "ResNet-18": Model({"x": (1, 3, 224, 224)}, _resnet18_weights(), resnet18),
    "BERT-base layer": Model({"x": (1, BERT[2], BERT[0])}, _bert_weights(), bert_layer),
    "Llama block": Model({"x": (1, LLAMA[0])}, _llama_weights(), llama_block),
}


class Emitting:
    """Operators of `relax.op` whose calls are bound to variables of a builder, with those that `extra` adds."""

    def __init__(self, ops: Any, emit: Callable[[Any], Any], extra: dict[str, Any] | None = None) -> None:
        self._ops, self._emit, self._extra = ops, emit, extra or {}

    def __getattr__(self, name: str) -> Any:
        if name in self._extra:
            return self._extra[name]
        found = getattr(self._ops, name)
        if not callable(found):
            return Emitting(found, self._emit)

        def call(*args: Any, **options: Any) -> Any:
            return self._emit(found(*args, **options))

        return call


def build(model: Model, relax: Any, tensor: Any, extra: dict[str, Any] | None = None, inputs: Any = ()) -> Any:
    """The module of a model out of the builder of a library; `tensor` makes what is known of a tensor."""
    builder = relax.BlockBuilder()
    data = [relax.Var(name, tensor(shape, "float32")) for name, shape in model.inputs.items()]
    names = {name: name.replace(".", "_") for name in model.weights}
    weights = {name: relax.Var(f"w_{names[name]}", tensor(shape, "float32")) for name, shape in model.weights.items()}
    with builder.function("main", [*inputs, *data, *weights.values()]):
        with builder.dataflow():
            added = {"constant": lambda value: relax.const(value, "float32"), **(extra or {})}
            result = builder.emit_output(model.function(Emitting(relax.op, builder.emit, added), *data, weights))
        builder.emit_func_output(result)
    return builder.get()
