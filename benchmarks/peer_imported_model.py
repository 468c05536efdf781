"""A model in TVM 0.27: `peer_imported_model.py SOURCE FOLDER TARGET SECONDS THREADS` prints the least time of a call.

The source is torch or onnx, which must be installed beside apache-tvm. The folder has `model.pt2`, `model.onnx`,
`inputs.npz` and `expected.npy`. The time is CPU time with one thread, as that of the other libraries.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tvm
from tvm import relax

#: least number of timed calls
_CALLS = 3


def from_torch(folder: Path) -> Any:
    """The module of the exported program."""
    import torch
    from tvm.relax.frontend.torch import from_exported_program

    return from_exported_program(torch.export.load(folder / "model.pt2"))


def from_onnx(folder: Path) -> Any:
    """The module of the ONNX file."""
    import onnx
    from tvm.relax.frontend.onnx import from_onnx as convert

    return convert(onnx.load(folder / "model.onnx"))


def best_call(convert: Callable[[Path], Any], folder: Path, target: str, seconds: float, threads: int) -> float:
    """The least seconds of a call of the compiled model, whose result is checked."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    mod = relax.transform.DecomposeOpsForInference()(convert(folder))
    executable = tvm.compile(mod, tvm.target.Target(json.loads(target)))
    main = relax.VirtualMachine(executable, tvm.cpu())["main"]
    arguments = [tvm.runtime.tensor(array) for array in np.load(folder / "inputs.npz").values()]
    result = main(*arguments)
    first = result if hasattr(result, "numpy") else result[0]
    expected = np.load(folder / "expected.npy")
    np.testing.assert_allclose(first.numpy(), expected, rtol=1e-3, atol=1e-3 * float(np.abs(expected).max()))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < _CALLS or time.perf_counter() < end:
        start = clock()
        main(*arguments)
        times.append(clock() - start)
    return min(times)


SOURCES: dict[str, Callable[[Path], Any]] = {"torch": from_torch, "onnx": from_onnx}


if __name__ == "__main__":
    print(best_call(SOURCES[sys.argv[1]], Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]), int(sys.argv[5])))
