"""Models of torch, imported: latency beside torch eager, torch.compile and onnxruntime, taking turns in one process.

python -m benchmarks imported_models                     # all, in an environment with torch and onnxruntime
python -m benchmarks imported_models ResNet-18 ViT --small
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from rich.console import Console
from rich.table import Table

import tvmscript
from tests.tvmscript.frontend.torch.models import CASES, with_statistics
from tvmscript.benchmark.model_profile import build_model
from tvmscript.benchmark.timing import Call, Race
from tvmscript.frontend.torch import from_exported_program

OURS, PEERS = "tvmscript", ("torch", "torch.compile", "onnxruntime")


def calls_of(name: str, is_small: bool, threads: int) -> dict[str, Call]:
    """The calls of a model in each library, whose results agree."""
    torch.manual_seed(0)
    case = CASES[name]
    model = with_statistics(case.small() if is_small else case.large())
    inputs = case.small_inputs() if is_small else case.large_inputs()
    _, executable = build_model(from_exported_program(torch.export.export(model, inputs)), "llvm")
    main = tvmscript.relax.VirtualMachine(executable, tvmscript.cpu())["main"]
    arrays = [tvmscript.nd.array(tensor.numpy()) for tensor in inputs]
    infer = torch.inference_mode()
    eager, compiled = infer(model.forward), infer(torch.compile(model))
    session = _session(model, inputs, threads)
    feeds = {entry.name: tensor.numpy() for entry, tensor in zip(session.get_inputs(), inputs, strict=True)}
    calls: dict[str, Call] = {
        OURS: lambda: main(*arrays),
        "torch": lambda: eager(*inputs),
        "torch.compile": lambda: compiled(*inputs),
        "onnxruntime": lambda: session.run(None, feeds),
    }
    expected = _first(calls["torch"]()).numpy()
    for library, call in calls.items():
        result = np.asarray(_first(call()))
        if not np.allclose(result, expected, rtol=1e-3, atol=1e-3 * float(np.abs(expected).max())):
            sys.exit(f"{name}: {library} computes something else than torch")
    return calls


def _first(value: Any) -> Any:
    """The first result; those of ours as arrays."""
    value = value[0] if isinstance(value, (list, tuple)) else value
    return value.numpy() if isinstance(value, tvmscript.runtime.NDArray) else value


def _session(model: Any, inputs: Any, threads: int) -> Any:
    """The model in onnxruntime, by the exporter that needs no other package."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.onnx")
        torch.onnx.export(model, inputs, path, dynamo=False, opset_version=17)
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def main() -> None:
    """Measure the models, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(CASES)} (all)")
    parser.add_argument("--small", action="store_true", help="the models that the tests run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0, help="measuring of each candidate")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(options.threads)
    tvmscript.threads(options.threads)
    race = Race(options.threads, 1 << 24)
    table = Table("", OURS, *(column for peer in PEERS for column in (peer, "ratio")))
    figures: dict[str, dict[str, float]] = {}
    for name in options.models or CASES:
        timings = race.run(calls_of(name, options.small, options.threads), options.seconds)
        best = figures[name] = {library: timing.best for library, timing in timings.items()}
        row = [f"{best[OURS] * 1e3:.2f} ms"]
        for peer in PEERS:
            row += [f"{best[peer] * 1e3:.2f} ms", f"{best[peer] / best[OURS]:.2f}"]
        table.add_row(name, *row)
        if options.json:
            options.json.write_text(json.dumps(figures, indent=1))
    Console().print(table)


if __name__ == "__main__":
    main()
