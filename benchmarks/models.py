"""Models: latency, time of builds, planned memory, time between kernels; beside torch and TVM 0.27 where these are.

Builds have their CPU time and the time on the clock, which LLVM shares on a second processor.

python -m benchmarks models                          # peers in this environment
python -m benchmarks models --peer /path/to/python   # peers in another one
python -m benchmarks imported_models                # models that come from torch
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from model_programs import LLAMA, MODELS, Model, build
from peer_models import fastest_build, latency
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript import relax
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.ir.relax.lowering.memory_plan import peak_of_live_bytes
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.operators.decompose_ops_for_inference import DecomposeOpsForInference
from tvmscript.ir.relax.transform.parameters.bind_params import BindParams

#: kernels in the graph that measures the time between kernels
KERNELS = 1_000


def measure_model(model: Model) -> dict[str, float]:
    """The figures of a model."""
    inputs, weights = model.arrays()
    cache = _cache() if model is MODELS["Llama block"] else None
    handle = relax.Var("cache", relax.ObjectStructInfo())
    extra = {} if cache is None else {"attention": partial(_attention, handle)}
    handles = [] if cache is None else [handle]
    mod = build(model, relax, relax.TensorStructInfo, extra, handles)
    named = {f"w_{name.replace('.', '_')}": value for name, value in weights.items()}

    def compile_model() -> Any:
        bound = BindParams("main", named)(mod)
        return tvmscript.compile(CanonicalizeBindings()(DecomposeOpsForInference()(bound)), "llvm")

    seconds, elapsed, executable = fastest_build(compile_model)
    main = relax.VirtualMachine(executable, tvmscript.cpu())["main"]
    data: list[Any] = [tvmscript.nd.array(array) for array in inputs]

    def call() -> Any:
        if cache is None:
            return main(*data)
        cache.popn(0, 1)
        cache.begin_forward((0,), (1,))
        return main(cache, *data)

    figures = {"build": seconds, "elapsed": elapsed, "latency": latency(call)}
    if cache is None:
        figures["sum"] = float(np.abs(call().numpy()).sum())
    function = executable["main"]
    if isinstance(function, GraphFunction):
        host = function.host
        sizes, lives = [size for size, _ in host.temporaries], [life for _, life in host.temporaries]
        figures |= {
            "kernels": host.num_calls,
            "planned": function.workspace_bytes or 0,
            "bound": peak_of_live_bytes(sizes, lives),
        }
    return figures


def _cache() -> Any:
    """A cache with as many tokens as the peers have."""
    _, heads, groups, width, _, length = LLAMA
    create = tvmscript.get_global_func("vm.builtin.paged_attention_kv_cache_create")
    dtype = tvmscript.nd.array(np.zeros(1, "float32"))
    cache = create((1, 2 * length, length, 16), 1, heads, groups, width, 1, 1.0, 10000.0, dtype)
    cache.add_sequence(0)
    cache.begin_forward((0,), (length,))
    qkv = np.random.default_rng(1).standard_normal((length, heads + 2 * groups, width), dtype="float32")
    result = tvmscript.nd.array(np.zeros((length, heads, width), "float32"))
    cache.attention(0, 1.0, tvmscript.nd.array(qkv), result)
    return cache


def _attention(cache: Any, qkv: Any) -> Any:
    """The call of attention over the cache."""
    _, heads, _, width, _, _ = LLAMA
    builder = relax.BlockBuilder.current()
    assert builder is not None
    return builder.emit(
        relax.op.call_dps_packed(
            "vm.builtin.attention_kv_cache_attention_with_fused_qkv",
            (cache, relax.PrimValue(0), relax.PrimValue(tvmscript.tir.const(1.0, "float64")), qkv),
            relax.TensorStructInfo((1, heads, width), "float32"),
        )
    )


def seconds_between_kernels() -> float:
    """The time of a call of a kernel that computes nothing to speak of, in a chain of them."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorStructInfo((1,), "float32"))
    with builder.function("main", [x]):
        with builder.dataflow():
            last: Any = x
            for _ in range(KERNELS):
                last = builder.emit(relax.op.add(last, x))
            last = builder.emit_output(last)
        builder.emit_func_output(last)
    main = relax.VirtualMachine(relax.build(builder.get(), "llvm"), tvmscript.cpu())["main"]
    array = tvmscript.nd.array(np.ones(1, "float32"))
    return latency(lambda: main(array)) / KERNELS


def measure_peer(python: str, name: str) -> dict[str, Any] | None:
    """The figures of a peer, None where that Python does not have it."""
    if subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode:
        return None
    command = [python, str(Path(__file__).parent / "peer_models.py"), name, llvm.get_host_cpu_name()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def check_results(ours: dict[str, Any], peer: dict[str, Any]) -> None:
    """Exit where a model computes something else than the peer."""
    for name in MODELS:
        mine, theirs = ours[name].get("sum"), peer.get(name, {}).get("sum")
        if mine is not None and theirs is not None and abs(mine - theirs) > 1e-3 * abs(theirs):
            sys.exit(f"{name}: the sum of the result is {mine}, but that of the peer {theirs}")


def rows(ours: dict[str, Any], peers: dict[str, Any]) -> list[list[str]]:
    """The rows of the table."""
    lines: list[list[str]] = []
    for name in MODELS:
        mine = ours[name]
        memory = f"{mine['planned'] / mine['bound']:.3f}" if mine.get("bound") else "-"
        line = [name, milliseconds(mine["latency"]), *(milliseconds(_of(peers, key, name, "latency")) for key in peers)]
        built = [_of(peers, key, name, "build") for key in peers if key == "tvm"]
        ratios = [f"{mine['build'] / seconds:.2f}" if seconds else "-" for seconds in built]
        elapsed = [_of(peers, key, name, "elapsed") for key in peers if key == "tvm"]
        line += [f"{mine['build']:.2f} s", *map(_seconds, built), *ratios]
        line += [f"{mine['elapsed']:.2f} s", *map(_seconds, elapsed)]
        lines.append([*line, memory])
    return lines


def _of(peers: dict[str, Any], peer: str, model: str, figure: str) -> float | None:
    value: float | None = peers[peer].get(model, {}).get(figure)
    return value


def milliseconds(seconds: float | None) -> str:
    """A time in words."""
    return "-" if seconds is None else f"{seconds * 1e3:.2f} ms"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"


def main() -> None:
    """Measure all sides and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", default=sys.executable, help="Python that has torch or apache-tvm 0.27")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    os.environ["TVMSCRIPT_CACHE"] = "0"
    found = {name: measure_peer(options.peer, name) for name in ("torch", "tvm")}
    peers = {name: figures for name, figures in found.items() if figures is not None}
    ours: dict[str, Any] = {name: measure_model(model) for name, model in MODELS.items()}
    for figures in peers.values():
        check_results(ours, figures)
    builds = [each for name in peers if name == "tvm" for each in (f"build, {name}", f"build / {name}")]
    elapsed = ["build, on the clock", *(f"the same, {name}" for name in peers if name == "tvm")]
    latencies = [f"latency, {name}" for name in peers]
    table = Table("", "latency", *latencies, "build", *builds, *elapsed, "planned / bound")
    for row in rows(ours, peers):
        table.add_row(*row)
    Console().print(table)
    between = seconds_between_kernels()
    Console().print(f"{between * 1e6:.2f} us for a kernel of one element, its call included")
    if options.json:
        options.json.write_text(json.dumps({"ours": ours, "between": between, "peers": peers}, indent=1))


if __name__ == "__main__":
    main()
