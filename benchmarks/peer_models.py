"""Figures of the models for a peer, torch or TVM 0.27: `python peer_models.py torch` prints them as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from model_programs import LLAMA, MODELS, Model, build


def latency(call: Any, seconds: float = 3.0, most: int = 200) -> float:
    """The median time of a call, in seconds."""
    call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < most and (len(times) < 5 or time.perf_counter() < end):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


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


def fastest_build(compile_model: Callable[[], Any], rounds: int = 3) -> tuple[float, float, Any]:
    """Return the least CPU seconds and the least seconds on the clock of some builds, and the last executable.

    The first build of a process imports modules.
    """
    cpu, clock, executable = [], [], None
    for _ in range(rounds):
        start, begin = time.process_time(), time.perf_counter()
        executable = compile_model()
        cpu.append(time.process_time() - start)
        clock.append(time.perf_counter() - begin)
    return min(cpu), min(clock), executable


def with_torch() -> dict[str, Any]:
    """Latencies in eager mode."""
    import torch

    ops = torch_operators(torch)
    figures: dict[str, Any] = {"version": torch.__version__}
    with torch.inference_mode():
        for name, model in MODELS.items():
            inputs, weights = model.arrays()
            data = [torch.from_numpy(array) for array in inputs]
            w = {key: torch.from_numpy(array) for key, array in weights.items()}
            figures[name] = {"latency": latency(lambda model=model, data=data, w=w: model.function(ops, *data, w))}
            if name != "Llama block":
                figures[name]["sum"] = float(model.function(ops, *data, w).abs().sum())
    return figures


def with_tvm() -> dict[str, Any]:
    """Latencies and build times of the default pipeline."""
    import tvm
    from tvm import relax

    tensor = getattr(relax, "TensorStructInfo", None) or relax.TensorType
    figures: dict[str, Any] = {"version": tvm.__version__}
    for name, model in MODELS.items():
        if name != "Llama block":
            figures[name] = _tvm_figures(tvm, relax, tensor, model)
    return figures


def _tvm_figures(tvm: Any, relax: Any, tensor: Any, model: Model) -> dict[str, float]:
    inputs, weights = model.arrays()
    mod = build(model, relax, tensor)
    named = {f"w_{key.replace('.', '_')}": tvm.runtime.tensor(value) for key, value in weights.items()}
    target = tvm.target.Target({"kind": "llvm", "mcpu": sys.argv[2]})

    def compile_model() -> Any:
        bound = relax.transform.BindParams("main", named)(mod)
        return tvm.compile(
            relax.transform.CanonicalizeBindings()(relax.transform.DecomposeOpsForInference()(bound)), target
        )

    seconds, elapsed, executable = fastest_build(compile_model)
    vm = relax.VirtualMachine(executable, tvm.cpu())
    data = [tvm.runtime.tensor(array) for array in inputs]
    result = vm["main"](*data)
    return {
        "latency": latency(lambda: vm["main"](*data)),
        "build": seconds,
        "elapsed": elapsed,
        "sum": float(np.abs(result.numpy()).sum()),
    }


if __name__ == "__main__":
    print(json.dumps(with_torch() if sys.argv[1] == "torch" else with_tvm()))
