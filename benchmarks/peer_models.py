"""The models in torch and TVM 0.27: `python peer_models.py torch` answers the questions of `models.py`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
from model_programs import LLAMA, MODELS, build
from turns import Builds, Call, Subject, serve


def torch_operators(torch: Any) -> Any:
    """The operators that the models call."""
    F = torch.nn.functional

    def batch_norm(x: Any, gamma: Any, beta: Any, mean: Any, var: Any, axis: int) -> Any:
        return (F.batch_norm(x, mean, var, gamma, beta),)

    def max_pool2d(x: Any, pool_size: Any, strides: Any, padding: Any) -> Any:
        return F.max_pool2d(x, pool_size, strides, padding)

    nn = SimpleNamespace(
        relu=F.relu,
        gelu=F.gelu,
        silu=F.silu,
        softmax=lambda x, axis: F.softmax(x, dim=axis),
        conv2d=lambda x, w, strides, padding: F.conv2d(x, w, stride=strides, padding=padding),
        batch_norm=batch_norm,
        max_pool2d=max_pool2d,
        layer_norm=lambda x, gamma, beta, axes: F.layer_norm(x, x.shape[-1:], gamma, beta),
        rms_norm=lambda x, gamma, axes, epsilon: F.rms_norm(x, x.shape[-1:], gamma, epsilon),
    )
    return SimpleNamespace(
        nn=nn,
        add=torch.add,
        multiply=torch.mul,
        matmul=torch.matmul,
        reshape=torch.reshape,
        permute_dims=lambda x, axes: x.permute(axes),
        mean=lambda x, axis: x.mean(dim=axis),
        constant=lambda value: torch.tensor(value),
        attention=torch_attention(torch),
    )


def torch_attention(torch: Any) -> Any:
    """Attention of one token over a cache of LLAMA's length, which is not rotated."""
    _, heads, groups, width, _, length = LLAMA
    rng = np.random.default_rng(1)
    keys, values = (torch.from_numpy(rng.standard_normal((1, groups, length, width), dtype="float32")) for _ in "kv")

    def attention(qkv: Any) -> Any:
        q, k, v = torch.split(qkv, [heads, groups, groups], dim=1)
        k, v = (part.reshape(1, groups, 1, width) for part in (k, v))
        keys[:, :, -1:], values[:, :, -1:] = k, v
        q = q.reshape(1, heads, 1, width)
        return torch.nn.functional.scaled_dot_product_attention(q, keys, values, enable_gqa=True)

    return attention


def tvm_attention(relax: Any, qkv: Any) -> Any:
    """The attention of `torch_attention` in operators of TVM: the cache is constant, but for the last token."""
    _, heads, groups, width, _, length = LLAMA
    emit = relax.BlockBuilder.current().emit
    rng = np.random.default_rng(1)
    caches = [rng.standard_normal((groups, length, width), dtype="float32")[:, :-1] for _ in "kv"]

    def extended(first: int, cache: Any) -> Any:
        token = emit(relax.op.strided_slice(qkv, axes=[1], begin=[first], end=[first + groups]))
        token = emit(relax.op.reshape(token, (groups, 1, width)))
        return emit(relax.op.concat([relax.const(cache, "float32"), token], axis=1))

    keys, values = extended(heads, caches[0]), extended(heads + groups, caches[1])
    queries = emit(relax.op.strided_slice(qkv, axes=[1], begin=[0], end=[heads]))
    queries = emit(relax.op.reshape(queries, (groups, heads // groups, width)))
    scores = emit(relax.op.matmul(queries, emit(relax.op.permute_dims(keys, [0, 2, 1]))))
    scores = emit(relax.op.multiply(scores, relax.const(width**-0.5, "float32")))
    return emit(relax.op.matmul(emit(relax.op.nn.softmax(scores, axis=-1)), values))


def torch_loader(is_compiled: bool) -> Callable[[str], Subject]:
    """Models in eager mode, or compiled by torch.compile, once, without its caches."""
    import torch

    without_gradients = torch.no_grad() if is_compiled else torch.inference_mode()  # the latter has no caches compiled
    ops = torch_operators(torch)

    def load(name: str) -> Subject:
        model = MODELS[name]
        inputs, weights = model.arrays()
        data = [torch.from_numpy(array) for array in inputs]
        w = {key: torch.from_numpy(array) for key, array in weights.items()}
        call = without_gradients(lambda: model.function(ops, *data, w))

        def build_model() -> Call:
            compiled: Call = torch.compile(call) if is_compiled else call
            compiled()  # compiles
            return compiled

        return Subject(build_model, partial(_sum, name), Builds.FIRST if is_compiled else Builds.NONE)

    return load


def tvm_loader(host: str) -> Callable[[str], Subject]:
    """Models as the default pipeline builds them for a target."""
    import tvm
    from tvm import relax

    tensor = getattr(relax, "TensorStructInfo", None) or relax.TensorType
    target = tvm.target.Target(json.loads(host))

    def load(name: str) -> Subject:
        model = MODELS[name]
        inputs, weights = model.arrays()
        mod = build(model, relax, tensor, {"attention": partial(tvm_attention, relax)})
        named = {f"w_{key.replace('.', '_')}": tvm.runtime.tensor(value) for key, value in weights.items()}
        data = [tvm.runtime.tensor(array) for array in inputs]

        def build_model() -> Call:
            bound = relax.transform.BindParams("main", named)(mod)
            decomposed = relax.transform.DecomposeOpsForInference()(bound)
            executable = tvm.compile(relax.transform.CanonicalizeBindings()(decomposed), target)
            main = relax.VirtualMachine(executable, tvm.cpu())["main"]
            return lambda: main(*data)

        return Subject(build_model, partial(_sum, name))

    return load


def _sum(name: str, call: Call) -> dict[str, float]:
    """The sum of the result of a model; those of Llama's block depend on the rotation, which is ours alone."""
    return {} if name == "Llama block" else {"sum": float(np.abs(call().numpy()).sum())}


#: what makes a loader of models out of the target
LOADERS: dict[str, Callable[[str], Callable[[str], Subject]]] = {
    "torch": lambda _: torch_loader(is_compiled=False),
    "torch.compile": lambda _: torch_loader(is_compiled=True),
    "tvm": tvm_loader,
}


if __name__ == "__main__":
    with TemporaryDirectory() as folder:  # the caches of torch.compile are empty
        os.environ |= {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "TORCHINDUCTOR_CACHE_DIR": folder}
        serve(LOADERS[sys.argv[1]](sys.argv[2]))
