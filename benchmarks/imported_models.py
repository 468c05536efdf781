"""Models of torch, imported: latency beside torch eager, torch.compile and onnxruntime, taking turns in one process.

TVM 0.27 runs in a process of its own, right after them, from its own importer of torch or ONNX. `--threads 1` counts
CPU time, which other programs on the machine do not change.

python -m benchmarks imported_models                     # all, in an environment with torch and onnxruntime
python -m benchmarks imported_models ResNet-18 ViT --small
python -m benchmarks imported_models --tvm /path/to/python  # which has apache-tvm 0.27 and torch or onnx
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from host_target import host_target
from rich.console import Console
from rich.table import Table

import tvmscript
from tests.tvmscript.frontend.torch.models import CASES, with_statistics
from tvmscript.benchmark.model_profile import build_model
from tvmscript.benchmark.timing import Call, Race
from tvmscript.frontend.torch import from_exported_program

OURS, TVM, COMPILED = "tvmscript", "TVM 0.27", "torch.compile"
PEERS = ("torch", COMPILED, "onnxruntime", TVM)


@dataclass(frozen=True)
class Exported:
    """A model with its inputs, exported for this package, for onnxruntime and for TVM."""

    name: str
    model: Any
    inputs: Any
    program: Any
    #: where files of it are
    folder: Path

    def write(self) -> None:
        """Write the files that other libraries read; ONNX by the exporter that needs no other package."""
        torch.onnx.export(self.model, self.inputs, str(self.folder / "model.onnx"), dynamo=False, opset_version=17)
        torch.export.save(self.program, self.folder / "model.pt2")
        arrays = {f"{place:03}": tensor.numpy() for place, tensor in enumerate(self.inputs)}
        np.savez(self.folder / "inputs.npz", **arrays)
        with torch.inference_mode():
            np.save(self.folder / "expected.npy", _first(self.model(*self.inputs)).numpy())


def export(name: str, is_small: bool, folder: Path) -> Exported:
    """A model of the tests."""
    torch.manual_seed(0)
    case = CASES[name]
    model = with_statistics(case.small() if is_small else case.large())
    inputs = case.small_inputs() if is_small else case.large_inputs()
    return Exported(name, model, inputs, torch.export.export(model, inputs), folder)


def calls_of(exported: Exported, threads: int) -> dict[str, Call]:
    """The calls of a model in each library, whose results agree."""
    model, inputs = exported.model, exported.inputs
    _, executable = build_model(from_exported_program(exported.program), "llvm")
    main = tvmscript.relax.VirtualMachine(executable, tvmscript.cpu())["main"]
    arrays = [tvmscript.nd.array(tensor.numpy()) for tensor in inputs]
    infer = torch.inference_mode()
    eager, compiled = infer(model.forward), infer(torch.compile(model))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    path = str(exported.folder / "model.onnx")
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = {entry.name: tensor.numpy() for entry, tensor in zip(session.get_inputs(), inputs, strict=True)}
    calls: dict[str, Call] = {
        OURS: lambda: main(*arrays),
        "torch": lambda: eager(*inputs),
        COMPILED: lambda: compiled(*inputs),
        "onnxruntime": lambda: session.run(None, feeds),
    }
    if shutil.which("g++") is None:
        del calls[COMPILED]
    expected = _first(calls["torch"]()).numpy()
    for library, call in calls.items():
        result = np.asarray(_first(call()))
        if not np.allclose(result, expected, rtol=1e-3, atol=1e-3 * float(np.abs(expected).max())):
            sys.exit(f"{exported.name}: {library} computes something else than torch")
    return calls


def measure_tvm(python: str, folder: Path, seconds: float, threads: int) -> tuple[float | None, str]:
    """The least seconds of a call in TVM, None where it fails; the importer that read the model, and errors."""
    script = str(Path(__file__).parent / "peer_imported_model.py")
    settings = [str(folder), host_target(), str(seconds), str(threads)]
    environment = {**os.environ, "TVM_NUM_THREADS": str(threads)}
    errors: list[str] = []
    for source in ("torch", "onnx"):
        command = [python, script, source, *settings]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode == 0:
            return float(done.stdout.split()[-1]), "; ".join([f"from {source}", *errors])
        last = [f"exit status {done.returncode}", *done.stderr.strip().splitlines()][-1]
        errors.append(f"from {source} fails: {last}")
    return None, "; ".join(errors)


def _first(value: Any) -> Any:
    """The first result; those of ours as arrays."""
    value = value[0] if isinstance(value, (list, tuple)) else value
    return value.numpy() if isinstance(value, tvmscript.runtime.NDArray) else value


def main() -> None:
    """Measure the models, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(CASES)} (all)")
    parser.add_argument("--small", action="store_true", help="the models that the tests run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2.0, help="measuring of each candidate")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--tvm", metavar="PYTHON", help="Python that has apache-tvm 0.27, and torch or onnx")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(options.threads)
    tvmscript.threads(options.threads)
    race = Race(options.threads, 1 << 24)
    table = Table("", OURS, *(column for peer in PEERS for column in (peer, "ratio")))
    figures: dict[str, dict[str, float]] = {}
    notes: list[str] = [] if shutil.which("g++") else [f"{COMPILED} needs a C++ compiler, which is absent"]
    for name in options.models or CASES:
        with tempfile.TemporaryDirectory() as folder:
            exported = export(name, options.small, Path(folder))
            exported.write()
            timings = race.run(calls_of(exported, options.threads), options.seconds)
            best = figures[name] = {library: timing.best for library, timing in timings.items()}
            if options.tvm:
                seconds, note = measure_tvm(options.tvm, Path(folder), options.seconds, options.threads)
                notes.append(f"{name}: {TVM} {note}")
                if seconds is not None:
                    best[TVM] = seconds
        row = [f"{best[OURS] * 1e3:.2f} ms"]
        for peer in PEERS:
            seconds = best.get(peer)
            row += ["-", "-"] if seconds is None else [f"{seconds * 1e3:.2f} ms", f"{seconds / best[OURS]:.2f}"]
        table.add_row(name, *row)
        if options.json:
            options.json.write_text(json.dumps(figures, indent=1))
    Console().print(table)
    for note in notes:
        Console().print(note, markup=False)


if __name__ == "__main__":
    main()
