"""A model in TVM 0.27: `python peer_imported_model.py SOURCE FOLDER CPU SECONDS` prints the least seconds of a call.

The source is torch or onnx, which must be installed beside apache-tvm. The folder has `model.pt2`, `model.onnx`,
`inputs.npz` and `expected.npy`.
"""

from __future__ import annotations

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


def best_call(folder: Path, convert: Callable[[Path], Any], cpu: str, seconds: float) -> float:
    """The least seconds of a call of the compiled model, whose result is checked."""
    mod = relax.transform.DecomposeOpsForInference()(convert(folder))
    executable = tvm.compile(mod, tvm.target.Target({"kind": "llvm", "mcpu": cpu}))
    main = relax.VirtualMachine(executable, tvm.cpu())["main"]
    arguments = [tvm.runtime.tensor(array) for array in np.load(folder / "inputs.npz").values()]
    result = main(*arguments)
    first = result if hasattr(result, "numpy") else result[0]
    expected = np.load(folder / "expected.npy")
    np.testing.assert_allclose(first.numpy(), expected, rtol=1e-3, atol=1e-3 * float(np.abs(expected).max()))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < _CALLS or time.perf_counter() < end:
        start = time.perf_counter()
        main(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


SOURCES: dict[str, Callable[[Path], Any]] = {"torch": from_torch, "onnx": from_onnx}


if __name__ == "__main__":
    print(best_call(Path(sys.argv[2]), SOURCES[sys.argv[1]], sys.argv[3], float(sys.argv[4])))
